// Whether what failed is asked again, and after how long (docs/resilience.md, "Combos"). Pure.
import type { ComboConfig } from '../contract/combo-config'
import type { Reason } from '../contract/kinds'

const PASSING: ReadonlySet<Reason> = new Set<Reason>([
  'rate_limit_exceeded',
  'concurrency_limited',
  'server_error',
  'model_capacity',
  'timeout',
  'network_error',
  'empty_answer',
])

/** Whether it may be over by itself in a moment. */
export const mayPass = (reason: Reason | undefined): boolean => reason !== undefined && PASSING.has(reason)

type Config = Pick<ComboConfig, 'maxRetries' | 'retryDelayMs' | 'maxSetRetries' | 'setRetryDelayMs'>

/**
 * Before another round of all targets, where the combo wants one.
 * @param last why the last attempt failed; undefined: none was made
 * @param rounds so far
 * @returns milliseconds; null: there is none
 */
export function pauseBeforeRound(last: Reason | undefined, rounds: number, config: Config): number | null {
  if (!mayPass(last)) return null
  const { maxRetries, retryDelayMs, maxSetRetries, setRetryDelayMs } = config
  if (rounds < maxRetries) return retryDelayMs
  return rounds < maxRetries + maxSetRetries ? setRetryDelayMs : null
}
