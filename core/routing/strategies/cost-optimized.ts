// The lowest input price first, unknown prices last (docs/resilience.md, "Strategies: cost-optimized").
import { ascending } from './ranking'
import { stateless } from './strategy'

export const costOptimized = stateless<object>(({ candidates }) =>
  ascending(candidates, 'inputPrice', ({ view }) => view.inputPrice),
)
