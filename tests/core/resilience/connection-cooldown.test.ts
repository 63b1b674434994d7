// How long a connection rests: the ladder, what upstreams state, and who is told twice.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeResilience } from '../../../core/contract/resilience-merge'
import {
  type Cooldown,
  type CooldownLimits,
  type Mark,
  NO_COOLDOWN,
  onFailure,
  restAlong,
  settled,
} from '../../../core/resilience/connection-cooldown'
import type { RestOrder } from '../../../core/resilience/health-events'
import { LONGEST_REST_MS } from '../../../core/resilience/rest'

const { connectionCooldown, modelLockout } = mergeResilience({ env: {}, stored: undefined }).settings
const limitsOf = (of: 'oauth' | 'apikey'): CooldownLimits => ({
  ...connectionCooldown[of],
  maxCooldownMs: modelLockout.maxCooldownMs,
  stallRests: false,
})
const KEYS = limitsOf('apikey')
const SIGN_INS = limitsOf('oauth')
const NOW = 1_000_000
const NEWS: Mark = { reason: 'rate_limit_exceeded', message: 'slow down', isNews: true }
const LADDER: RestOrder = { kind: 'ladder', statedMs: null }

interface Case {
  readonly state?: Cooldown
  readonly limits?: CooldownLimits
  readonly mark?: Mark
  readonly now?: number
  readonly random?: number
}
const failed = (
  order: RestOrder,
  { state = NO_COOLDOWN, limits = KEYS, mark = NEWS, now = NOW, random = 0 }: Case = {},
): Cooldown => onFailure(state, order, mark, limits, now, () => random)
/** How long it rests from `now`. */
const restMs = ({ rest }: Cooldown, now = NOW): number | null => (rest === null ? null : rest.until - now)
const atLevel = (backoffLevel: number): Cooldown => ({ backoffLevel, rest: null })

/** One failure after the other, each as soon as the rest before is over. */
function climb(limits: CooldownLimits, times: number): number[] {
  let state = NO_COOLDOWN
  let now = NOW
  return Array.from({ length: times }, () => {
    state = failed(LADDER, { state, limits, now })
    const ms = restMs(state, now) as number
    now += ms
    return ms / 1_000
  })
}

describe('the ladder', () => {
  it('of key providers', () => {
    expect(climb(KEYS, 8)).toEqual([3, 6, 12, 24, 48, 96, 96, 96])
  })

  it('of sign-in providers', () => {
    expect(climb(SIGN_INS, 10)).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 1280])
  })

  it('goes no higher than its cap', () => {
    expect(climb({ ...SIGN_INS, maxCooldownMs: 30_000 }, 5)).toEqual([5, 10, 20, 30, 30])
  })

  it('begins at one second where no time is set, and stays where no step is', () => {
    expect(climb({ ...KEYS, baseCooldownMs: 0 }, 3)).toEqual([1, 2, 4])
    expect(climb({ ...KEYS, maxBackoffSteps: 0 }, 3)).toEqual([3, 3, 3])
  })

  it('is lengthened by chance, up to a tenth and within the cap', () => {
    expect(restMs(failed(LADDER, { random: 0.5 }))).toBe(3_150)
    expect(restMs(failed(LADDER, { random: 0.999999 }))).toBeLessThanOrEqual(3_300)
    expect(
      restMs(failed(LADDER, { state: atLevel(8), limits: { ...SIGN_INS, maxCooldownMs: 1_280_000 }, random: 1 })),
    ).toBe(1_280_000)
  })
})

describe('what an upstream states', () => {
  it.each<[string, RestOrder, CooldownLimits, number, number]>([
    ['a wait', { kind: 'ladder', statedMs: 34_070 }, KEYS, 34_070, 0],
    ['a shorter one than computed', { kind: 'ladder', statedMs: 40 }, KEYS, 40, 0],
    ['half an hour at most', { kind: 'ladder', statedMs: 7_200_000 }, KEYS, 1_800_000, 0],
    ['a day where the queue cannot hold it', { kind: 'ladder', statedMs: 9e8, beyondQueue: true }, KEYS, 86_400_000, 0],
    ['"at once": a second, and one step on', { kind: 'ladder', statedMs: 0 }, KEYS, 1_000, 3],
    ['nothing that can be used', { kind: 'ladder', statedMs: Number.NaN }, KEYS, 12_000, 3],
    ['something from the past', { kind: 'ladder', statedMs: -5 }, KEYS, 12_000, 3],
    ['a wait, where hints are off', { kind: 'ladder', statedMs: 34_070 }, SIGN_INS, 20_000, 3],
    ['the reset of a quota', { kind: 'quota', statedMs: 602_705_000, usualMs: null }, KEYS, 602_705_000, 0],
    ['the reset of a quota, where hints are off', { kind: 'quota', statedMs: 50, usualMs: 9 }, SIGN_INS, 50, 0],
    ['a month at most', { kind: 'quota', statedMs: Number.POSITIVE_INFINITY, usualMs: null }, KEYS, LONGEST_REST_MS, 0],
    ['a quota that is back already', { kind: 'quota', statedMs: 0, usualMs: null }, KEYS, 1_000, 3],
  ])('%s', (_what, order, limits, ms, level) => {
    const state = failed(order, { state: atLevel(2), limits, random: 0 })
    expect([restMs(state), state.backoffLevel]).toEqual([ms, level])
  })

  it('is exact: chance lengthens no stated, no flat and no concurrency rest', () => {
    const orders: RestOrder[] = [
      { kind: 'ladder', statedMs: 5_000 },
      { kind: 'quota', statedMs: null, usualMs: 5_000 },
      { kind: 'flat', ms: 5_000 },
      { kind: 'concurrency', statedMs: 5_000 },
    ]
    for (const order of orders) expect(restMs(failed(order, { random: 0.9 }))).toBe(5_000)
  })
})

it('retry hints are ignored when useUpstreamRetryHints is off', () => {
  for (const kind of ['ladder', 'concurrency'] as const)
    expect(restMs(failed({ kind, statedMs: 77_000 }, { limits: SIGN_INS }))).not.toBe(77_000)
})

it('a concurrency 429 leaves the level unchanged and rests about a second, or as stated', () => {
  for (const level of [0, 3]) {
    const state = failed({ kind: 'concurrency', statedMs: null }, { state: atLevel(level) })
    expect([restMs(state), state.backoffLevel]).toEqual([1_000, level])
  }
  expect(restMs(failed({ kind: 'concurrency', statedMs: 2_500 }))).toBe(2_500)
})

it('the time that a rule gives leaves the level unchanged', () => {
  const state = failed({ kind: 'flat', ms: 86_400_000 }, { state: atLevel(2) })
  expect([restMs(state), state.backoffLevel]).toEqual([86_400_000, 2])
})

it('a spent quota without any time climbs the ladder', () => {
  const state = failed({ kind: 'quota', statedMs: null, usualMs: null }, { state: atLevel(1) })
  expect([restMs(state), state.backoffLevel]).toEqual([6_000, 2])
})

it('a stalled stream rests only where that is switched on', () => {
  expect(failed({ kind: 'stall' })).toBe(NO_COOLDOWN)
  expect(restMs(failed({ kind: 'stall' }, { limits: { ...KEYS, stallRests: true } }))).toBe(3_000)
})

describe('failures that come together', () => {
  const resting = failed(LADDER)

  it('while it rests change nothing', () => {
    for (const order of [LADDER, { kind: 'flat', ms: 99 }, { kind: 'concurrency', statedMs: 99_000 }] as RestOrder[])
      expect(failed(order, { state: resting, now: NOW + 1 })).toBe(resting)
  })

  it('a later stated reset lengthens the rest, and never raises the level', () => {
    const longer = failed({ kind: 'quota', statedMs: 60_000, usualMs: null }, { state: resting, now: NOW + 1 })
    expect([restMs(longer), longer.backoffLevel]).toEqual([60_001, 1])
    const shorter: RestOrder = { kind: 'quota', statedMs: 100, usualMs: null }
    expect(failed(shorter, { state: longer, now: NOW + 2 })).toBe(longer)
  })

  it('that come only after the rest do not climb either: they were let through before it', () => {
    const late = { ...NEWS, isNews: false }
    const again = failed(LADDER, { state: resting, now: NOW + 5_000, mark: late })
    expect([restMs(again, NOW + 5_000), again.backoffLevel]).toEqual([3_000, 1])
  })

  it('N of them raise the level by exactly 1', () => {
    const delays = fc.array(fc.nat(20_000), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(fc.nat(4), delays, (level, at) => {
        const [first = 0, ...others] = at.toSorted((a, b) => a - b)
        let state = failed(LADDER, { state: atLevel(level), now: NOW + first })
        for (const ms of others) state = failed(LADDER, { state, now: NOW + ms, mark: { ...NEWS, isNews: false } })
        expect(state.backoffLevel).toBe(level + 1)
      }),
    )
  })
})

describe('a sibling rests along', () => {
  const rest = { since: NOW, until: NOW + 5_000, reason: 'rate_limit_exceeded', message: '' } as const

  it('with its own level', () => {
    expect(restAlong(atLevel(2), rest, NOW)).toEqual({ backoffLevel: 2, rest })
  })

  it('unless it rests as long already', () => {
    expect(restAlong({ backoffLevel: 0, rest: { ...rest, until: NOW + 5_000 } }, rest, NOW)).toBeNull()
    expect(restAlong({ backoffLevel: 0, rest: { ...rest, until: NOW + 4_999 } }, rest, NOW)).not.toBeNull()
  })
})

it('no rest is ever longer than it was meant to be, however the clock is moved', () => {
  const order = fc.oneof(
    fc.record({ kind: fc.constant('ladder' as const), statedMs: fc.option(fc.double()), beyondQueue: fc.boolean() }),
    fc.record({
      kind: fc.constant('quota' as const),
      statedMs: fc.option(fc.double()),
      usualMs: fc.option(fc.double()),
    }),
    fc.record({ kind: fc.constant('flat' as const), ms: fc.double() }),
    fc.record({ kind: fc.constant('concurrency' as const), statedMs: fc.option(fc.double()) }),
  )
  const clock = fc.integer({ min: -1e11, max: 1e11 })
  fc.assert(
    fc.property(fc.array(fc.tuple(order, clock, fc.boolean()), { maxLength: 20 }), (steps) => {
      let state = NO_COOLDOWN
      let now = 1e12
      for (const [next, jump, isNews] of steps) {
        now += jump
        state = settled(failed(next, { state: settled(state, now), now, mark: { ...NEWS, isNews } }), now)
        const ms = restMs(state, now) as number
        expect(Number.isInteger(ms)).toBe(true)
        expect(ms).toBeLessThanOrEqual(LONGEST_REST_MS)
        now += Math.max(ms, 0)
        expect(restMs(settled(state, now), now)).toBeLessThanOrEqual(0)
        now -= Math.max(ms, 0)
      }
    }),
  )
})
