// Whatever is sent: a clear error in the caller's dialect, no upstream call, and the next request works.
import { once } from 'node:events'
import { connect } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { DIALECTS, type GatewayPair, type PairDialect, question, ROUTES, startPair } from '../support/gateway-pair'
import { CLIENT_KEY } from '../support/gateway-process'
import { type Answer, type ErrorBody, exchange, type SendOptions } from '../support/http-client'

let pair: GatewayPair
beforeAll(async () => {
  pair = await startPair({ bodyLimitMb: 8 })
})
afterAll(() => pair.stop())

let good = 0
afterEach(async () => {
  const answer = await pair.ask('openai-chat', `good-${++good}`)
  expect(answer.status).toBe(200)
})

const inDialect = (dialect: PairDialect, { status, text, headers, ...answer }: Answer): ErrorBody['error'] => {
  expect(headers['content-type'], text).toBe('application/json')
  const body = answer.json()
  expect(body.type).toBe(dialect === 'anthropic' ? 'error' : undefined)
  expect(body.error.message).not.toBe('')
  if (status === 400) expect(body.error.type).toBe('invalid_request_error')
  expect(text).not.toMatch(/\bat .*\.(js|ts):\d+|node_modules|\/home\/|\/root\//)
  return body.error
}

/** Sends a body to the dialect's endpoint; whatever it names as model must not reach the upstream. */
async function post(dialect: PairDialect, body: string | Uint8Array, options: SendOptions = {}): Promise<Answer> {
  return pair.send(ROUTES[dialect].path, { method: 'POST', body, ...options })
}

describe.each(DIALECTS)('%s', (dialect) => {
  const { path, provider } = ROUTES[dialect]
  const secret = `bad-${dialect}`
  const model = `"model":"${provider}/${secret}"`
  afterEach(async () => {
    expect(await pair.upstream.seen(secret)).toEqual([])
  })

  test.each<[string, string | Uint8Array, RegExp]>([
    ['no body', '', /no body/],
    ['white space', ' \n', /JSON/],
    ['half an object', '{"model":', /JSON/],
    ['a list', '[]', /object/],
    ['null', 'null', /object/],
    ['a string', '"x"', /object/],
    ['a number', '42', /object/],
    ['two objects', `{${model},"messages":[]}{}`, /JSON/],
    ['a comma too many', `{${model},"messages":[],}`, /JSON/],
    ['a comment', `{${model},/* hi */"messages":[]}`, /JSON/],
    ['single quotes', `{'model':'${provider}/${secret}'}`, /JSON/],
    ['NaN', `{${model},"messages":[],"n":NaN}`, /JSON/],
    ['a line break inside a string', `{${model},"messages":[],"x":"a\nb"}`, /JSON/],
    ['an unfinished escape', `{${model},"messages":[],"x":"\\u12"}`, /JSON/],
    ['bytes FF FE', new Uint8Array([0xff, 0xfe, 0x7b, 0x00]), /JSON/],
    ['zero bytes', new Uint8Array(64), /JSON/],
    [
      'broken UTF-8 in a string',
      Buffer.concat([Buffer.from(`{${model},"messages":[],"x":"`), Buffer.from([0xc3, 0x28, 0x22, 0x7d])]),
      /JSON/,
    ],
    ['a gzip body that does not say so', gzipSync(`{${model},"messages":[]}`), /JSON/],
    ['deep nesting', `{${model},"messages":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, /deep|nest|object/],
    ['deep nesting without an end', `{${model},"messages":${'[{"a":'.repeat(50_000)}`, /deep|nest|object|JSON/],
    ['no model', '{"messages":[]}', /^model/],
    ['a number as model', '{"model":5,"messages":[]}', /^model/],
    ['null as model', '{"model":null,"messages":[]}', /^model/],
    ['an empty model', '{"model":"","messages":[]}', /^model/],
    ['a model of 100 kB', JSON.stringify(question(`${provider}/${'m'.repeat(100_000)}`)), /^model/],
    ['the model given twice', `{${model},${model},"messages":[]}`, /^model/],
    ['the model given twice, once escaped', `{${model},"\\u006dodel":"${provider}/x","messages":[]}`, /^model/],
    ['no messages', `{${model}}`, /^messages/],
    ['a text as messages', `{${model},"messages":"hi"}`, /^messages/],
    ['an object as messages', `{${model},"messages":{}}`, /^messages/],
    ['a text among messages', `{${model},"messages":[{"role":"user","content":"x"},"hi"]}`, /^messages/],
    ['null among messages', `{${model},"messages":[null]}`, /^messages/],
    ['a text as tools', `{${model},"messages":[],"tools":"x"}`, /^tools/],
    ['a text as stream', `{${model},"messages":[],"stream":"yes"}`, /^stream/],
    ['a line break in the model', `{"model":"${provider}/${secret}\\r\\nX-Evil: 1","messages":[]}`, /^model/],
    ['a zero byte in the model', `{"model":"${provider}/${secret}\\u0000","messages":[]}`, /^model/],
  ])('%s is 400 and says what is wrong', async (_what, body, message) => {
    const answer = await post(dialect, body)
    expect(answer.status, answer.text).toBe(400)
    const error = inDialect(dialect, answer)
    expect(error.message).toMatch(message)
    // A fault of a field names it; one of the whole body names none.
    expect(error.param ?? null).toBe(/^(\w+): /.exec(error.message)?.[1] ?? null)
    expect(answer.rawHeaders.join('\n')).not.toMatch(/evil/i)
  })

  test.each<[string, string]>([
    ['a provider nobody has', `nobody/${secret}`],
    ['no provider', secret],
    ['a provider without a model', `${provider}/`],
    ['a name out of the object prototype', '__proto__/x'],
    ['another one', 'constructor/x'],
    ['a name with odd characters', `né\u202e<script>/${secret}`],
  ])('%s is 404', async (_what, name) => {
    const answer = await post(dialect, JSON.stringify(question(name)))
    expect(answer.status).toBe(404)
    expect(inDialect(dialect, answer)).toMatchObject({ code: 'model_not_found' })
  })

  test('names that mean something to JavaScript pass through as data', async () => {
    const body = `{"model":"${provider}/proto-${dialect}","messages":[],"__proto__":{"model":"no"},"constructor":1,"max_tokens":1}`
    expect((await post(dialect, body)).status).toBe(200)
    const [seen] = await pair.upstream.seen(`proto-${dialect}`)
    expect(Buffer.from(seen?.body ?? []).toString()).toBe(body.replace(`${provider}/`, ''))
  })

  test('a byte order mark is no fault', async () => {
    const body = `\ufeff${JSON.stringify(question(`${provider}/bom-${dialect}`))}`
    expect((await post(dialect, body)).status).toBe(200)
    const [seen] = await pair.upstream.seen(`bom-${dialect}`)
    expect(JSON.parse(Buffer.from(seen?.body ?? []).toString())).toMatchObject({ model: `bom-${dialect}` })
  })

  test('a model name with characters that no header can carry is answered with headers that can', async () => {
    const name = `é 漢字 "x" ${dialect}`
    const answer = await post(dialect, JSON.stringify(question(`${provider}/${name}`)))
    expect(answer.status).toBe(200)
    expect(answer.headers['x-breakwater-target']).toMatch(/^[ -~]+$/)
    expect(await pair.upstream.seen(name)).toHaveLength(1)
  })

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('a %s bomb is stopped at the limit, without filling the memory', async (encoding, compress) => {
    const before = pair.gateway.memoryMb()
    const bomb = compress(`{${model},"messages":[],"x":"${'A'.repeat(100 * 1_048_576)}"}`)
    const answer = await post(dialect, bomb, { headers: { 'content-encoding': encoding } })
    expect(answer.status).toBe(413)
    inDialect(dialect, answer)
    expect(pair.gateway.memoryMb() - before).toBeLessThan(60)
  })

  test.each(['gzip', 'deflate', 'br'])('a body that is no %s is 400', async (encoding) => {
    const answer = await post(dialect, `{${model},"messages":[]}`, { headers: { 'content-encoding': encoding } })
    expect(answer.status).toBe(400)
    inDialect(dialect, answer)
  })

  test('a truncated gzip body is 400', async () => {
    const whole = gzipSync(`{${model},"messages":[],"x":"${Math.random()}"}`)
    const options = { headers: { 'content-encoding': 'gzip' } }
    const answer = await post(dialect, whole.subarray(0, whole.length - 12), options)
    expect(answer.status).toBe(400)
    inDialect(dialect, answer)
  })

  test('an unknown content-encoding is 415', async () => {
    const answer = await post(dialect, '{}', { headers: { 'content-encoding': 'rot13' } })
    expect(answer.status).toBe(415)
    inDialect(dialect, answer)
  })

  test('2 GB announced are refused before they are sent', async () => {
    const answer = await exchange(
      pair.gateway.port,
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${CLIENT_KEY}\r\nContent-Length: 2147483648\r\n\r\n{`,
      /\}\}?$/,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer).toContain('request_too_large')
    expect(answer.includes('"type":"error"')).toBe(dialect === 'anthropic')
  })

  test('an upload that is broken off leaves nothing behind', async () => {
    const socket = connect(pair.gateway.port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${CLIENT_KEY}\r\nContent-Length: 5000\r\n\r\n{${model},`,
    )
    socket.resetAndDestroy()
    await once(socket, 'close')
  })
})

describe('what is not even HTTP', () => {
  const auth = `Host: localhost\r\nAuthorization: Bearer ${CLIENT_KEY}`

  test.each<[string, string]>([
    ['nonsense', 'HELLO\r\n\r\n'],
    ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['two lengths', `POST /v1/messages HTTP/1.1\r\n${auth}\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    [
      'a length and chunks',
      `POST /v1/messages HTTP/1.1\r\n${auth}\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['a chunk size that is none', `POST /v1/messages HTTP/1.1\r\n${auth}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`],
    ['no Host', 'GET /health HTTP/1.1\r\n\r\n'],
    ['headers of 100 kB', `GET /health HTTP/1.1\r\n${auth}\r\nX-Long: ${'a'.repeat(100_000)}\r\n\r\n`],
    ['a header name with a space', `GET /health HTTP/1.1\r\n${auth}\r\nX Y: 1\r\n\r\n`],
  ])('%s is refused and the connection closed', async (_what, bytes) => {
    const answer = await exchange(pair.gateway.port, bytes)
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(answer).not.toMatch(/\bat .*\.(js|ts):\d+|node_modules/)
  })

  test.each(['/%00', '/v1/%2e%2e/health', '/v1/models/%ff', '/v1/models/../../etc/passwd', '*'])(
    'the path %s is no trouble',
    async (path) => {
      const answer = await exchange(pair.gateway.port, `GET ${path} HTTP/1.1\r\n${auth}\r\nConnection: close\r\n\r\n`)
      expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
    },
  )
})

test('after all of it the same process runs, and nothing failed inside it', async () => {
  const health = (await pair.send('/health')).json<{ instanceId: string }>()
  expect(health.instanceId).toBe(pair.gateway.listening.instanceId)
  expect(pair.gateway.stderrText()).not.toContain('failed inside the gateway')
  expect(pair.gateway.stderrText()).not.toContain('"level":50')
})
