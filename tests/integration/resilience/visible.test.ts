// Whatever is out can be asked why, since when, until when and what ends it, over REST; and settings are felt at once
// (docs/resilience.md, "Why something is out").
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { GatewayStatus, ProviderView } from '../../../core/contract/views'
import { error } from '../../support/fake-answers'
import { byKey, byModel, eventually, keyOf, type Pools, servedBy, startPools } from '../../support/pools'

let pools: Pools
beforeAll(async () => {
  pools = await startPools({
    pools: [byKey('plain', 3), byModel('models', 2), byKey('down', 2)],
    resilience: {
      connectionCooldown: { apikey: { baseCooldownMs: 60_000 } },
      providerBreaker: { apikey: { failureThreshold: 2, degradationThreshold: 1, resetTimeoutMs: 60_000 } },
    },
  })
})
afterAll(() => pools.stop())
beforeEach(() => pools.forget())

const limited = (seconds: number) =>
  error(429, { error: { message: 'Slow down, friend' } }, { 'retry-after': String(seconds) })
const health = async () =>
  (await pools.manage('/api/monitoring/health')).json<{
    status: GatewayStatus['overall']
    providerHealth: Record<string, Pick<ProviderView, 'state' | 'why'>>
    rateLimitStatus: object
  }>()

async function breakThings(): Promise<void> {
  await pools.upstream.answer(keyOf('plain', 1), 'cooling', limited(600))
  await pools.upstream.answer(keyOf('plain', 2), 'cooling', error(402, { error: { message: 'Payment required' } }))
  expect(servedBy(await pools.chat('plain/cooling'))).toBe('plain-3')
  await pools.upstream.answer(keyOf('models', 1), 'locked', limited(500))
  expect(servedBy(await pools.chat('models/locked'))).toBe('models-2')
  await pools.upstream.answer('*', 'down', error(503))
  expect((await pools.chat('down/down')).status).toBe(503)
}

test('every exclusion says why, since when, until when, and what ends it', async () => {
  const from = Date.now()
  await breakThings()
  const to = Date.now()
  const within = (moment: number | null | undefined, plus = 0): void => {
    expect(moment).toBeGreaterThanOrEqual(from + plus)
    expect(moment).toBeLessThanOrEqual(to + plus)
  }
  const [cooling, unpaid] = await pools.rests('plain')
  expect(cooling?.gate).toMatchObject({ gate: 'cooldown', reason: 'rate_limit_exceeded', endsBy: 'time' })
  expect(cooling?.gate?.why).toContain('Slow down, friend')
  within(cooling?.gate?.since)
  within(cooling?.gate?.until, 600_000)
  expect(unpaid?.gate).toMatchObject({ gate: 'terminal', reason: 'credits_exhausted', endsBy: 'person', until: null })
  expect(unpaid?.gate?.why).toContain('Payment required')
  within(unpaid?.gate?.since)

  const [lock] = await pools.locks()
  expect(lock).toMatchObject({ connectionName: 'models-1', model: 'locked', reason: 'rate_limit_exceeded' })
  within(Date.parse(lock?.expiresAt ?? ''), 500_000)

  const breaker = await pools.breaker('down')
  expect(breaker?.state).toBe('OPEN')
  within(breaker?.since)
  within(breaker?.until, 60_000)

  const { status, providerHealth, rateLimitStatus } = await health()
  expect(status).not.toBe('healthy')
  expect(rateLimitStatus).toEqual({ resting: 3, terminal: 1, lockedModels: 1 })
  expect(Object.keys(providerHealth)).toEqual(expect.arrayContaining(['plain', 'models', 'down']))
  expect(providerHealth.plain?.why).not.toBe('')
  expect(providerHealth.down?.state).toBe('resting')
  expect((await pools.states('down')).map(({ connectionStatus }) => connectionStatus)).toEqual([
    'circuit_open',
    'circuit_open',
  ])
  const limits = (await pools.manage('/api/rate-limits')).json<{ overview: object; cacheStats: object }>()
  expect(limits.overview).toMatchObject({ terminal: 1, cooling_down: 3, model_locked: 1 })
  expect(limits.cacheStats).toMatchObject({ lockouts: 1 })
})

test('a lock of a model tells its upstream’s words and when it began', async () => {
  await breakThings()
  const [lock] = await pools.locks()
  expect(lock).toMatchObject({ why: expect.stringContaining('Slow down, friend'), since: expect.stringContaining('T') })
})

test('the answer of a request that nobody could take names each of them', async () => {
  await breakThings()
  await pools.upstream.answer(keyOf('plain', 3), 'third', error(401, { error: { message: 'Incorrect API key' } }))
  expect((await pools.chat('plain/third')).status).toBe(503)
  const answer = await pools.chat('plain/nobody')
  expect(answer.status).toBe(429)
  const { diagnostics } = answer.json<{ error: { diagnostics: { excluded: object[] } } }>().error
  expect(diagnostics.excluded).toMatchObject([
    { connection: 'plain-1', reason: 'rate_limit_exceeded', until: expect.stringContaining('T') },
    { connection: 'plain-2', reason: 'credits_exhausted', until: null },
    { connection: 'plain-3', reason: 'auth_error', until: expect.stringContaining('T') },
  ])
})

test('an answer of the gateway’s own names its request once', async () => {
  await breakThings()
  const answer = await pools.chat('down/once')
  expect(answer.status).toBe(503)
  expect(answer.headers['x-request-id']).toMatch(/^req_\w+$/)
})

test('so does the line in the log of a gateway without a window', async () => {
  await breakThings()
  await pools.upstream.answer(keyOf('plain', 3), 'third', error(503))
  await pools.chat('plain/third')
  const answer = await pools.chat('plain/nobody was asked')
  const [requestId = ''] = String(answer.headers['x-request-id']).split(',')
  const line = await eventually(
    () =>
      pools.gateway
        .stderrText()
        .split('\n')
        .find((text) => text.includes(requestId)),
    (found) => found !== undefined,
  )
  expect(line).toContain('plain-1')
  expect(line).toContain('plain-2')
})

describe('ended by hand', () => {
  test('one connection, with the locks of its models', async () => {
    await breakThings()
    const { id } = await pools.rest('models')
    const body = JSON.stringify({ connectionIds: [id] })
    const cleared = await pools.manage('/api/resilience/cooldowns', { method: 'POST', body })
    expect(cleared.json()).toEqual({ ok: true, cleared: 0, unchanged: 1, skippedTerminal: 0, lockoutsCleared: 1 })
    await pools.upstream.answer(keyOf('models', 1), 'locked')
    expect(servedBy(await pools.chat('models/locked'))).toBe('models-1')
  })

  test('all of a provider, but for what only a person mends', async () => {
    await breakThings()
    const body = JSON.stringify({ all: true, provider: 'plain' })
    const cleared = await pools.manage('/api/resilience/cooldowns', { method: 'POST', body })
    expect(cleared.json()).toMatchObject({ cleared: 1, skippedTerminal: 1, unchanged: 1 })
    expect((await pools.rests('plain')).map(({ status }) => status)).toEqual(['healthy', 'terminal', 'healthy'])
    expect((await pools.rests('down')).map(({ status }) => status)).toEqual(['cooling_down', 'cooling_down'])
  })
})

describe('settings', () => {
  test('are felt by the next failure, all of a change or nothing of it', async () => {
    await pools.patch({ connectionCooldown: { apikey: { baseCooldownMs: 7_000, maxBackoffSteps: 0 } } })
    await pools.upstream.answer(keyOf('plain', 1), 'faulty', error(500))
    expect(servedBy(await pools.chat('plain/faulty'))).toBe('plain-2')
    const { gate } = await pools.rest('plain')
    const ms = (gate?.until ?? 0) - (gate?.since ?? 0)
    expect(ms).toBeGreaterThanOrEqual(7_000)
    expect(ms).toBeLessThanOrEqual(7_700)

    const bad = { connectionCooldown: { apikey: { baseCooldownMs: 9_000 } }, modelLockout: { baseCooldownMs: 1 } }
    const refused = await pools.manage('/api/resilience', { method: 'PATCH', body: JSON.stringify(bad) })
    expect(refused.status).toBe(400)
    expect(refused.json()).toMatchObject({ error: { details: [{ field: 'modelLockout.baseCooldownMs' }] } })
    const now = (await pools.manage('/api/resilience')).json<{ connectionCooldown: { apikey: object } }>()
    expect(now.connectionCooldown.apikey).toMatchObject({ baseCooldownMs: 7_000, maxBackoffSteps: 0 })
    await pools.patch({ connectionCooldown: { apikey: { baseCooldownMs: 60_000, maxBackoffSteps: 5 } } })
  })

  test('a rest that runs keeps the end it was told', async () => {
    await pools.upstream.answer(keyOf('plain', 1), 'running', error(500))
    await pools.chat('plain/running')
    const before = await pools.rest('plain')
    await pools.patch({ connectionCooldown: { apikey: { baseCooldownMs: 1_000 } } })
    expect((await pools.rest('plain')).gate).toEqual(before.gate)
    await pools.patch({ connectionCooldown: { apikey: { baseCooldownMs: 60_000 } } })
  })

  test('an open breaker feels a shorter time at once', async () => {
    await pools.upstream.answer('*', 'down', error(503))
    await pools.chat('down/down')
    const before = await pools.breaker('down')
    await pools.patch({ providerBreaker: { apikey: { resetTimeoutMs: 30_000 } } })
    const after = await pools.breaker('down')
    expect(after?.since).toBe(before?.since)
    expect((after?.until ?? 0) - (before?.until ?? 0)).toBe(-30_000)
    await pools.patch({ providerBreaker: { apikey: { resetTimeoutMs: 60_000 } } })
  })

  test('a connection that never rests is asked each time, but for what only a person mends', async () => {
    const { id } = await pools.rest('plain')
    const set = (disableCooling: boolean | null) =>
      pools.manage(`/api/providers/${id}`, { method: 'PATCH', body: JSON.stringify({ disableCooling }) })
    expect((await set(true)).status).toBe(200)
    await pools.upstream.answer(keyOf('plain', 1), 'never rests', error(503), limited(600), error(402))
    for (let i = 0; i < 3; i++) expect(servedBy(await pools.chat('plain/never rests'))).toBe('plain-2')
    expect((await pools.upstream.seen('never rests')).filter(({ key }) => key === keyOf('plain', 1))).toHaveLength(3)
    expect(await pools.rest('plain')).toMatchObject({ status: 'terminal', testStatus: 'credits_exhausted' })
    await set(null)
  })
})
