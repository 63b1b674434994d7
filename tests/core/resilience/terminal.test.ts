// What is held against an account: terminal states, retries of a refused sign-in, refusals in a row.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AccountOrder } from '../../../core/resilience/health-events'
import {
  type Account,
  type AccountDecision,
  type AccountMark,
  FINE,
  NO_STREAK,
  onAccountOrder,
  onRetried,
  type RetryOutcome,
  retryGateEnds,
  type Streak,
  settledAccount,
} from '../../../core/resilience/terminal'

const NOW = 1_000_000
const MINUTE = 60_000
const NEWS: AccountMark = { why: 'no', status: 401, isNews: true, isResting: false }
const ORDERS: AccountOrder[] = ['banned', 'credits', 'unauthorized', 'expired', 'rejected']

const decide = (
  order: AccountOrder,
  account: Account = FINE,
  streak: Streak = NO_STREAK,
  mark: AccountMark = NEWS,
  now = NOW,
): AccountDecision => onAccountOrder(account, streak, order, mark, now)

describe('a terminal state', () => {
  it.each([
    ['banned', 'banned'],
    ['credits', 'credits_exhausted'],
    ['expired', 'expired'],
  ] as const)('is reached by %s at once', (order, state) => {
    expect(decide(order).account).toEqual({ kind: 'terminal', state, since: NOW, why: 'no', status: 401 })
  })

  it('is never replaced by anything', () => {
    for (const first of ['banned', 'credits', 'expired'] as const) {
      const { account } = decide(first)
      for (const order of ORDERS) expect(decide(order, account)).toEqual({ account, streak: NO_STREAK, rest: null })
      for (const outcome of ['accepted', 'refused', 'unknown'] as RetryOutcome[])
        expect(onRetried(account, outcome, NOW)).toBe(account)
    }
  })
})

describe('a first 401', () => {
  const first = decide('unauthorized').account

  it('is not terminal: it is tried again after five minutes', () => {
    expect(first).toMatchObject({ kind: 'retrying', retries: 0, firstAt: NOW, wait: { until: NOW + 5 * MINUTE } })
  })

  it('is expired after three retries, five minutes apart and doubled', () => {
    let account: Account = first
    let now = NOW
    const waits: number[] = []
    while (account.kind === 'retrying') {
      waits.push((account.wait.until - now) / MINUTE)
      now = account.wait.until
      account = onRetried(account, 'refused', now)
    }
    expect(waits).toEqual([5, 10, 20])
    expect(account).toMatchObject({ kind: 'terminal', state: 'expired', since: NOW + 35 * MINUTE })
  })

  it('is forgotten after a retry that is accepted', () => {
    expect(onRetried(first, 'accepted', NOW + 5 * MINUTE)).toEqual(FINE)
  })

  it('waits as long again, and uses up no retry, where nothing could be found out', () => {
    const later = onRetried(first, 'unknown', NOW + 5 * MINUTE)
    expect(later).toMatchObject({ retries: 0, firstAt: NOW, wait: { until: NOW + 10 * MINUTE } })
  })

  it('is one refusal, however many requests were under way', () => {
    expect(decide('unauthorized', first, NO_STREAK, { ...NEWS, isNews: false }).account).toBe(first)
  })

  it('a request that is let through later and refused is a retry that failed', () => {
    expect(decide('unauthorized', first, NO_STREAK, NEWS, NOW + 20 * MINUTE).account).toMatchObject({ retries: 1 })
  })

  it('keeps requests out until it was retried, and a while longer if nobody does', () => {
    expect(first.kind === 'retrying' && retryGateEnds(first)).toBe(NOW + 10 * MINUTE)
  })

  it('waits no longer under a clock that was set back', () => {
    const earlier = NOW - 86_400_000
    expect(settledAccount(first, earlier)).toMatchObject({ wait: { since: earlier, until: earlier + 5 * MINUTE } })
    expect(settledAccount(first, NOW + 1)).toBe(first)
  })
})

describe('refusals in a row', () => {
  const HOUR = 60 * MINUTE

  it('rest five minutes, then fifteen, and the third is a ban', () => {
    const once = decide('rejected')
    expect(once).toMatchObject({ account: FINE, rest: { kind: 'flat', ms: 5 * MINUTE }, streak: { count: 1 } })
    const twice = decide('rejected', FINE, once.streak, NEWS, NOW + 6 * MINUTE)
    expect(twice).toMatchObject({ account: FINE, rest: { kind: 'flat', ms: 15 * MINUTE }, streak: { count: 2 } })
    const thrice = decide('rejected', FINE, twice.streak, NEWS, NOW + 30 * MINUTE)
    expect(thrice).toMatchObject({ account: { kind: 'terminal', state: 'banned' }, rest: null })
  })

  it('do not count while the connection rests, nor when they were under way before', () => {
    const { streak } = decide('rejected')
    for (const part of [{ isResting: true }, { isNews: false }])
      expect(decide('rejected', FINE, streak, { ...NEWS, ...part }, NOW + 1)).toEqual({
        account: FINE,
        streak,
        rest: null,
      })
  })

  it('are in a row only within a day', () => {
    const { streak } = decide('rejected')
    expect(decide('rejected', FINE, streak, NEWS, NOW + 24 * HOUR).streak.count).toBe(2)
    expect(decide('rejected', FINE, streak, NEWS, NOW + 24 * HOUR + 1).streak.count).toBe(1)
    expect(decide('rejected', FINE, streak, NEWS, NOW - 1).streak.count).toBe(1)
  })
})

it('whatever comes in whatever order, what is terminal stays as it first was', () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ order: fc.constantFrom(...ORDERS), isNews: fc.boolean(), isResting: fc.boolean() }),
      fc.record({ outcome: fc.constantFrom<RetryOutcome>('accepted', 'refused', 'unknown') }),
    ),
    { maxLength: 30 },
  )
  fc.assert(
    fc.property(steps, (all) => {
      let account: Account = FINE
      let streak: Streak = NO_STREAK
      let terminal: Account | null = null
      for (const [i, step] of all.entries()) {
        if ('order' in step) ({ account, streak } = decide(step.order, account, streak, { ...NEWS, ...step }, NOW + i))
        else account = onRetried(account, step.outcome, NOW + i)
        if (terminal !== null) expect(account).toBe(terminal)
        else if (account.kind === 'terminal') terminal = account
      }
    }),
  )
})
