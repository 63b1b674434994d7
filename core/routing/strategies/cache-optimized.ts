// Requests that begin alike go to the same connection, where the provider has their beginning in its prompt cache
// (docs/resilience.md, "Strategies: cache-optimized"). A signed-in account busy with other sessions gives way.
import { rendezvous } from './cache-key'
import { byScore } from './ranking'
import { type Candidate, stateless } from './strategy'

/** Where a request has nothing to be told by, all connections are equal. */
const NO_KEY = 0.5

/** 1 for a key, and for an account nobody else uses; less with each other session. */
export const sessionAvailability = ({ view }: Candidate): number => (view.signsIn ? 1 / (1 + view.otherSessions) : 1)

export const cacheOptimized = stateless<object>(({ candidates, request }) => {
  const share = request.cacheKey === null ? () => NO_KEY : rendezvous(request.cacheKey)
  return byScore(
    candidates.map((candidate) => {
      const { connectionId, executionKey } = candidate.target
      const cache = share(connectionId ?? executionKey)
      const sessions = sessionAvailability(candidate)
      return { candidate, score: 0.75 * cache + 0.25 * sessions, parts: { cache, sessions } }
    }),
  )
})
