// Rules of the circuit breaker that hold for every sequence of events, however the clock moves.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BREAKER_KINDS, type BreakerState } from '../../../core/contract/health-words'
import { type BreakerOptions, DEFAULT_BREAKER_OPTIONS, type Ticket } from '../../../core/resilience/breaker'
import { CircuitBreaker } from '../../../core/resilience/circuit-breaker'

const options = fc
  .record({
    failureThreshold: fc.integer({ min: 2, max: 8 }),
    degraded: fc.integer({ min: 1, max: 7 }),
    resetTimeoutMs: fc.integer({ min: 1, max: 2_000 }),
    maxBackoffMultiplier: fc.integer({ min: 1, max: 8 }),
    backoffEscalationCount: fc.integer({ min: 0, max: 3 }),
    halfOpenRequests: fc.integer({ min: 1, max: 3 }),
    hinted: fc.boolean(),
  })
  .map(
    ({ degraded, hinted, ...rest }): BreakerOptions => ({
      ...DEFAULT_BREAKER_OPTIONS,
      ...rest,
      degradationThreshold: Math.min(degraded, rest.failureThreshold - 1),
      cooldownByKind: hinted ? { rate_limit: 3_000, quota_exhausted: 9_000 } : {},
    }),
  )

type Event =
  | { readonly do: 'admit' | 'reset' | 'test' | 'look' }
  | { readonly do: 'pass'; readonly ms: number }
  | { readonly do: 'jump'; readonly ms: number }
  | { readonly do: 'fail' | 'succeed' | 'release'; readonly which: number; readonly kind: number }

const settle = fc.record({
  do: fc.constantFrom('fail', 'fail', 'fail', 'succeed', 'release'),
  which: fc.nat(50),
  kind: fc.nat(2),
})
const events = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('admit' as const) }) },
    { weight: 6, arbitrary: settle as fc.Arbitrary<Event> },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.nat(3_000) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('jump' as const), ms: fc.integer({ min: -1e9, max: 1e9 }) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('reset' as const, 'test' as const, 'look' as const) }) },
  ),
  { maxLength: 120 },
)

interface World {
  readonly breaker: CircuitBreaker
  readonly held: Ticket[]
  readonly time: { now: number }
}

function worldOf(chosen: BreakerOptions): World {
  const time = { now: 1e12 }
  const breaker = new CircuitBreaker(
    'p',
    () => chosen,
    () => time.now,
  )
  return { breaker, time, held: [] }
}

function play(world: World, event: Event): void {
  const { breaker, held } = world
  switch (event.do) {
    case 'admit': {
      const ticket = breaker.admit()
      if (ticket !== null) held.push(ticket)
      return
    }
    case 'pass':
    case 'jump':
      world.time.now += event.ms
      return
    case 'reset':
      return breaker.reset()
    case 'test':
      return breaker.testPassed()
    case 'look':
      return void breaker.getStatus()
    default: {
      const [ticket] = held.splice(event.which % Math.max(held.length, 1), 1)
      if (ticket === undefined) return
      if (event.do === 'fail') breaker.failed(ticket, BREAKER_KINDS[event.kind])
      else if (event.do === 'succeed') breaker.succeeded(ticket)
      else breaker.release(ticket)
    }
  }
}

const longest = ({ resetTimeoutMs, maxBackoffMultiplier, cooldownByKind }: BreakerOptions): number =>
  Math.max(resetTimeoutMs, ...Object.values(cooldownByKind)) * maxBackoffMultiplier

describe('for every sequence of events', () => {
  it('a breaker that lets nothing through lets through again after its own longest wait, whatever happens', () => {
    fc.assert(
      fc.property(options, events, (chosen, sequence) => {
        const world = worldOf(chosen)
        for (const event of sequence) play(world, event)
        const { breaker } = world
        expect(breaker.getRetryAfterMs()).toBeLessThanOrEqual(Math.max(longest(chosen), 1_000))
        world.time.now += breaker.getRetryAfterMs()
        expect(breaker.canExecute()).toBe(true)
      }),
    )
  })

  it('waits are positive exactly while nothing is let through, and never NaN', () => {
    fc.assert(
      fc.property(options, events, (chosen, sequence) => {
        const world = worldOf(chosen)
        for (const event of sequence) {
          play(world, event)
          expect(world.breaker.getRetryAfterMs() > 0).toBe(!world.breaker.canExecute())
        }
      }),
    )
  })

  it('no more requests probe at the same time than there are slots', () => {
    fc.assert(
      fc.property(options, events, (chosen, sequence) => {
        const world = worldOf(chosen)
        for (const event of sequence) {
          play(world, event)
          const probing = world.held.filter((ticket) => world.breaker.isProbing(ticket))
          expect(probing.length).toBeLessThanOrEqual(chosen.halfOpenRequests)
        }
      }),
    )
  })

  it('only the known transitions happen', () => {
    const known = new Set<`${BreakerState} ${BreakerState}`>([
      ...(['CLOSED DEGRADED', 'CLOSED OPEN', 'DEGRADED OPEN', 'DEGRADED CLOSED', 'OPEN HALF_OPEN'] as const),
      ...(['OPEN CLOSED', 'HALF_OPEN CLOSED', 'HALF_OPEN OPEN'] as const),
    ])
    fc.assert(
      fc.property(options, events, (chosen, sequence) => {
        const world = worldOf(chosen)
        for (const event of sequence) play(world, event)
        const { transitionHistory } = world.breaker.getStatus()
        for (const { from, to, reason } of transitionHistory) {
          expect(known).toContain(`${from} ${to}`)
          if (from === 'OPEN' && to === 'CLOSED') expect(reason).toBe('reset')
        }
        expect(transitionHistory.length).toBeLessThanOrEqual(20)
      }),
    )
  })

  it('agrees with a plain counter as long as it never opens and time stands still', () => {
    const plain = fc.array(fc.boolean(), { maxLength: 60 })
    fc.assert(
      fc.property(options, plain, (chosen, outcomes) => {
        const world = worldOf({ ...chosen, failureThreshold: 1_000 })
        let count = 0
        let state: BreakerState = 'CLOSED'
        for (const fails of outcomes) {
          const ticket = world.breaker.admit() as Ticket
          if (fails) {
            world.breaker.failed(ticket)
            count++
            if (count >= chosen.degradationThreshold) state = 'DEGRADED'
          } else {
            world.breaker.succeeded(ticket)
            count = Math.max(count - 1, 0)
            if (count <= chosen.degradationThreshold) state = 'CLOSED'
          }
          expect(world.breaker.getStatus()).toMatchObject({ state, failureCount: count })
        }
      }),
    )
  })
})
