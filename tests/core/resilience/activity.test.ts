import { describe, expect, it, vi } from 'vitest'
import { type HealthState, REASONS, type Reason } from '../../../core/contract/kinds'
import type { AttemptView, RequestView } from '../../../core/contract/views'
import { CATALOGUE } from '../../../core/providers/catalogue'
import type { ProviderRow } from '../../../core/providers/provider-row'
import { buildConnection, type Connection } from '../../../core/providers/registry'
import { Activity, type HealthNow } from '../../../core/resilience/activity'
import type { Gate } from '../../../core/resilience/health-events'

const row = CATALOGUE.find(({ id }) => id === 'openai') as ProviderRow

interface Shape {
  readonly enabled?: boolean
  readonly key?: string | null
  readonly locked?: boolean
}

function connection(id: string, { enabled = true, key = 'sk-x', locked = false }: Shape = {}): Connection {
  return buildConnection(row, { id, name: id, priority: 1, enabled, baseUrl: null }, key, locked, null)
}

function attempt(connectionId: string, outcome: AttemptView['outcome'], reason: Reason | null, startedAt = 1) {
  return { connectionId, outcome, reason, message: 'the words', startedAt } as AttemptView
}
const record = (...attempts: AttemptView[]): RequestView => ({ attempts }) as unknown as RequestView
const withActivity = (...attempts: AttemptView[]): Activity => {
  const activity = new Activity(() => {})
  activity.finished(record(...attempts))
  return activity
}
const stateOf = (activity: Activity, shown: Connection): HealthState =>
  activity.connectionState({ row, connections: [shown] }, shown).state

describe('the state of a connection', () => {
  const EXPECTED: Partial<Record<Reason, HealthState>> = {
    auth_error: 'needs-you',
    credits_exhausted: 'needs-you',
    forbidden: 'needs-you',
    banned: 'needs-you',
    aborted: 'healthy',
    local: 'healthy',
    bad_request: 'healthy',
    context_overflow: 'healthy',
    not_found: 'healthy',
  }

  it.each(REASONS.map((reason) => [reason, EXPECTED[reason] ?? 'strained'] as const))(
    'after %s is %s',
    (reason, state) => {
      const activity = withActivity(attempt('a', 'failed', reason))
      expect(stateOf(activity, connection('a'))).toBe(state)
      expect(stateOf(activity, connection('b'))).toBe('healthy')
    },
  )

  it('says why in a sentence', () => {
    const a = connection('a')
    const activity = withActivity(attempt('a', 'failed', 'server_error'))
    expect(activity.connectionState({ row, connections: [a] }, a).why).toBe('The last request failed: the words')
  })

  it.each<[string, Shape, HealthState, string]>([
    ['switched off', { enabled: false }, 'off', 'switched off'],
    ['without a key', { key: null }, 'needs-you', 'it has no key'],
    ['with a key that cannot be opened', { key: null, locked: true }, 'needs-you', 'cannot be opened'],
    ['switched off and without a key', { enabled: false, key: null }, 'off', 'switched off'],
  ])('%s comes before what was seen', (_what, shape, state, why) => {
    const activity = withActivity(attempt('a', 'failed', 'server_error'))
    const a = connection('a', shape)
    const shown = activity.connectionState({ row, connections: [a] }, a)
    expect(shown.state).toBe(state)
    expect(shown.why).toContain(why)
  })

  it('is good again after a success, a live test, or a new key', () => {
    const failed = attempt('a', 'failed', 'auth_error')
    expect(stateOf(withActivity(failed, attempt('a', 'ok', null)), connection('a'))).toBe('healthy')
    const activity = withActivity(failed)
    activity.clear('a')
    expect(stateOf(activity, connection('a'))).toBe('healthy')
  })

  it('stays as it was after what is not its fault', () => {
    const activity = withActivity(attempt('a', 'failed', 'server_error'), attempt('a', 'aborted', 'aborted'))
    activity.finished(record(attempt('a', 'failed', 'bad_request')))
    expect(stateOf(activity, connection('a'))).toBe('strained')
  })
})

describe('the state of a provider', () => {
  const off = connection('off', { enabled: false })
  const bare = connection('bare', { key: null })
  const [good, bad, banned] = ['good', 'bad', 'banned'].map((id) => connection(id)) as [
    Connection,
    Connection,
    Connection,
  ]

  it.each<[string, readonly Connection[], HealthState, string]>([
    ['without connections', [], 'off', 'no connection yet'],
    ['all switched off', [off], 'off', 'switched off'],
    ['all good', [good], 'healthy', ''],
    ['good, and one switched off', [off, good], 'healthy', ''],
    ['one of two fails', [good, bad], 'strained', 'bad: The last request failed: the words'],
    ['one of two needs a person', [bare, good], 'strained', 'bare: it has no key'],
    ['the only one fails', [bad], 'strained', 'bad: The last request failed: the words'],
    ['one fails, one needs a person', [banned, bad], 'strained', 'banned: The last request failed: the words'],
    ['all need a person', [bare, banned], 'needs-you', 'bare: it has no key'],
    [
      'the only one that is on needs a person',
      [off, banned],
      'needs-you',
      'banned: The last request failed: the words',
    ],
  ])('%s', (_what, connections, state, why) => {
    const activity = withActivity(attempt('bad', 'failed', 'server_error'), attempt('banned', 'failed', 'banned'))
    expect(activity.providerState({ row, connections })).toMatchObject({ state, why })
  })
})

describe('what health holds against connections and providers', () => {
  const [a, b] = ['a', 'b'].map((id) => connection(id)) as [Connection, Connection]
  const rests = (until: number): Gate => ({
    ...{ kind: 'closed', gate: 'cooldown', reason: 'rate_limit_exceeded', since: 5, until, why: 'Too many requests.' },
    endsBy: 'time',
  })
  const expired: Gate = { ...rests(0), gate: 'terminal', reason: 'auth_error', until: null, endsBy: 'person' }
  const nothing: HealthNow = { connectionGate: () => null, lockouts: () => [], breaker: () => null }
  const withHealth = (health: Partial<HealthNow>): Activity => {
    const activity = new Activity(() => {})
    activity.health = { ...nothing, ...health }
    return activity
  }
  const gates =
    (by: Record<string, Gate>): HealthNow['connectionGate'] =>
    ({ id }) =>
      by[id] ?? null
  const state = (activity: Activity, connections: readonly Connection[]) => activity.providerState({ row, connections })

  it('shows a rest with its moments, and what only a person ends without one', () => {
    const activity = withHealth({ connectionGate: gates({ a: rests(9), b: expired }) })
    const of = (each: Connection) => activity.connectionState({ row, connections: [a, b] }, each)
    expect(of(a)).toEqual({ state: 'resting', why: 'Too many requests.', since: 5, until: 9 })
    expect(of(b)).toEqual({ state: 'needs-you', why: 'Too many requests.', since: 5, until: null })
  })

  it('calls a connection strained while one of its models rests, and says which', () => {
    const lock = { model: 'gpt-9', reason: 'quota_exhausted', message: '', since: 1, until: 7 } as const
    expect(withHealth({ lockouts: () => [lock] }).connectionState({ row, connections: [a] }, a)).toEqual({
      state: 'strained',
      why: 'The model gpt-9 rests: quota_exhausted',
      since: 1,
      until: 7,
    })
  })

  it('is over when it is held no longer; a fault of the service is shown until something is answered', () => {
    const seenAs = (reason: Reason, health: HealthNow | null): HealthState => {
      const activity = withActivity(attempt('a', 'failed', reason))
      activity.health = health
      return activity.connectionState({ row, connections: [a] }, a).state
    }
    expect(seenAs('rate_limit_exceeded', nothing)).toBe('healthy')
    expect(seenAs('auth_error', nothing)).toBe('healthy')
    expect(seenAs('server_error', nothing)).toBe('strained')
    expect(seenAs('auth_error', null)).toBe('needs-you')
  })

  it('is shown of a connection that never rests until it is answered again', () => {
    const restless = { ...a, settings: { disableCooling: true } }
    const activity = withActivity(attempt('a', 'failed', 'rate_limit_exceeded'))
    activity.health = nothing
    expect(activity.connectionState({ row, connections: [restless] }, restless).state).toBe('strained')
  })

  it('tells of a provider the earliest return of its connections', () => {
    const both = withHealth({ connectionGate: gates({ a: rests(90), b: rests(40) }) })
    expect(state(both, [a, b])).toMatchObject({ state: 'resting', until: 40, why: 'b: Too many requests.' })
    const one = withHealth({ connectionGate: gates({ a: rests(90) }) })
    expect(state(one, [a, b])).toMatchObject({ state: 'strained', until: 90, why: 'a: Too many requests.' })
    const mixed = withHealth({ connectionGate: gates({ a: expired, b: rests(40) }) })
    expect(state(mixed, [a, b])).toMatchObject({ state: 'resting', until: 40 })
  })

  it('lets an open breaker speak for the whole provider, and a degraded one only where nothing else does', () => {
    const gate: Gate = { ...rests(30), gate: 'breaker', endsBy: 'probe', why: 'It failed 12 times.' }
    const open = withHealth({ breaker: () => ({ gate, isDegraded: false }), connectionGate: gates({ a: rests(90) }) })
    expect(state(open, [a])).toEqual({ state: 'resting', why: 'It failed 12 times.', since: 5, until: 30 })
    const degraded = withHealth({ breaker: () => ({ gate: null, isDegraded: true }) })
    expect(state(degraded, [a])).toMatchObject({ state: 'strained' })
    expect(degraded.providerState({ row: { ...row, exempt: true }, connections: [a] })).toMatchObject({
      state: 'healthy',
    })
  })
})

describe('the use of a connection', () => {
  it('is counted while it runs', () => {
    const activity = new Activity(() => {})
    activity.started('a')
    activity.started('a')
    activity.ended('a')
    expect(activity.of('a').inFlight).toBe(1)
    expect(activity.of('b').inFlight).toBe(0)
  })

  it('is remembered, and written down, attempt by attempt', () => {
    const persist = vi.fn()
    const activity = new Activity(persist)
    activity.restoreLastUse('a', 5)
    expect(activity.of('a').lastUsedAt).toBe(5)
    activity.finished(record(attempt('a', 'failed', 'timeout', 10), attempt('b', 'ok', null, 20)))
    expect([activity.of('a').lastUsedAt, activity.of('b').lastUsedAt]).toEqual([10, 20])
    expect(persist.mock.calls).toEqual([
      ['a', 10],
      ['b', 20],
    ])
  })

  it('is forgotten with it', () => {
    const activity = withActivity(attempt('a', 'failed', 'server_error', 10))
    activity.forget('a')
    expect(activity.of('a')).toEqual({ inFlight: 0, lastUsedAt: null, failure: null })
  })
})
