// Sockets through proxies, against real ones on this machine.
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { networkOutcome } from '../../../core/pipeline/network-outcome'
import { parseProxy } from '../../../core/pipeline/proxy-address'
import type { Through } from '../../../core/pipeline/proxy-choice'
import { createTransport, type Transport, type TransportSettings } from '../../../core/pipeline/transport'
import { proxyWords } from '../../../core/resilience/proxy-words'
import { type FakeProxy, type FakeProxyOptions, startFakeProxy } from '../../support/fake-proxy'
import { folderForTest } from '../../support/memory-databases'
import { TEST_CERTIFICATE, TEST_KEY } from '../../support/test-certificate'
import { quietLogger } from '../management/open-config'

const FAR = 'http://api.far.invalid'
const PASSWORD = 'p@ss:word/4711'

async function upstream(secure = false): Promise<number> {
  const listener: RequestListener = (request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`host ${request.headers.host}\n`)
    // The rest comes when the client has the beginning.
    request.on('data', (chunk) => response.write(chunk))
    request.on('end', () => response.end('done\n'))
  }
  const server = secure
    ? createHttpsServer({ cert: TEST_CERTIFICATE, key: TEST_KEY }, listener)
    : createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return (server.address() as AddressInfo).port
}

async function proxyTo(port: number, options: FakeProxyOptions): Promise<FakeProxy> {
  const proxy = await startFakeProxy(port, options)
  onTestFinished(() => proxy.close())
  return proxy
}

function transportWith(settings: Partial<TransportSettings> = {}, env: Record<string, string> = {}) {
  const log = quietLogger()
  const transport = createTransport({ connectTimeoutMs: 5_000, extraCaFile: '', ...settings }, env, log)
  onTestFinished(() => transport.close())
  return { transport, log }
}

/** One call; its text, or what failed. */
function call(transport: Transport, origin: string, through: Through = null, fresh = false): Promise<string> {
  const dispatcher = fresh ? transport.fresh(origin, through) : transport.dispatcher(origin, through)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    dispatcher.dispatch(
      { origin, path: '/', method: 'POST', body: 'sent\n' },
      {
        onRequestStart: () => {},
        onResponseStart: () => {},
        onResponseData: (_controller, chunk) => void chunks.push(chunk),
        onResponseEnd: () => resolve(Buffer.concat(chunks).toString('utf8')),
        onResponseError: (_controller, error) => reject(error),
      },
    )
  })
}

const failure = async (running: Promise<unknown>): Promise<string> => {
  const error = await running.then(
    () => new Error('it was answered'),
    (thrown: Error) => thrown,
  )
  const outcome = networkOutcome(error)
  if (outcome.kind !== 'network' || outcome.proxy === undefined) throw error
  return proxyWords(outcome.proxy, outcome.code)
}

describe.each(['http', 'https', 'socks5'] as const)('a connection’s %s proxy', (kind) => {
  const trusting = () => {
    const file = join(folderForTest(), 'ca.pem')
    writeFileSync(file, TEST_CERTIFICATE)
    return { extraCaFile: file }
  }

  it('is asked for the provider’s name, and its answers come through', async () => {
    const proxy = await proxyTo(await upstream(), { kind })
    const { transport } = transportWith(trusting())
    const through = parseProxy(proxy.label)
    const text = `host api.far.invalid\nsent\ndone\n`
    // undici opens a second socket before it uses the first one again.
    for (let i = 0; i < 6; i++) expect(await call(transport, FAR, through)).toBe(text)
    expect(proxy.asked).toEqual(Array(2).fill({ target: 'api.far.invalid:80', credentials: null }))
    for (let i = 0; i < 2; i++) expect(await call(transport, FAR, through, true)).toBe(text)
    expect(proxy.asked).toHaveLength(4)
  })

  it('carries TLS that ends at the provider, with the certificates of the settings', async () => {
    const proxy = await proxyTo(await upstream(true), { kind })
    const { transport } = transportWith(trusting())
    const origin = 'https://api.far.invalid'
    expect(await call(transport, origin, parseProxy(proxy.label))).toContain('host api.far.invalid\n')
    expect(proxy.asked).toEqual([{ target: 'api.far.invalid:443', credentials: null }])
    const other = call(transport, 'https://other.far.invalid', parseProxy(proxy.label))
    // The provider's certificate is the provider's matter, not the proxy's.
    await expect(other).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
  })

  it('gets user name and password, and is named when it does not take them', async () => {
    const proxy = await proxyTo(await upstream(), { kind, wants: `some one:${PASSWORD}` })
    const { transport } = transportWith(trusting())
    const known = parseProxy(proxy.label.replace('://', `://some%20one:${encodeURIComponent(PASSWORD)}@`))
    expect(await call(transport, FAR, known)).toContain('done')
    expect(proxy.asked.at(-1)?.credentials).toBe(`some one:${PASSWORD}`)
    for (const address of [proxy.label, proxy.label.replace('://', '://some:wrong@')]) {
      const words = await failure(call(transport, FAR, parseProxy(address)))
      expect(words).toContain(`the proxy ${proxy.label} does not accept the user name and password`)
      expect(words).not.toContain('wrong')
    }
  })

  it.each([
    ['close', /closed the connection \(ECONNRESET\)/],
    ['text', /(closed the connection|does not answer as a proxy of this kind would)/],
    ['hang', /does not answer in time/],
  ] as const)('that does %s is named', async (fails, words) => {
    const proxy = await proxyTo(await upstream(), { kind, fails })
    const { transport } = transportWith({ ...trusting(), connectTimeoutMs: 300 })
    const said = await failure(call(transport, FAR, parseProxy(proxy.label)))
    expect(said).toContain(`the proxy ${proxy.label} `)
    expect(said).toMatch(words)
  })

  it('that is down is named', async () => {
    const proxy = await proxyTo(0, { kind })
    proxy.close()
    const { transport } = transportWith(trusting())
    const said = await failure(call(transport, FAR, parseProxy(proxy.with(`me:${PASSWORD}`))))
    expect(said).toBe(`the proxy ${proxy.label} does not answer (ECONNREFUSED)`)
  })

  it('is never asked for this machine', async () => {
    const port = await upstream()
    const proxy = await proxyTo(port, { kind })
    const { transport } = transportWith()
    for (const host of ['127.0.0.1', 'localhost']) {
      expect(await call(transport, `http://${host}:${port}`, parseProxy(proxy.label))).toContain('done')
    }
    expect(proxy.asked).toEqual([])
  })
})

it.each([
  [403, 'refused to open a connection to the provider (403)'],
  [502, 'could not reach the provider (502)'],
  [407, 'does not accept the user name and password (407)'],
])('CONNECT answered with %i is the proxy’s failure', async (fails, words) => {
  const proxy = await proxyTo(0, { kind: 'http', fails })
  const { transport } = transportWith()
  expect(await failure(call(transport, FAR, parseProxy(proxy.label)))).toBe(`the proxy ${proxy.label} ${words}`)
})

it.each([
  [2, 'does not allow a connection to the provider'],
  [4, 'could not reach the provider (SOCKS_4)'],
  [9, 'failed (SOCKS_9)'],
])('a SOCKS5 reply of %i is the proxy’s failure', async (fails, words) => {
  const proxy = await proxyTo(0, { kind: 'socks5', fails })
  const { transport } = transportWith()
  expect(await failure(call(transport, FAR, parseProxy(proxy.label)))).toBe(`the proxy ${proxy.label} ${words}`)
})

it('an https proxy with a certificate nobody vouches for is named, and gets no password', async () => {
  const proxy = await proxyTo(await upstream(), { kind: 'https' })
  const { transport } = transportWith()
  const said = await failure(call(transport, FAR, parseProxy(proxy.with(`me:${PASSWORD}`))))
  expect(said).toContain(`the proxy ${proxy.label} failed (DEPTH_ZERO_SELF_SIGNED_CERT)`)
  expect(proxy.asked).toEqual([])
})

it.each([
  ['http', 'http://[2001:db8::1]:8080', '[2001:db8::1]:8080'],
  ['http', 'http://192.0.2.7', '192.0.2.7:80'],
  ['socks5', 'http://[2001:db8::1]:8080', '32.1.13.184.0.0.0.0.0.0.0.0.0.0.0.1:8080'],
  ['socks5', 'http://192.0.2.7', '192.0.2.7:80'],
] as const)('a %s proxy is asked for the address of %s', async (kind, origin, target) => {
  const proxy = await proxyTo(await upstream(), { kind })
  const { transport } = transportWith()
  expect(await call(transport, origin, parseProxy(proxy.label))).toContain('done')
  expect(proxy.asked[0]?.target).toBe(target)
})

describe('which proxy', () => {
  it('a connection’s own comes before the settings, those before the environment', async () => {
    const port = await upstream()
    const [own, setting, environment] = (await Promise.all([0, 1, 2].map(() => proxyTo(port, { kind: 'http' })))) as [
      FakeProxy,
      FakeProxy,
      FakeProxy,
    ]
    const env = { HTTP_PROXY: environment.with(`me:${PASSWORD}`), NO_PROXY: 'near.invalid' }
    const all = transportWith({ httpsProxy: setting.label }, env)
    await call(all.transport, FAR, parseProxy(own.label))
    // Its own is used for what others reach without a proxy, too.
    await call(all.transport, 'http://near.invalid', parseProxy(own.label))
    await call(all.transport, FAR)
    const without = transportWith({}, env)
    await call(without.transport, FAR)
    expect([own, setting, environment].map(({ asked }) => asked.map(({ target }) => target))).toEqual([
      ['api.far.invalid:80', 'near.invalid:80'],
      ['api.far.invalid:80'],
      ['api.far.invalid:80'],
    ])
    expect(without.log.secrets).toContain(PASSWORD)
    await expect(call(without.transport, 'http://near.invalid')).rejects.toMatchObject({ code: 'ENOTFOUND' })
    await expect(call(without.transport, FAR, 'direct')).rejects.toMatchObject({ code: 'ENOTFOUND' })
  })

  it('two that differ only in the user share no socket', async () => {
    const proxy = await proxyTo(await upstream(), { kind: 'http' })
    const { transport } = transportWith()
    for (const user of ['a', 'b', 'a']) await call(transport, FAR, parseProxy(proxy.with(`${user}:secret`)))
    expect(proxy.asked.map(({ credentials }) => credentials)).toEqual(['a:secret', 'b:secret'])
  })
})

describe('sockets through a proxy that no connection uses any more', () => {
  it('are closed, and opened anew when one does again', async () => {
    const proxy = await proxyTo(await upstream(), { kind: 'socks5' })
    const { transport } = transportWith()
    const through = parseProxy(proxy.label)
    for (let i = 0; i < 3; i++) await call(transport, FAR, through)
    transport.keepProxies(new Set([through.url]))
    await call(transport, FAR, through)
    expect(proxy.asked).toHaveLength(2)
    const closed = [...proxy.open].map((tunnel) => once(tunnel, 'close'))
    expect(closed).toHaveLength(2)
    transport.keepProxies(new Set())
    await Promise.all(closed)
    await call(transport, FAR, through)
    expect(proxy.asked).toHaveLength(3)
  })

  it('carry a running call to its end', async () => {
    const proxy = await proxyTo(await upstream(), { kind: 'http' })
    const { transport } = transportWith()
    const running = call(transport, FAR, parseProxy(proxy.label))
    transport.keepProxies(new Set())
    expect(await running).toContain('done')
  })

  it('are bounded in number', async () => {
    const proxy = await proxyTo(await upstream(), { kind: 'http' })
    const { transport } = transportWith()
    const first = parseProxy(proxy.with('first:pw'))
    await call(transport, FAR, first)
    for (let i = 0; i < 100; i++) transport.dispatcher(FAR, parseProxy(proxy.with(`user${i}:pw`)))
    await call(transport, FAR, first)
    expect(proxy.asked).toHaveLength(2)
  })
})
