// In the order of the list: each is used until it can no longer be. Differs from priority in what the user means by it,
// and so in what is shown (docs/resilience.md, "Strategies: fill-first").
import { asListed } from './ranking'
import { stateless } from './strategy'

export const fillFirst = stateless<object>(({ candidates }) => asListed(candidates))
