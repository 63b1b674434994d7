// What is held against an account itself. Terminal states are no cooldowns: nothing overwrites them, and only new
// credentials, a reset or a person's successful test end them. A first 401 is not yet one: it is retried a few times,
// and rests meanwhile. Pure (docs/resilience.md, "Terminal states").
import type { TerminalState } from '../contract/health-words'
import type { AccountOrder, RestOrder } from './health-events'
import { anchored, DAY_MS, type Span, span } from './rest'

export type Account =
  | { readonly kind: 'fine' }
  /** Refused with 401. `wait` runs until the next retry; `retries` have failed already. */
  | {
      readonly kind: 'retrying'
      readonly firstAt: number
      readonly retries: number
      readonly wait: Span
      readonly why: string
      readonly status: number | null
    }
  | {
      readonly kind: 'terminal'
      readonly state: TerminalState
      readonly since: number
      readonly why: string
      readonly status: number | null
    }
export const FINE: Account = { kind: 'fine' }

/** Consecutive refusals of requests; the third is a ban. */
export interface Streak {
  readonly count: number
  readonly lastAt: number
}
export const NO_STREAK: Streak = { count: 0, lastAt: 0 }

export const EXPIRED_RETRY_MAX = 3
export const FIRST_RETRY_MS = 300_000
/** If nobody has retried so long after the time for it, the next request is the retry. */
const NOBODY_RETRIES_MS = 300_000
const STREAK_WINDOW_MS = DAY_MS
/** Rest after the first and the second refusal. */
export const REJECTED_REST_MS = [300_000, 900_000] as const

export interface AccountMark {
  readonly why: string
  readonly status: number | null
  /** Let through after the last mark: what it says is news. */
  readonly isNews: boolean
  /** The connection rests: it was let through before it did. */
  readonly isResting: boolean
}

export interface AccountDecision {
  readonly account: Account
  readonly streak: Streak
  /** A rest that goes with it. */
  readonly rest: RestOrder | null
}

export function onAccountOrder(
  account: Account,
  streak: Streak,
  order: AccountOrder,
  mark: AccountMark,
  now: number,
): AccountDecision {
  const same: AccountDecision = { account, streak, rest: null }
  if (account.kind === 'terminal') return same
  const ends = (state: TerminalState): AccountDecision => ({ ...same, account: terminal(state, mark, now) })
  switch (order) {
    case 'banned':
      return ends('banned')
    case 'credits':
      return ends('credits_exhausted')
    case 'expired':
      return ends('expired')
    case 'unauthorized': {
      if (account.kind === 'fine') return { ...same, account: retrying(account, 0, mark, now) }
      // Those that were under way together are one refusal.
      return mark.isNews ? { ...same, account: refusedAgain(account, mark, now) } : same
    }
    case 'rejected': {
      if (mark.isResting || !mark.isNews) return same
      const isConsecutive = streak.count > 0 && now >= streak.lastAt && now - streak.lastAt <= STREAK_WINDOW_MS
      const count = isConsecutive ? streak.count + 1 : 1
      const ms = REJECTED_REST_MS[count - 1]
      if (ms === undefined) return { account: terminal('banned', mark, now), streak: NO_STREAK, rest: null }
      return { account, streak: { count, lastAt: now }, rest: { kind: 'flat', ms } }
    }
  }
}

/** What came of a retry: of a token refresh, or of a call that costs nothing. */
export type RetryOutcome = 'accepted' | 'refused' | 'unknown'

/** `unknown` (no network, the provider is down) proves nothing and uses up no retry. */
export function onRetried(account: Account, outcome: RetryOutcome, now: number): Account {
  if (account.kind !== 'retrying') return account
  switch (outcome) {
    case 'accepted':
      return FINE
    case 'refused':
      return refusedAgain(account, account, now)
    case 'unknown':
      return retrying(account, account.retries, account, now)
  }
}

type Retrying = Extract<Account, { readonly kind: 'retrying' }>
type Words = Pick<AccountMark, 'why' | 'status'>

function refusedAgain(account: Retrying, mark: Words, now: number): Account {
  const retries = account.retries + 1
  return retries >= EXPIRED_RETRY_MAX ? terminal('expired', mark, now) : retrying(account, retries, mark, now)
}

const retrying = (before: Account, retries: number, { why, status }: Words, now: number): Retrying => ({
  kind: 'retrying',
  firstAt: before.kind === 'retrying' ? before.firstAt : now,
  retries,
  wait: span(FIRST_RETRY_MS * 2 ** retries, now),
  why,
  status,
})

const terminal = (state: TerminalState, { why, status }: Words, now: number): Account => ({
  kind: 'terminal',
  state,
  since: now,
  why,
  status,
})

/** Until when it keeps requests out, if nobody retries before. */
export const retryGateEnds = ({ wait }: Retrying): number => wait.until + NOBODY_RETRIES_MS

/** As for rests: a clock that was set back does not lengthen the wait. The same object where nothing changes. */
export function settledAccount(account: Account, now: number): Account {
  if (account.kind !== 'retrying') return account
  const wait = anchored(account.wait, now)
  return wait === account.wait ? account : { ...account, wait }
}
