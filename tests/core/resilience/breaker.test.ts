// Each transition of the circuit breaker, and each state in which an event must change nothing.
import { describe, expect, it } from 'vitest'
import {
  admitted,
  type Breaker,
  type BreakerOptions,
  CLOSED_BREAKER,
  canExecute,
  DEFAULT_BREAKER_OPTIONS,
  derivedDegradation,
  effectiveCooldownMs,
  effectiveResetMs,
  onFailure,
  onSuccess,
  onTestPassed,
  quietWindowMs,
  refreshed,
  released,
  reset,
  retryAfterMs,
  type Ticket,
} from '../../../core/resilience/breaker'

const NOW = 1_000_000
const OPTIONS: BreakerOptions = {
  ...DEFAULT_BREAKER_OPTIONS,
  failureThreshold: 5,
  degradationThreshold: 3,
  resetTimeoutMs: 1_000,
  maxBackoffMultiplier: 4,
  backoffEscalationCount: 1,
}
const CURRENT: Ticket = { epoch: CLOSED_BREAKER.epoch, probe: 0 }

const failedTimes = (failures: number, from: Breaker = CLOSED_BREAKER, options = OPTIONS): Breaker =>
  Array.from({ length: failures }).reduce<Breaker>(
    (breaker) => onFailure(breaker, options, CURRENT, 'transient', NOW),
    from,
  )
const open = (): Breaker => failedTimes(5)
const halfOpen = (): Breaker => refreshed(open(), OPTIONS, NOW + 1_000)
const probing = (): { breaker: Breaker; ticket: Ticket } => admitted(halfOpen(), NOW + 1_000)

describe('a closed breaker', () => {
  it.each([
    [0, 'CLOSED'],
    [2, 'CLOSED'],
    [3, 'DEGRADED'],
    [4, 'DEGRADED'],
    [5, 'OPEN'],
  ] as const)('after %i failures is %s', (failures, state) => {
    expect(failedTimes(failures)).toMatchObject({ state, failureCount: failures })
  })

  it('lets through, degraded or not, and says when it does not', () => {
    expect(canExecute(failedTimes(2), OPTIONS)).toBe(true)
    expect(canExecute(failedTimes(4), OPTIONS)).toBe(true)
    expect(canExecute(failedTimes(5), OPTIONS)).toBe(false)
    expect(retryAfterMs(failedTimes(4), OPTIONS, NOW)).toBe(0)
    expect(retryAfterMs(failedTimes(5), OPTIONS, NOW + 400)).toBe(600)
  })

  it('forgives one failure for each success, and never goes below none', () => {
    const twice = onSuccess(failedTimes(2), OPTIONS, CURRENT, NOW)
    expect(twice.failureCount).toBe(1)
    const none = onSuccess(twice, OPTIONS, CURRENT, NOW)
    expect(none).toMatchObject({ failureCount: 0, kindFailureCounts: {} })
    expect(onSuccess(none, OPTIONS, CURRENT, NOW)).toBe(none)
  })

  it('opens for a kind that has a threshold of its own, whatever the others', () => {
    const options = { ...OPTIONS, thresholdByKind: { quota_exhausted: 1, rate_limit: 2 } }
    expect(onFailure(CLOSED_BREAKER, options, CURRENT, 'quota_exhausted', NOW).state).toBe('OPEN')
    const once = onFailure(CLOSED_BREAKER, options, CURRENT, 'rate_limit', NOW)
    expect(once.state).toBe('CLOSED')
    expect(onFailure(once, options, CURRENT, 'rate_limit', NOW).state).toBe('OPEN')
    expect(onFailure(once, options, CURRENT, 'transient', NOW).state).toBe('CLOSED')
  })
})

describe('the three ways back from DEGRADED', () => {
  it('successes: already one at the threshold closes it', () => {
    expect(onSuccess(failedTimes(3), OPTIONS, CURRENT, NOW)).toMatchObject({ state: 'CLOSED', failureCount: 2 })
    const closer = onSuccess(failedTimes(4), OPTIONS, CURRENT, NOW)
    expect(closer).toMatchObject({ state: 'CLOSED', failureCount: 3 })
  })

  it('a person’s successful test: counts cleared', () => {
    expect(onTestPassed(failedTimes(4), OPTIONS, NOW)).toMatchObject({ state: 'CLOSED', failureCount: 0 })
  })

  it('a quiet window: seen by readers, and at the beginning of the next failure', () => {
    const end = NOW + quietWindowMs(failedTimes(4), OPTIONS)
    expect(refreshed(failedTimes(4), OPTIONS, end - 1).state).toBe('DEGRADED')
    expect(refreshed(failedTimes(4), OPTIONS, end)).toMatchObject({ state: 'CLOSED', failureCount: 0 })
    expect(onFailure(failedTimes(4), OPTIONS, CURRENT, 'transient', end)).toMatchObject({
      state: 'CLOSED',
      failureCount: 1,
    })
    expect(onFailure(failedTimes(4), OPTIONS, CURRENT, 'transient', end - 1).state).toBe('OPEN')
  })

  it('a test changes no other state', () => {
    for (const breaker of [failedTimes(2), open(), halfOpen()])
      expect(onTestPassed(breaker, OPTIONS, NOW + 1)).toBe(breaker)
  })

  it.each([
    ['oauth', { resetTimeoutMs: 60_000, maxBackoffMultiplier: 8 }, 480_000],
    ['apikey', { resetTimeoutMs: 30_000, maxBackoffMultiplier: 4 }, 120_000],
    ['a kind with a wait of its own', { cooldownByKind: { transient: 9_000 } }, 36_000],
  ])('the window of %s', (_name, part, ms) => {
    expect(quietWindowMs(failedTimes(4), { ...OPTIONS, ...part })).toBe(ms)
  })
})

describe('an open breaker', () => {
  it('is half open when its time is over, as soon as somebody looks', () => {
    expect(refreshed(open(), OPTIONS, NOW + 999).state).toBe('OPEN')
    expect(refreshed(open(), OPTIONS, NOW + 1_000)).toMatchObject({ state: 'HALF_OPEN', probes: [] })
  })

  it('begins to wait anew under a clock that was set back: never longer than it can be', () => {
    const seen = refreshed(open(), OPTIONS, NOW - 86_400_000)
    expect(retryAfterMs(seen, OPTIONS, NOW - 86_400_000)).toBe(1_000)
    expect(refreshed(seen, OPTIONS, NOW - 86_400_000 + 1_000).state).toBe('HALF_OPEN')
  })

  it('ignores what was admitted before it opened', () => {
    expect(onSuccess(open(), OPTIONS, CURRENT, NOW + 1)).toMatchObject({ state: 'OPEN', failureCount: 5 })
    expect(onFailure(open(), OPTIONS, CURRENT, 'transient', NOW + 500)).toMatchObject({ lastFailureTime: NOW })
  })

  it('takes a result that is reported to it directly: a success closes it, a failure restarts the wait', () => {
    expect(onSuccess(open(), OPTIONS, null, NOW + 1)).toMatchObject({ state: 'CLOSED', failureCount: 0 })
    const longer = onFailure(open(), OPTIONS, null, 'transient', NOW + 500)
    expect(longer).toMatchObject({ state: 'OPEN', failureCount: 6, lastFailureTime: NOW + 500 })
  })
})

describe('a half-open breaker', () => {
  it('lets through as many as it has slots', () => {
    const { breaker } = probing()
    expect(canExecute(halfOpen(), OPTIONS)).toBe(true)
    expect(canExecute(breaker, OPTIONS)).toBe(false)
    expect(canExecute(breaker, { ...OPTIONS, halfOpenRequests: 2 })).toBe(true)
  })

  it('tells others the time the probe has left, at least a second', () => {
    const { breaker } = probing()
    const options = { ...OPTIONS, resetTimeoutMs: 5_000 }
    expect(retryAfterMs(breaker, options, NOW + 2_000)).toBe(4_000)
    expect(retryAfterMs(breaker, options, NOW + 5_900)).toBe(1_000)
  })

  it('is closed by its probe’s success', () => {
    const { breaker, ticket } = probing()
    const closed = onSuccess(breaker, OPTIONS, ticket, NOW + 1_500)
    expect(closed).toMatchObject({ state: 'CLOSED', failureCount: 0, openCycleCount: 0 })
    expect(closed.history.at(-1)).toMatchObject({ from: 'HALF_OPEN', to: 'CLOSED', reason: 'probe-success' })
  })

  it('is opened by its probe’s failure, one cycle on', () => {
    const { breaker, ticket } = probing()
    const opened = onFailure(breaker, OPTIONS, ticket, 'transient', NOW + 1_500)
    expect(opened).toMatchObject({ state: 'OPEN', openCycleCount: 1, lastFailureTime: NOW + 1_500 })
    expect(opened.history.at(-1)?.reason).toBe('probe-failed (cycle 1)')
  })

  it('ignores all that is not its probe, also from before it opened', () => {
    const { breaker, ticket } = probing()
    for (const other of [CURRENT, { epoch: ticket.epoch, probe: 0 }, { epoch: ticket.epoch, probe: 99 }]) {
      expect(onSuccess(breaker, OPTIONS, other, NOW + 1_100)).toBe(breaker)
      expect(onFailure(breaker, OPTIONS, other, 'transient', NOW + 1_100)).toBe(breaker)
      expect(released(breaker, other)).toBe(breaker)
    }
  })

  it('gets the slot back from a probe that ends without telling anything', () => {
    const { breaker, ticket } = probing()
    const free = released(breaker, ticket)
    expect(canExecute(free, OPTIONS)).toBe(true)
    expect(onFailure(free, OPTIONS, ticket, 'transient', NOW + 1_100)).toBe(free)
  })

  it('gets the slot back from a probe that never ends, after the reset timeout; its late word counts no more', () => {
    const { breaker, ticket } = probing()
    expect(canExecute(refreshed(breaker, OPTIONS, NOW + 1_999), OPTIONS)).toBe(false)
    const free = refreshed(breaker, OPTIONS, NOW + 2_000)
    expect(canExecute(free, OPTIONS)).toBe(true)
    const second = admitted(free, NOW + 2_000)
    expect(onSuccess(second.breaker, OPTIONS, ticket, NOW + 2_100)).toBe(second.breaker)
    expect(onSuccess(second.breaker, OPTIONS, second.ticket, NOW + 2_100).state).toBe('CLOSED')
  })

  it('ignores, once closed, what was admitted before it had opened', () => {
    const { breaker, ticket } = probing()
    const closed = onSuccess(breaker, OPTIONS, ticket, NOW + 1_500)
    expect(onFailure(closed, OPTIONS, CURRENT, 'transient', NOW + 1_600)).toBe(closed)
    expect(onFailure(closed, OPTIONS, ticket, 'transient', NOW + 1_600)).toBe(closed)
    const fresh = admitted(closed, NOW + 1_600).ticket
    expect(onFailure(closed, OPTIONS, fresh, 'transient', NOW + 1_600).failureCount).toBe(1)
  })
})

describe('a person’s reset', () => {
  it.each([
    ['closed', failedTimes(2)],
    ['degraded', failedTimes(4)],
    ['open', open()],
    ['half open', probing().breaker],
  ])('of a %s breaker zeroes everything, and what is under way counts no more', (_name, breaker) => {
    const clean = reset(breaker, NOW)
    expect(clean).toMatchObject({
      ...{ state: 'CLOSED', failureCount: 0, openCycleCount: 0, lastFailureTime: null, lastFailureKind: null },
      kindFailureCounts: {},
    })
    expect(onFailure(clean, OPTIONS, CURRENT, 'transient', NOW)).toBe(clean)
    expect(clean).not.toHaveProperty('probes')
  })
})

describe('the wait of an open breaker', () => {
  const cycles = (openCycleCount: number): Breaker => ({ ...open(), openCycleCount })

  it.each([
    [0, 1_000],
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
    [4, 4_000],
    [2_000, 4_000],
  ])('after %i failed probes is %i ms: doubled beyond the ones that pass, within the cap', (count, ms) => {
    expect(effectiveResetMs(cycles(count), OPTIONS)).toBe(ms)
    expect(effectiveCooldownMs(cycles(count), OPTIONS)).toBe(ms)
  })

  it('of a kind with a wait of its own grows like the general one', () => {
    const options = { ...OPTIONS, cooldownByKind: { transient: 60_000 } }
    expect([0, 1, 2, 3, 9].map((count) => effectiveCooldownMs(cycles(count), options))).toEqual([
      60_000, 60_000, 120_000, 240_000, 240_000,
    ])
    expect(effectiveResetMs(cycles(2), options)).toBe(2_000)
  })
})

describe('what it remembers', () => {
  it('is the last twenty transitions', () => {
    let breaker = CLOSED_BREAKER
    for (let round = 0; round < 15; round++) {
      breaker = failedTimes(5, breaker)
      breaker = reset(breaker, NOW)
      breaker = { ...breaker, epoch: CURRENT.epoch }
    }
    expect(breaker.history).toHaveLength(20)
    expect(breaker.history.at(-1)).toEqual({
      ...{ from: 'OPEN', to: 'CLOSED', timestamp: NOW, failureCount: 5, reason: 'reset' },
    })
  })

  it('counts failures by kind', () => {
    const both = onFailure(failedTimes(1), OPTIONS, CURRENT, 'rate_limit', NOW)
    expect(both).toMatchObject({ kindFailureCounts: { transient: 1, rate_limit: 1 }, lastFailureKind: 'rate_limit' })
  })
})

it.each([
  [2, 1],
  [3, 2],
  [5, 3],
  [10, 6],
  [1000, 600],
])('where no number is given, %i failures to open make %i to be degraded', (failures, degraded) => {
  expect(derivedDegradation(failures)).toBe(degraded)
})
