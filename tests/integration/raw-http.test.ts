// What no HTTP client would send: broken requests, smuggled ones, uploads that stop. Each is refused, its connection
// closed, and the next request works.
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type GatewayPair, startPair } from '../support/gateway-pair'
import { CLIENT_KEY } from '../support/gateway-process'
import { exchange } from '../support/http-client'

let pair: GatewayPair
beforeAll(async () => {
  pair = await startPair()
})
afterAll(() => pair.stop())

let next = 0
afterEach(async () => {
  expect((await pair.ask('openai-chat', `next-${++next}`)).status).toBe(200)
  expect(await pair.upstream.seen('never')).toEqual([])
  expect(pair.gateway.stderrText()).not.toMatch(/failed inside|"level":50/)
})

const HOST = 'Host: localhost'
const AUTH = `${HOST}\r\nAuthorization: Bearer ${CLIENT_KEY}`
const BODY = '{"model":"fake/never","messages":[]}'
const POST = `POST /v1/chat/completions HTTP/1.1\r\n${AUTH}`
const LENGTH = `Content-Length: ${BODY.length}`

test.each<[string, string]>([
  ['nonsense', 'HELLO\r\n\r\n'],
  ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['two lengths', `${POST}\r\n${LENGTH}\r\nContent-Length: 3\r\n\r\n${BODY}`],
  ['a negative length', `${POST}\r\nContent-Length: -1\r\n\r\n${BODY}`],
  ['a length and chunks', `${POST}\r\n${LENGTH}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${BODY}`],
  ['chunks that are not the last coding', `${POST}\r\nTransfer-Encoding: chunked, identity\r\n\r\n${BODY}`],
  ['a chunk size that is none', `${POST}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n${BODY}`],
  ['no Host', `GET /v1/models HTTP/1.1\r\nAuthorization: Bearer ${CLIENT_KEY}\r\n\r\n`],
  ['headers of 100 kB', `GET /health HTTP/1.1\r\n${AUTH}\r\nX-Long: ${'a'.repeat(100_000)}\r\n\r\n`],
  ['a header name with a space', `GET /health HTTP/1.1\r\n${AUTH}\r\nX Y: 1\r\n\r\n`],
  ['a tunnel', `CONNECT evil.example:443 HTTP/1.1\r\n${AUTH}\r\n\r\n`],
  ['a method nobody has', `BREW / HTTP/1.1\r\n${AUTH}\r\n\r\n`],
])('%s is refused and the connection closed', async (_what, bytes) => {
  const answer = await exchange(pair.gateway.port, bytes)
  expect(answer === '' || /^HTTP\/1\.1 [45]\d\d /.test(answer), answer).toBe(true)
  expect(answer).not.toMatch(/^HTTP\/1\.1 500|\bat .*\.(js|ts):\d+|node_modules/)
})

test.each(['/%00', '/v1/%2e%2e/health', '/v1/models/%ff', '/v1/models/../../etc/passwd', '*', 'http://evil.example/'])(
  'the path %s is no trouble',
  async (path) => {
    const answer = await exchange(pair.gateway.port, `GET ${path} HTTP/1.1\r\n${AUTH}\r\nConnection: close\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(answer).toContain('application/json')
  },
)

test('a whole address as path is served like its path', async () => {
  const url = `${pair.gateway.url}/v1/models`
  const answer = await exchange(pair.gateway.port, `GET ${url} HTTP/1.1\r\n${AUTH}\r\nConnection: close\r\n\r\n`)
  expect(answer).toMatch(/^HTTP\/1\.1 (200|404) /)
})

test('an upgrade is answered as the plain request it is', async () => {
  const upgrade =
    'Connection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13'
  const answer = await exchange(pair.gateway.port, `GET /v1/models HTTP/1.1\r\n${AUTH}\r\n${upgrade}\r\n\r\n`)
  expect(answer).not.toMatch(/^HTTP\/1\.1 101 /)
})

test('Expect: 100-continue is answered before the body, unless it is refused', async () => {
  const waiting = `${POST}\r\nExpect: 100-continue\r\nConnection: close`
  const refused = await exchange(pair.gateway.port, `${waiting}\r\nContent-Length: 2147483648\r\n\r\n`, /413[\s\S]*\}$/)
  expect(refused).toContain('HTTP/1.1 413 ')
  const served = await exchange(pair.gateway.port, `${waiting}\r\n${LENGTH}\r\n\r\n`, /100 Continue/)
  expect(served).toMatch(/^HTTP\/1\.1 100 Continue/)
})

test.each(['reset', 'end'])('an upload that stops half way with a %s leaves nothing behind', async (how) => {
  const socket = connect(pair.gateway.port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  await new Promise((written) => socket.write(`${POST}\r\nContent-Length: 5000\r\n\r\n${BODY.slice(0, -1)}`, written))
  const closed = once(socket, 'close')
  if (how === 'reset') socket.resetAndDestroy()
  else socket.end()
  socket.resume()
  await closed
})

test('requests that are sent in one go are answered in their order', async () => {
  const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\n${AUTH}\r\n${more}\r\n`
  const answer = await exchange(
    pair.gateway.port,
    get('/v1/models/practice/echo') + get('/nowhere') + get('/health', 'Connection: close\r\n'),
  )
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200'])
  expect(answer.indexOf('practice/echo')).toBeLessThan(answer.indexOf('unknown_path'))
})
