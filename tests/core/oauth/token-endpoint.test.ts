// A connection's tokens go the way its requests go: through its proxy, and never without it.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import type { OAuthClient } from '../../../core/oauth/login'
import { askFor } from '../../../core/oauth/token-endpoint'
import { parseProxy } from '../../../core/pipeline/proxy-address'
import { createTransport } from '../../../core/pipeline/transport'
import { startFakeProxy } from '../../support/fake-proxy'
import { ManualClock } from '../../support/manual-clock'
import { quietLogger } from '../management/open-config'

const CLIENT: OAuthClient = {
  ...{ tokenUrl: 'http://auth.far.invalid/token', clientId: 'c', clientSecret: null, clientAuth: 'body' },
}

async function begin(wants?: string) {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end('{"access_token":"granted","token_type":"Bearer"}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = (server.address() as AddressInfo).port
  const proxy = await startFakeProxy(port, { kind: 'socks5', ...(wants === undefined ? {} : { wants }) })
  const transport = createTransport({ connectTimeoutMs: 5_000, extraCaFile: '' }, {}, quietLogger())
  onTestFinished(async () => {
    proxy.close()
    server.close()
    server.closeAllConnections()
    await transport.close()
  })
  const calls = { transport: () => transport, clock: new ManualClock(), redact: (text: string) => text }
  return { proxy, ask: (connection: Parameters<typeof askFor>[0]) => askFor(connection, CLIENT, {}, calls) }
}

it('through the proxy the endpoint is asked for tokens', async () => {
  const { proxy, ask } = await begin('me:secret-word')
  const answer = await ask({ proxy: parseProxy(proxy.with('me:secret-word')), proxyLocked: false })
  expect(answer).toMatchObject({ kind: 'granted', grant: { accessToken: 'granted' } })
  expect(proxy.asked).toEqual([{ target: 'auth.far.invalid:80', credentials: 'me:secret-word' }])
})

it('a proxy that fails is named without its password, and nothing was sent', async () => {
  const { proxy, ask } = await begin('me:secret-word')
  const answer = await ask({ proxy: parseProxy(proxy.with('me:other-word')), proxyLocked: false })
  expect(answer).toMatchObject({
    ...{ kind: 'failed', lost: false },
    why: expect.stringContaining(`the proxy ${proxy.label} does not accept the user name and password`),
  })
  expect(JSON.stringify(answer)).not.toContain('other-word')
})

it('a proxy that cannot be opened lets nothing out', async () => {
  const { proxy, ask } = await begin()
  const answer = await ask({ proxy: null, proxyLocked: true })
  expect(answer).toMatchObject({ kind: 'failed', lost: false, why: expect.stringContaining('cannot be opened') })
  expect(proxy.asked).toEqual([])
})
