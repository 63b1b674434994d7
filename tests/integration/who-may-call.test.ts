import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DIALECTS, type GatewayPair, question, ROUTES, startPair } from '../support/gateway-pair'
import { CLIENT_KEY } from '../support/gateway-process'
import { type ErrorBody, exchange, send } from '../support/http-client'

let pair: GatewayPair
beforeAll(async () => {
  pair = await startPair({ allowedHosts: ['box.lan'], allowedOrigins: ['https://app.example'] })
})
afterAll(() => pair.stop())

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])

/** Sends a request exactly as given, and ends it. */
function rawRequest(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): Promise<string> {
  const lines = Object.entries({ ...headers, connection: 'close', 'content-length': String(body.length) })
  return exchange(
    pair.gateway.port,
    `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n${body}`,
  )
}

describe('the Host header', () => {
  test.each([
    'evil.example:8317',
    'evil.example',
    '127.0.0.1.evil.example',
    '10.0.0.1',
    'localhost.evil',
    '[::1].evil.example',
    '',
  ])('a request for %j is refused', async (host) => {
    const answer = await rawRequest('GET', '/v1/models', { host, authorization: `Bearer ${CLIENT_KEY}` })
    expect(statusOf(answer)).toBe(403)
    expect(answer).toContain('host_not_allowed')
    expect(answer).not.toMatch(/access-control/i)
  })

  test.each(['localhost', '127.0.0.1', '[::1]', 'LOCALHOST', 'box.lan'])('a request for %s is served', async (name) => {
    const host = `${name}:${pair.gateway.port}`
    expect(statusOf(await rawRequest('GET', '/v1/models', { host, authorization: `Bearer ${CLIENT_KEY}` }))).toBe(200)
  })

  test('even open paths are closed to a foreign name', async () => {
    for (const path of ['/health', '/', '/api/hello']) {
      expect(statusOf(await rawRequest('GET', path, { host: 'evil.example' }))).toBe(403)
    }
  })
})

describe('the Origin header', () => {
  const host = '127.0.0.1'

  test('a foreign page cannot make a simple cross-site call', async () => {
    const answer = await rawRequest(
      'POST',
      '/v1/chat/completions',
      {
        host,
        origin: 'https://evil.example',
        'content-type': 'text/plain',
        authorization: `Bearer ${CLIENT_KEY}`,
      },
      JSON.stringify(question('fake/cross-site')),
    )
    expect(statusOf(answer)).toBe(403)
    expect(answer).toContain('origin_not_allowed')
    expect(answer).not.toMatch(/access-control/i)
    expect(await pair.upstream.seen('cross-site')).toEqual([])
  })

  test.each(['null', 'http://127.0.0.1:9', 'http://localhost', 'https://app.example.evil'])(
    'the origin %s is refused',
    async (origin) => {
      const answer = await rawRequest('GET', '/v1/models', { host, origin, authorization: `Bearer ${CLIENT_KEY}` })
      expect(statusOf(answer)).toBe(403)
    },
  )

  test('a preflight of a foreign page is refused', async () => {
    const preflight = { host, origin: 'https://evil.example', 'access-control-request-method': 'POST' }
    const answer = await rawRequest('OPTIONS', '/v1/chat/completions', preflight)
    expect(statusOf(answer)).toBe(403)
    expect(answer).not.toMatch(/access-control/i)
  })

  test('a page that the settings allow is served', async () => {
    const origin = 'https://app.example'
    const preflight = await rawRequest('OPTIONS', '/v1/chat/completions', { host, origin })
    expect(statusOf(preflight)).toBe(204)
    expect(preflight).toContain('access-control-allow-origin: https://app.example')
    const answer = await rawRequest('GET', '/v1/models', { host, origin, authorization: `Bearer ${CLIENT_KEY}` })
    expect(statusOf(answer)).toBe(200)
    expect(answer).toContain('access-control-allow-origin: https://app.example')
  })
})

describe.each(DIALECTS)('keys: %s', (dialect) => {
  const { path, provider } = ROUTES[dialect]
  const ask = (headers: Readonly<Record<string, string>>) =>
    send(pair.gateway.url + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(question(`${provider}/keyed-${dialect}`)),
    })

  test.each([
    ['authorization', `Bearer ${CLIENT_KEY}`],
    ['authorization', `bearer  ${CLIENT_KEY} `],
    ['x-api-key', CLIENT_KEY],
    ['x-goog-api-key', CLIENT_KEY],
  ])('%s: %s is accepted', async (name, value) => {
    expect((await ask({ [name]: value })).status).toBe(200)
  })

  test.each<[string, Record<string, string>, string]>([
    ['no key', {}, 'missing_api_key'],
    ['an empty key', { 'x-api-key': '' }, 'missing_api_key'],
    ['a wrong key', { authorization: 'Bearer bw-wrong' }, 'invalid_api_key'],
    ['a key that is nearly right', { 'x-api-key': CLIENT_KEY.slice(0, -1) }, 'invalid_api_key'],
    ['a key of a provider', { 'x-api-key': 'sk-fake-connection-aaaa' }, 'invalid_api_key'],
    ['a key in another scheme', { authorization: `Basic ${CLIENT_KEY}` }, 'missing_api_key'],
  ])('%s is 401 in the caller’s dialect, and nothing goes up', async (_what, headers, code) => {
    const before = (await pair.upstream.seen(`keyed-${dialect}`)).length
    const answer = await ask(headers)
    expect(answer.status).toBe(401)
    const body = answer.json()
    expect(body.error).toMatchObject({ type: 'authentication_error', code })
    expect(body.type).toBe(dialect === 'anthropic' ? 'error' : undefined)
    expect(dialect === 'anthropic' ? body.request_id : body.error.request_id).toBe(answer.headers['x-request-id'])
    expect(await pair.upstream.seen(`keyed-${dialect}`)).toHaveLength(before)
  })
})

describe('what answers without a key', () => {
  test.each(['/', '/api/hello'])('HEAD %s', async (path) => {
    const answer = await send(pair.gateway.url + path, { method: 'HEAD' })
    expect(answer.status).toBe(200)
    expect(answer.text).toBe('')
  })

  test.each(['/health', '/api/monitoring/health'])('%s says little without a key and more with one', async (path) => {
    const without = (await send(pair.gateway.url + path)).json<Record<string, unknown>>()
    expect(Object.keys(without).sort()).toEqual(['instanceId', 'status', 'version'])
    expect(without.instanceId).toBe(pair.gateway.listening.instanceId)
    const wrong = await send(pair.gateway.url + path, { headers: { 'x-api-key': 'wrong' } })
    expect(wrong.json()).toEqual(without)
    const full = (await pair.send(path)).json<Record<string, unknown>>()
    expect(full).toMatchObject({ ...without, port: pair.gateway.port })
    expect(full.uptimeS).toBeGreaterThanOrEqual(0)
  })

  test.each(['/v1/models', '/v1/models/practice/echo', '/nowhere', '/v1/chat/completions', '/api/v1/models'])(
    '%s needs one',
    async (path) => {
      expect((await send(pair.gateway.url + path)).status).toBe(401)
    },
  )
})

describe('paths', () => {
  test('aliases lead to the same place', async () => {
    for (const path of [
      '/v1/models',
      '/models',
      '/v1/v1/models',
      '/api/v1/models',
      '/v1/models/',
      '/v1/models?limit=5',
    ]) {
      expect((await pair.send(path)).status, path).toBe(200)
    }
    for (const path of ['/chat/completions', '/v1/v1/chat/completions', '/api/v1/chat/completions']) {
      const answer = await pair.send(path, { method: 'POST', body: JSON.stringify(question('fake/alias')) })
      expect(answer.status, path).toBe(200)
    }
    const body = JSON.stringify(question('claudish/alias'))
    expect((await pair.send('/messages?beta=true', { method: 'POST', body })).status).toBe(200)
  })

  test('an unknown path is 404 and a wrong method is 405, in the caller’s dialect', async () => {
    const unknown = await pair.send('/v1/nothing')
    expect(unknown.status).toBe(404)
    expect(unknown.json().error).toMatchObject({ code: 'unknown_path', type: 'invalid_request_error' })
    const claude = await pair.send('/v1/messages/batches')
    expect(claude.status).toBe(404)
    expect(claude.json<ErrorBody>()).toMatchObject({ type: 'error', error: { type: 'not_found_error' } })
    const method = await pair.send('/v1/messages', { method: 'DELETE' })
    expect(method.status).toBe(405)
    expect(method.json().type).toBe('error')
  })

  test('one model can be asked for', async () => {
    const answer = await pair.send('/v1/models/practice/echo')
    expect(answer.json()).toMatchObject({ id: 'practice/echo', object: 'model', type: 'model' })
    expect((await pair.send('/v1/models/nobody/m')).status).toBe(404)
  })
})
