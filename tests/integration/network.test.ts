// KE-04 and KE-07: the several names of this machine, and proxies between it and the rest of the world.
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parts } from '../support/fake-answers'
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream'
import { KEY_A, question } from '../support/gateway-pair'
import { CLIENT_KEY, type GatewayProcess, startGateway } from '../support/gateway-process'
import { type Answer, send } from '../support/http-client'

/** Not every machine has IPv6, nor knows localhost by it. */
const hasSix = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1'))
const localhostIsSix = hasSix && (await lookup('localhost', { all: true })).some(({ address }) => address === '::1')

let upstream: FakeUpstream
beforeAll(async () => {
  upstream = await startFakeUpstream()
})
afterAll(() => upstream.stop())

/** One provider for each address, named by its key. */
const configFor = (addresses: Readonly<Record<string, string>>): object => ({
  version: 1,
  clientKeys: [{ name: 'main', key: CLIENT_KEY }],
  providers: Object.entries(addresses).map(([id, baseUrl]) => ({
    id,
    label: id,
    class: 'apikey',
    dialect: 'openai-chat',
    baseUrl,
  })),
  connections: Object.keys(addresses).map((provider) => ({ provider, name: 'a', apiKey: KEY_A })),
})

const ask = (url: string, model: string, more: object = {}): Promise<Answer> =>
  send(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${CLIENT_KEY}` },
    body: JSON.stringify(question(model, more)),
  })

describe('localhost', () => {
  let second: Server
  let gateway: GatewayProcess
  beforeAll(async () => {
    second = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json').end('{"choices":[{"message":{"content":"::1"}}]}')
    })
    second.listen(0, hasSix ? '::1' : '127.0.0.1')
    await once(second, 'listening')
    gateway = await startGateway({
      config: configFor({
        four: upstream.baseUrl.replace('127.0.0.1', 'localhost'),
        six: `http://localhost:${(second.address() as AddressInfo).port}/v1`,
        'six-literal': `http://[::1]:${(second.address() as AddressInfo).port}/v1`,
      }),
    })
  })
  afterAll(async () => {
    await gateway.stop()
    second.close()
    second.closeAllConnections()
  })

  test.each(['127.0.0.1', 'localhost', ...(hasSix ? ['[::1]'] : [])])('the gateway is reached as %s', async (name) => {
    expect((await ask(`http://${name}:${gateway.port}`, 'four/m')).status).toBe(200)
  })

  const families = ['four', ...(localhostIsSix ? ['six'] : []), ...(hasSix ? ['six-literal'] : [])]
  test.each(families)('an upstream on one family only is reached: %s', async (provider) => {
    const answer = await ask(gateway.url, `${provider}/m`)
    expect(answer.status, answer.text).toBe(200)
  })
})

interface Proxy {
  readonly url: string
  /** Whom it was asked for, and with which credentials. */
  readonly asked: { target: string; authorization: string | undefined }[]
  close(): void
}

/** Leads every tunnel to the fake upstream, whatever name was asked for. */
async function startProxy(): Promise<Proxy> {
  const asked: Proxy['asked'] = []
  const { port } = new URL(upstream.baseUrl)
  const server = createServer((request, response) => {
    asked.push({ target: request.url ?? '', authorization: request.headers['proxy-authorization'] })
    response.writeHead(501).end()
  })
  server.on('connect', (request, socket) => {
    asked.push({ target: request.url ?? '', authorization: request.headers['proxy-authorization'] })
    const onward = connect(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      socket.pipe(onward).pipe(socket)
    })
    for (const one of [socket, onward]) one.on('error', () => onward.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

describe('a proxy in the environment', () => {
  const SECRET = 'proxy-password-4711'
  let proxy: Proxy
  let gateway: GatewayProcess
  beforeAll(async () => {
    proxy = await startProxy()
    gateway = await startGateway({
      config: configFor({
        far: 'http://api.far.invalid/v1',
        'almost-near': 'http://127.far.invalid/v1',
        corp: 'http://model.corp.invalid/v1',
        near: upstream.baseUrl,
        named: upstream.baseUrl.replace('127.0.0.1', 'localhost'),
      }),
      env: { HTTP_PROXY: `http://someone:${SECRET}@${proxy.url}`, NO_PROXY: 'example.com,.corp.invalid' },
    })
  })
  afterAll(async () => {
    await gateway.stop()
    proxy.close()
  })

  /** The lists of models are fetched through it too, whenever that may be. */
  const targets = (): string[] => proxy.asked.map(({ target }) => target)

  test('is used for the rest of the world, with its own credentials, and streams flow through it', async () => {
    const whole = await ask(gateway.url, 'far/whole')
    expect(whole.status).toBe(200)
    const streamed = await ask(gateway.url, 'far/streamed', { stream: true })
    expect(streamed.text).toContain(parts['openai-chat'].endMark)
    expect(targets()).toContain('api.far.invalid:80')
    expect((await ask(gateway.url, 'almost-near/m')).status).toBe(200)
    expect(targets()).toContain('127.far.invalid:80')
    for (const { authorization } of proxy.asked) expect(authorization).toBe(`Basic ${btoa(`someone:${SECRET}`)}`)
    const [seen] = await upstream.seen('whole')
    expect(seen?.headers).not.toHaveProperty('proxy-authorization')
    expect(seen?.headers.host).toBe('api.far.invalid')
  })

  test('is never used for this machine, nor for what NO_PROXY names', async () => {
    expect((await ask(gateway.url, 'near/m')).status).toBe(200)
    expect((await ask(gateway.url, 'named/m')).status).toBe(200)
    // Nobody has this name: without the proxy it cannot be reached.
    expect((await ask(gateway.url, 'corp/m')).status).toBe(502)
    expect(targets().filter((target) => !target.endsWith('.far.invalid:80'))).toEqual([])
  })

  test('that is down is an error without its password', async () => {
    const config = configFor({ far: 'http://api.far.invalid/v1' })
    const cut = await startGateway({ config, env: { http_proxy: `http://someone:${SECRET}@127.0.0.1:1` } })
    try {
      const answer = await ask(cut.url, 'far/m')
      expect(answer.status).toBe(502)
      expect(answer.json().error.code).toBe('bad_gateway')
      expect(answer.text + cut.stderrText()).not.toContain(SECRET)
      expect(answer.text).toContain('ECONNREFUSED')
    } finally {
      await cut.stop()
    }
  })
})
