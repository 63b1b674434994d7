// Whoever has used least of its five hours and its week (docs/resilience.md, "Strategies: headroom"). What nobody
// reports counts as unused: it is tried, and then known.
import { shareLeft, windowOf } from './quota'
import { byScore } from './ranking'
import { type Candidate, stateless } from './strategy'

function headroomOf({ view: { quota } }: Candidate, now: number): number {
  if (quota.kind !== 'known') return 1
  const left = (name: '5h' | '7d'): number => shareLeft(windowOf(quota, name, now)?.usedPercent ?? null) ?? 1
  return Math.min(left('5h'), left('7d'))
}

export const headroom = stateless<object>(({ candidates, now }) =>
  byScore(
    candidates.map((candidate) => {
      const score = headroomOf(candidate, now)
      return { candidate, score, parts: { headroom: score } }
    }),
  ),
)
