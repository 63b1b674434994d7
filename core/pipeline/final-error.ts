// Nothing answered: what the client is told (docs/resilience.md, "Final answers"). Pure.
import type { Dialect, Reason } from '../contract/kinds'
import { GatewayError } from '../errors'
import type { Verdict } from '../resilience/verdict/verdict'
import type { Target } from '../routing/resolve-model'
import type { UpstreamError } from './answer-reader'
import type { Exclusion } from './waits'

export interface FailedAttempt {
  readonly connection: string
  readonly verdict: Pick<Verdict, 'reason' | 'message' | 'told'>
  readonly error: UpstreamError | null
  /** The error has the caller's own form, and can be relayed as it came. */
  readonly sameDialect: boolean
}

export type FinalAnswer =
  /** In the caller's own dialect, as it came; `retryAfterS`: to be added where the upstream states none. */
  | { readonly kind: 'relay'; readonly error: UpstreamError; readonly retryAfterS: number | null }
  | { readonly kind: 'own'; readonly error: GatewayError }

export interface Ending {
  readonly target: Target
  readonly dialect: Dialect
  readonly failed: readonly FailedAttempt[]
  /** What stands in the way now, after everything was tried. */
  readonly excluded: readonly Exclusion[]
  readonly now: number
}

/** For a direct request: one provider, one model. */
export function finalAnswer(ending: Ending): FinalAnswer {
  const { target, failed, excluded, now } = ending
  const { row } = target.provider
  const timed = timers(excluded, now)
  const last = failed.at(-1)
  if (last === undefined) return own(untried(ending, timed))
  // A pool that is spent says so itself: one account's words would not be true of the others.
  if (target.provider.connections.length > 1 && last.error?.status === 429 && timed?.isAll === true && timed.isSpent)
    return own(resting(ending, timed))
  // What is said about our key is never passed on.
  const speaking = failed.filter(({ error, verdict }) => isRelayable(error) && verdict.reason !== 'auth_error').at(-1)
  if (speaking !== undefined && speaking.error !== null) {
    const { told } = speaking.verdict
    const returns = isLimited(told.status) ? (timed?.retryAfterS ?? null) : null
    // What stands for another status is told as that.
    return speaking.sameDialect && told.status === speaking.error.status
      ? { kind: 'relay', error: speaking.error, retryAfterS: returns }
      : own(translated(ending, speaking, returns))
  }
  if (failed.every(({ verdict }) => REFUSED_KEYS.has(verdict.reason))) {
    const message = `${row.label} refused the key of every connection (${names(failed)}). Enter a valid key under Connections.`
    return own(new GatewayError('no_usable_connection', 503, message, { diagnostics: diagnosticsOf(ending) }))
  }
  const said = `${row.label}, connection "${last.connection}": ${last.verdict.message}`
  const details = { diagnostics: diagnosticsOf(ending) }
  return own(
    last.verdict.reason === 'timeout'
      ? new GatewayError('gateway_timeout', 504, `No answer in time. ${ended(said)}`, details)
      : new GatewayError('bad_gateway', 502, `No connection could answer. ${ended(said)}`, details),
  )
}

const own = (error: GatewayError): FinalAnswer => ({ kind: 'own', error })

const REFUSED_KEYS: ReadonlySet<Reason> = new Set<Reason>(['auth_error', 'forbidden', 'banned', 'request_rejected'])

const isLimited = (status: number): boolean => status === 429 || status === 503

interface Timers {
  /** The first moment at which something returns. */
  readonly until: number
  readonly retryAfterS: number
  readonly count: number
  /** Nothing but timers stands in the way. */
  readonly isAll: boolean
  readonly isSpent: boolean
  readonly isBreaker: boolean
}

/** Rests and locks that end by themselves; null: there are none. */
function timers(excluded: readonly Exclusion[], now: number): Timers | null {
  const timed = excluded.flatMap(({ gate }) =>
    gate === null || gate.until === null || gate.endsBy === 'person' ? [] : [gate],
  )
  if (timed.length === 0) return null
  const until = Math.min(...timed.map((gate) => gate.until ?? now))
  return {
    until,
    retryAfterS: Math.max(1, Math.ceil((until - now) / 1000)),
    count: timed.length,
    isAll: timed.length === excluded.length,
    isSpent: timed.every(({ reason }) => reason === 'quota_exhausted'),
    isBreaker: timed.some(({ gate }) => gate === 'breaker'),
  }
}

/** No connection was even asked. */
function untried(ending: Ending, timed: Timers | null): GatewayError {
  const { target, excluded } = ending
  const { row } = target.provider
  if (timed?.isBreaker === true) {
    return new GatewayError('provider_circuit_open', 503, `Provider ${row.id} circuit breaker is open`, {
      ...whenBack(timed),
      members: { provider: row.id },
      headers: ['X-OmniRoute-Provider-Breaker', 'open'],
      diagnostics: diagnosticsOf(ending),
    })
  }
  const isAccount = excluded.every(
    ({ gate }) => gate === null || gate.gate === 'terminal' || gate.gate === 'sign-in-retry',
  )
  if (timed === null || isAccount)
    return new GatewayError('no_usable_connection', 503, withoutConnection(ending), {
      ...(timed === null ? {} : whenBack(timed)),
      diagnostics: diagnosticsOf(ending),
    })
  return resting(ending, timed)
}

const whenBack = ({ until, retryAfterS }: Timers) => ({ retryAfterS, resetAt: new Date(until).toISOString() })

/** Everything that could answer rests: a model cooldown, or a spent allowance. */
function resting(ending: Ending, timed: Timers): GatewayError {
  const { target } = ending
  const { row } = target.provider
  const { resetAt } = whenBack(timed)
  const common = { ...whenBack(timed), diagnostics: diagnosticsOf(ending) }
  const members = { model: target.model, reset_seconds: timed.retryAfterS, credentials_cooling: timed.count }
  const which = timed.count === 1 ? 'its connection' : `all ${timed.count} connections`
  return timed.isSpent
    ? new GatewayError(
        'quota_exhausted',
        429,
        `The allowance of ${row.label} is spent on ${which}; the first returns at ${resetAt}.`,
        { ...common, members },
      )
    : new GatewayError(
        'model_cooldown',
        429,
        `${row.id}/${target.model} rests on ${which}; the first returns in ${timed.retryAfterS} s.`,
        { ...common, members },
      )
}

/** The other dialect's error in the caller's own shape: its status, its words. */
function translated(ending: Ending, { verdict, connection }: FailedAttempt, returns: number | null): GatewayError {
  const { told, reason } = verdict
  const stated = told.retryAfterMs === null ? null : Math.max(1, Math.ceil(told.retryAfterMs / 1000))
  const retryAfterS = stated ?? returns
  const message = `${ending.target.provider.row.label}, connection "${connection}": ${verdict.message}`
  return new GatewayError(CODES[reason] ?? reason, told.status, message, {
    diagnostics: diagnosticsOf(ending),
    ...(retryAfterS === null ? {} : { retryAfterS, resetAt: new Date(ending.now + retryAfterS * 1000).toISOString() }),
  })
}

/** Words that clients act on, where they are not our own reasons. */
const CODES: Readonly<Partial<Record<Reason, string>>> = { context_overflow: 'context_length_exceeded' }

const diagnosticsOf = ({ target, failed, excluded }: Ending): object => ({
  target: `${target.provider.row.id}/${target.model}`,
  attempts: failed.map(({ connection, verdict }) => ({ connection, reason: verdict.reason, message: verdict.message })),
  excluded: excluded.map(({ connection, because, gate }) => ({
    connection,
    because,
    ...(gate === null
      ? {}
      : { reason: gate.reason, until: gate.until === null ? null : new Date(gate.until).toISOString() }),
  })),
})

/** An error in JSON. 401 is only ever about the client's own key. */
const isRelayable = (error: UpstreamError | null): boolean =>
  error !== null && error.status >= 400 && error.status !== 401 && error.body.length > 0 && error.body[0] === 0x7b

/** With one full stop: an upstream's words may have their own. */
const ended = (said: string): string => (/[.!?…]$/.test(said) ? said : `${said}.`)

const names = (failed: readonly FailedAttempt[]): string =>
  [...new Set(failed.map(({ connection }) => connection))].join(', ')

function withoutConnection({ target, dialect, excluded }: Ending): string {
  const { row, connections } = target.provider
  if (connections.length === 0) return `${row.label} has no connection yet. Add one under Connections.`
  if (excluded.length === 0)
    return `${row.label} does not speak ${dialect}, the format of this request. Use a provider that does.`
  const each = excluded.map(({ connection, because }) => `${connection}: ${because}`)
  return `${row.label} has no usable connection: ${ended(each.join('; '))}`
}
