// The whole gateway managed over HTTP, as a script would.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MANAGEMENT } from '../../core/http/management/routes'
import { error } from '../support/fake-answers'
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream'
import { KEY_A, KEY_B, pairConfig, question } from '../support/gateway-pair'
import { CLIENT_KEY, type GatewayProcess, startGateway } from '../support/gateway-process'
import { type Answer, send } from '../support/http-client'

const MANAGE_KEY = 'bw-manage-00000000000000000000000001'
const FRESH_KEY = 'sk-added-later-over-rest-0001'

let upstream: FakeUpstream
let gateway: GatewayProcess
/** Everything that was answered, but for keys made on purpose. */
const seen: string[] = []

beforeAll(async () => {
  upstream = await startFakeUpstream()
  const config = pairConfig(upstream.baseUrl)
  const clientKeys = [
    { name: 'main', key: CLIENT_KEY },
    { name: 'admin', key: MANAGE_KEY, scopes: ['manage'] },
  ]
  gateway = await startGateway({ config: { ...config, clientKeys } })
})
afterAll(async () => {
  await gateway.stop()
  await upstream.stop()
})

async function manage(method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await send(gateway.url + path, {
    method,
    headers: { authorization: `Bearer ${MANAGE_KEY}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!(method === 'POST' && path === '/api/keys')) seen.push(answer.text)
  return answer
}
const json = async <T>(method: string, path: string, body?: unknown, status = 200): Promise<T> => {
  const answer = await manage(method, path, body)
  expect(answer.status, answer.text).toBe(status)
  return answer.json<T>()
}
const ask = (model: string, key = CLIENT_KEY) =>
  send(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify(question(model)),
  })

interface Connection {
  readonly id: string
  readonly provider: string
  readonly name: string
  readonly [field: string]: unknown
}
interface Refusal {
  readonly error: { readonly message: string; readonly code: string; readonly details?: unknown }
}

const connectionsOf = async (provider: string): Promise<readonly Connection[]> =>
  (await json<{ connections: Connection[] }>('GET', `/api/providers?provider=${provider}`)).connections

describe('what is read', () => {
  const rows = MANAGEMENT.flatMap(({ routes }) => routes).filter(
    ({ method, path }) => method === 'GET' && !path.includes('{'),
  )

  test.each(rows.map((row) => [row.path, row] as const))(
    '%s says what its row promises, and no more',
    async (path, row) => {
      const answer = await json<unknown>('GET', path === '/api/tools' ? `${path}?model=fake/m` : path)
      expect(row.answer.parse(answer)).toEqual(answer)
    },
  )

  test('health is short for everyone, longer with a key, and whole for those who manage', async () => {
    const health = async (headers: Record<string, string>) =>
      Object.keys((await send(`${gateway.url}/api/monitoring/health`, { headers })).json<object>())
    expect(await health({})).toEqual(['status', 'instanceId', 'version'])
    const usual = ['status', 'instanceId', 'version', 'port', 'uptimeS', 'startedAt']
    expect(await health({ 'x-api-key': CLIENT_KEY })).toEqual(usual)
    expect(await health({ 'x-api-key': MANAGE_KEY })).toEqual([
      ...usual,
      ...['providerBreakers', 'providerHealth', 'rateLimitStatus', 'lockouts', 'quotaMonitor'],
      ...['learnedLimits', 'sessions', 'adaptiveAdmission', 'dedup'],
    ])
    const inAddress = await send(`${gateway.url}/api/monitoring/health?key=${MANAGE_KEY}&t=1`)
    expect(Object.keys(inAddress.json<object>())).toEqual(['status', 'instanceId', 'version'])
    expect((await send(`${gateway.url}/api/monitoring/health`, { method: 'HEAD' })).text).toBe('')
  })
})

describe('connections', () => {
  test('are added, changed, tested, reset, removed and brought back', async () => {
    const body = { provider: 'fake', name: 'rest', apiKey: FRESH_KEY, priority: 7, maxConcurrent: 3 }
    const { connection } = await json<{ connection: Connection }>('POST', '/api/providers', body, 201)
    const { id } = connection
    expect(connection).toMatchObject({ provider: 'fake', name: 'rest', priority: 7, maxConcurrent: 3, isActive: true })
    expect(connection.keyMask).toBe('…0001')
    expect((await connectionsOf('fake')).map(({ name }) => name)).toEqual(['a', 'b', 'rest'])

    const change = {
      isActive: false,
      max_concurrent: null,
      rateLimitOverrides: { rpm: 60, modelConcurrency: { 'glm-5': 2 } },
    }
    const changed = await json<{ connection: Connection }>('PATCH', `/api/providers/${id}`, change)
    expect(changed.connection).toMatchObject({
      ...{ enabled: false, isActive: false },
      rateLimitOverrides: { rpm: 60, modelConcurrency: { 'glm-5': 2 } },
    })
    expect(changed.connection.maxConcurrent).toBeUndefined()

    const put = { enabled: true, disableCooling: true, rateLimitProtection: true }
    const replaced = await json<{ connection: Connection }>('PUT', `/api/providers/${id}`, put)
    expect(replaced.connection).toMatchObject({ isActive: true, disableCooling: true })
    expect(replaced.connection.rateLimitProtection).toBeUndefined()
    const limited = { connectionId: id, enabled: true }
    expect(await json('POST', '/api/rate-limits', limited)).toEqual({ success: true, ...limited })
    const read = await json<{ connection: Connection }>('GET', `/api/providers/${id}`)
    expect(read.connection).toMatchObject({
      rateLimitProtection: true,
      rateLimitOverrides: { rpm: 60 },
      testStatus: 'active',
    })

    await upstream.answer('*', 'models', error(401, { error: { message: 'no' } }))
    expect(await json('POST', `/api/providers/${id}/test`)).toHaveProperty('ok')
    expect((await json<{ connection: Connection }>('POST', `/api/providers/${id}/reset`)).connection.id).toBe(id)
    expect(await json('DELETE', `/api/providers/${id}`)).toEqual({ ok: true })
    expect((await manage('GET', `/api/providers/${id}`)).status).toBe(404)
    expect((await json<{ connection: Connection }>('POST', `/api/providers/${id}/restore`)).connection.name).toBe(
      'rest',
    )
    expect(await json('DELETE', `/api/providers/${id}`)).toEqual({ ok: true })
  })

  test('a key entered over REST is the one that goes up', async () => {
    const body = { provider: 'fake', name: 'first of all', apiKey: FRESH_KEY, priority: 0 }
    const { connection } = await json<{ connection: Connection }>('POST', '/api/providers', body, 201)
    expect((await ask('fake/over-rest')).status).toBe(200)
    const [request] = await upstream.seen('over-rest')
    expect(JSON.stringify(request)).toContain(FRESH_KEY)
    await json('DELETE', `/api/providers/${connection.id}`)
  })

  test.each([
    ['GET', '/api/providers/gone', undefined],
    ['PATCH', '/api/providers/gone', { priority: 1 }],
    ['DELETE', '/api/providers/gone', undefined],
    ['POST', '/api/providers/gone/test', undefined],
    ['POST', '/api/providers/gone/reset', undefined],
    ['POST', '/api/rate-limits', { connectionId: 'gone', enabled: true }],
    ['DELETE', '/api/keys/gone', undefined],
    ['DELETE', '/api/aliases/gone', undefined],
    ['DELETE', '/api/custom-providers/gone', undefined],
  ])('%s %s: what is not there is 404', async (method, path, body) => {
    const answer = await manage(method, path, body)
    expect(answer.status).toBe(404)
    expect(answer.json<Refusal>().error).toMatchObject({ type: 'invalid_request_error', code: 'not_found' })
  })

  test('a change that says nothing, or two things at once, is refused', async () => {
    const [{ id } = { id: '' }] = await connectionsOf('fake')
    expect((await manage('PATCH', `/api/providers/${id}`, {})).status).toBe(400)
    const both = await manage('PATCH', `/api/providers/${id}`, { enabled: true, isActive: false })
    expect(both.json<Refusal>().error.details).toEqual([
      { field: 'isActive', message: 'says the opposite of "enabled". Send one of them.' },
    ])
    const twin = await manage('PATCH', `/api/providers/${id}`, { name: 'b' })
    expect(twin.json<Refusal>().error).toMatchObject({ code: 'bad_input', details: [{ field: 'name' }] })
  })

  test('a draft is tested without being saved', async () => {
    const draft = { dialect: 'openai-chat', baseUrl: upstream.baseUrl, apiKey: FRESH_KEY }
    expect(await json('POST', '/api/providers/test', draft)).toHaveProperty('models')
    const both = await manage('POST', '/api/providers/test', { ...draft, provider: 'openai' })
    expect(both.status).toBe(400)
    expect(
      (await manage('POST', '/api/providers/test', { dialect: 'klingon', baseUrl: 'http://127.0.0.1' })).status,
    ).toBe(400)
    expect((await manage('POST', '/api/providers/test', { dialect: 'gemini' })).json<Refusal>().error.details).toEqual([
      { field: 'baseUrl', message: 'is missing' },
    ])
  })
})

describe('providers and models', () => {
  test('a provider of one’s own is added and removed', async () => {
    const body = { label: 'My box', dialect: 'openai-chat', baseUrl: upstream.baseUrl }
    const { provider } = await json<{ provider: { id: string } }>('POST', '/api/custom-providers', body, 201)
    expect(provider).toMatchObject({ id: 'my-box', builtIn: false })
    const { providers } = await json<{ providers: { id: string }[] }>('GET', '/api/custom-providers')
    expect(providers.map(({ id }) => id).sort()).toEqual(['claudish', 'fake', 'my-box'])
    expect(await json('DELETE', '/api/custom-providers/my-box')).toEqual({ ok: true })
    const builtIn = await manage('DELETE', '/api/custom-providers/openai')
    expect(builtIn.status).toBe(400)
  })

  test('a model is added, edited and taken back; a name leads to it', async () => {
    const model = { provider: 'fake', model: 'by-hand' }
    expect(await json('POST', '/api/models', model, 201)).toMatchObject({ id: 'fake/by-hand' })
    expect(
      await json('PATCH', '/api/models', { ...model, label: 'Mine', facts: { contextWindow: 1000 } }),
    ).toMatchObject({
      label: 'Mine',
      facts: { contextWindow: { value: 1000, source: 'user' } },
    })
    const alias = await json<{ id: string }>('POST', '/api/aliases', { pattern: 'mine', target: 'fake/by-hand' }, 201)
    expect((await ask('mine')).status).toBe(200)
    expect(await json('PATCH', `/api/aliases/${alias.id}`, { pattern: 'yours' })).toMatchObject({ pattern: 'yours' })
    expect(await json('DELETE', `/api/aliases/${alias.id}`)).toEqual({ ok: true })
    expect(await json('DELETE', '/api/models', model)).toEqual({ ok: true })
  })
})

describe('client keys', () => {
  test('are made, told once, used and removed', async () => {
    const made = await json<{ id: string; key: string }>(
      'POST',
      '/api/keys',
      { name: 'script', scopes: ['manage'] },
      201,
    )
    expect(made.key).toMatch(/^bw-[0-9a-f]{32}$/)
    expect((await ask('fake/with-new-key', made.key)).status).toBe(200)
    const own = { headers: { 'x-api-key': made.key } }
    expect((await send(`${gateway.url}/api/keys`, own)).text).not.toContain(made.key)
    const list = await json<{ keys: { id: string }[] }>('GET', '/api/keys')
    expect(list.keys.map(({ id }) => id)).toContain(made.id)
    expect(JSON.stringify(list)).not.toContain(made.key)
    expect(await json('DELETE', `/api/keys/${made.id}`)).toEqual({ ok: true })
    expect((await send(`${gateway.url}/api/keys`, own)).status).toBe(401)
    expect((await ask('fake/with-new-key', made.key)).status).toBe(401)
  })
})

describe('settings', () => {
  test('several at once, felt by the next request', async () => {
    const changed = await json<Record<string, unknown>>('PATCH', '/api/settings', {
      bodyLimitMb: 1,
      customBannedSignals: ['you are out'],
      autoDisableBannedAccounts: true,
    })
    expect(changed).toMatchObject({
      bodyLimitMb: 1,
      customBannedSignals: ['you are out'],
      autoDisableBannedAccounts: true,
      sources: { bodyLimitMb: 'stored', historyDays: 'default', listenPort: 'flag' },
    })
    const large = await send(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${CLIENT_KEY}` },
      body: JSON.stringify(question('fake/large', { user: 'x'.repeat(1_100_000) })),
    })
    expect(large.status).toBe(413)
    const back = { bodyLimitMb: null, customBannedSignals: null, autoDisableBannedAccounts: null }
    expect(await json('PATCH', '/api/settings', back)).toMatchObject({ bodyLimitMb: 64, customBannedSignals: [] })
  })

  test('all or nothing, and every fault is told', async () => {
    const answer = await manage('PATCH', '/api/settings', { bodyLimitMb: 2, historyDays: 0, nonsense: 1 })
    expect(answer.status).toBe(400)
    expect(answer.json<Refusal>().error).toEqual({
      message: 'Nothing was changed: historyDays must be a whole number from 1 to 3650 (and 1 more).',
      type: 'invalid_request_error',
      code: 'bad_input',
      details: [
        { field: 'historyDays', message: 'must be a whole number from 1 to 3650' },
        { field: 'nonsense', message: 'is not a setting' },
      ],
    })
    expect(await json('GET', '/api/settings')).toMatchObject({ bodyLimitMb: 64, historyDays: 30 })
  })

  test('rules about errors are kept and decide what an error is explained as', async () => {
    const error = { provider: 'fake', status: 418, body: 'the teapot is empty', id: 'e1' }
    const before = await json<Record<string, unknown>>('POST', '/api/explain', error)
    expect(before).toMatchObject({ id: 'e1' })
    const rule = { status: 418, match: 'teapot', scope: 'connection', cooldownMs: 60_000 }
    const rules = await json('PATCH', '/api/resilience/error-rules', { providerErrorRules: { fake: [rule] } })
    expect(rules).toMatchObject({ providerErrorRules: { fake: [{ ...rule, reason: 'quota_exhausted' }] } })
    expect(await json('GET', '/api/settings')).toMatchObject(rules as object)
    expect(await json('POST', '/api/explain', error)).toMatchObject({ reason: 'quota_exhausted', scope: 'connection' })
    await json('PATCH', '/api/resilience/error-rules', { providerErrorRules: null })
    expect(await json('POST', '/api/explain', error)).toEqual(before)
  })
})

describe('resilience', () => {
  test('the groups are read and changed as one object', async () => {
    const whole = await json<Record<string, unknown>>('GET', '/api/resilience')
    expect(whole).toMatchObject({
      providerBreaker: { apikey: { failureThreshold: 12, degradationThreshold: 7, resetTimeoutMs: 30_000 } },
      connectionCooldown: { oauth: { baseCooldownMs: 5_000, useUpstream429BreakerHints: null } },
      waitForCooldown: { maxRetries: 5, maxRetryWaitSec: 90, budgetMs: 300_000 },
      modelLockout: { enabled: false },
      legacy: { requestRetry: 5, maxRetryIntervalSec: 90 },
    })
    const hints = (on: boolean | null) => ({ apikey: { useUpstream429BreakerHints: on } })
    const change = { waitForCooldown: { maxRetries: 1 }, connectionCooldown: hints(true) }
    expect(await json('PATCH', '/api/resilience', change)).toMatchObject({
      ok: true,
      waitForCooldown: { maxRetries: 1, maxRetryWaitSec: 90 },
      connectionCooldown: hints(true),
      legacy: { requestRetry: 1 },
    })
    const back = { waitForCooldown: { maxRetries: 5 }, connectionCooldown: hints(null) }
    expect(await json('PATCH', '/api/resilience', back)).toEqual({ ok: true, ...whole })
  })

  test.each<[unknown, readonly object[]]>([
    [{}, [{ field: '', message: 'must name at least one setting' }]],
    [{ surprise: 1 }, [{ field: 'surprise', message: 'is not a setting' }]],
    [{ legacy: {} }, [{ field: 'legacy', message: 'is not a setting' }]],
    [
      { providerBreaker: { apikey: { failureThreshold: 3, degradationThreshold: 3 } } },
      [{ field: 'providerBreaker.apikey.degradationThreshold', message: 'must be less than failureThreshold (3)' }],
    ],
    [
      { modelLockout: { baseCooldownMs: 1, errorCodes: [99] } },
      [
        { field: 'modelLockout.errorCodes.0', message: 'must be a whole number from 100 to 599' },
        { field: 'modelLockout.baseCooldownMs', message: 'must be a whole number from 5000 to 600000' },
      ],
    ],
    [[], [{ field: '', message: 'must be an object' }]],
  ])('PATCH %j is refused with every fault', async (change, details) => {
    const answer = await manage('PATCH', '/api/resilience', change)
    expect(answer.status).toBe(400)
    expect(answer.json<Refusal>().error.details).toEqual(expect.arrayContaining([...details]))
  })

  test('what rests is told and ended in the words of the wire', async () => {
    const all = await json<{ connections: { name: string; status: string }[] }>('GET', '/api/resilience/cooldowns')
    expect(new Set(all.connections.map(({ status }) => status))).toEqual(new Set(['healthy']))
    const connections = await json<{ connections: object[] }>(
      'GET',
      '/api/resilience/connections?provider=fake&windowMs=0',
    )
    expect(connections).toMatchObject({
      windowMs: 0,
      connections: [{ name: 'a', connectionStatus: 'healthy' }, { name: 'b' }],
    })
    expect(await json('POST', '/api/resilience/cooldowns', { all: true, provider: 'fake' })).toEqual({
      ...{ ok: true, cleared: 0, unchanged: 2, skippedTerminal: 0, lockoutsCleared: 0 },
    })
    expect(await json('GET', '/api/resilience/model-cooldowns')).toEqual({ items: [] })
    expect(await json('DELETE', '/api/resilience/model-cooldowns', { all: true })).toEqual({
      ok: true,
      clearedAll: true,
    })
    const none = { provider: 'fake', connection: 'a', model: 'm' }
    expect(await json('DELETE', '/api/resilience/model-cooldowns', none)).toEqual({ ok: true, removed: false })
    const reset = await json<{ resetCount: number }>('POST', '/api/resilience/reset')
    expect(reset).toEqual({
      ok: true,
      resetCount: reset.resetCount,
      message:
        reset.resetCount === 1 ? 'One circuit breaker was reset.' : `${reset.resetCount} circuit breakers were reset.`,
    })
    expect(await json('DELETE', '/api/monitoring/health')).toMatchObject({ success: true })
  })
})

describe('what a failure leads to', () => {
  test('a limit rests the model on each connection: it is told, and ended by hand', async () => {
    await upstream.answer(
      '*',
      'limited',
      error(429, { error: { message: 'Rate limit reached' } }, { 'retry-after': '600' }),
    )
    expect((await ask('fake/limited')).status).toBe(429)
    const { items } = await json<{ items: Record<string, unknown>[] }>('GET', '/api/resilience/model-cooldowns')
    expect(items.map(({ provider, connectionName, model }) => [provider, connectionName, model])).toEqual(
      expect.arrayContaining([
        ['fake', 'a', 'limited'],
        ['fake', 'b', 'limited'],
      ]),
    )
    const [first] = items
    const { provider, connection, model } = first as Record<string, string>
    expect(Object.keys(first as object).sort()).toEqual([
      ...['connection', 'connectionId', 'connectionName', 'expiresAt', 'failureCount'],
      ...['model', 'provider', 'reason', 'remainingMs', 'since', 'why'],
    ])
    expect(await json('DELETE', '/api/resilience/model-cooldowns', { provider, connection, model })).toEqual({
      ok: true,
      removed: true,
    })
    expect((await json<{ items: object[] }>('GET', '/api/resilience/model-cooldowns')).items).toHaveLength(1)
    expect(await json('POST', '/api/resilience/reset')).toMatchObject({ ok: true })
    expect(await json('GET', '/api/resilience/model-cooldowns')).toEqual({ items: [] })
  })

  test('a refused key rests its connection, and a reset brings it back', async () => {
    await upstream.answer('*', 'refused', error(401, { error: { message: 'Invalid key' } }))
    await ask('fake/refused')
    const out = await json<{ connections: Connection[] }>('GET', '/api/resilience/cooldowns?provider=fake')
    expect(out.connections.map(({ status, errorCode }) => [status, errorCode])).toEqual([
      ['cooling_down', 401],
      ['cooling_down', 401],
    ])
    const states = await json<{ connections: Connection[] }>('GET', '/api/resilience/connections?provider=fake')
    expect(states.connections[0]).toMatchObject({ connectionStatus: 'cooling_down', errorCode: 'auth' })
    for (const { id } of out.connections) await json('POST', `/api/providers/${id}/reset`)
    const back = await json<{ connections: Connection[] }>('GET', '/api/resilience/cooldowns?provider=fake')
    expect(new Set(back.connections.map(({ status }) => status))).toEqual(new Set(['healthy']))
    expect((await ask('fake/served-again')).status).toBe(200)
  })
})

test('a pause holds new requests, and is lifted', async () => {
  expect(await json('POST', '/api/pause', { paused: true })).toMatchObject({ paused: true, overall: 'paused' })
  const held = await ask('fake/while-paused')
  expect(held.status).toBe(503)
  expect(held.json().error.code).toBe('gateway_paused')
  expect(await json('POST', '/api/pause', { paused: false })).toMatchObject({ paused: false })
  expect((await ask('fake/while-paused')).status).toBe(200)
})

test('the log is read page by page, each request once', async () => {
  for (let i = 0; i < 5; i++) await ask(`fake/logged-${i}`)
  const pages: string[] = []
  await expect
    .poll(async () => {
      const { requests } = await json<{ requests: { model: string }[] }>('GET', '/api/requests?search=logged-')
      return requests.length
    })
    .toBe(5)
  let next: string | null = ''
  while (next !== null) {
    const page: { requests: { id: string; attempts: unknown[] }[]; next: string | null } = await json(
      'GET',
      `/api/requests?limit=2${next === '' ? '' : `&before=${encodeURIComponent(next)}`}`,
    )
    expect(page.requests.length).toBeLessThanOrEqual(2)
    pages.push(...page.requests.map(({ id }) => id))
    next = page.next
  }
  expect(new Set(pages).size).toBe(pages.length)
  const { requests } = await json<{ requests: { id: string }[] }>('GET', '/api/requests?limit=500')
  expect(pages).toEqual(requests.map(({ id }) => id))
  const failed = await json<{ requests: { outcome: string }[] }>('GET', '/api/requests?outcome=failed')
  expect(failed.requests.every(({ outcome }) => outcome === 'failed')).toBe(true)
  const metrics = await json<{ buckets: { requests: number }[] }>('GET', '/api/metrics?minutes=5')
  expect(metrics.buckets.reduce((sum, { requests: count }) => sum + count, 0)).toBeGreaterThan(0)
})

describe('the configuration file', () => {
  test('goes out without keys and comes in again, leaving the keys as they are', async () => {
    const file = await json<{ connections: { name: string }[] }>('GET', '/api/export')
    expect(file.connections.map(({ name }) => name)).toEqual(['a', 'b', 'a', 'b', 'work'])
    expect(await json('POST', '/api/import', file)).toEqual({ ok: true })
    expect(await json('GET', '/api/export')).toEqual(file)
    expect((await ask('fake/after-import')).status).toBe(200)
  })

  test('a fault is told with its path, and nothing is taken over', async () => {
    const connections = [
      { provider: 'fake', name: 'c', apiKey: 'sk-imported-over-rest' },
      { provider: 'nobody', name: 'd' },
    ]
    const answer = await manage('POST', '/api/import', { version: 1, connections })
    expect(answer.status).toBe(400)
    expect(answer.json<Refusal>().error.details).toEqual([
      { field: 'connections[1].provider', message: 'there is no provider "nobody". Nothing was taken over.' },
    ])
    expect((await connectionsOf('fake')).map(({ name }) => name)).toEqual(['a', 'b'])
  })
})

test('no answer holds a key of either side', () => {
  expect(seen.length).toBeGreaterThan(80)
  for (const secret of [KEY_A, KEY_B, FRESH_KEY, CLIENT_KEY, MANAGE_KEY, 'sk-imported-over-rest']) {
    expect(seen.filter((text) => text.includes(secret))).toEqual([])
  }
})
