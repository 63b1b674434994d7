// What was last seen of each connection, for display only: it influences no request. The states of breaker, cooldown
// and lockout will be shown through the same door.
import type { HealthState, Reason } from '../contract/kinds'
import type { AttemptView, RequestView } from '../contract/views'
import { type Connection, type Provider, unusableBecause } from '../providers/registry'

interface Seen {
  inFlight: number
  lastUsedAt: number | null
  /** The last attempt's failure; null after a success. */
  failure: { readonly reason: Reason; readonly message: string; readonly at: number } | null
}

export interface ShownState {
  readonly state: HealthState
  readonly why: string
}

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

export class Activity {
  private readonly seen = new Map<string, Seen>()
  running = 0

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
    if (because !== null) return { state: connection.enabled ? 'needs-you' : 'off', why: because }
    const { failure } = this.of(connection.id)
    if (failure === null) return { state: 'healthy', why: '' }
    return {
      state: NEEDS_PERSON.has(failure.reason) ? 'needs-you' : 'strained',
      why: `The last request failed: ${failure.message}`,
    }
  }

  providerState(provider: Provider): ShownState {
    const states = provider.connections
      .filter(({ enabled }) => enabled)
      .map((connection) => ({ name: connection.name, ...this.connectionState(provider, connection) }))
    const bad = states.find(({ state }) => state !== 'healthy')
    if (states.length === 0)
      return { state: 'off', why: provider.connections.length === 0 ? 'no connection yet' : 'switched off' }
    if (bad === undefined) return { state: 'healthy', why: '' }
    const why = `${bad.name}: ${bad.why}`
    if (states.some(({ state }) => state === 'healthy' || state === 'strained')) return { state: 'strained', why }
    return { state: 'needs-you', why }
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
