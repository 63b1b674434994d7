import { describe, expect, test } from 'vitest'
import { GatewayError } from '../../../../core/errors'
import { MANAGE_KEY, openSurface, pathTo, ROWS } from './open-surface'

interface Refusal {
  readonly error: {
    readonly message: string
    readonly type: string
    readonly code: string
    readonly details?: readonly { readonly field: string; readonly message: string }[]
  }
}

const bodyless = ROWS.filter(({ method }) => method !== 'GET' && method !== 'HEAD')

describe.each(bodyless.map(({ method, path }) => [method, path] as const))('%s %s', (method, pattern) => {
  const path = pathTo(pattern)
  const headers = { authorization: `Bearer ${MANAGE_KEY}` }

  test('takes JSON only', async () => {
    const surface = await openSurface()
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', '']) {
      const answer = await surface.send(method, path, { headers: { ...headers, 'content-type': type }, body: '{}' })
      expect(answer.status, type).toBe(415)
      expect(answer.text).toContain('application/json')
    }
    expect(surface.asked).toEqual([])
  })

  test('refuses what is no JSON, and what is too much of it', async () => {
    const surface = await openSurface()
    for (const body of ['{', '{"a":}', 'a=1', '{"a":1}{"b":2}']) {
      expect((await surface.manage(method, path, body)).status, body).toBe(400)
    }
    const large = await surface.manage(method, path, JSON.stringify({ name: 'x'.repeat(1_048_577) }))
    expect(large.status).toBe(413)
    expect(large.text).toContain('at most 1 MB')
    expect(surface.asked).toEqual([])
  })

  test('refuses a body that is no object, and parameters of the address', async () => {
    const surface = await openSurface()
    for (const body of ['[]', '1', 'null', '"text"']) {
      const isRaw = pattern === '/api/resilience' && method === 'PATCH'
      if (!isRaw) expect((await surface.manage(method, path, body)).status, body).toBe(400)
    }
    expect((await surface.manage(method, `${path}?x=1`, {})).status).toBe(400)
  })
})

describe('every reading row', () => {
  test.each(ROWS.filter(({ method, open }) => method === 'GET' && open !== true).map(({ path }) => [path] as const))(
    '%s refuses a parameter it does not know, and one that is given twice',
    async (pattern) => {
      const surface = await openSurface()
      const unknown = await surface.manage('GET', `${pathTo(pattern)}?nonsense=1`)
      expect(unknown.status).toBe(400)
      expect(unknown.json<Refusal>().error.details).toContainEqual({
        field: 'nonsense',
        message: 'is not a known field',
      })
      const twice = await surface.manage('GET', `${pathTo(pattern)}?provider=a&provider=b`)
      expect(twice.status).toBe(400)
      expect(twice.json<Refusal>().error.details).toEqual([
        { field: 'provider', message: 'is given twice. Send it once.' },
      ])
    },
  )
})

describe('faults are told exactly', () => {
  const faults: readonly (readonly [string, string, unknown, readonly (readonly [string, string])[]])[] = [
    ['POST', '/api/keys', {}, [['name', 'is missing']]],
    ['POST', '/api/keys', { name: '' }, [['name', 'must not be empty']]],
    ['POST', '/api/keys', { name: 7 }, [['name', 'must be text']]],
    ['POST', '/api/keys', { name: 'x'.repeat(101) }, [['name', 'must have at most 100 characters']]],
    ['POST', '/api/keys', { name: 'a', scopes: ['root'] }, [['scopes[0]', 'must be manage']]],
    ['POST', '/api/keys', { name: 'a', scope: 'manage' }, [['scope', 'is not a known field']]],
    ['POST', '/api/pause', { paused: 'yes' }, [['paused', 'must be true or false']]],
    ['POST', '/api/providers', { provider: 'openai' }, [['name', 'is missing']]],
    [
      'POST',
      '/api/providers',
      { provider: 'openai', name: 'a', priority: 1.5 },
      [['priority', 'must be a whole number']],
    ],
    ['POST', '/api/providers', { provider: 'openai', name: 'a', priority: -1 }, [['priority', 'must be at least 0']]],
    [
      'PATCH',
      '/api/providers/c1',
      { maxConcurrent: 10_001, surprise: 1, rateLimitOverrides: { rpm: -1, modelConcurrency: { 'glm-5': 0 } } },
      [
        ['maxConcurrent', 'must be a whole number from 0 to 10000'],
        ['rateLimitOverrides.rpm', 'must be a whole number from 0 to 1000000'],
        ['rateLimitOverrides.modelConcurrency.glm-5', 'must be a whole number from 1 to 10000'],
        ['surprise', 'is not a known field'],
      ],
    ],
    ['POST', '/api/resilience/cooldowns', {}, [['', 'either "connectionIds" or "all" must be given']]],
    [
      'POST',
      '/api/resilience/cooldowns',
      { connectionIds: ['a'], all: true },
      [['', 'either "connectionIds" or "all" must be given']],
    ],
    ['POST', '/api/resilience/cooldowns', { all: false }, [['all', 'must be true']]],
    ['POST', '/api/resilience/cooldowns', { connectionIds: [1] }, [['connectionIds[0]', 'must be text']]],
    [
      'POST',
      '/api/resilience/cooldowns',
      { connectionIds: Array.from({ length: 1001 }, (_, i) => `c${i}`) },
      [['connectionIds', 'must have at most 1000 entries']],
    ],
    [
      'POST',
      '/api/resilience/cooldowns',
      { connectionIds: ['a'], provider: 'glm' },
      [['provider', 'goes only with "all"']],
    ],
    [
      'POST',
      '/api/resilience/cooldowns',
      { all: true, provider: 'x'.repeat(129) },
      [['provider', 'must have at most 128 characters']],
    ],
    ['POST', '/api/rate-limits', { connectionId: 'c1' }, [['enabled', 'is missing']]],
    [
      'PATCH',
      '/api/resilience/error-rules',
      { paused: true },
      [['paused', 'is not one of customBannedSignals, autoDisableBannedAccounts, providerErrorRules']],
    ],
    ['POST', '/api/explain', { provider: 'openai', status: 9 }, [['status', 'must be an HTTP status, 100 to 599']]],
  ]

  test.each(faults)('%s %s %j', async (method, path, body, details) => {
    const surface = await openSurface()
    const answer = await surface.manage(method, path, body)
    expect(answer.status).toBe(400)
    const { error } = answer.json<Refusal>()
    expect(error).toMatchObject({ type: 'invalid_request_error', code: 'bad_input' })
    const said = (error.details ?? []).map(({ field, message }) => [field, message])
    expect(new Set(said.map(String))).toEqual(new Set(details.map(String)))
    expect(error.message).toContain(details.length > 1 ? `(and ${details.length - 1} more)` : (details[0]?.[1] ?? ''))
    expect(surface.asked).toEqual([])
  })

  test.each([
    ['/api/requests?limit=0', 'limit', 'must be a whole number from 1 to 500'],
    ['/api/requests?limit=501', 'limit', 'must be a whole number from 1 to 500'],
    ['/api/requests?limit=1e2', 'limit', 'must be a whole number from 1 to 500'],
    ['/api/requests?before=yesterday', 'before', 'must be the "next" of an earlier answer'],
    ['/api/requests?outcome=fine', 'outcome', 'must be one of ok, failed, aborted, truncated'],
    ['/api/metrics?minutes=61', 'minutes', 'must be a whole number from 1 to 60'],
    ['/api/resilience/connections?windowMs=86400001', 'windowMs', 'must be a whole number from 0 to 86400000'],
    ['/api/resilience/connections?windowMs=-1', 'windowMs', 'must be a whole number from 0 to 86400000'],
    ['/api/resilience/cooldowns?provider=', 'provider', 'must not be empty'],
    ['/api/tools', 'model', 'is missing'],
  ])('GET %s', async (path, field, message) => {
    const surface = await openSurface()
    const answer = await surface.manage('GET', path)
    expect(answer.status).toBe(400)
    expect(answer.json<Refusal>().error.details).toEqual([{ field, message }])
    expect(surface.asked).toEqual([])
  })

  test('a member named __proto__ is a field like any other', async () => {
    const surface = await openSurface()
    const answer = await surface.manage('POST', '/api/keys', '{"name":"a","__proto__":{"scopes":["manage"]}}')
    expect(answer.status).toBe(400)
    expect((await surface.manage('GET', '/api/requests?__proto__=1')).status).toBe(400)
  })
})

describe('the locks of models are ended in the words that scripts know', () => {
  test.each<[unknown, unknown, unknown]>([
    [{ all: true }, { all: true }, { ok: true, clearedAll: true }],
    [
      { provider: 'glm', model: 'glm-5' },
      { provider: 'glm', model: 'glm-5' },
      { ok: true, removed: true },
    ],
    [
      { provider: 'glm', connection: 'work', model: 'glm-5' },
      { provider: 'glm', connection: 'work', model: 'glm-5' },
      { ok: true, removed: true },
    ],
  ])('%j', async (body, input, answered) => {
    const surface = await openSurface({ 'health:clear-lockouts': () => ({ removed: true }) })
    const answer = await surface.manage('DELETE', '/api/resilience/model-cooldowns', body)
    expect(answer.status).toBe(200)
    expect(answer.json()).toEqual(answered)
    expect(surface.asked).toEqual([{ name: 'health:clear-lockouts', input }])
  })

  test.each([
    [{}, 'provider: is required, or "all": true.'],
    [{ all: false }, 'provider: is required, or "all": true.'],
    [{ provider: 'glm' }, 'model: is required, or "all": true.'],
    [{ model: 'glm-5' }, 'provider: is required, or "all": true.'],
    [{ provider: 'glm', model: 'm', extra: 1 }, 'extra: is not a known field'],
  ])('%j is refused with a text', async (body, text) => {
    const surface = await openSurface()
    const answer = await surface.manage('DELETE', '/api/resilience/model-cooldowns', body)
    expect(answer.status).toBe(400)
    expect(answer.json()).toEqual({ error: text })
    expect(surface.asked).toEqual([])
  })
})

describe('what goes wrong inside', () => {
  const refusing = (error: unknown) =>
    openSurface({
      'keys:list': () => {
        throw error
      },
    })

  test('a refusal keeps its code and status, and known secrets are taken out of its words', async () => {
    const surface = await refusing(
      new GatewayError('vault_unavailable', 503, 'sk-secret is not for you', { retryAfterS: 7 }),
    )
    const answer = await surface.manage('GET', '/api/keys')
    expect(answer.status).toBe(503)
    expect(answer.json()).toEqual({
      error: { message: '••• is not for you', type: 'server_error', code: 'vault_unavailable', retry_after: 7 },
    })
  })

  test('a fault of our own is 500, and its words stay in the log', async () => {
    const surface = await refusing(new TypeError('undefined is not sk-secret'))
    const answer = await surface.manage('GET', '/api/keys')
    expect(answer.status).toBe(500)
    expect(answer.json()).toEqual({
      error: {
        message: 'The gateway failed on this request; its log says why.',
        type: 'server_error',
        code: 'internal_server_error',
      },
    })
  })
})
