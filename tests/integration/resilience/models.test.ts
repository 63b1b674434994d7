// One model of one key fails; the key's other models and the model on other keys go on (docs/resilience.md, "The
// smallest scope", "Model lockout").
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { error } from '../../support/fake-answers'
import type { Script } from '../../support/fake-script'
import { byKey, byModel, eventually, keyOf, type Pools, servedBy, startPools } from '../../support/pools'

let pools: Pools
beforeAll(async () => {
  pools = await startPools({
    pools: [
      ...[byModel('models', 2), byKey('plain', 2)],
      { provider: 'gemini', size: 2, path: '/v1beta' },
      { provider: 'codex', size: 2 },
      { provider: 'openai', size: 2 },
    ],
  })
})
afterAll(() => pools.stop())
beforeEach(() => pools.forget())

const keys = async (model: string): Promise<string[]> => (await pools.upstream.seen(model)).map(({ key }) => key)
const locked = async (): Promise<string[]> =>
  (await pools.locks()).map(({ connectionName, model, reason }) => `${connectionName} ${model} ${reason}`).sort()
const limited = (headers: Readonly<Record<string, string>> = {}): Script =>
  error(429, { error: { message: 'Slow down' } }, headers)
/** What is left of a lock, which was `ms` long a moment ago. */
const about = (ms: number) => ({
  asymmetricMatch: (left: unknown) => typeof left === 'number' && left <= ms && left > ms - 10_000,
})

test('a model that fails rests on its key: its sibling key and its sibling models serve', async () => {
  await pools.upstream.answer(keyOf('models', 1), 'm1', limited({ 'retry-after': '120' }))
  expect(servedBy(await pools.chat('models/m1'))).toBe('models-2')
  expect(servedBy(await pools.chat('models/m1'))).toBe('models-2')
  expect(servedBy(await pools.chat('models/m2'))).toBe('models-1')
  expect(await keys('m1')).toEqual([keyOf('models', 1), keyOf('models', 2), keyOf('models', 2)])

  const [lock, ...more] = await pools.locks()
  expect(more).toEqual([])
  expect(lock).toMatchObject({
    ...{ provider: 'models', connectionName: 'models-1', model: 'm1', reason: 'rate_limit_exceeded' },
    ...{ failureCount: 1, remainingMs: about(120_000) },
  })
  const row = await pools.rest('models')
  expect(row).toMatchObject({ status: 'model_locked', gate: null, rateLimitedUntil: null, backoffLevel: 0 })
  expect(row.lockouts).toEqual([{ model: 'm1', reason: 'rate_limit_exceeded', remainingMs: about(120_000) }])
})

test('a lock ends by itself, exactly when it was said', async () => {
  await pools.upstream.answer(keyOf('models', 1), 'short', limited({ 'retry-after-ms': '250' }))
  expect(servedBy(await pools.chat('models/short'))).toBe('models-2')
  await eventually(
    () => pools.locks(),
    (locks) => locks.length === 0,
  )
  await pools.upstream.answer(keyOf('models', 1), 'short')
  expect(servedBy(await pools.chat('models/short'))).toBe('models-1')
})

describe.each([403, 404, 429, 500, 502, 503, 504, 529])('%d of a provider with limits per model', (status) => {
  test('locks the model and leaves the key alone', async () => {
    const model = `status-${status}`
    const body = { error: { message: status === 404 ? `The model ${model} does not exist` : `said ${status}` } }
    await pools.upstream.answer(keyOf('models', 1), model, error(status, body))
    expect(servedBy(await pools.chat(`models/${model}`))).toBe('models-2')
    expect((await pools.locks()).map(({ connectionName }) => connectionName)).toEqual(['models-1'])
    expect((await pools.rest('models')).gate).toBeNull()
    expect(servedBy(await pools.chat(`models/beside-${status}`))).toBe('models-1')
  })
})

test('a status about the key itself rests the key, also where limits are per model', async () => {
  await pools.upstream.answer(keyOf('models', 1), 'unpaid', error(402, { error: { message: 'Payment required' } }))
  expect(servedBy(await pools.chat('models/unpaid'))).toBe('models-2')
  expect(servedBy(await pools.chat('models/not unpaid'))).toBe('models-2')
  expect(await pools.rest('models')).toMatchObject({ status: 'terminal', testStatus: 'credits_exhausted' })
  expect(await pools.locks()).toEqual([])
})

describe('without limits per model', () => {
  test('a missing model is locked all the same, and nothing else', async () => {
    const missing = error(404, { error: { message: 'The model gone does not exist', code: 'model_not_found' } })
    await pools.upstream.answer(keyOf('plain', 1), 'gone', missing)
    expect(servedBy(await pools.chat('plain/gone'))).toBe('plain-2')
    expect(await locked()).toEqual(['plain-1 gone not_found'])
    expect(servedBy(await pools.chat('plain/there'))).toBe('plain-1')
  })

  test('a limit whose words name the model locks the model', async () => {
    const named = error(429, { error: { message: 'Rate limit reached for model `gpt-big-1` in organization' } })
    await pools.upstream.answer(keyOf('plain', 1), 'gpt-big-1', named)
    expect(servedBy(await pools.chat('plain/gpt-big-1'))).toBe('plain-2')
    expect(await locked()).toEqual(['plain-1 gpt-big-1 rate_limit_exceeded'])
    expect(servedBy(await pools.chat('plain/gpt-small-1'))).toBe('plain-1')
  })

  test('the setting that locks models everywhere is felt at once, for the statuses it lists', async () => {
    const setTo = (enabled: boolean) =>
      pools.patch({ modelLockout: { enabled, errorCodes: [503], baseCooldownMs: 5_000 } })
    await setTo(true)
    await pools.upstream.answer(keyOf('plain', 1), 'listed', error(503))
    await pools.upstream.answer(keyOf('plain', 1), 'not listed', error(500))
    expect(servedBy(await pools.chat('plain/listed'))).toBe('plain-2')
    expect(await locked()).toEqual(['plain-1 listed server_error'])
    expect((await pools.rest('plain')).gate).toBeNull()
    expect(servedBy(await pools.chat('plain/not listed'))).toBe('plain-2')
    expect((await pools.rest('plain')).gate?.gate).toBe('cooldown')
    await setTo(false)
    await pools.forget()
    expect(servedBy(await pools.chat('plain/listed'))).toBe('plain-2')
    expect(await locked()).toEqual([])
    expect((await pools.rest('plain')).gate?.gate).toBe('cooldown')
  })
})

test('a plan that excludes a model locks that model on that key only, until the provider itself is down', async () => {
  const notInPlan = error(429, { error: { message: 'The model m1 is not included in your plan' } })
  await pools.upstream.answer(keyOf('models', 1), 'm1', notInPlan)
  await pools.upstream.answer(keyOf('models', 1), 'm2')
  expect(servedBy(await pools.chat('models/m1'))).toBe('models-2')
  expect(servedBy(await pools.chat('models/m2'))).toBe('models-1')
  expect((await pools.locks()).map(({ connectionName, model }) => [connectionName, model])).toEqual([
    ['models-1', 'm1'],
  ])
  expect((await pools.breaker('models'))?.failureCount).toBe(0)
})

test('a family of models that share a quota rests together; one model’s fault stays its own', async () => {
  const usage = error(429, { error: { type: 'usage_limit_reached', message: 'Limit', resets_in_seconds: 7_200 } })
  await pools.upstream.answer(keyOf('codex', 1), 'gpt-5.1-codex', usage)
  expect(servedBy(await pools.chat('codex/gpt-5.1-codex'))).toBe('codex-2')
  expect(servedBy(await pools.chat('codex/gpt-5.1-mini'))).toBe('codex-2')
  expect(servedBy(await pools.chat('codex/gpt-5.1-spark'))).toBe('codex-1')
  expect(await locked()).toEqual(['codex-1 codex quota_exhausted'])

  await pools.forget()
  await pools.upstream.answer(keyOf('codex', 1), 'gpt-5.1-max', error(503))
  expect(servedBy(await pools.chat('codex/gpt-5.1-max'))).toBe('codex-2')
  expect(servedBy(await pools.chat('codex/gpt-5.1-mini'))).toBe('codex-1')
  expect(await locked()).toEqual(['codex-1 gpt-5.1-max server_error'])
})

test('Gemini’s wait, stated only in the body, is used exactly, for that model on that key', async () => {
  const quota = {
    '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
    violations: [
      { quotaId: 'GenerateRequestsPerMinutePerProjectPerModel-FreeTier', quotaDimensions: { model: 'flash' } },
    ],
  }
  const retry = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.07s' }
  const message = 'You exceeded your current quota, please check your plan and billing details.'
  const body = { error: { code: 429, message, status: 'RESOURCE_EXHAUSTED', details: [quota, retry] } }
  await pools.upstream.answer(keyOf('gemini', 1), 'flash', error(429, body))
  expect(servedBy(await pools.chat('gemini/flash'))).toBe('gemini-2')
  expect(servedBy(await pools.chat('gemini/pro'))).toBe('gemini-1')
  const [lock] = await pools.locks()
  expect(lock).toMatchObject({ connectionName: 'gemini-1', model: 'flash', reason: 'rate_limit_exceeded' })
  expect(lock?.remainingMs).toBeLessThanOrEqual(34_070)
  expect(lock?.remainingMs).toBeGreaterThan(24_070)
  expect(await pools.rest('gemini')).toMatchObject({ gate: null, lockouts: [{ model: 'flash' }] })
})

test('a limit and a fault of the same model are two locks, and a person ends either', async () => {
  await pools.patch({ modelLockout: { baseCooldownMs: 5_000, maxCooldownMs: 60_000 } })
  const only = { provider: 'models', connection: 'models-1', model: 'again' }
  await pools.upstream.answer(keyOf('models', 1), 'again', limited({ 'retry-after-ms': '200' }), error(503))
  expect(servedBy(await pools.chat('models/again'))).toBe('models-2')
  await eventually(
    () => pools.locks(),
    (locks) => locks.length === 0,
  )
  // The quota lock is over, so the exact one begins a count of its own.
  expect(servedBy(await pools.chat('models/again'))).toBe('models-2')
  expect((await pools.locks())[0]).toMatchObject({ model: 'again', failureCount: 1, remainingMs: about(5_000) })
  const removed = await pools.manage('/api/resilience/model-cooldowns', {
    method: 'DELETE',
    body: JSON.stringify(only),
  })
  expect(removed.json()).toEqual({ ok: true, removed: true })
  expect(await pools.locks()).toEqual([])
})
