// KE-08: requests that can never work are told so at once, in the caller's dialect, and trouble nobody else.
import { deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Dialect } from '../../core/contract/kinds'
import { DIALECTS, type GatewayPair, KEY_A, ROUTES, startPair } from '../support/gateway-pair'
import { CLIENT_KEY } from '../support/gateway-process'
import { type Answer, exchange, send } from '../support/http-client'

let pair: GatewayPair
beforeAll(async () => {
  pair = await startPair()
  await Promise.all(DIALECTS.map((dialect) => pair.ask(dialect, 'warm-up')))
})
afterAll(() => pair.stop())

/** Far above what such an answer takes, far below what a hang takes. */
const AT_ONCE_MS = 500
const DEEP = 100_000

/** Nothing but the path differs between the dialects, and `m`, a model that the fake would answer for. */
const bodies = (m: string): readonly (readonly [what: string, body: string | Uint8Array, field: string | null])[] => [
  ['no body at all', '', null],
  ['white space', ' \n', null],
  ['half an object', '{"model":', null],
  ['words', 'model=x&messages=y', null],
  ['a comma too many', `{"model":"${m}","messages":[],}`, null],
  ['two objects', `{"model":"${m}","messages":[]}{}`, null],
  ['single quotes', `{'model':'${m}','messages':[]}`, null],
  ['NaN', `{"model":"${m}","messages":[],"temperature":NaN}`, null],
  ['a raw line break in a string', `{"model":"${m}","messages":[],"x":"a\nb"}`, null],
  ['the bytes FF FE', Uint8Array.of(0xff, 0xfe), null],
  [
    'broken UTF-8 in a string',
    Buffer.concat([Buffer.from(`{"model":"${m}","messages":[],"x":"`), Buffer.from([0xc3, 0x28, 0x22, 0x7d])]),
    null,
  ],
  ['gzip without its header', gzipSync(`{"model":"${m}","messages":[]}`), null],
  ['a list', '[]', null],
  ['null', 'null', null],
  ['a string', '"x"', null],
  ['a number', '12', null],
  ['no model', '{"messages":[]}', 'model'],
  ['a model that is a number', '{"model":5,"messages":[]}', 'model'],
  ['a model that is null', '{"model":null,"messages":[]}', 'model'],
  ['an empty model', '{"model":"","messages":[]}', 'model'],
  ['an endless model', `{"model":"${m.split('/')[0]}/${'x'.repeat(5000)}","messages":[]}`, 'model'],
  ['a model with a line break', `{"model":"${m}\\r\\nx-evil: 1","messages":[]}`, 'model'],
  ['a model with a NUL', `{"model":"${m}\\u0000","messages":[]}`, 'model'],
  ['two models', `{"model":"${m}","messages":[],"model":"${m}"}`, 'model'],
  ['two models, one of them escaped', `{"model":"${m}","messages":[],"\\u006dodel":"${m}"}`, 'model'],
  ['no messages', `{"model":"${m}"}`, 'messages'],
  ['messages that are a string', `{"model":"${m}","messages":"hi"}`, 'messages'],
  ['messages that are an object', `{"model":"${m}","messages":{}}`, 'messages'],
  ['a message that is null', `{"model":"${m}","messages":[null]}`, 'messages'],
  ['a message that is a string', `{"model":"${m}","messages":[{"role":"user","content":"x"},"hi"]}`, 'messages'],
  ['tools that are a string', `{"model":"${m}","messages":[],"tools":"x"}`, 'tools'],
  ['a stream that is a string', `{"model":"${m}","messages":[],"stream":"true"}`, 'stream'],
  ['a list nested too deep', `{"model":"${m}","messages":[],"x":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`, null],
  ['nothing but opening brackets', '['.repeat(DEEP), null],
]

describe.each(DIALECTS)('%s', (dialect) => {
  const { path, provider } = ROUTES[dialect]
  const m = `${provider}/never-${dialect}`

  async function refused(ask: () => Promise<Answer>, status: number): Promise<Answer> {
    const from = performance.now()
    const answer = await ask()
    expect(performance.now() - from).toBeLessThan(AT_ONCE_MS)
    expect(answer.status).toBe(status)
    expectDialect(dialect, answer)
    return answer
  }

  async function nothingHappened(): Promise<void> {
    expect(await pair.upstream.seen(`never-${dialect}`)).toEqual([])
    const next = await pair.ask(dialect, `next-${dialect}`)
    expect(next.status).toBe(200)
    expect(next.text).toContain(KEY_A)
  }

  test.each(bodies(m))('%s is 400 with the place or the field', async (_what, body, field) => {
    const answer = await refused(() => pair.send(path, { method: 'POST', body }), 400)
    const { error } = answer.json()
    expect(error.type).toBe('invalid_request_error')
    expect(error.param ?? null).toBe(field)
    expect(error.message.length).toBeGreaterThan(10)
    expect(error.message.length).toBeLessThan(400)
    expect(answer.headers['x-evil']).toBeUndefined()
    await nothingHappened()
  })

  test.each([
    ['an unknown provider', 'nobody/m'],
    ['a plain name', 'gpt-4o'],
    ['a provider without a model', `${ROUTES[dialect].provider}/`],
    ['a slash without a provider', '/m'],
    ['the name of an object’s own member', '__proto__/m'],
    ['a name in letters no header holds', 'nobody☕/m'],
  ])('%s is 404, and the answer says how a model is named', async (_what, model) => {
    const body = JSON.stringify({ model, messages: [] })
    const answer = await refused(() => pair.send(path, { method: 'POST', body }), 404)
    expect(answer.json().error).toMatchObject({ code: 'model_not_found', param: 'model' })
    await nothingHappened()
  })

  test.each<[string, Record<string, string>]>([
    ['no key', {}],
    ['a wrong key', { authorization: 'Bearer bw-wrong' }],
  ])('%s is 401, even with a body that is broken too', async (_what, headers) => {
    await refused(() => send(pair.gateway.url + path, { method: 'POST', headers, body: '{"model":' }), 401)
    await nothingHappened()
  })

  test('an upload of 2 GB is refused on its announcement', async () => {
    const from = performance.now()
    const text = await exchange(
      pair.gateway.port,
      `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${CLIENT_KEY}\r\ncontent-length: ${2 * 1024 ** 3}\r\n\r\n{`,
      /\}$/,
    )
    expect(performance.now() - from).toBeLessThan(AT_ONCE_MS)
    expect(text).toMatch(/^HTTP\/1\.1 413 /)
    await nothingHappened()
  })

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
  ])('a bomb packed with %s is refused without taking its room', async (encoding, pack) => {
    const inside = Buffer.concat([
      Buffer.from(`{"model":"${m}","messages":[],"x":"`),
      Buffer.alloc(300 * 1_048_576, 'A'),
      Buffer.from('"}'),
    ])
    const body = pack(inside)
    const before = pair.gateway.memoryMb()
    const answer = await pair.send(path, { method: 'POST', body, headers: { 'content-encoding': encoding } })
    expect(answer.status).toBe(413)
    expectDialect(dialect, answer)
    expect(pair.gateway.memoryMb() - before).toBeLessThan(250)
    await nothingHappened()
  })

  test.each<[string, number, string]>([
    ['gzip', 400, 'is no gzip at all'],
    ['deflate', 400, 'is no deflate at all'],
    ['br', 400, 'is no brotli at all'],
    ['lzma', 415, 'is of a kind nobody knows'],
    ['gzip, gzip', 415, 'is packed twice'],
  ])('a body that claims %s is %d when it %s', async (encoding, status) => {
    const headers = { 'content-encoding': encoding }
    await refused(() => pair.send(path, { method: 'POST', headers, body: `{"model":"${m}","messages":[]}` }), status)
    await nothingHappened()
  })

  test('a packed body that is cut off is 400', async () => {
    const body = gzipSync(`{"model":"${m}","messages":[]}`).subarray(0, 20)
    await refused(() => pair.send(path, { method: 'POST', headers: { 'content-encoding': 'gzip' }, body }), 400)
    await nothingHappened()
  })

  test.each([
    ['a byte order mark', (model: string) => `\uFEFF{"model":"${model}","messages":[]}`],
    ['a member named __proto__', (model: string) => `{"__proto__":{"polluted":true},"model":"${model}","messages":[]}`],
    ['repeated names nobody asks for', (model: string) => `{"a":1,"a":2,"model":"${model}","messages":[]}`],
    ['members that are null', (model: string) => `{"model":"${model}","messages":[],"tools":null,"stream":null}`],
  ])('%s is no fault', async (what, body) => {
    const model = `fine-${dialect}-${what.replaceAll(' ', '-')}`
    const answer = await pair.send(path, { method: 'POST', body: body(`${provider}/${model}`) })
    expect(answer.status).toBe(200)
    expect(await pair.upstream.seen(model)).toHaveLength(1)
  })

  test('a model’s name cannot add a header, nor break one', async () => {
    const model = `ünï☕-${dialect}`
    const answer = await pair.ask(dialect, model)
    expect(answer.status).toBe(200)
    expect(answer.headers['x-breakwater-target']).toBe(`${provider}/${encodeURIComponent(model)}`)
  })
})

test('a request that is no HTTP is answered as one', async () => {
  expect(await exchange(pair.gateway.port, 'hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [\s\S]*invalid_request_error/)
  const long = `GET /v1/models HTTP/1.1\r\nhost: 127.0.0.1\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`
  expect(await exchange(pair.gateway.port, long)).toMatch(/^HTTP\/1\.1 431 /)
})

test('the gateway has lived through all of it without an inner fault', () => {
  expect(pair.gateway.stderrText()).not.toMatch(/failed inside|"level":50/)
})

function expectDialect(dialect: Dialect, answer: Answer): void {
  expect(answer.headers['content-type']).toMatch(/^application\/json/)
  const body = answer.json()
  expect(body.type).toBe(dialect === 'anthropic' ? 'error' : undefined)
  expect(dialect === 'anthropic' ? body.request_id : body.error.request_id).toBe(answer.headers['x-request-id'])
  expect(body.error).toMatchObject({ type: expect.any(String), message: expect.any(String), code: expect.any(String) })
}
