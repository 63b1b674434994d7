import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parts, stream, text } from '../support/fake-answers'
import { DIALECTS, type GatewayPair, KEY_A, question, ROUTES, startPair } from '../support/gateway-pair'
import { CLIENT_KEY } from '../support/gateway-process'
import { exchange } from '../support/http-client'

let pair: GatewayPair
beforeAll(async () => {
  pair = await startPair()
})
afterAll(() => pair.stop())

describe.each(DIALECTS)('%s', (dialect) => {
  const { path, provider } = ROUTES[dialect]

  test('only what belongs to the request itself goes up', async () => {
    const model = `odd-headers-${dialect}`
    const body = JSON.stringify(question(`${provider}/${model}`))
    const text = await exchange(
      pair.gateway.port,
      [
        `POST ${path} HTTP/1.1`,
        `Host: localhost:${pair.gateway.port}`,
        'Connection: close, X-Secret-Hop',
        'X-Secret-Hop: 1',
        'Keep-Alive: timeout=5',
        'TE: trailers',
        'Upgrade: h2c',
        'Proxy-Authorization: Basic c2VjcmV0',
        `Content-Length: ${body.length}`,
        'Accept-Encoding: zstd',
        'Cookie: a=b',
        `Authorization: Bearer ${CLIENT_KEY}`,
        'X-Session-Id: s1',
        'X-Forwarded-For: 10.0.0.1',
        'Origin-Agent-Cluster: ?1',
        'Expect-CT: x',
        'User-Agent: tool/1.2',
        'Anthropic-Version: 2024-01-01',
        'Anthropic-Beta: one,two',
        'OpenAI-Organization: org-1',
        'Idempotency-Key: idem-1',
        '',
        body,
      ].join('\r\n'),
    )
    expect(text).toMatch(/^HTTP\/1\.1 200 /)
    const [seen] = await pair.upstream.seen(model)
    const common = {
      host: new URL(pair.upstream.baseUrl).host,
      'content-type': 'application/json',
      'content-length': String(seen?.length),
      'accept-encoding': 'identity',
      'user-agent': 'tool/1.2',
      'idempotency-key': 'idem-1',
      connection: 'keep-alive',
    }
    expect(seen?.headers).toEqual(
      dialect === 'anthropic'
        ? { ...common, 'x-api-key': KEY_A, 'anthropic-version': '2024-01-01', 'anthropic-beta': 'one,two' }
        : { ...common, authorization: `Bearer ${KEY_A}`, 'openai-organization': 'org-1' },
    )
  })

  test.each([false, true])(
    'of the upstream’s headers only the useful ones come down (stream: %s)',
    async (streamed) => {
      const model = `down-${dialect}-${streamed}`
      const { preamble, content, ending } = parts[dialect]
      const headers = {
        'content-type': streamed ? 'text/event-stream' : 'application/json',
        connection: 'close, x-hop',
        'x-hop': '1',
        'keep-alive': 'timeout=5',
        'set-cookie': ['session=1', 'other=2'],
        'strict-transport-security': 'max-age=1',
        'alt-svc': 'h3=":443"',
        server: 'fake',
        via: '1.1 proxy',
        'access-control-allow-origin': '*',
        'x-request-id': 'upstream-id',
        'x-breakwater-target': 'forged',
        'x-ratelimit-remaining-requests': '41',
        'anthropic-ratelimit-tokens-remaining': '40',
        'openai-processing-ms': '12',
      }
      const script = streamed
        ? { ...stream(text(preamble + content('x') + ending)), headers }
        : { headers, steps: [text('{"ok":true}')] }
      await pair.upstream.answer('*', model, script)
      const answer = await pair.ask(dialect, model, { stream: streamed })
      expect(answer.status).toBe(200)
      const dropped = [
        'x-hop',
        'set-cookie',
        'strict-transport-security',
        'alt-svc',
        'server',
        'via',
        'access-control-allow-origin',
      ]
      for (const name of dropped) expect(answer.headers[name], name).toBeUndefined()
      expect(answer.headers).toMatchObject({
        'x-ratelimit-remaining-requests': '41',
        'anthropic-ratelimit-tokens-remaining': '40',
        'openai-processing-ms': '12',
        'x-breakwater-target': `${provider}/${model}`,
      })
      expect(answer.headers['x-request-id']).toMatch(/^req_/)
      expect(answer.rawHeaders.filter((name) => name.toLowerCase() === 'x-request-id')).toHaveLength(1)
      expect(answer.rawHeaders.filter((name) => name.toLowerCase() === 'transfer-encoding').length).toBe(
        streamed ? 1 : 0,
      )
    },
  )

  test('an answer says how many attempts it took, whom it came from, and the id of its request', async () => {
    const answer = await pair.ask(dialect, 'told', {}, { headers: { 'x-request-id': 'mine-1' } })
    expect(answer.headers['x-request-id']).toBe('mine-1')
    expect(answer.headers['x-breakwater-attempts']).toBe('1')
    expect(answer.headers['x-breakwater-target']).toBe(`${provider}/told`)
    expect(answer.headers['x-omniroute-selected-connection-id']).toMatch(/^con_[0-9a-f]{16}$/)
  })

  test('a request id that could do harm is replaced', async () => {
    const answer = await pair.ask(dialect, 'told', {}, { headers: { 'x-request-id': 'a b<script>' } })
    expect(answer.headers['x-request-id']).toMatch(/^req_/)
  })
})

test('every kind of answer carries a request id', async () => {
  for (const [path, options] of [
    ['/health', {}],
    ['/v1/models', {}],
    ['/nowhere', {}],
    ['/v1/chat/completions', { method: 'PUT' }],
    ['/v1/chat/completions', { method: 'POST', body: 'no json' }],
    ['/', { method: 'HEAD' }],
  ] as const) {
    const answer = await pair.send(path, options)
    expect(answer.headers['x-request-id'], path).toMatch(/^req_/)
  }
})
