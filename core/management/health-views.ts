// Health as it is shown: the books of the state machines put into the shapes of the contract. Pure; no key goes out.
import {
  type BreakerView,
  CONNECTION_STATUSES,
  COOLDOWN_STATUSES,
  type ConnectionStateRow,
  type CooldownRow,
  type ERROR_GROUPS,
  type GateView,
  type LockoutView,
} from '../contract/health-views'
import type { Connection, Provider } from '../providers/registry'
import { unusableBecause } from '../providers/registry'
import type { BreakerStatus } from '../resilience/circuit-breaker'
import type { ConnectionEntry, LastError } from '../resilience/connection-book'
import type { Gate } from '../resilience/health-events'
import type { Lock } from '../resilience/lockout'

const iso = (moment: number): string => new Date(moment).toISOString()
const left = (until: number | null, now: number): number => (until === null ? 0 : Math.max(until - now, 0))

/** What is known of one connection at one moment. */
export interface ConnectionFacts {
  readonly provider: Provider
  readonly connection: Connection
  /** undefined: nothing is held against it. */
  readonly entry: ConnectionEntry | undefined
  /** What keeps it out; null: nothing. */
  readonly gate: Gate | null
  readonly locks: readonly Lock[]
  /** The provider's breaker lets nothing through. */
  readonly circuitOpen: boolean
  readonly now: number
}

export function cooldownRow(facts: ConnectionFacts): CooldownRow {
  const { connection, entry, gate, locks, now } = facts
  const rests = isResting(gate)
  const until = rests ? gate.until : null
  const lastError = entry?.lastError ?? null
  return {
    id: connection.id,
    provider: connection.provider,
    name: connection.name,
    authType: authType(connection),
    priority: connection.priority,
    isActive: connection.enabled,
    status: cooldownStatus(facts),
    testStatus: entry?.account.kind === 'terminal' ? entry.account.state : rests ? 'unavailable' : 'active',
    rateLimitedUntil: until === null ? null : iso(until),
    cooldownRemainingMs: left(until, now),
    backoffLevel: entry?.cooldown.backoffLevel ?? 0,
    errorCode: lastError?.status ?? null,
    lastErrorType: lastError?.reason ?? null,
    lastErrorAt: lastError === null ? null : iso(lastError.at),
    lockouts: locks.map((lock) => ({ model: lock.model, reason: lock.reason, remainingMs: left(lock.until, now) })),
    gate: gate === null ? null : gateView(gate),
  }
}

/** A pending retry of a refused sign-in rests, too. */
const isResting = (gate: Gate | null): gate is Gate => gate !== null && gate.gate !== 'terminal'

function cooldownStatus({ provider, connection, gate, locks }: ConnectionFacts): CooldownRow['status'] {
  if (gate !== null) return gate.gate === 'terminal' ? 'terminal' : 'cooling_down'
  if (locks.length > 0) return 'model_locked'
  return unusableBecause(provider.row, connection) === null ? 'healthy' : 'unavailable'
}

/** Those that are out first; else as they were. */
export const byTrouble = (a: CooldownRow, b: CooldownRow): number =>
  COOLDOWN_STATUSES.indexOf(a.status) - COOLDOWN_STATUSES.indexOf(b.status)

const authType = ({ login }: Connection): CooldownRow['authType'] => (login === undefined ? 'apikey' : 'oauth')

const gateView = ({ gate, reason, since, until, why, endsBy }: Gate): GateView => ({
  ...{ gate, reason, since, until, why, endsBy },
})

/** @param windowMs errors older than that are not shown */
export function stateRow(facts: ConnectionFacts, windowMs: number): ConnectionStateRow {
  const { connection, entry, gate, locks, now } = facts
  const until = isResting(gate) ? gate.until : null
  const lastError = entry?.lastError ?? null
  const recent = lastError !== null && now - lastError.at <= windowMs ? lastError : null
  return {
    id: connection.id,
    provider: connection.provider,
    name: connection.name,
    authType: authType(connection),
    isActive: connection.enabled,
    connectionStatus: connectionStatus(facts),
    rateLimitedUntil: until === null ? null : iso(until),
    cooldownRemainingMs: left(until, now),
    backoffLevel: entry?.cooldown.backoffLevel ?? 0,
    errorCode: recent === null ? null : errorGroup(recent),
    lastErrorAt: recent === null ? null : iso(recent.at),
    lockouts: locks.length,
  }
}

function connectionStatus({ gate, circuitOpen }: ConnectionFacts): ConnectionStateRow['connectionStatus'] {
  if (gate?.gate === 'terminal') return 'terminal'
  if (circuitOpen) return 'circuit_open'
  return gate === null ? 'healthy' : 'cooling_down'
}

export const byState = (a: ConnectionStateRow, b: ConnectionStateRow): number =>
  CONNECTION_STATUSES.indexOf(a.connectionStatus) - CONNECTION_STATUSES.indexOf(b.connectionStatus)

/** An error in one coarse word: statuses and texts of upstreams stay inside. */
export function errorGroup({ status, reason }: Pick<LastError, 'status' | 'reason'>): (typeof ERROR_GROUPS)[number] {
  if (status === 429) return 'rate_limit'
  if (status === 401 || status === 403) return 'auth'
  if (status === 404) return 'not_found'
  if (status !== null) return status >= 500 ? 'server' : 'other'
  return reason === 'timeout' || reason === 'network_error' ? 'server' : 'other'
}

export function lockoutView(lock: Lock, connectionName: string, now: number): LockoutView {
  const { providerId, connectionId, model, reason, message, since, until, failureCount } = lock
  return {
    ...{ provider: providerId, connectionId, connection: connectionId, connectionName, model, reason, failureCount },
    why: message,
    since: iso(since),
    remainingMs: left(until, now),
    expiresAt: iso(until),
  }
}

/** Read out: the machine's own status is not to be changed. */
export const breakerView = ({ kindFailureCounts, transitionHistory, ...status }: BreakerStatus): BreakerView => ({
  ...status,
  kindFailureCounts: { ...kindFailureCounts },
  transitionHistory: transitionHistory.map((transition) => ({ ...transition })),
})
