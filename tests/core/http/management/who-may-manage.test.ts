import { describe, expect, test } from 'vitest'
import { MANAGE_KEY, openSurface, PLAIN_KEY, pathTo, ROWS } from './open-surface'

const closed = ROWS.filter(({ open }) => open !== true)
const named = (rows: typeof ROWS) => rows.map(({ method, path }) => [method, path] as const)

interface Refusal {
  readonly error: { readonly message: string; readonly type: string; readonly code: string }
}

const HEADERS: readonly (readonly [string, (key: string) => Record<string, string>])[] = [
  ['authorization', (key) => ({ authorization: `Bearer ${key}` })],
  ['x-api-key', (key) => ({ 'x-api-key': key })],
  ['x-goog-api-key', (key) => ({ 'x-goog-api-key': key })],
]

test('only the health of the gateway is open', () => {
  expect(named(ROWS.filter(({ open }) => open === true))).toEqual([
    ['GET', '/api/monitoring/health'],
    ['HEAD', '/api/monitoring/health'],
  ])
})

test('each row stands once', () => {
  const all = named(ROWS).map((row) => row.join(' '))
  expect(new Set(all).size).toBe(all.length)
})

describe.each(named(closed))('%s %s', (method, pattern) => {
  const path = pathTo(pattern)

  test.each<[string, Record<string, string>, string]>([
    ['no key', {}, ''],
    ['an empty key', { 'x-api-key': '' }, ''],
    ['a key in another scheme', { authorization: `Basic ${MANAGE_KEY}` }, ''],
    ['a key in the address', {}, `?key=${MANAGE_KEY}`],
  ])('%s is none: 401', async (_what, headers, query) => {
    const surface = await openSurface()
    const answer = await surface.send(method, path + query, { headers })
    expect(answer.status).toBe(401)
    const { error } = answer.json<Refusal>()
    expect(error).toEqual({
      message:
        'Managing the gateway needs a client key with the scope "manage", sent as "Authorization: Bearer …". A key in the address does not count.',
      type: 'authentication_error',
      code: 'missing_api_key',
    })
    expect(surface.asked).toEqual([])
    expect(surface.used).toEqual([])
  })

  test.each(HEADERS)('a wrong key in %s is 401, one without the scope 403', async (_name, header) => {
    const surface = await openSurface()
    const wrong = await surface.send(method, path, { headers: header('bw-wrong') })
    expect(wrong.status).toBe(401)
    expect(wrong.json<Refusal>().error).toMatchObject({ type: 'authentication_error', code: 'invalid_api_key' })
    const plain = await surface.send(method, path, { headers: header(PLAIN_KEY) })
    expect(plain.status).toBe(403)
    expect(plain.json<Refusal>().error).toMatchObject({ type: 'permission_error', code: 'permission_denied' })
    expect(surface.asked).toEqual([])
  })

  test('a key with the scope comes through, and is noted as used', async () => {
    for (const [, header] of HEADERS) {
      const surface = await openSurface()
      const answer = await surface.send(method, path, { headers: header(MANAGE_KEY) })
      expect([401, 403, 404, 405]).not.toContain(answer.status)
      expect(surface.used).toEqual(['key-manage'])
    }
  })

  test('a good key in a header is not spoilt by another one in the address, but the address is checked', async () => {
    const surface = await openSurface()
    const answer = await surface.send(method, `${path}?key=bw-wrong`, { headers: { 'x-api-key': MANAGE_KEY } })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('is not a known field')
  })

  test('a foreign page and a foreign host name are refused before anything else', async () => {
    const surface = await openSurface()
    const key = { authorization: `Bearer ${MANAGE_KEY}` }
    const page = await surface.send(method, path, { headers: { ...key, origin: 'https://evil.example' } })
    expect(page.status).toBe(403)
    expect(page.json<Refusal>().error.code).toBe('origin_not_allowed')
    const host = await surface.send(method, path, { headers: { ...key, host: 'evil.example' } })
    expect(host.status).toBe(403)
    expect(host.json<Refusal>().error.code).toBe('host_not_allowed')
    expect(surface.asked).toEqual([])
  })
})

describe('what nobody has classified', () => {
  test.each(['/api', '/api/', '/api/nothing', '/api/providers/a/b/c', '/api//providers', '/api/v2/models', '/api/v1'])(
    '%s is closed: 401, 403, and only then 404',
    async (path) => {
      const surface = await openSurface()
      const statuses = [{}, { 'x-api-key': PLAIN_KEY }, { 'x-api-key': MANAGE_KEY }].map(async (headers) => {
        const { status } = await surface.send('GET', path, { headers: headers as Record<string, string> })
        return status
      })
      expect(await Promise.all(statuses)).toEqual([401, 403, 404])
    },
  )

  test('a wrong method is 401 and 403 first, and 405 with what the path takes', async () => {
    const surface = await openSurface()
    expect((await surface.send('PUT', '/api/keys')).status).toBe(401)
    expect((await surface.send('PUT', '/api/keys', { headers: { 'x-api-key': PLAIN_KEY } })).status).toBe(403)
    const answer = await surface.manage('PUT', '/api/keys')
    expect(answer.status).toBe(405)
    expect(answer.headers.allow).toBe('GET, POST')
    expect(answer.json<Refusal>().error).toMatchObject({ type: 'invalid_request_error', code: 'method_not_allowed' })
    expect((await surface.send('POST', '/api/monitoring/health')).status).toBe(401)
    expect((await surface.manage('POST', '/api/monitoring/health')).headers.allow).toBe('GET, HEAD, DELETE')
  })

  test('the paths of clients stay those of clients', async () => {
    const surface = await openSurface()
    const answer = await surface.send('GET', '/api/v1/nothing', { headers: { 'x-api-key': PLAIN_KEY } })
    expect(answer.status).toBe(404)
    const inAddress = await surface.send('GET', `/v1/nothing?key=${PLAIN_KEY}`)
    expect(inAddress.status).toBe(404)
  })

  test('refusals have the standard body whatever the headers smell of', async () => {
    const surface = await openSurface()
    for (const headers of [{ 'x-goog-api-key': PLAIN_KEY }, { 'x-api-key': PLAIN_KEY, 'anthropic-version': '1' }]) {
      const { error } = (await surface.send('GET', '/api/keys', { headers })).json<Refusal>()
      expect(Object.keys(error)).toEqual(['message', 'type', 'code'])
    }
  })
})

test('a page that the settings allow may manage with a key, and is told the methods beforehand', async () => {
  const origin = 'https://app.example'
  const surface = await openSurface({}, [origin])
  const preflight = await surface.send('OPTIONS', '/api/keys/x', { headers: { origin } })
  expect(preflight.status).toBe(204)
  expect(preflight.headers['access-control-allow-methods']).toBe('GET, POST, PUT, PATCH, DELETE, OPTIONS')
  const answer = await surface.send('GET', '/api/keys', { headers: { origin, 'x-api-key': MANAGE_KEY } })
  expect(answer.status).toBe(200)
  expect(answer.headers['access-control-allow-origin']).toBe(origin)
})
