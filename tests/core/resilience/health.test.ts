// The shell: what each failure does to provider, connection and model, and the rules that must always hold, each by its
// own name.
import { describe, expect, it } from 'vitest'
import type { Failure } from '../../../core/resilience/health-events'
import {
  BANNED,
  CROWDED,
  DEAD_NETWORK,
  DOWN,
  failure,
  LADDER,
  LIMITED,
  LOCAL,
  limitedFor,
  lockedBy,
  NO_MONEY,
  openHealth,
  REFUSED,
  REJECTED,
  SPENT,
  SUBJECT,
  settingsOf,
} from './health-world'

const MINUTE = 60_000

it('what never failed is kept out by nothing', () => {
  const { ask } = openHealth()
  expect([ask.provider(), ask.connection(), ask.model(), ask.entry(), ask.breaker()]).toEqual([
    ...[null, null, null, undefined, null],
  ])
})

describe('rules that must always hold', () => {
  it('a terminal status is never replaced by a cooldown', () => {
    for (const terminal of [BANNED, NO_MONEY]) {
      const { health, ask, admit } = openHealth()
      const [first, ...others] = Array.from({ length: 6 }, () => admit())
      health.failed(first as never, terminal)
      const before = ask.entry()
      for (const [i, later] of [LIMITED, SPENT, CROWDED, REFUSED, REJECTED].entries())
        expect(health.failed(others[i] as never, later)).toMatchObject({ restsUntil: null, lock: null })
      expect(ask.entry()).toBe(before)
      expect(ask.connection()).toMatchObject({ gate: 'terminal', until: null, endsBy: 'person' })
    }
  })

  it('N concurrent failures of one connection raise backoffLevel by exactly 1', () => {
    const { health, clock, ask, admit } = openHealth()
    const together = Array.from({ length: 10 }, () => admit())
    for (const admission of together) {
      health.failed(admission, LIMITED)
      clock.advance(1_000)
    }
    expect(ask.entry()?.cooldown.backoffLevel).toBe(1)
  })

  it('getStatus after expiry shows HALF_OPEN without a timer', () => {
    const { openBreaker, clock, ask } = openHealth()
    openBreaker()
    const timers = clock.waiting
    expect(ask.breaker()?.state).toBe('OPEN')
    clock.advance(30_000)
    expect(clock.waiting).toBeLessThanOrEqual(timers)
    expect(ask.breaker()?.state).toBe('HALF_OPEN')
  })

  it('a local queue, semaphore or abort error changes no breaker, cooldown or lock', () => {
    const { health, ask, admit } = openHealth()
    for (let i = 0; i < 20; i++) {
      health.failed(admit(), LOCAL)
      health.aborted(admit())
    }
    expect([ask.provider(), ask.connection(), ask.model(), ask.entry()]).toEqual([null, null, null, undefined])
    expect(ask.breaker()).toMatchObject({ failureCount: 0 })
  })

  it('5xx on one codex model leaves its sibling models routable; 429 does not', () => {
    const { health, ask, admit } = openHealth()
    const at = { providerId: 'codex', connectionId: 'c' }
    const gate = (model: string) => ask.model(model, 'codex', 'c')?.gate ?? null
    health.failed(admit({ ...at, model: 'gpt-5.1' }), lockedBy(502, 'exact'))
    expect([gate('gpt-5.1'), gate('gpt-5.2')]).toEqual(['lockout', null])
    health.failed(admit({ ...at, model: 'gpt-5.2' }), lockedBy(429, 'quota'))
    expect([gate('gpt-5.2'), gate('gpt-5.3'), gate('gpt-5.3-spark')]).toEqual(['lockout', 'lockout', null])
    expect(ask.connection('c')).toBeNull()
  })

  it('a concurrency 429 leaves backoffLevel unchanged and cools about a second', () => {
    const { health, clock, ask, admit } = openHealth()
    health.failed(admit(), LIMITED)
    clock.advance(3_000)
    health.failed(admit(), CROWDED)
    expect(ask.entry()?.cooldown.backoffLevel).toBe(1)
    expect(ask.connection()?.until).toBe(clock.now() + 1_000)
    expect(ask.breaker()?.failureCount).toBe(0)
  })

  it('a content stall leaves the connection without a rest, and is remembered as its last error', () => {
    const stall = failure({ reason: 'stream_stall', status: 502, rest: { kind: 'stall' } })
    const { health, ask, admit } = openHealth()
    expect(health.failed(admit(), stall).restsUntil).toBeNull()
    expect(ask.connection()).toBeNull()
    expect(ask.entry()?.lastError).toMatchObject({ reason: 'stream_stall' })
    const on = openHealth({ settings: { streamStallCooldown: { enabled: true } } })
    on.health.failed(on.admit(), stall)
    expect(on.ask.connection()).toMatchObject({ gate: 'cooldown' })
  })

  it('clearing cooldowns skips terminal connections and reports them', () => {
    const { health, ask, admit } = openHealth()
    health.failed(admit({ connectionId: 'banned' }), BANNED)
    health.failed(admit({ connectionId: 'resting' }), LIMITED)
    health.failed(admit({ connectionId: 'locked' }), lockedBy(404, 'not-found'))
    health.failed(admit({ connectionId: 'refused' }), REFUSED)
    expect(health.clearCooldowns(['banned', 'resting', 'locked', 'refused', 'well', 'resting'])).toEqual({
      ...{ cleared: 2, unchanged: 2, skippedTerminal: 1, lockoutsCleared: 1 },
    })
    expect(ask.connection('banned')?.gate).toBe('terminal')
    for (const id of ['resting', 'refused']) expect(ask.connection(id)).toBeNull()
    expect(ask.model('m', 'openai', 'locked')).toBeNull()
  })

  it('an egress lock never produces a terminal status and skips already cooling siblings', () => {
    const siblings = ['banned', 'longer', 'shorter', 'well']
    const { health, clock, ask, admit } = openHealth({ deps: { egressSiblings: () => siblings } })
    health.failed(admit({ connectionId: 'banned' }), BANNED)
    health.failed(admit({ connectionId: 'longer' }), limitedFor(20 * MINUTE))
    health.failed(admit({ connectionId: 'shorter' }), limitedFor(MINUTE))
    const until = clock.now() + 10 * MINUTE
    health.failed(admit(), { ...limitedFor(10 * MINUTE), egress: true })
    expect(['a', ...siblings].map((id) => ask.connection(id)?.until)).toEqual([
      ...[until, null, clock.now() + 20 * MINUTE, until, until],
    ])
    for (const id of ['a', 'longer', 'shorter', 'well']) expect(ask.connection(id)?.gate).toBe('cooldown')
  })

  it('retry hints are ignored when useUpstreamRetryHints is off', () => {
    const { health, clock, ask, admit } = openHealth()
    health.failed(admit({ providerId: 'claude' }), limitedFor(777_000))
    expect(ask.connection()?.until).toBe(clock.now() + 5_000)
    health.failed(admit({ connectionId: 'b' }), limitedFor(777_000))
    expect(ask.connection('b')?.until).toBe(clock.now() + 777_000)
  })

  it('success halves the model failure count and removes it at 0', () => {
    const { health, clock, ask, admit } = openHealth()
    for (let i = 0; i < 3; i++) {
      health.failed(admit(), lockedBy(503, 'exact'))
      clock.advance((ask.model()?.until ?? 0) - clock.now())
    }
    const count = (): number | undefined => {
      health.failed(admit(), lockedBy(503, 'exact'))
      return health.lockouts(clock.now())[0]?.failureCount
    }
    health.succeeded(admit())
    expect(count()).toBe(2)
    clock.advance(10 * MINUTE)
    for (let i = 0; i < 2; i++) health.succeeded(admit())
    expect(count()).toBe(1)
  })

  it('half open lets exactly one through: the others are told at once when to come back', () => {
    const { openBreaker, clock, admit, refused } = openHealth()
    openBreaker()
    clock.advance(30_000)
    admit()
    for (let i = 0; i < 49; i++) {
      const gate = refused()
      expect(gate).toMatchObject({ gate: 'breaker', endsBy: 'probe' })
      expect((gate.until ?? 0) - clock.now()).toBeGreaterThanOrEqual(1_000)
    }
  })
})

describe('what counts against a provider', () => {
  it('one failing connection does not open it, many together do', () => {
    const one = openHealth()
    for (let i = 0; i < 30; i++) {
      one.clock.advance(200)
      one.health.failed(one.admit({ connectionId: 'a', model: `m${i}` }), { ...DOWN, rest: null })
    }
    expect(one.ask.breaker()).toMatchObject({ state: 'CLOSED', failureCount: 2 })
    const many = openHealth()
    many.openBreaker()
    expect(many.ask.breaker()?.state).toBe('OPEN')
    expect(many.ask.provider()).toMatchObject({ gate: 'breaker', reason: 'server_error', endsBy: 'probe' })
  })

  it('a dead network counts once, whoever meets it', () => {
    const { health, admit, ask } = openHealth()
    for (let i = 0; i < 20; i++) health.failed(admit({ connectionId: `c${i}` }), DEAD_NETWORK)
    expect(ask.breaker()?.failureCount).toBe(1)
  })

  it.each<[string, Failure]>([
    ['401', REFUSED],
    ['403', REJECTED],
    ['402', NO_MONEY],
    ['429', LIMITED],
    ['a spent quota', SPENT],
    ['too many at once', CROWDED],
    ['a stall', failure({ reason: 'stream_stall', rest: { kind: 'stall' } })],
    ['a failure whose next target is the same provider', { ...DOWN, sameProviderNext: true }],
  ])('not %s', (_what, event) => {
    const { health, admit, ask } = openHealth()
    for (let i = 0; i < 30; i++) health.failed(admit({ connectionId: `c${i}` }), event)
    expect(ask.breaker()).toMatchObject({ state: 'CLOSED', failureCount: 0 })
  })

  it('429 where the hints are on, with waits of their own', () => {
    const { health, clock, admit, ask } = openHealth({
      settings: { connectionCooldown: { apikey: { useUpstream429BreakerHints: true } } },
    })
    for (let i = 0; i < 12; i++) health.failed(admit({ connectionId: `c${i}` }), LIMITED)
    expect(ask.provider()).toMatchObject({ reason: 'rate_limit_exceeded', until: clock.now() + 60_000 })
    clock.advance(60_000)
    health.failed(admit({ connectionId: 'probe' }), SPENT)
    expect(ask.provider()).toMatchObject({ reason: 'quota_exhausted', until: clock.now() + 3_600_000 })
  })

  it('nothing of an exempt provider', () => {
    const { openBreaker, ask } = openHealth()
    openBreaker('practice', 40)
    expect([ask.breaker('practice'), ask.provider('practice')]).toEqual([null, null])
  })

  it('of a local server two failures open it, one strains it', () => {
    const { openBreaker, ask } = openHealth()
    openBreaker('ollama', 1)
    expect(ask.breaker('ollama')).toMatchObject({ state: 'DEGRADED', degradationThreshold: 1 })
    openBreaker('ollama', 1, 1)
    expect(ask.breaker('ollama')).toMatchObject({ state: 'OPEN', effectiveResetTimeout: 15_000 })
  })

  it('results of requests that were under way when it opened count no more, also after it has closed', () => {
    const { health, clock, admit, ask, openBreaker } = openHealth()
    const [bad, good] = [admit({ connectionId: 'x' }), admit({ connectionId: 'y' })]
    openBreaker()
    health.succeeded(good)
    expect(ask.breaker()?.state).toBe('OPEN')
    clock.advance(30_000)
    health.succeeded(admit())
    health.failed(bad, DOWN)
    expect(ask.breaker()).toMatchObject({ state: 'CLOSED', failureCount: 0 })
  })
})

describe('a probe', () => {
  const probing = () => {
    const world = openHealth()
    world.openBreaker()
    world.clock.advance(30_000)
    return { ...world, probe: world.admit() }
  }

  it.each<[string, Failure, string]>([
    ['503', DOWN, 'OPEN'],
    ['503, and the same provider is next', { ...DOWN, sameProviderNext: true }, 'OPEN'],
    ['a dead network', DEAD_NETWORK, 'OPEN'],
    ['400', failure({ status: 400, evidence: { kind: 'life' } }), 'CLOSED'],
    ['401', REFUSED, 'CLOSED'],
    ['429 without hints', LIMITED, 'CLOSED'],
    ['529', failure({ reason: 'model_capacity', status: 529, rest: LADDER }), 'HALF_OPEN'],
    ['a fault of our own', LOCAL, 'HALF_OPEN'],
  ])('that ends with %s', (_what, event, state) => {
    const { health, probe, ask, admit } = probing()
    health.failed(probe, event)
    expect(ask.breaker()?.state).toBe(state)
    if (state === 'HALF_OPEN') expect(admit({ connectionId: 'next' }).ticket.probe).toBeGreaterThan(0)
  })

  it('that its client leaves gives the slot back', () => {
    const { health, probe, admit } = probing()
    health.aborted(probe)
    expect(admit({ connectionId: 'next' }).ticket.probe).toBeGreaterThan(probe.ticket.probe)
  })

  it('that never returns gives the slot back after the reset timeout', () => {
    const { clock, refused, admit } = probing()
    clock.advance(29_999)
    expect(refused().gate).toBe('breaker')
    clock.advance(1)
    expect(admit({ connectionId: 'next' }).kind).toBe('admitted')
  })

  it('is good at its first content, whatever becomes of the rest', () => {
    const { health, probe, ask } = probing()
    health.began(probe)
    expect(ask.breaker()?.state).toBe('CLOSED')
    health.failed(probe, DOWN)
    expect(ask.breaker()).toMatchObject({ state: 'CLOSED', failureCount: 0 })
  })

  it('that fails lets the wait grow, within its cap', () => {
    const { health, clock, ask, probe } = probing()
    let next = probe
    const waits = Array.from({ length: 8 }, (_, i) => {
      health.failed(next, DOWN)
      const ms = (ask.provider()?.until ?? 0) - clock.now()
      clock.advance(ms)
      const found = health.admit({ ...SUBJECT, connectionId: `p${i}` })
      if (found.kind === 'admitted') next = found
      return ms / 1_000
    })
    expect(waits).toEqual([30, 30, 30, 60, 120, 120, 120, 120])
  })
})

describe('a success', () => {
  it('ends level, last error and streak of its connection', () => {
    const { health, clock, ask, admit } = openHealth()
    health.failed(admit(), REJECTED)
    clock.advance(5 * MINUTE)
    health.succeeded(admit())
    expect(ask.entry()).toBeUndefined()
    health.failed(admit(), REJECTED)
    expect(ask.connection()?.until).toBe(clock.now() + 5 * MINUTE)
  })

  it('of a request that was under way before does not end what came meanwhile', () => {
    const { health, ask, admit } = openHealth()
    const before = admit()
    health.failed(admit(), LIMITED)
    health.succeeded(before)
    expect(ask.connection()?.gate).toBe('cooldown')
  })

  it('does not end a terminal state', () => {
    const { health, ask, admit } = openHealth()
    const other = admit()
    health.failed(admit(), BANNED)
    health.succeeded(other)
    expect(ask.connection()?.gate).toBe('terminal')
  })
})

describe('an account', () => {
  it('refused with 401 shows as resting, with the time of its next retry', () => {
    const { health, clock, ask, admit, becameTerminal } = openHealth()
    health.failed(admit(), REFUSED)
    expect(ask.connection()).toMatchObject({
      ...{ gate: 'sign-in-retry', reason: 'auth_error', endsBy: 'retry', until: clock.now() + 5 * MINUTE },
    })
    expect(health.dueRetries()).toEqual([])
    for (const minutes of [5, 10, 20]) {
      clock.advance(minutes * MINUTE)
      expect(health.dueRetries()).toEqual(['a'])
      expect(ask.connection()).not.toBeNull()
      health.retried('a', 'refused')
    }
    expect(ask.connection()).toMatchObject({ gate: 'terminal', reason: 'auth_error' })
    expect(becameTerminal.mock.calls).toEqual([['a', 'expired']])
    expect(health.dueRetries()).toEqual([])
  })

  it('is tried by a request where nobody retries', () => {
    const { health, clock, ask, admit } = openHealth()
    health.failed(admit(), REFUSED)
    clock.advance(10 * MINUTE - 1)
    expect(ask.connection()?.until).toBe(clock.now() + 1)
    clock.advance(1)
    expect(ask.connection()).toBeNull()
    health.succeeded(admit())
    expect(ask.entry()).toBeUndefined()
  })

  it('is banned by the third refusal in a row', () => {
    const { health, clock, ask, admit, becameTerminal } = openHealth()
    for (const minutes of [5, 15]) {
      health.failed(admit(), REJECTED)
      expect(ask.connection()?.until).toBe(clock.now() + minutes * MINUTE)
      clock.advance(minutes * MINUTE)
    }
    expect(health.failed(admit(), REJECTED).terminal).toBe('banned')
    expect(becameTerminal.mock.calls).toEqual([['a', 'banned']])
  })

  it('is not banned by refusals that come together', () => {
    const { health, clock, ask, admit } = openHealth()
    for (const admission of Array.from({ length: 5 }, () => admit())) {
      health.failed(admission, REJECTED)
      clock.advance(6 * MINUTE)
    }
    expect(ask.entry()).toMatchObject({ streak: { count: 1 }, account: { kind: 'fine' } })
  })
})

describe('a connection that opts out of rests', () => {
  const options = { deps: { coolingDisabled: () => true } }

  it('does not rest, but its account can still become terminal', () => {
    const { health, ask, admit } = openHealth(options)
    for (const event of [LIMITED, SPENT, CROWDED, DOWN]) health.failed(admit(), { ...event, lock: null, rest: LADDER })
    expect(ask.connection()).toBeNull()
    health.failed(admit(), BANNED)
    expect(ask.connection()?.gate).toBe('terminal')
  })

  it('has the model locked instead where its quota is spent', () => {
    const { health, clock, ask, admit } = openHealth(options)
    health.failed(admit(), SPENT)
    expect([ask.connection(), ask.model()?.until]).toEqual([null, clock.now() + 3_600_000])
    expect(ask.model('other')).toBeNull()
  })

  it('takes no sibling with it', () => {
    const { health, ask, admit } = openHealth({
      deps: { coolingDisabled: (id) => id === 'a', egressSiblings: () => ['b'] },
    })
    health.failed(admit(), { ...LIMITED, egress: true })
    expect(ask.connection('b')).toBeNull()
  })
})

describe('what a person does', () => {
  it('a successful test ends rest, terminal state and strain, and nothing else', () => {
    const { health, ask, admit, openBreaker } = openHealth()
    health.failed(admit(), BANNED)
    openBreaker('openai', 7)
    expect(ask.breaker()?.state).toBe('DEGRADED')
    health.testPassed('openai', 'a')
    expect([ask.connection(), ask.breaker()?.state]).toEqual([null, 'CLOSED'])
    openBreaker('claude', 8)
    health.testPassed('claude', 'claude-0')
    expect(ask.breaker('claude')?.state).toBe('OPEN')
  })

  it('new credentials are not blamed for what the old ones still have under way', () => {
    const { health, ask, admit } = openHealth()
    const old = admit()
    health.failed(admit(), NO_MONEY)
    health.clearConnection('a')
    expect(health.failed(old, REFUSED)).toEqual({ restsUntil: null, lock: null, terminal: null })
    expect(ask.connection()).toBeNull()
    health.failed(admit(), REFUSED)
    expect(ask.connection()).not.toBeNull()
  })

  it('a reset of all breakers says how many there were', () => {
    const { health, ask, openBreaker } = openHealth()
    openBreaker('openai')
    openBreaker('claude', 1)
    expect(health.resetBreakers()).toBe(2)
    expect(ask.breaker()).toMatchObject({ state: 'CLOSED', failureCount: 0 })
  })

  it('a lock is ended for one connection, or for all', () => {
    const { health, ask, admit } = openHealth()
    for (const connectionId of ['a', 'b']) health.failed(admit({ connectionId }), lockedBy(429, 'quota'))
    expect(health.clearLockout('openai', 'a', 'm')).toBe(true)
    expect([ask.model(), ask.model('m', 'openai', 'b')?.gate]).toEqual([null, 'lockout'])
    expect([health.clearLockout('openai', 'a', 'm'), health.clearLockout('nobody', null, 'm')]).toEqual([false, false])
    expect(health.clearLockouts()).toBe(1)
  })
})

describe('a changed setting', () => {
  it('counts at the next decision', () => {
    const { health, clock, ask, admit, current } = openHealth()
    current.settings = settingsOf({ connectionCooldown: { apikey: { baseCooldownMs: 60_000 } } })
    health.failed(admit(), LIMITED)
    expect(ask.connection()?.until).toBe(clock.now() + 60_000)
  })

  it('of an open breaker’s wait counts at once', () => {
    const { clock, ask, current, openBreaker } = openHealth()
    openBreaker()
    current.settings = settingsOf({ providerBreaker: { apikey: { resetTimeoutMs: 1_000 } } })
    clock.advance(1_000)
    expect(ask.provider()).toBeNull()
  })

  it('of the 429 hints begins with clean breakers, another does not', () => {
    const { health, ask, openBreaker } = openHealth()
    openBreaker()
    const before = settingsOf(undefined)
    health.settingsChanged(settingsOf({ modelLockout: { enabled: true } }), before)
    expect(ask.breaker()?.state).toBe('OPEN')
    health.settingsChanged(settingsOf({ connectionCooldown: { oauth: { useUpstream429BreakerHints: true } } }), before)
    expect(ask.breaker()?.state).toBe('CLOSED')
  })
})

describe('the window gate of combos', () => {
  const on = { providerCooldown: { enabled: true } }
  const gates = ({ health, clock }: ReturnType<typeof openHealth>) =>
    [null, 'openai-0', 'other'].map((id) => health.comboGate('openai', id, clock.now())?.gate ?? null)

  it('is off by default', () => {
    const world = openHealth()
    world.openBreaker()
    expect(gates(world)).toEqual([null, null, null])
  })

  it('pauses the connection at once, the provider after enough failures, and ends with a success', () => {
    const world = openHealth({ settings: { ...on, providerBreaker: { apikey: { failureThreshold: 100 } } } })
    world.openBreaker('openai', 14)
    expect(gates(world)).toEqual([null, 'connection-window', null])
    world.clock.advance(5_000)
    world.health.failed(world.admit({ connectionId: 'another' }), DOWN)
    expect(gates(world)).toEqual(['provider-cooldown', 'provider-cooldown', 'provider-cooldown'])
    world.health.succeeded(world.admit({ connectionId: 'well' }))
    expect(gates(world)[0]).toBeNull()
  })
})

describe('the one allowance inside a request', () => {
  it('lets a resting connection be used, never a terminal one or a locked model', () => {
    const { health, admit, refused } = openHealth()
    const past = { pastCooldown: true }
    health.failed(admit(), LIMITED)
    expect(refused().gate).toBe('cooldown')
    expect(health.admit(SUBJECT, past).kind).toBe('admitted')
    health.failed(admit({ connectionId: 'b' }), BANNED)
    expect(health.admit({ ...SUBJECT, connectionId: 'b' }, past)).toMatchObject({ gate: 'terminal' })
    health.failed(admit({ connectionId: 'c' }), lockedBy(429, 'quota'))
    expect(health.admit({ ...SUBJECT, connectionId: 'c' }, past)).toMatchObject({ gate: 'lockout' })
  })

  it('a forced connection passes an open breaker and counts for nothing', () => {
    const { health, ask, openBreaker } = openHealth()
    openBreaker()
    const forced = health.admit(SUBJECT, { pastBreaker: true })
    if (forced.kind === 'admitted') health.succeeded(forced)
    expect([forced.kind, ask.breaker()?.state]).toEqual(['admitted', 'OPEN'])
  })
})

it('every attempt ends once: a second report is ignored', () => {
  const { health, ask, admit } = openHealth()
  const admission = admit()
  health.succeeded(admission)
  health.failed(admission, BANNED)
  health.aborted(admission)
  expect(ask.connection()).toBeNull()
})

it('an attempt at a provider that was removed meanwhile ends quietly', () => {
  const gone = new Set<string>()
  const facts = { id: 'own', class: 'apikey', quotaFamilies: [] } as const
  const { health, ask, admit } = openHealth({ deps: { provider: (id) => (gone.has(id) ? undefined : facts) } })
  const admission = admit({ providerId: 'own' })
  gone.add('own')
  expect(health.failed(admission, LIMITED).restsUntil).toBeNull()
  expect(ask.connection()).toBeNull()
})

it('tells listeners of what is shown, and of nothing else', () => {
  const { health, admit, changed } = openHealth()
  health.succeeded(admit())
  expect(changed).not.toHaveBeenCalled()
  health.failed(admit(), LIMITED)
  expect(changed).toHaveBeenCalled()
})
