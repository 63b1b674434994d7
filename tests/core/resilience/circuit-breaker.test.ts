// A breaker that lives: its three readers, calls run through it, and what it reports of itself.
import { describe, expect, it, vi } from 'vitest'
import { type BreakerOptions, DEFAULT_BREAKER_OPTIONS } from '../../../core/resilience/breaker'
import { CircuitBreaker, CircuitBreakerOpenError } from '../../../core/resilience/circuit-breaker'
import { ManualClock } from '../../support/manual-clock'

/** Small numbers, as one gives them who wants to see it open quickly. */
const OPTIONS: BreakerOptions = {
  ...DEFAULT_BREAKER_OPTIONS,
  failureThreshold: 3,
  degradationThreshold: 2,
  resetTimeoutMs: 300,
}

function opened(failures: number, options = OPTIONS) {
  const clock = new ManualClock()
  const changed = vi.fn()
  const breaker = new CircuitBreaker('openai', () => options, clock.now, undefined, changed)
  for (let i = 0; i < failures; i++) breaker.failed(breaker.admit() as never)
  return { breaker, clock, changed }
}

it('after its time is over it shows HALF_OPEN without a timer', () => {
  const { breaker, clock } = opened(3)
  expect(breaker.getStatus().state).toBe('OPEN')
  clock.advance(330)
  expect(clock.waiting).toBe(0)
  expect(breaker.getStatus().state).toBe('HALF_OPEN')
})

describe.each([
  ['canExecute', (breaker: CircuitBreaker) => breaker.canExecute(), false, true],
  ['getRetryAfterMs', (breaker: CircuitBreaker) => breaker.getRetryAfterMs(), 300, 0],
  ['getStatus', (breaker: CircuitBreaker) => breaker.getStatus().state, 'OPEN', 'HALF_OPEN'],
  ['admit', (breaker: CircuitBreaker) => breaker.admit() !== null, false, true],
] as const)('the reader %s', (_name, read, before, after) => {
  it('lets time do its part first', () => {
    const { breaker, clock } = opened(3)
    expect(read(breaker)).toBe(before)
    clock.advance(300)
    expect(read(breaker)).toBe(after)
  })
})

describe('a call that runs through it', () => {
  it('three timeouts open it; after the reset timeout one more may try', async () => {
    const { breaker, clock } = opened(0)
    const times = async (): Promise<never> => {
      clock.advance(120)
      throw new Error('timeout')
    }
    for (let i = 0; i < 3; i++) await expect(breaker.execute(times)).rejects.toThrow('timeout')
    await expect(breaker.execute(times)).rejects.toBeInstanceOf(CircuitBreakerOpenError)
    clock.advance(330)
    expect(breaker.getStatus().state).toBe('HALF_OPEN')
    expect(breaker.canExecute()).toBe(true)
    await expect(breaker.execute(async () => 'an answer')).resolves.toBe('an answer')
    expect(breaker.getStatus().state).toBe('CLOSED')
  })

  it('is refused with the name and the time left', async () => {
    const { breaker, clock } = opened(3)
    clock.advance(100)
    const run = vi.fn()
    await expect(breaker.execute(run)).rejects.toMatchObject({ circuitName: 'openai', retryAfterMs: 200 })
    expect(run).not.toHaveBeenCalled()
  })

  it.each([
    ['success', 'CLOSED'],
    ['ignore', 'HALF_OPEN'],
    ['rate_limit', 'OPEN'],
  ] as const)('that fails with what is judged %s leaves a half-open one %s', async (verdict, state) => {
    const { breaker, clock } = opened(3)
    clock.advance(300)
    const fails = breaker.execute(
      () => Promise.reject(new Error('x')),
      () => verdict,
    )
    await expect(fails).rejects.toThrow('x')
    expect(breaker.getStatus().state).toBe(state)
    expect(breaker.canExecute()).toBe(state !== 'OPEN')
  })
})

describe('what it reports', () => {
  it('is everything a person may ask', () => {
    const { breaker, clock } = opened(3)
    const at = clock.now()
    clock.advance(100)
    expect(breaker.getStatus()).toEqual({
      ...{ name: 'openai', state: 'OPEN', failureCount: 3, lastFailureTime: at, retryAfterMs: 200 },
      ...{ lastFailureKind: 'transient', openCycleCount: 0, kindFailureCounts: { transient: 3 } },
      ...{ degradationThreshold: 2, effectiveResetTimeout: 300, since: at, until: at + 300 },
      transitionHistory: [
        { from: 'CLOSED', to: 'DEGRADED', timestamp: at, failureCount: 2, reason: 'degradation-threshold' },
        { from: 'DEGRADED', to: 'OPEN', timestamp: at, failureCount: 3, reason: 'failure-threshold' },
      ],
    })
  })

  it('tells of each change, and of nothing else', () => {
    const { breaker, changed } = opened(1)
    expect(changed).toHaveBeenCalledTimes(1)
    breaker.getStatus()
    breaker.canExecute()
    breaker.succeeded(breaker.admit() as never)
    expect(changed).toHaveBeenCalledTimes(2)
    breaker.succeeded(breaker.admit() as never)
    expect(changed).toHaveBeenCalledTimes(2)
  })
})

it('what is sent past an open breaker counts for nothing, also after it has closed', () => {
  const { breaker, clock } = opened(3)
  const forced = breaker.ticketAnyway()
  clock.advance(300)
  breaker.succeeded(breaker.admit() as never)
  expect(breaker.getStatus().state).toBe('CLOSED')
  breaker.failed(forced)
  expect(breaker.getStatus().failureCount).toBe(0)
})

it('what is sent past a closed breaker counts like any other', () => {
  const { breaker } = opened(0)
  breaker.failed(breaker.ticketAnyway())
  expect(breaker.getStatus().failureCount).toBe(1)
})
