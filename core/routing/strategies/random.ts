// A new order for each request, every one as likely (docs/resilience.md, "Strategies: random").
import { asListed, shuffled } from './ranking'
import { stateless } from './strategy'

export const random = stateless<object>(({ candidates, random: draw }) => asListed(shuffled(candidates, draw)))
