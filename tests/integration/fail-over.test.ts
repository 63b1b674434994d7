// Which failures the next connection makes good, and what is said when none can (docs/resilience.md).
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cut, error, hang, head, reset, text } from '../support/fake-answers'
import type { Script, SeenRequest } from '../support/fake-script'
import {
  DIALECTS,
  type GatewayPair,
  KEY_A,
  KEY_B,
  NOWHERE,
  type PairDialect,
  question,
  ROUTES,
  startPair,
} from '../support/gateway-pair'
import type { Answer } from '../support/http-client'

/** Providers whose connections lead nowhere: all of them, or only the first. */
const leadingNowhere = (baseUrl: string) => ({
  providers: DIALECTS.flatMap((dialect) =>
    ['half', 'gone'].map((id) => ({ id: `${id}-${dialect}`, label: id, class: 'apikey', dialect, baseUrl: NOWHERE })),
  ),
  connections: DIALECTS.flatMap((dialect) => [
    { provider: `half-${dialect}`, name: 'a', apiKey: KEY_A },
    { provider: `half-${dialect}`, name: 'b', apiKey: KEY_B, baseUrl },
    { provider: `gone-${dialect}`, name: 'a', apiKey: KEY_A },
    { provider: `gone-${dialect}`, name: 'b', apiKey: KEY_B },
  ]),
})

let pair: GatewayPair
let impatient: GatewayPair
beforeAll(async () => {
  ;[pair, impatient] = await Promise.all([
    startPair({}, { more: leadingNowhere }),
    startPair({ firstByteTimeoutMs: 400 }),
  ])
})
afterAll(() => Promise.all([pair.stop(), impatient.stop()]))
beforeEach(() => Promise.all([pair.forget(), impatient.forget()]))

const keysOf = (seen: readonly SeenRequest[]): string[] => seen.map(({ key }) => key)
const named = (what: string, dialect: PairDialect): string => `${what.replaceAll(' ', '-')}-${dialect}`

/** Asks a provider of `leadingNowhere`. */
const askProvider = (dialect: PairDialect, provider: string, body: object = {}): Promise<Answer> =>
  pair.send(ROUTES[dialect].path, { method: 'POST', body: JSON.stringify(question(`${provider}-${dialect}/m`, body)) })

/** An error as the dialect's providers write it, spaces and unknown fields included. */
const upstreamError = (dialect: PairDialect, message: string, headers: Readonly<Record<string, string>> = {}) => {
  const body =
    dialect === 'anthropic'
      ? `{ "type":"error", "error":{"type":"some_error","message":"${message}","extra":1.0} }`
      : `{ "error": {"message":"${message}","type":"some_error","code":null,"extra":1.0} }`
  const script = (status: number): Script => ({
    status,
    headers: { 'content-type': 'application/json', ...headers },
    steps: [text(body)],
  })
  return { body, script }
}

const JSON_TYPE = { 'content-type': 'application/json' }
const modelIsMissing = { error: { message: 'The model `m` does not exist.', type: 'x', code: 'model_not_found' } }

describe.each(DIALECTS)('%s', (dialect) => {
  describe.each([
    ['whole', false],
    ['stream', true],
  ])('%s: the next connection answers after', (form, stream) => {
    test.each([401, 402, 403, 408, 429, 500, 502, 503, 504, 529])('%d', async (status) => {
      const model = named(`next ${form} ${status}`, dialect)
      await pair.upstream.answer(KEY_A, model, error(status))
      const answer = await pair.ask(dialect, model, { stream })
      expect(answer.status).toBe(200)
      expect(answer.text).toContain(KEY_B)
      expect(answer.text).not.toContain(`said ${status}`)
      expect(answer.headers['x-breakwater-attempts']).toBe('2')
      expect(keysOf(await pair.upstream.seen(model))).toEqual([KEY_A, KEY_B])
    })

    test.each<[string, Script]>([
      ['404 about the model', error(404, modelIsMissing)],
      ['a redirect', { status: 302, headers: { location: 'https://elsewhere.example/' }, steps: [] }],
      ['a reset before any header', { steps: [reset] }],
      ['a reset after the headers', { headers: JSON_TYPE, steps: [head, reset] }],
      ['a break in the middle of a whole answer', { headers: JSON_TYPE, steps: [text('{"choices":['), cut] }],
      ['an empty body', { headers: JSON_TYPE, steps: [] }],
    ])('%s', async (what, script) => {
      const model = named(`next ${form} ${what}`, dialect)
      await pair.upstream.answer(KEY_A, model, script)
      const answer = await pair.ask(dialect, model, { stream })
      expect(answer.status).toBe(200)
      expect(answer.text).toContain(KEY_B)
      expect(answer.headers['x-breakwater-attempts']).toBe('2')
      // A socket that had been used before is given one more try on a new one.
      expect([...new Set(keysOf(await pair.upstream.seen(model)))]).toEqual([KEY_A, KEY_B])
    })

    test('a connection that nobody accepts', async () => {
      const answer = await askProvider(dialect, 'half', { stream })
      expect(answer.status).toBe(200)
      expect(answer.text).toContain(KEY_B)
      expect(answer.headers['x-breakwater-attempts']).toBe('2')
    })

    test('no first byte in time, and the silent call is ended', async () => {
      const model = named(`silent ${form}`, dialect)
      await impatient.upstream.answer(KEY_A, model, { steps: [hang] })
      const answer = await impatient.ask(dialect, model, { stream })
      expect(answer.status).toBe(200)
      expect(answer.text).toContain(KEY_B)
      const [first] = await impatient.upstream.seen(model)
      expect(await impatient.upstream.closed(first?.id as number)).toMatchObject({ aborted: true })
    })
  })

  test.each([400, 404, 405, 409, 413, 415, 422])('%d is relayed as it came, after one call', async (status) => {
    const model = named(`only ${status}`, dialect)
    const { body, script } = upstreamError(dialect, 'this is about the request', { 'x-ratelimit-limit': '7' })
    await pair.upstream.answer('*', model, script(status))
    for (const stream of [false, true]) {
      await pair.forget()
      const answer = await pair.ask(dialect, model, { stream })
      expect(answer.status).toBe(status)
      expect(answer.text).toBe(body)
      expect(answer.headers).toMatchObject({
        'content-type': 'application/json',
        'content-length': String(body.length),
        'x-ratelimit-limit': '7',
        'x-breakwater-attempts': '1',
      })
    }
    expect(keysOf(await pair.upstream.seen(model))).toEqual([KEY_A, KEY_A])
  })

  describe('when no connection can answer', () => {
    test('the last upstream error is relayed as it came, with its Retry-After', async () => {
      const model = named('all fail', dialect)
      const { body, script } = upstreamError(dialect, 'slow down', { 'retry-after': '17' })
      await pair.upstream.answer(KEY_A, model, error(500))
      await pair.upstream.answer(KEY_B, model, script(429))
      for (const stream of [false, true]) {
        await pair.forget()
        const answer = await pair.ask(dialect, model, { stream })
        expect(answer.status).toBe(429)
        expect(answer.text).toBe(body)
        expect(answer.headers['retry-after']).toBe('17')
        expect(answer.headers['x-breakwater-attempts']).toBe('2')
      }
    })

    test('refused keys are 503, never a 401 that would sound like the client’s own key', async () => {
      const model = named('all 401', dialect)
      await pair.upstream.answer('*', model, error(401, { error: { message: 'Incorrect API key provided.' } }))
      const answer = await pair.ask(dialect, model)
      expect(answer.status).toBe(503)
      const body = answer.json()
      expect(body.error).toMatchObject({
        code: 'no_usable_connection',
        type: dialect === 'anthropic' ? 'overloaded_error' : 'server_error',
        diagnostics: {
          target: `${ROUTES[dialect].provider}/${model}`,
          attempts: [
            { connection: 'a', reason: 'auth_error' },
            { connection: 'b', reason: 'auth_error' },
          ],
        },
      })
      expect(body.error.message).toContain('a, b')
    })

    test.each([
      [500, 401],
      [401, 500],
    ])('of %d and %d the 500 is relayed', async (first, second) => {
      const model = named(`mixed ${first} ${second}`, dialect)
      await pair.upstream.answer(KEY_A, model, error(first))
      await pair.upstream.answer(KEY_B, model, error(second))
      const answer = await pair.ask(dialect, model)
      expect(answer.status).toBe(500)
      expect(answer.text).toContain('said 500')
    })

    test('network failures alone are 502 bad_gateway', async () => {
      const answer = await askProvider(dialect, 'gone')
      expect(answer.status).toBe(502)
      expect(answer.json().error).toMatchObject({
        code: 'bad_gateway',
        type: dialect === 'anthropic' ? 'api_error' : 'server_error',
        diagnostics: { attempts: [{ reason: 'network_error' }, { reason: 'network_error' }] },
      })
    })

    test('silence alone is 504 gateway_timeout', async () => {
      const model = named('all silent', dialect)
      await impatient.upstream.answer('*', model, { steps: [hang] })
      const answer = await impatient.ask(dialect, model, { stream: true })
      expect(answer.status).toBe(504)
      expect(answer.json().error).toMatchObject({
        code: 'gateway_timeout',
        type: dialect === 'anthropic' ? 'timeout_error' : 'server_error',
      })
    })
  })

  test.each(['context_length_exceeded', 'Unknown parameter: input[150].namespace'])(
    'a refused request (%s) does not hold up another session',
    async (message) => {
      const refused = named(`refused ${message}`, dialect)
      const { body, script } = upstreamError(dialect, message)
      await pair.upstream.answer('*', refused, script(400))
      const healthy = named(`healthy ${message}`, dialect)
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, i) => pair.ask(dialect, i % 2 === 0 ? refused : healthy)),
      )
      for (const [i, answer] of answers.entries()) {
        expect(answer.status).toBe(i % 2 === 0 ? 400 : 200)
        if (i % 2 === 0) expect(answer.text).toBe(body)
        else expect(answer.text).toContain(KEY_A)
      }
      expect(new Set(keysOf(await pair.upstream.seen(refused)))).toEqual(new Set([KEY_A]))
      expect(await pair.upstream.seen(refused)).toHaveLength(6)
    },
  )
})

test('connections that are switched off or have no key are passed over, and named when none is left', async () => {
  const dark = await startPair(
    {},
    {
      more: (baseUrl) => ({
        connections: [
          { provider: 'anthropic', name: 'off', apiKey: KEY_A, enabled: false, baseUrl },
          { provider: 'anthropic', name: 'keyless', baseUrl },
        ],
      }),
    },
  )
  try {
    const answer = await dark.send('/v1/messages', { method: 'POST', body: JSON.stringify(question('anthropic/m')) })
    expect(answer.status).toBe(503)
    expect(answer.json().error).toMatchObject({
      code: 'no_usable_connection',
      diagnostics: {
        attempts: [],
        excluded: [
          { connection: 'off', because: 'switched off' },
          { connection: 'keyless', because: 'it has no key' },
        ],
      },
    })
    expect(await dark.upstream.seen('m')).toEqual([])
  } finally {
    await dark.stop()
  }
})
