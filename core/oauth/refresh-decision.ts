// When an access token is exchanged for a new one, and what each outcome means. Pure: state and input in, state and
// action out. Only the provider's own word ends a login; whatever may pass by itself leaves it as it is.

/** A refresh begins this long before the token ends … */
const AHEAD_MS = 300_000
/** … or this part of its lifetime, whichever is shorter. */
const AHEAD_PART = 0.1
/** So close to its end a token may be refused on arrival. */
const LAST_MOMENT_MS = 10_000
const FIRST_WAIT_MS = 5_000
const LONGEST_WAIT_MS = 300_000
/** A wait the server states is believed up to this. */
const LONGEST_STATED_WAIT_MS = 1_800_000
/** A token refused so soon after it came is not helped by another one. */
const NEW_TOKEN_MS = 30_000

export interface TokenTimes {
  readonly issuedAt: number
  /** null: valid until refused. */
  readonly expiresAt: number | null
  /** When the gateway last exchanged the refresh token; null: never. */
  readonly refreshedAt: number | null
  readonly hasAccess: boolean
  readonly canRefresh: boolean
}

export type Phase =
  | { readonly kind: 'idle' }
  /** `repeated`: the same refresh token went out before, and no answer came. */
  | { readonly kind: 'refreshing'; readonly failures: number; readonly repeated: boolean }
  | { readonly kind: 'waiting'; readonly failures: number; readonly until: number; readonly why: string }
  | { readonly kind: 'signed-out'; readonly why: string }

export interface RefreshState {
  readonly times: TokenTimes
  readonly phase: Phase
}

export type RefreshInput =
  /** An attempt is about to be made. */
  | { readonly kind: 'wanted' }
  /** The background timer looks. */
  | { readonly kind: 'tick' }
  /** The upstream refused the token in force. */
  | { readonly kind: 'refused' }
  /** A person asks for a refresh. */
  | { readonly kind: 'asked' }
  /** New tokens are stored: from a refresh, another process, or a person. */
  | { readonly kind: 'renewed'; readonly times: TokenTimes }
  /** The provider's last word about the refresh token, and the store holds no newer one. */
  | { readonly kind: 'rejected'; readonly why: string }
  /** `lost`: the request may have arrived, so the server may have exchanged the token. */
  | { readonly kind: 'failed'; readonly why: string; readonly lost: boolean; readonly retryAfterMs: number | null }

export type RefreshAction =
  | { readonly do: 'use' }
  /** The token is still good: use it while a new one is fetched. */
  | { readonly do: 'use-and-refresh' }
  | { readonly do: 'refresh' }
  /** Send the same refresh once more, at once: servers that forgive a reused token do so for seconds only. */
  | { readonly do: 'repeat' }
  /** Wait for the refresh that is running. */
  | { readonly do: 'join' }
  | { readonly do: 'later'; readonly why: string; readonly until: number }
  | { readonly do: 'sign-in'; readonly why: string }
  | { readonly do: 'nothing' }

export interface Decision {
  readonly state: RefreshState
  readonly action: RefreshAction
}

export function decideRefresh(state: RefreshState, input: RefreshInput, now: number): Decision {
  switch (input.kind) {
    case 'wanted':
      return onWanted(state, now)
    case 'tick':
      return mayBegin(state, now) && ageOf(state.times, now) !== 'fresh'
        ? begin(state, 'refresh')
        : stay(state, NOTHING)
    case 'refused':
      return onRefused(state, now)
    case 'asked':
      return onAsked(state)
    case 'renewed':
      return { state: { times: input.times, phase: IDLE }, action: USE }
    case 'rejected':
      return {
        state: inPhase(state, { kind: 'signed-out', why: input.why }),
        action: { do: 'sign-in', why: input.why },
      }
    case 'failed':
      return onFailed(state, input, now)
  }
}

const IDLE: Phase = { kind: 'idle' }
const USE: RefreshAction = { do: 'use' }
const NOTHING: RefreshAction = { do: 'nothing' }
const JOIN: RefreshAction = { do: 'join' }

const inPhase = (state: RefreshState, phase: Phase): RefreshState => ({ times: state.times, phase })
const stay = (state: RefreshState, action: RefreshAction): Decision => ({ state, action })

function begin(state: RefreshState, how: 'refresh' | 'use-and-refresh'): Decision {
  const failures = state.phase.kind === 'waiting' ? state.phase.failures : 0
  return { state: inPhase(state, { kind: 'refreshing', failures, repeated: false }), action: { do: how } }
}

function onWanted(state: RefreshState, now: number): Decision {
  const { times, phase } = state
  if (phase.kind === 'signed-out') return stay(state, { do: 'sign-in', why: phase.why })
  const age = ageOf(times, now)
  if (age === 'fresh') return stay(state, USE)
  if (age === 'ageing') return mayBegin(state, now) ? begin(state, 'use-and-refresh') : stay(state, USE)
  if (phase.kind === 'refreshing') return stay(state, JOIN)
  if (!times.canRefresh) return stay(state, { do: 'sign-in', why: EXPIRED })
  if (phase.kind === 'waiting' && !isOver(phase.until, now)) {
    return stay(state, { do: 'later', why: phase.why, until: phase.until })
  }
  return begin(state, 'refresh')
}

function onRefused(state: RefreshState, now: number): Decision {
  const { times, phase } = state
  if (phase.kind === 'refreshing') return stay(state, JOIN)
  if (!mayBegin(state, now)) return stay(state, NOTHING)
  const since = times.refreshedAt === null ? null : now - times.refreshedAt
  const isNew = since !== null && since >= 0 && since < NEW_TOKEN_MS
  return isNew ? stay(state, NOTHING) : begin(state, 'refresh')
}

/** A person may try what the gateway would not: during a wait, and after the provider's refusal. */
function onAsked(state: RefreshState): Decision {
  if (state.phase.kind === 'refreshing') return stay(state, JOIN)
  if (!state.times.canRefresh) return stay(state, { do: 'sign-in', why: NO_REFRESH_TOKEN })
  return begin(state, 'refresh')
}

function onFailed(
  state: RefreshState,
  { why, lost, retryAfterMs }: Extract<RefreshInput, { kind: 'failed' }>,
  now: number,
): Decision {
  const { phase } = state
  if (phase.kind !== 'refreshing') return stay(state, NOTHING)
  if (lost && !phase.repeated) return { state: inPhase(state, { ...phase, repeated: true }), action: { do: 'repeat' } }
  const failures = phase.failures + 1
  const until = now + waitMs(failures, retryAfterMs)
  return {
    state: inPhase(state, { kind: 'waiting', failures, until, why }),
    action: ageOf(state.times, now) === 'spent' ? { do: 'later', why, until } : USE,
  }
}

const mayBegin = ({ times, phase }: RefreshState, now: number): boolean =>
  times.canRefresh && (phase.kind === 'idle' || (phase.kind === 'waiting' && isOver(phase.until, now)))

/** A clock that was set back must not make a wait longer than waits can be. */
const isOver = (until: number, now: number): boolean => now >= until || until - now > LONGEST_STATED_WAIT_MS

const waitMs = (failures: number, statedMs: number | null): number =>
  statedMs !== null && statedMs > 0
    ? Math.min(statedMs, LONGEST_STATED_WAIT_MS)
    : Math.min(FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 20), LONGEST_WAIT_MS)

export type Age = 'fresh' | 'ageing' | 'spent'

/** `ageing`: still good, and time for a new one. */
export function ageOf({ hasAccess, issuedAt, expiresAt }: TokenTimes, now: number): Age {
  if (!hasAccess) return 'spent'
  if (expiresAt === null) return 'fresh'
  const ahead = Math.min(AHEAD_MS, Math.max(expiresAt - issuedAt, 0) * AHEAD_PART)
  const left = expiresAt - now
  return left <= Math.min(LAST_MOMENT_MS, ahead / 2) ? 'spent' : left <= ahead ? 'ageing' : 'fresh'
}

const EXPIRED = 'Sign in again: the access token has expired, and there is no refresh token.'
const NO_REFRESH_TOKEN = 'Sign in again: there is no refresh token to renew this sign-in with.'

/** What a person is shown, and why; `why` tells of a failed refresh too, while the old token still serves. */
export function shownLogin(
  { times, phase }: RefreshState,
  now: number,
): { readonly state: 'ok' | 'refreshing' | 'needs-sign-in'; readonly why: string } {
  if (phase.kind === 'signed-out') return { state: 'needs-sign-in', why: phase.why }
  if (phase.kind === 'refreshing') return { state: 'refreshing', why: '' }
  if (!times.canRefresh && ageOf(times, now) === 'spent') return { state: 'needs-sign-in', why: EXPIRED }
  return { state: 'ok', why: phase.kind === 'waiting' ? phase.why : '' }
}
