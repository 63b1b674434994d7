// A request of which nothing is known: what strategies get where nobody has looked.
import { NO_WISHES } from './auto/wishes'
import type { RequestFacts } from './strategy'

export const NO_FACTS: RequestFacts = {
  task: null,
  category: null,
  cacheKey: null,
  inputTokens: null,
  outputTokens: null,
  specificity: null,
  wishes: NO_WISHES,
}
