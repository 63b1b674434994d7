// Rules of the whole shell that hold for every sequence of attempts, results, looks, and moves of the clock.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Clock } from '../../../core/clock'
import type { Admission, Failure } from '../../../core/resilience/health-events'
import { LONGEST_REST_MS } from '../../../core/resilience/rest'
import { ManualClock } from '../../support/manual-clock'
import * as events from './health-world'

const FAILURES: readonly Failure[] = [
  events.DOWN,
  events.DEAD_NETWORK,
  events.LIMITED,
  events.limitedFor(90_000),
  events.limitedFor(0),
  events.SPENT,
  events.CROWDED,
  events.REFUSED,
  events.REJECTED,
  events.LOCAL,
  events.lockedBy(429, 'quota'),
  events.lockedBy(503, 'exact'),
  events.failure({ reason: 'stream_stall', rest: { kind: 'stall' } }),
]
const CONNECTIONS = ['a', 'b', 'c']
const MODELS = ['gpt-5.1', 'gpt-5-spark']
const PROVIDERS = ['openai', 'codex', 'ollama']

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('admit' as const),
      providerId: fc.constantFrom(...PROVIDERS),
      connection: fc.constantFrom(...CONNECTIONS),
      model: fc.constantFrom(...MODELS),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('fail' as const, 'fail' as const, 'succeed' as const, 'abort' as const, 'begin' as const),
      which: fc.nat(20),
      failure: fc.nat(FAILURES.length - 1),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.nat(120_000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('jump' as const), ms: fc.integer({ min: -1e10, max: 1e10 }) }) },
)

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** A clock that can be set, too. */
function settable(): { clock: ManualClock; set: (ms: number) => void; shifted: Clock } {
  const clock = new ManualClock()
  let shift = 0
  const now = (): number => clock.now() + shift
  const shifted: Clock = { now, elapsed: clock.elapsed, after: clock.after, every: clock.every }
  const set = (ms: number): void => {
    shift += ms
  }
  return { clock, shifted, set }
}

function play(steps: readonly Step[], check: (world: World) => void): World {
  const time = settable()
  const world = { ...events.openHealth({ clock: time.shifted as ManualClock }), time }
  const held: Admission[] = []
  for (const each of steps) {
    switch (each.do) {
      case 'admit': {
        const { providerId, connection, model } = each
        const found = world.health.admit({ providerId, connectionId: `${providerId}-${connection}`, model })
        if (found.kind === 'admitted') held.push(found)
        break
      }
      case 'pass':
        time.clock.advance(each.ms)
        break
      case 'jump':
        time.set(each.ms)
        break
      default: {
        const at = each.which % Math.max(held.length, 1)
        const admission = held[at]
        if (admission === undefined) break
        if (each.do === 'begin') world.health.began(admission)
        else held.splice(at, 1)
        if (each.do === 'fail') world.health.failed(admission, FAILURES[each.failure] as Failure)
        if (each.do === 'succeed') world.health.succeeded(admission)
        if (each.do === 'abort') world.health.aborted(admission)
      }
    }
    check(world)
  }
  return world
}
type World = ReturnType<typeof events.openHealth> & { time: ReturnType<typeof settable> }

const sequences = fc.array(step, { maxLength: 80 })

function gatesOf({ health, time }: World) {
  const now = time.shifted.now()
  return PROVIDERS.flatMap((providerId) => [
    health.providerGate(providerId, now),
    ...CONNECTIONS.flatMap((each) => {
      const connectionId = `${providerId}-${each}`
      const models = MODELS.map((model) => health.modelGate({ providerId, connectionId, model }, now))
      return [health.connectionGate(connectionId, now), ...models]
    }),
  ]).filter((gate) => gate !== null)
}

describe('for every sequence of events', () => {
  it('whatever keeps a target out says why, since when, until when, and what ends it, and ends within its maximum', () => {
    fc.assert(
      fc.property(sequences, (steps) => {
        play(steps, (world) => {
          const now = world.time.shifted.now()
          for (const gate of gatesOf(world)) {
            expect(gate.why).not.toBe('')
            expect(gate.since).toBeLessThanOrEqual(now)
            expect(gate.until === null).toBe(gate.endsBy === 'person')
            if (gate.until === null) continue
            expect(gate.until).toBeGreaterThan(now)
            expect(gate.until - now).toBeLessThanOrEqual(LONGEST_REST_MS)
          }
        })
      }),
      {
        numRuns: 60,
        // A clock set back by 1 ms: an account's mark stood in the future.
        examples: [7, 6, 5, 4, 3, 2, 1, 0].map((failure): [Step[]] => [
          [
            { do: 'admit', providerId: 'openai', connection: 'a', model: 'gpt-5.1' },
            { do: 'fail', which: 0, failure },
            { do: 'jump', ms: -1 },
          ],
        ]),
      },
    )
  })

  it('everything but terminal states is over after the longest rest, without a timer', () => {
    fc.assert(
      fc.property(sequences, (steps) => {
        const world = play(steps, () => {})
        gatesOf(world)
        world.time.set(LONGEST_REST_MS)
        expect(gatesOf(world).filter(({ gate }) => gate !== 'terminal')).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  it('each gate opens at the very moment it names, if nothing else happens', () => {
    fc.assert(
      fc.property(sequences, (steps) => {
        const world = play(steps, () => {})
        const pending = gatesOf(world).filter(({ until }) => until !== null)
        for (const { until } of pending.toSorted((a, b) => (a.until ?? 0) - (b.until ?? 0))) {
          world.time.set((until ?? 0) - world.time.shifted.now())
          const now = world.time.shifted.now()
          for (const gate of gatesOf(world)) if (gate.until !== null) expect(gate.until).toBeGreaterThan(now)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('gates and admission agree', () => {
    fc.assert(
      fc.property(sequences, (steps) => {
        const world = play(steps, () => {})
        const now = world.time.shifted.now()
        for (const providerId of PROVIDERS) {
          const subject = { providerId, connectionId: `${providerId}-a`, model: MODELS[0] as string }
          const isOut = [
            world.health.providerGate(providerId, now),
            world.health.connectionGate(subject.connectionId, now),
            world.health.modelGate(subject, now),
          ].some((gate) => gate !== null)
          expect(world.health.admit(subject).kind).toBe(isOut ? 'closed' : 'admitted')
        }
      }),
      { numRuns: 60 },
    )
  })

  it('what is written down is read as it was', () => {
    fc.assert(
      fc.property(sequences, (steps) => {
        const world = play(steps, () => {})
        const now = world.time.shifted.now()
        const ids = PROVIDERS.flatMap((provider) => CONNECTIONS.map((each) => `${provider}-${each}`))
        const add = world.config.prepare(
          `INSERT INTO connections (id, provider, name, priority, enabled, created_at) VALUES (?, 'openai', ?, 1, 1, 0)`,
        )
        for (const id of ids) add.run(id, id)
        world.health.close()
        const { clock, config, state } = { ...world, clock: world.time.shifted as ManualClock }
        const after = events.openHealth({ clock, config, state })
        for (const id of ids) expect(after.health.connectionGate(id, now)).toEqual(world.health.connectionGate(id, now))
        for (const id of PROVIDERS) {
          const [old, fresh] = [world, after].map(({ health }) => health.breakerStatus(id, now)?.state ?? 'CLOSED')
          // A probe that ran is not there any more: the provider may be tried.
          expect(fresh === old || (old === 'HALF_OPEN' && fresh === 'OPEN')).toBe(true)
        }
      }),
      { numRuns: 60 },
    )
  })
})
