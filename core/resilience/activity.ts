// How providers and connections are shown: what health holds against them, and what was last seen. For display only: it
// influences no request.
import type { HealthState, Reason } from '../contract/kinds'
import type { ConnectionQuota } from '../contract/quota-views'
import type { AttemptView, RequestView } from '../contract/views'
import { type Connection, type Provider, unusableBecause } from '../providers/registry'
import type { Gate } from './health-events'
import type { Lock } from './lockout'

interface Seen {
  inFlight: number
  lastUsedAt: number | null
  /** The last attempt's failure; null after a success. */
  failure: { readonly reason: Reason; readonly message: string; readonly at: number } | null
}

export interface ShownState {
  readonly state: HealthState
  readonly why: string
  /** Epoch milliseconds; null: unknown, or well. */
  readonly since: number | null
  /** When it returns by itself; null: it does not, or is well. */
  readonly until: number | null
}

const WELL: ShownState = { state: 'healthy', why: '', since: null, until: null }

/** What is held against providers and connections at this moment. */
export interface HealthNow {
  connectionGate(connection: Connection): Gate | null
  lockouts(connectionId: string): readonly Pick<Lock, 'model' | 'reason' | 'message' | 'since' | 'until'>[]
  breaker(providerId: string): { readonly gate: Gate | null; readonly isDegraded: boolean } | null
}

const shownGate = ({ why, since, until, endsBy }: Gate): ShownState => ({
  state: endsBy === 'person' ? 'needs-you' : 'resting',
  why,
  since,
  until,
})

/** Only a person can end these. */
const NEEDS_PERSON: ReadonlySet<Reason> = new Set<Reason>(['auth_error', 'credits_exhausted', 'forbidden', 'banned'])
/** Reasons that say nothing about the connection. */
const NOT_ITS_FAULT: ReadonlySet<Reason> = new Set<Reason>([
  'aborted',
  'local',
  'bad_request',
  'context_overflow',
  'not_found',
])

/** What health holds against a connection while it lasts; afterwards it is over. */
const HEALTH_TELLS: ReadonlySet<Reason> = new Set<Reason>([
  ...NEEDS_PERSON,
  'rate_limit_exceeded',
  'quota_exhausted',
  'concurrency_limited',
  'request_rejected',
])

export class Activity {
  private readonly seen = new Map<string, Seen>()
  running = 0

  /** null: only what was seen is shown. */
  health: HealthNow | null = null
  /** What is known of a connection's allowances; null: nothing. */
  quotaOf: (connection: Connection) => ConnectionQuota | null = () => null

  constructor(private readonly persistLastUse: (connectionId: string, at: number) => void) {}

  restoreLastUse(connectionId: string, at: number): void {
    this.of(connectionId).lastUsedAt = at
  }

  started(connectionId: string): void {
    this.of(connectionId).inFlight++
  }

  ended(connectionId: string): void {
    this.of(connectionId).inFlight--
  }

  finished(record: RequestView): void {
    for (const attempt of record.attempts) this.note(attempt)
  }

  /** A person's live test, or a changed key: what was held against the connection is forgotten. */
  clear(connectionId: string): void {
    this.of(connectionId).failure = null
  }

  forget(connectionId: string): void {
    this.seen.delete(connectionId)
  }

  of(connectionId: string): Seen {
    let seen = this.seen.get(connectionId)
    if (seen === undefined) {
      seen = { inFlight: 0, lastUsedAt: null, failure: null }
      this.seen.set(connectionId, seen)
    }
    return seen
  }

  connectionState(provider: Provider, connection: Connection): ShownState {
    const because = unusableBecause(provider.row, connection)
    if (because !== null) return { ...WELL, state: connection.enabled ? 'needs-you' : 'off', why: because }
    const gate = this.health?.connectionGate(connection) ?? null
    if (gate !== null) return shownGate(gate)
    const [lock] = this.health?.lockouts(connection.id) ?? []
    if (lock !== undefined) {
      const why = `The model ${lock.model} rests: ${lock.message === '' ? lock.reason : lock.message}`
      return { state: 'strained', why, since: lock.since, until: lock.until }
    }
    const { failure } = this.of(connection.id)
    if (failure === null) return WELL
    const isOver = this.health !== null && HEALTH_TELLS.has(failure.reason) && !connection.settings.disableCooling
    if (isOver) return WELL
    return {
      state: NEEDS_PERSON.has(failure.reason) ? 'needs-you' : 'strained',
      why: `The last request failed: ${failure.message}`,
      since: failure.at,
      until: null,
    }
  }

  providerState(provider: Provider): ShownState {
    const states = provider.connections
      .filter(({ enabled }) => enabled)
      .map((connection) => ({ name: connection.name, ...this.connectionState(provider, connection) }))
    if (states.length === 0) {
      return { ...WELL, state: 'off', why: provider.connections.length === 0 ? 'no connection yet' : 'switched off' }
    }
    const breaker = provider.row.exempt ? null : (this.health?.breaker(provider.row.id) ?? null)
    if (breaker !== null && breaker.gate !== null) return { ...shownGate(breaker.gate), state: 'resting' }
    const bad = states.find(({ state }) => state !== 'healthy')
    if (bad === undefined) {
      return breaker?.isDegraded === true
        ? { ...WELL, state: 'strained', why: 'Some of its answers failed of late.' }
        : WELL
    }
    const why = `${bad.name}: ${bad.why}`
    const { since, until } = bad
    if (states.some(({ state }) => state === 'healthy' || state === 'strained')) {
      return { state: 'strained', why, since, until }
    }
    const resting = states.filter(({ state }) => state === 'resting')
    if (resting.length === 0) return { state: 'needs-you', why, since, until }
    const first = resting.reduce((a, b) => ((b.until ?? Infinity) < (a.until ?? Infinity) ? b : a))
    return { state: 'resting', why: `${first.name}: ${first.why}`, since: first.since, until: first.until }
  }

  private note({ connectionId, outcome, reason, message, startedAt }: AttemptView): void {
    const seen = this.of(connectionId)
    seen.lastUsedAt = startedAt
    this.persistLastUse(connectionId, startedAt)
    if (outcome === 'ok') seen.failure = null
    else if (outcome === 'failed' && reason !== null && !NOT_ITS_FAULT.has(reason)) {
      seen.failure = { reason, message, at: startedAt }
    }
  }
}
