// When what is shown of health changes by itself: rests end without an event, so whoever shows them asks for the first
// moment and looks again then. Pure.
import type { BreakerStatus } from './circuit-breaker'

interface Ends {
  readonly until: number | null
}
export interface ShownProvider extends Ends {
  readonly connections: readonly Ends[]
}

/** Epoch milliseconds; null: nothing that is shown has an end. What is over already does not count. */
export function nextReturn(
  providers: readonly ShownProvider[],
  breakers: readonly Pick<BreakerStatus, 'until'>[],
  now: number,
): number | null {
  const ends = [...providers, ...providers.flatMap(({ connections }) => connections), ...breakers]
    .flatMap(({ until }) => (until === null || until <= now ? [] : [until]))
    .sort((a, b) => a - b)
  return ends[0] ?? null
}
