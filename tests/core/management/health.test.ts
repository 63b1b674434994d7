import { describe, expect, test } from 'vitest'
import { BreakerView, ConnectionStatesPage, CooldownsPage, LockoutView } from '../../../core/contract/health-views'
import { GatewayError } from '../../../core/errors'
import { errorGroup } from '../../../core/management/health-views'
import { beginHealth, FAILURES } from './open-health'

const GLM = [
  { provider: 'glm', name: 'well' },
  { provider: 'glm', name: 'locked' },
  { provider: 'glm', name: 'resting' },
  { provider: 'glm', name: 'banned' },
  { provider: 'glm', name: 'off', enabled: false },
  { provider: 'openai', name: 'other' },
] as const

async function troubled() {
  const world = await beginHealth(GLM)
  world.fail('locked', FAILURES.locked(60_000), 'glm-5')
  world.fail('resting', FAILURES.limited(30_000))
  world.fail('banned', FAILURES.banned())
  return world
}

const all = (page: CooldownsPage) => page.connections.filter(({ provider }) => provider !== 'practice')

describe('the cooldown manager', () => {
  test('tells of every connection, those that are out first, and nothing else than the contract says', async () => {
    const { operations, clock, id } = await troubled()
    const page = await operations['health:cooldowns']({})
    expect(CooldownsPage.parse(page)).toEqual(page)
    expect(page.generatedAt).toBe(new Date(clock.now()).toISOString())
    expect(all(page).map(({ name, status }) => [name, status])).toEqual([
      ['banned', 'terminal'],
      ['resting', 'cooling_down'],
      ['locked', 'model_locked'],
      ['off', 'unavailable'],
      ...(all(page)
        .filter(({ status }) => status === 'healthy')
        .map(({ name }) => [name, 'healthy']) as string[][]),
    ])
    expect(all(page).find(({ name }) => name === 'resting')).toEqual({
      id: id('resting'),
      provider: 'glm',
      name: 'resting',
      authType: 'apikey',
      priority: 2,
      isActive: true,
      status: 'cooling_down',
      testStatus: 'unavailable',
      rateLimitedUntil: new Date(clock.now() + 30_000).toISOString(),
      cooldownRemainingMs: 30_000,
      backoffLevel: 0,
      errorCode: 429,
      lastErrorType: 'rate_limit_exceeded',
      lastErrorAt: new Date(clock.now()).toISOString(),
      lockouts: [],
      gate: {
        gate: 'cooldown',
        reason: 'rate_limit_exceeded',
        since: clock.now(),
        until: clock.now() + 30_000,
        why: 'it broke',
        endsBy: 'time',
      },
    })
    expect(all(page).find(({ name }) => name === 'banned')).toMatchObject({
      testStatus: 'banned',
      rateLimitedUntil: null,
      cooldownRemainingMs: 0,
      gate: { gate: 'terminal', until: null, endsBy: 'person' },
    })
    expect(all(page).find(({ name }) => name === 'locked')).toMatchObject({
      testStatus: 'active',
      gate: null,
      lockouts: [{ model: 'glm-5', reason: 'model_capacity', remainingMs: 60_000 }],
    })
    expect(all(page).find(({ name }) => name === 'off')).toMatchObject({ isActive: false, testStatus: 'active' })
  })

  test('a refused sign-in that is still retried rests, with the time of the next retry', async () => {
    const { operations, fail, clock } = await beginHealth(GLM)
    fail('well', FAILURES.unauthorized())
    const row = all(await operations['health:cooldowns']({})).find(({ name }) => name === 'well')
    expect(row).toMatchObject({
      status: 'cooling_down',
      rateLimitedUntil: new Date(clock.now() + 300_000).toISOString(),
      gate: { gate: 'sign-in-retry', endsBy: 'retry' },
    })
  })

  test('can be asked for one provider, by id or alias; one that nobody knows has none', async () => {
    const { operations } = await troubled()
    const names = async (provider: string) =>
      (await operations['health:cooldowns']({ provider })).connections.map(({ name }) => name)
    expect(await names('openai')).toEqual(['other'])
    expect((await names('zhipu')).sort()).toEqual(['banned', 'locked', 'off', 'resting', 'well'])
    expect(await names('nobody')).toEqual([])
  })

  test('a rest that is over is gone without being asked to', async () => {
    const { operations, clock } = await troubled()
    clock.advance(60_000)
    const statuses = all(await operations['health:cooldowns']({})).map(({ name, status }) => [name, status])
    expect(Object.fromEntries(statuses)).toMatchObject({
      banned: 'terminal',
      resting: 'healthy',
      locked: 'healthy',
    })
  })

  test('clearing some ends their rests and locks, and leaves terminal ones as they are', async () => {
    const { operations, id, changed } = await troubled()
    const ids = ['resting', 'locked', 'banned', 'well'].map(id)
    const cleared = await operations['health:clear-cooldowns']({ connectionIds: [...ids, id('resting'), 'gone'] })
    expect(cleared).toEqual({ cleared: 1, unchanged: 3, skippedTerminal: 1, lockoutsCleared: 1 })
    expect(changed).toHaveBeenCalledWith('providers:changed')
    const statuses = all(await operations['health:cooldowns']({})).map(({ name, status }) => [name, status])
    expect(Object.fromEntries(statuses)).toMatchObject({ banned: 'terminal', resting: 'healthy', locked: 'healthy' })
  })

  test('clearing all of one provider leaves the others resting', async () => {
    const { operations, fail } = await troubled()
    fail('other', FAILURES.limited(30_000))
    const cleared = await operations['health:clear-cooldowns']({ all: true, provider: 'zhipu' })
    expect(cleared).toMatchObject({ cleared: 1, skippedTerminal: 1, lockoutsCleared: 1 })
    const page = await operations['health:cooldowns']({ provider: 'openai' })
    expect(page.connections[0]?.status).toBe('cooling_down')
    expect(await operations['health:clear-cooldowns']({ all: true })).toMatchObject({ cleared: 1, skippedTerminal: 1 })
  })

  test('clearing forgets the failure that was seen, too, but for those that need a person', async () => {
    const { operations, activity, id } = await troubled()
    const failure = { reason: 'server_error', message: 'it broke', at: 1 } as const
    for (const name of ['resting', 'banned']) activity.of(id(name)).failure = failure
    await operations['health:clear-cooldowns']({ all: true })
    expect(activity.of(id('resting')).failure).toBeNull()
    expect(activity.of(id('banned')).failure).toEqual(failure)
  })

  test('clearing none changes nothing', async () => {
    const { operations } = await troubled()
    const before = await operations['health:cooldowns']({})
    expect(await operations['health:clear-cooldowns']({ connectionIds: [] })).toEqual({
      cleared: 0,
      unchanged: 0,
      skippedTerminal: 0,
      lockoutsCleared: 0,
    })
    expect(await operations['health:cooldowns']({})).toEqual(before)
  })
})

describe('resting models', () => {
  test('are told with both names of everything', async () => {
    const { operations, clock, id, fail } = await troubled()
    fail('well', FAILURES.locked(90_000), 'glm-4')
    const lockouts = await operations['health:lockouts']()
    for (const lockout of lockouts) expect(LockoutView.parse(lockout)).toEqual(lockout)
    expect(lockouts.map(({ model }) => model)).toEqual(['glm-4', 'glm-5'])
    expect(lockouts[1]).toEqual({
      provider: 'glm',
      connectionId: id('locked'),
      connection: id('locked'),
      connectionName: 'locked',
      model: 'glm-5',
      reason: 'model_capacity',
      why: 'it broke',
      since: new Date(clock.now()).toISOString(),
      remainingMs: 60_000,
      expiresAt: new Date(clock.now() + 60_000).toISOString(),
      failureCount: 1,
    })
  })

  test.each(['id', 'name'])('one can be ended by its connection’s %s', async (by) => {
    const { operations, id, fail } = await troubled()
    fail('well', FAILURES.locked(90_000), 'glm-5')
    const connection = by === 'id' ? id('locked') : 'locked'
    expect(await operations['health:clear-lockouts']({ provider: 'zhipu', connection, model: 'glm-5' })).toEqual({
      removed: true,
    })
    expect((await operations['health:lockouts']()).map(({ connectionName }) => connectionName)).toEqual(['well'])
  })

  test('without a connection every one of the provider is ended', async () => {
    const { operations, fail } = await troubled()
    fail('well', FAILURES.locked(90_000), 'glm-5')
    expect(await operations['health:clear-lockouts']({ provider: 'glm', model: 'glm-5' })).toEqual({ removed: true })
    expect(await operations['health:lockouts']()).toEqual([])
    expect(await operations['health:clear-lockouts']({ provider: 'glm', model: 'glm-5' })).toEqual({ removed: false })
    expect(await operations['health:clear-lockouts']({ all: true })).toEqual({ removed: false })
  })

  test('of a connection that is not there nothing is ended', async () => {
    const { operations } = await troubled()
    const input = { provider: 'glm', connection: 'nobody', model: 'glm-5' }
    expect(await operations['health:clear-lockouts'](input)).toEqual({ removed: false })
    expect(await operations['health:lockouts']()).toHaveLength(1)
  })
})

describe('breakers', () => {
  /** One connection counts once in a while only. */
  async function openBreaker() {
    const world = await beginHealth(Array.from({ length: 12 }, (_, i) => ({ provider: 'glm', name: `c${i}` })))
    for (let i = 0; i < 12; i++) world.fail(`c${i}`, FAILURES.down())
    return world
  }

  test('are shown, and their connections as out', async () => {
    const { operations } = await openBreaker()
    const [breaker] = await operations['health:breakers']()
    expect(BreakerView.parse(breaker)).toEqual(breaker)
    expect(breaker).toMatchObject({ name: 'glm', state: 'OPEN', failureCount: 12, retryAfterMs: 30_000 })
    const states = await operations['health:states']({ windowMs: 3_600_000, provider: 'glm' })
    expect(new Set(states.connections.map(({ connectionStatus }) => connectionStatus))).toEqual(
      new Set(['circuit_open']),
    )
  })

  test('one is reset by id or alias, or all are; locks only where that is wished', async () => {
    const { operations, health } = await openBreaker()
    expect(await operations['health:reset-breakers']({ provider: 'openai', lockouts: false })).toEqual({
      resetCount: 0,
    })
    expect(await operations['health:reset-breakers']({ provider: 'zhipu', lockouts: false })).toEqual({ resetCount: 1 })
    expect((await operations['health:breakers']())[0]?.state).toBe('CLOSED')
    expect(health.providerGate('glm', 0)).toBeNull()
    const other = await troubled()
    await other.operations['health:reset-breakers']({ lockouts: false })
    expect(await other.operations['health:lockouts']()).toHaveLength(1)
    await other.operations['health:reset-breakers']({ lockouts: true })
    expect(await other.operations['health:lockouts']()).toEqual([])
  })
})

describe('the states of connections', () => {
  test('say one word for each, and their last error in a coarse one, while it is recent', async () => {
    const { operations, clock } = await troubled()
    const page = await operations['health:states']({ windowMs: 3_600_000, provider: 'glm' })
    expect(ConnectionStatesPage.parse(page)).toEqual(page)
    const words = page.connections.map(({ name, connectionStatus, errorCode }) => [name, connectionStatus, errorCode])
    expect(words.slice(0, 2)).toEqual([
      ['banned', 'terminal', 'auth'],
      ['resting', 'cooling_down', 'rate_limit'],
    ])
    clock.advance(10_000)
    const later = await operations['health:states']({ windowMs: 9_999, provider: 'glm' })
    expect(later.connections.every(({ errorCode, lastErrorAt }) => errorCode === null && lastErrorAt === null)).toBe(
      true,
    )
    expect(later.connections[1]).toMatchObject({ connectionStatus: 'cooling_down', cooldownRemainingMs: 20_000 })
  })

  test.each([
    [429, 'rate_limit_exceeded', 'rate_limit'],
    [401, 'auth_error', 'auth'],
    [403, 'forbidden', 'auth'],
    [404, 'not_found', 'not_found'],
    [500, 'server_error', 'server'],
    [529, 'model_capacity', 'server'],
    [402, 'credits_exhausted', 'other'],
    [null, 'timeout', 'server'],
    [null, 'network_error', 'server'],
    [null, 'stream_stall', 'other'],
  ] as const)('%s %s is of the group %s', (status, reason, group) => {
    expect(errorGroup({ status, reason })).toBe(group)
  })
})

describe('a reset', () => {
  test('ends a terminal state, and what rests with it', async () => {
    const { operations, id } = await troubled()
    for (const name of ['banned', 'resting', 'locked']) {
      expect(await operations['connections:reset']({ id: id(name) })).toMatchObject({ id: id(name), name })
    }
    const statuses = all(await operations['health:cooldowns']({ provider: 'glm' })).map(({ status }) => status)
    expect(statuses).toEqual(['unavailable', 'healthy', 'healthy', 'healthy', 'healthy'])
    expect(await operations['health:lockouts']()).toEqual([])
  })

  test('of a connection that is not there is 404', async () => {
    const { operations } = await troubled()
    await expect(operations['connections:reset']({ id: 'gone' })).rejects.toMatchObject({ httpStatus: 404 })
    await expect(operations['connections:reset']({ id: 'gone' })).rejects.toBeInstanceOf(GatewayError)
  })
})

test('no answer holds a key', async () => {
  const { operations } = await troubled()
  const answers = [
    await operations['health:cooldowns']({}),
    await operations['health:states']({ windowMs: 86_400_000 }),
    await operations['health:lockouts'](),
    await operations['health:breakers'](),
  ]
  expect(JSON.stringify(answers)).not.toMatch(/sk-|0123456789/)
})

describe('resilience settings', () => {
  test('one value, or any subset as an object', async () => {
    const { operations } = await beginHealth([])
    const views = await operations['resilience:change']({ key: 'modelLockout.enabled', value: true })
    expect(views).toContainEqual({ key: 'modelLockout.enabled', value: true, source: 'stored', warning: null })
    const tree = await operations['resilience:patch']({ change: { waitForCooldown: { maxRetries: 2 } } })
    expect(tree).toMatchObject({ modelLockout: { enabled: true }, waitForCooldown: { maxRetries: 2 } })
  })

  test('a change that is refused changes nothing', async () => {
    const { operations } = await beginHealth([])
    const change = { waitForCooldown: { maxRetries: 2, surprise: 1 } }
    await expect(operations['resilience:patch']({ change })).rejects.toMatchObject({ httpStatus: 400 })
    expect(await operations['resilience:list']()).toContainEqual({
      key: 'waitForCooldown.maxRetries',
      value: 5,
      source: 'default',
      warning: null,
    })
  })
})
