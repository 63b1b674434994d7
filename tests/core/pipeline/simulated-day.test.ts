// A day of random traffic and random failures, judged by the real rules and held by the real health, with time that a
// test moves: whatever happens, nothing is out for longer than it may be, and everything that time can mend is mended.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { directWait, type Exclusion } from '../../../core/pipeline/waits'
import { customRow } from '../../../core/providers/catalogue'
import type { ProviderRow } from '../../../core/providers/provider-row'
import { failureOf } from '../../../core/resilience/failure-of'
import { isGate } from '../../../core/resilience/health'
import type { Admission, Gate } from '../../../core/resilience/health-events'
import { consequencesOf } from '../../../core/resilience/verdict/consequences'
import { judge } from '../../../core/resilience/verdict/judge'
import type { Incident } from '../../../core/resilience/verdict/signal'
import type { Verdict } from '../../../core/resilience/verdict/verdict'
import { openHealth } from '../resilience/health-world'
import { row as builtIn } from '../resilience/verdict/signals-of'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const QUEUE_MS = 30_000

const own = (id: string, of: ProviderRow['class'], perModelQuota: boolean): ProviderRow =>
  customRow({ id, label: id, class: of, dialect: 'openai-chat', baseUrl: '', perModelQuota })
const ROWS: readonly ProviderRow[] = [
  ...['openai', 'gemini', 'codex', 'claude', 'agentrouter', 'opencode-zen', 'glm'].map(builtIn),
  own('keys', 'apikey', false),
  own('models', 'apikey', true),
  own('server', 'local', false),
]
const KEYS = [1, 2, 3]
const MODELS = ['m1', 'gpt-5-spark', 'flash']

interface Answered {
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}
const said = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): Answered => ({
  ...{ status, headers },
  body: JSON.stringify({ error: { message } }),
})
const ANSWERS: readonly Answered[] = [
  ...[400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504, 529].map((status) => said(status, 'no')),
  said(429, 'slow down', { 'retry-after': '40' }),
  said(429, 'slow down', { 'retry-after': '0' }),
  said(429, 'slow down', { 'retry-after': '999999999' }),
  said(429, 'slow down', { 'retry-after': '-7' }),
  said(503, 'come back later', { 'retry-after': '86400' }),
  said(429, 'Too many concurrent requests'),
  said(429, 'Weekly usage limit reached, resets in 3 days'),
  said(429, 'Daily quota exceeded, try again tomorrow'),
  said(429, 'You exceeded your current quota'),
  said(403, 'Request not allowed'),
  said(403, 'Your account has been suspended'),
  said(403, 'User location is not supported for the API use'),
  said(404, 'The model m1 does not exist'),
  said(400, 'prompt is too long: 3 tokens > 2 maximum'),
  said(503, 'The model is overloaded'),
  said(403, '用户额度不足'),
  { status: 429, headers: {}, body: '{"error":{"type":"usage_limit_reached","resets_in_seconds":99999999}}' },
  {
    ...{ status: 429, headers: {} },
    body: '{"error":{"details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"70000s"}]}}',
  },
]
const INCIDENTS: readonly Incident[] = [
  { kind: 'timeout', phase: 'connect' },
  { kind: 'timeout', phase: 'first byte' },
  { kind: 'network', code: 'ECONNRESET' },
  { kind: 'network', code: 'ENETUNREACH' },
  { kind: 'empty' },
  { kind: 'unreadable', text: '<html>' },
  { kind: 'stall' },
  { kind: 'aborted' },
]

/** The longest that a gate may keep anything out, by what it is and why. */
function longest({ gate, reason }: Gate): number {
  switch (gate) {
    case 'breaker':
      return 8 * MINUTE_MS
    case 'sign-in-retry':
      return 25 * MINUTE_MS
    case 'cooldown':
    case 'lockout':
      // A quota's own reset, a country that is not served, Google's typed delay; all else is half an hour.
      if (reason === 'quota_exhausted') return 30 * DAY_MS
      return reason === 'forbidden' || reason === 'rate_limit_exceeded' ? DAY_MS : 30 * MINUTE_MS
    default:
      return 0
  }
}

/** A number that follows from another one, 0 to `below`. */
type Draw = (below: number) => number
const drawing = (seed: number): Draw => {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
const pick = <T>(draw: Draw, from: readonly T[]): T => from[draw(from.length)] as T

function openWorld(seed: number) {
  const draw = drawing(seed)
  const rows = new Map(ROWS.map((row) => [row.id, row]))
  const world = openHealth({
    deps: {
      provider: (id) => rows.get(id),
      random: () => draw(1_000) / 1_000,
      egressSiblings: (id) =>
        KEYS.map((n) => `${id.slice(0, id.lastIndexOf('-'))}-${n}`).filter((other) => other !== id),
    },
  })
  return { ...world, draw }
}
type World = ReturnType<typeof openWorld>

function verdictOf({ draw, clock }: World, row: ProviderRow, model: string): Verdict {
  const place = { provider: row, model, now: clock.now(), timeZone: 'Europe/Ljubljana' }
  return draw(4) === 0
    ? judge({ kind: 'incident', ...place, incident: pick(draw, INCIDENTS) })
    : judge({ kind: 'answer', ...place, ...pick(draw, ANSWERS) })
}

function settle(world: World, row: ProviderRow, admission: Admission): Verdict | null {
  const { draw, health, clock, current } = world
  if (draw(10) < 5) {
    health.succeeded(admission)
    return null
  }
  const verdict = verdictOf(world, row, admission.model)
  if (verdict.reason === 'aborted') {
    health.aborted(admission)
    return verdict
  }
  const consequences = consequencesOf(verdict, {
    ...{ row, model: admission.model, connection: admission.connectionId, settings: current.settings },
    ...{ queueMs: QUEUE_MS, level: 0, modelFailures: 0, rejections: 0, credentialRetries: 0 },
    ...{ disableCooling: false, now: clock.now(), timeZone: 'Europe/Ljubljana' },
  })
  health.failed(admission, failureOf(verdict, consequences, QUEUE_MS))
  return verdict
}

function gatesOf({ health, clock }: World): Gate[] {
  const now = clock.now()
  return ROWS.flatMap(({ id }) => [
    health.providerGate(id, now),
    ...KEYS.flatMap((n) => [
      health.connectionGate(`${id}-${n}`, now),
      ...MODELS.map((model) => health.modelGate({ providerId: id, connectionId: `${id}-${n}`, model }, now)),
    ]),
  ]).filter((gate) => gate !== null)
}

function exclusionsOf({ health, clock }: World, row: ProviderRow, model: string): Exclusion[] {
  const now = clock.now()
  return KEYS.flatMap((n) => {
    const connectionId = `${row.id}-${n}`
    const gate =
      health.providerGate(row.id, now) ??
      health.connectionGate(connectionId, now) ??
      health.modelGate({ providerId: row.id, connectionId, model }, now)
    return gate === null ? [] : [{ connectionId, connection: connectionId, because: gate.why, gate }]
  })
}

/** One request, walked through the keys of its provider as the pipeline does. What it leaves under way is given back. */
function request(world: World, held: [ProviderRow, Admission][]): void {
  const { draw, health, clock, current } = world
  const row = pick(draw, ROWS)
  const model = pick(draw, MODELS)
  for (const n of KEYS) {
    const admission = health.admit({ providerId: row.id, connectionId: `${row.id}-${n}`, model })
    if (isGate(admission)) continue
    // Some take their time, and fail or succeed when much has changed.
    if (draw(8) === 0) {
      held.push([row, admission])
      return
    }
    const verdict = settle(world, row, admission)
    if (verdict === null || verdict.next !== 'next-connection') return
  }
  const { waitForCooldown } = current.settings
  const until = directWait(exclusionsOf(world, row, model), waitForCooldown, { waits: 0, waitedMs: 0 }, clock.now())
  if (until !== null) {
    expect(until - clock.now()).toBeLessThanOrEqual(waitForCooldown.maxRetryWaitSec * 1_000)
    expect(until).toBeGreaterThan(clock.now())
  }
}

/** @param mends a person looks after the keys: else most of them are soon out for good */
function liveThrough(world: World, ms: number, mends: boolean, check: () => void): void {
  const { draw, clock, health } = world
  const held: [ProviderRow, Admission][] = []
  const end = clock.now() + ms
  while (clock.now() < end) {
    request(world, held)
    if (held.length > 0 && draw(3) === 0) {
      const [late] = held.splice(draw(held.length), 1)
      if (late !== undefined) settle(world, ...late)
    }
    if (mends && draw(4) === 0) health.clearConnection(`${pick(draw, ROWS).id}-${pick(draw, KEYS)}`)
    check()
    clock.advance(draw(2) === 0 ? draw(2_000) : draw(20) === 0 ? draw(2 * HOUR_MS) : draw(5 * MINUTE_MS))
  }
}

const seeds = fc.integer({ min: 0, max: 2 ** 31 })
const RUNS = { numRuns: 5 }

describe('over a simulated day', () => {
  it('nothing is out for longer than it may be, and each says why', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const world = openWorld(seed)
        liveThrough(world, DAY_MS, true, () => {
          const now = world.clock.now()
          for (const gate of gatesOf(world)) {
            expect(gate.why).not.toBe('')
            expect(gate.since).toBeLessThanOrEqual(now)
            if (gate.until === null) {
              expect(gate.endsBy).toBe('person')
              continue
            }
            expect(gate.until).toBeGreaterThan(now)
            expect(gate.until - now, `${gate.gate} ${gate.reason}`).toBeLessThanOrEqual(longest(gate))
          }
        })
      }),
      RUNS,
    )
  })

  it('what is out for good stays so whatever happens, and nothing else outlives its time', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const world = openWorld(seed)
        const forGood = new Set<string>()
        liveThrough(world, DAY_MS, false, () => {
          const now = world.clock.now()
          for (const { id } of ROWS) {
            for (const n of KEYS) {
              const isOut = world.health.connectionGate(`${id}-${n}`, now)?.gate === 'terminal'
              if (forGood.has(`${id}-${n}`)) expect(isOut).toBe(true)
              else if (isOut) forGood.add(`${id}-${n}`)
            }
          }
        })
        world.clock.advance(30 * DAY_MS)
        expect(gatesOf(world).filter(({ gate }) => gate !== 'terminal')).toEqual([])
      }),
      RUNS,
    )
  })

  it('once a person has spoken for every key, all of them serve', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const world = openWorld(seed)
        liveThrough(world, DAY_MS / 4, false, () => {})
        for (const { id } of ROWS) for (const n of KEYS) world.health.clearConnection(`${id}-${n}`)
        world.health.resetBreakers()
        expect(gatesOf(world)).toEqual([])
        for (const row of ROWS) {
          const subject = { providerId: row.id, connectionId: `${row.id}-1`, model: 'm1' }
          expect(isGate(world.health.admit(subject))).toBe(false)
        }
      }),
      RUNS,
    )
  })
})
