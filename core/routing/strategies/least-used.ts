// The fewest recorded requests first (docs/resilience.md, "Strategies: least-used").
import { ascending } from './ranking'
import { stateless } from './strategy'

export const leastUsed = stateless<object>(({ candidates }) =>
  ascending(candidates, 'used', ({ view }) => view.useCount),
)
