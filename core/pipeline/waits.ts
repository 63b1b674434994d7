// Whether a request waits for something that passes by itself, and how long (docs/resilience.md, "Waiting"). Pure.
import type { Reason } from '../contract/kinds'
import type { ResilienceSettings } from '../contract/resilience-settings'
import type { Gate } from '../resilience/health-events'

/** Why something of a target cannot be used now. */
export interface Exclusion {
  readonly connectionId: string | null
  /** The connection's name, or the provider's where all of it is out. */
  readonly connection: string
  readonly because: string
  /** null: nothing that health keeps track of, such as a switch or a missing key. */
  readonly gate: Gate | null
}

/** What the request has spent on waiting so far. */
export interface Spent {
  readonly waits: number
  readonly waitedMs: number
}

/** An open breaker, a spent quota, money, accounts and missing models are never waited for. */
const WAITED_FOR: ReadonlySet<Reason> = new Set<Reason>([
  'rate_limit_exceeded',
  'concurrency_limited',
  'server_error',
  'model_capacity',
  'timeout',
  'network_error',
])

export const isWaitable = ({ gate, reason, until }: Gate): boolean =>
  (gate === 'cooldown' || gate === 'lockout') && until !== null && WAITED_FOR.has(reason)

/** The moment the first of them returns that may be waited for; the others neither block nor set it. */
export function earliestReturn(excluded: readonly Exclusion[]): number | null {
  let earliest: number | null = null
  for (const { gate } of excluded) {
    if (gate === null || gate.until === null || !isWaitable(gate)) continue
    if (earliest === null || gate.until < earliest) earliest = gate.until
  }
  return earliest
}

/** Until when a direct request waits; null: not at all. */
export function directWait(
  excluded: readonly Exclusion[],
  settings: ResilienceSettings['waitForCooldown'],
  { waits, waitedMs }: Spent,
  now: number,
): number | null {
  if (!settings.enabled || waits >= settings.maxRetries) return null
  const until = earliestReturn(excluded)
  if (until === null) return null
  const wait = Math.max(0, until - now)
  return wait <= settings.maxRetryWaitSec * 1000 && waitedMs + wait <= settings.budgetMs ? until : null
}
