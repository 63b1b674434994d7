// The largest context window first, unknown ones last (docs/resilience.md, "Strategies: context-optimized").
import { byScore, unscored } from './ranking'
import { stateless } from './strategy'

export const contextOptimized = stateless<object>(({ candidates }) =>
  byScore(candidates.map((candidate) => ({ ...unscored(candidate), score: candidate.view.contextWindow }))),
)
