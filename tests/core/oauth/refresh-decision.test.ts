import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ageOf,
  decideRefresh,
  type Phase,
  type RefreshInput,
  type RefreshState,
  shownLogin,
  type TokenTimes,
} from '../../../core/oauth/refresh-decision'

const T0 = 1_750_000_000_000
const MINUTE = 60_000
const HOUR = 3_600_000

/** A token of one hour that can be renewed. */
const times = (part: Partial<TokenTimes> = {}): TokenTimes => ({
  issuedAt: T0,
  expiresAt: T0 + HOUR,
  refreshedAt: null,
  hasAccess: true,
  canRefresh: true,
  ...part,
})
const state = (phase: Phase = { kind: 'idle' }, part: Partial<TokenTimes> = {}): RefreshState => ({
  times: times(part),
  phase,
})
const REFRESHING: Phase = { kind: 'refreshing', failures: 0, repeated: false }
const waiting = (until: number, failures = 1): Phase => ({ kind: 'waiting', failures, until, why: 'no answer' })
const SIGNED_OUT: Phase = { kind: 'signed-out', why: 'Sign in again: it was revoked.' }
const act = (from: RefreshState, kind: 'wanted' | 'tick' | 'refused' | 'asked', now: number) =>
  decideRefresh(from, { kind }, now).action.do

describe('the age of a token', () => {
  it.each([
    [
      'one hour, 10 % would be longer than 5 minutes',
      HOUR,
      [HOUR - 5 * MINUTE - 1, 'fresh'],
      [HOUR - 5 * MINUTE, 'ageing'],
    ],
    ['ten minutes: one minute ahead', 10 * MINUTE, [9 * MINUTE - 1, 'fresh'], [9 * MINUTE, 'ageing']],
    ['one minute: six seconds ahead', MINUTE, [53_999, 'fresh'], [54_000, 'ageing']],
    ['its last ten seconds', HOUR, [HOUR - 10_001, 'ageing'], [HOUR - 10_000, 'spent']],
    ['the last seconds of a short one', MINUTE, [56_999, 'ageing'], [57_000, 'spent']],
  ] as const)('%s', (_case, lifetime, before, after) => {
    for (const [at, age] of [before, after]) {
      expect(ageOf(times({ expiresAt: T0 + lifetime }), T0 + at)).toBe(age)
    }
  })

  it('is unknown where the server said nothing: good until refused', () => {
    expect(ageOf(times({ expiresAt: null }), T0 + 1000 * HOUR)).toBe('fresh')
  })

  it('is spent where there is no access token yet', () => {
    expect(ageOf(times({ hasAccess: false, expiresAt: null }), T0)).toBe('spent')
  })
})

describe('what an attempt, the timer, a refusal and a person lead to', () => {
  const FRESH = T0 + 1
  const AGEING = T0 + HOUR - MINUTE
  const SPENT = T0 + HOUR + 1
  it.each([
    // phase, moment, wanted, tick, refused, asked
    ['idle, fresh', state(), FRESH, 'use', 'nothing', 'refresh', 'refresh'],
    ['idle, ageing', state(), AGEING, 'use-and-refresh', 'refresh', 'refresh', 'refresh'],
    ['idle, spent', state(), SPENT, 'refresh', 'refresh', 'refresh', 'refresh'],
    ['refreshing, fresh', state(REFRESHING), FRESH, 'use', 'nothing', 'join', 'join'],
    ['refreshing, ageing', state(REFRESHING), AGEING, 'use', 'nothing', 'join', 'join'],
    ['refreshing, spent', state(REFRESHING), SPENT, 'join', 'nothing', 'join', 'join'],
    ['waiting, ageing', state(waiting(AGEING + 1)), AGEING, 'use', 'nothing', 'nothing', 'refresh'],
    ['waiting, spent', state(waiting(SPENT + 1)), SPENT, 'later', 'nothing', 'nothing', 'refresh'],
    ['wait over, ageing', state(waiting(AGEING)), AGEING, 'use-and-refresh', 'refresh', 'refresh', 'refresh'],
    ['wait over, spent', state(waiting(SPENT)), SPENT, 'refresh', 'refresh', 'refresh', 'refresh'],
    ['signed out', state(SIGNED_OUT), FRESH, 'sign-in', 'nothing', 'nothing', 'refresh'],
    ['no refresh token, fresh', state(undefined, { canRefresh: false }), FRESH, 'use', 'nothing', 'nothing', 'sign-in'],
    [
      'no refresh token, ageing',
      state(undefined, { canRefresh: false }),
      AGEING,
      'use',
      'nothing',
      'nothing',
      'sign-in',
    ],
    [
      'no refresh token, spent',
      state(undefined, { canRefresh: false }),
      SPENT,
      'sign-in',
      'nothing',
      'nothing',
      'sign-in',
    ],
  ] as const)('%s', (_case, from, now, wanted, tick, refused, asked) => {
    expect({
      wanted: act(from, 'wanted', now),
      tick: act(from, 'tick', now),
      refused: act(from, 'refused', now),
      asked: act(from, 'asked', now),
    }).toEqual({ wanted, tick, refused, asked })
  })

  it('a token refused right after it was fetched is not exchanged again', () => {
    const fetched = state(undefined, { refreshedAt: T0 })
    expect(act(fetched, 'refused', T0 + 29_999)).toBe('nothing')
    expect(act(fetched, 'refused', T0 + 30_000)).toBe('refresh')
    // A clock that was set back since must not forbid it for hours.
    expect(act(fetched, 'refused', T0 - HOUR)).toBe('refresh')
  })

  it('a wait that a changed clock made endless counts as over', () => {
    expect(act(state(waiting(T0 + 24 * HOUR)), 'wanted', T0 + HOUR)).toBe('refresh')
  })
})

describe('what came of a refresh', () => {
  const failed = (part: Partial<Extract<RefreshInput, { kind: 'failed' }>> = {}): RefreshInput => ({
    kind: 'failed',
    why: 'no answer',
    lost: false,
    retryAfterMs: null,
    ...part,
  })

  it('new tokens end every trouble', () => {
    for (const phase of [REFRESHING, waiting(T0 + MINUTE), SIGNED_OUT]) {
      const newer = times({ issuedAt: T0 + HOUR, expiresAt: T0 + 2 * HOUR })
      const { state: after } = decideRefresh(state(phase), { kind: 'renewed', times: newer }, T0 + HOUR)
      expect(after).toEqual({ times: newer, phase: { kind: 'idle' } })
    }
  })

  it('the provider’s refusal asks for a person, and keeps the reason', () => {
    const { state: after, action } = decideRefresh(state(REFRESHING), { kind: 'rejected', why: 'revoked' }, T0)
    expect(action).toEqual({ do: 'sign-in', why: 'revoked' })
    expect(shownLogin(after, T0)).toEqual({ state: 'needs-sign-in', why: 'revoked' })
  })

  it('a lost answer is asked for once more at once, and then waited for', () => {
    const first = decideRefresh(state(REFRESHING), failed({ lost: true }), T0 + HOUR)
    expect(first.action.do).toBe('repeat')
    const second = decideRefresh(first.state, failed({ lost: true }), T0 + HOUR)
    expect(second.action).toEqual({ do: 'later', why: 'no answer', until: T0 + HOUR + 5_000 })
  })

  it('while the old token serves, a failure is no matter', () => {
    const { state: after, action } = decideRefresh(state(REFRESHING), failed(), T0 + HOUR - MINUTE)
    expect(action.do).toBe('use')
    expect(shownLogin(after, T0 + HOUR - MINUTE)).toEqual({ state: 'ok', why: 'no answer' })
  })

  it('waits twice as long with each failure, five minutes at most', () => {
    const waits: number[] = []
    let now = T0 + HOUR
    let current = state()
    for (let i = 0; i < 9; i++) {
      current = decideRefresh(current, { kind: 'wanted' }, now).state
      current = decideRefresh(current, failed(), now).state
      if (current.phase.kind !== 'waiting') throw new Error('it does not wait')
      waits.push((current.phase.until - now) / 1000)
      now = current.phase.until
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300])
  })

  it.each([
    [60_000, 60_000],
    [HOUR, 30 * MINUTE],
    [0, 5_000],
  ])('a stated wait of %i ms is %i ms', (retryAfterMs, ms) => {
    const { action } = decideRefresh(state(REFRESHING), failed({ retryAfterMs }), T0 + HOUR)
    expect(action).toMatchObject({ do: 'later', until: T0 + HOUR + ms })
  })
})

describe('whatever happens', () => {
  const anyTimes = fc.record({
    issuedAt: fc.constant(T0),
    expiresAt: fc.option(fc.integer({ min: T0, max: T0 + 2 * HOUR })),
    refreshedAt: fc.option(fc.integer({ min: T0, max: T0 + HOUR })),
    hasAccess: fc.boolean(),
    canRefresh: fc.boolean(),
  })
  const anyInput: fc.Arbitrary<RefreshInput> = fc.oneof(
    fc.constantFrom<RefreshInput>({ kind: 'wanted' }, { kind: 'tick' }, { kind: 'refused' }, { kind: 'asked' }),
    fc.record({ kind: fc.constant('renewed' as const), times: anyTimes }),
    fc.record({
      kind: fc.constant('failed' as const),
      why: fc.constant('no answer'),
      lost: fc.boolean(),
      retryAfterMs: fc.option(fc.integer({ min: 0, max: 100 * HOUR })),
    }),
  )
  const anyRun = fc.array(fc.tuple(anyInput, fc.integer({ min: 0, max: 10 * MINUTE })), { maxLength: 40 })
  const walk = (first: TokenTimes, run: readonly (readonly [RefreshInput, number])[]) => {
    const steps: { before: RefreshState; after: RefreshState; does: string; input: RefreshInput; now: number }[] = []
    let now = T0
    let current: RefreshState = { times: first, phase: { kind: 'idle' } }
    for (const [input, passes] of run) {
      now += passes
      const { state: after, action } = decideRefresh(current, input, now)
      steps.push({ before: current, after, does: action.do, input, now })
      current = after
    }
    return { steps, current, now }
  }

  it('nothing but the provider’s refusal signs anybody out', () => {
    fc.assert(
      fc.property(anyTimes, anyRun, (first, run) => {
        expect(walk(first, run).current.phase.kind).not.toBe('signed-out')
      }),
    )
  })

  it('a refresh begins only where none is under way, and only with a refresh token', () => {
    fc.assert(
      fc.property(anyTimes, anyRun, (first, run) => {
        for (const { before, does } of walk(first, run).steps) {
          if (does !== 'refresh' && does !== 'use-and-refresh') continue
          expect(before.phase.kind).not.toBe('refreshing')
          expect(before.times.canRefresh).toBe(true)
        }
      }),
    )
  })

  it('an attempt gets a token only while it is good', () => {
    fc.assert(
      fc.property(anyTimes, anyRun, (first, run) => {
        for (const { before, does, input, now } of walk(first, run).steps) {
          if (input.kind !== 'wanted') continue
          expect(does === 'use' || does === 'use-and-refresh').toBe(ageOf(before.times, now) !== 'spent')
        }
      }),
    )
  })

  it('a wait ends within half an hour, and then a refresh is tried', () => {
    fc.assert(
      fc.property(anyTimes, anyRun, (first, run) => {
        const { current, now } = walk({ ...first, canRefresh: true }, run)
        if (current.phase.kind !== 'waiting' || !current.times.canRefresh) return
        const spent = { ...current, times: { ...current.times, hasAccess: false } }
        expect(act(spent, 'wanted', now + 30 * MINUTE)).toBe('refresh')
      }),
    )
  })
})
