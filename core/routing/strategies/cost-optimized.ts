// The lowest input price first, unknown prices last (docs/resilience.md, "Strategies: cost-optimized"). Where the
// request needs a paid model of the better kind, those come before all others.
import { ascending } from './ranking'
import { type Candidate, stateless } from './strategy'

const isPremium = ({ view }: Candidate): boolean => view.tier === 'ultra' || view.tier === 'pro'

export const costOptimized = stateless<object>(({ candidates, request }) => {
  const ranked = ascending(candidates, 'inputPrice', ({ view }) => view.inputPrice)
  if (!request.needsPremium) return ranked
  return [
    ...ranked.filter(({ candidate }) => isPremium(candidate)),
    ...ranked.filter(({ candidate }) => !isPremium(candidate)),
  ]
})
