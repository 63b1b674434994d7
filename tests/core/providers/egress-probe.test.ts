// The probe against real proxies on this machine, with the test's clock.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { parseProxy } from '../../../core/pipeline/proxy-address'
import { createTransport } from '../../../core/pipeline/transport'
import { addressIn, EgressProbe } from '../../../core/providers/egress-probe'
import { providerRow } from '../../../core/providers/provider-row'
import { buildConnection, type Connection, type Registry } from '../../../core/providers/registry'
import { startFakeProxy } from '../../support/fake-proxy'
import { ManualClock } from '../../support/manual-clock'
import { quietLogger } from '../management/open-config'

const MINUTE = 60_000
const PAGE = 'http://ip.far.invalid/json?x=1'

async function begin(url: string = PAGE) {
  let answer = '{"ip":"192.0.2.7"}'
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.headers.host}${request.url}`)
    response.end(answer)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy = await startFakeProxy((server.address() as AddressInfo).port, { kind: 'http' })
  const [clock, log] = [new ManualClock(), quietLogger()]
  const transport = createTransport({ connectTimeoutMs: 5_000, extraCaFile: '' }, {}, log)
  const row = providerRow({ id: 'p', label: 'p', endpoints: { 'openai-chat': 'https://api.far.invalid/v1' } })
  const connect = (id: string, through: string | null, enabled = true, egressRotating = false): Connection => ({
    ...buildConnection(
      row,
      { id, name: id, priority: 1, enabled, baseUrl: null, settings: { egressRotating } },
      'k',
      false,
      null,
    ),
    proxy: through === null ? null : parseProxy(through),
  })
  let connections = [connect('a', proxy.label), connect('b', proxy.label)]
  const registry = (): Registry => new Map([['p', { row, connections }]])
  let page = url
  const probe = new EgressProbe({ clock, log, registry, transport: () => transport, url: () => page })
  onTestFinished(async () => {
    probe.close()
    proxy.close()
    server.close()
    server.closeAllConnections()
    await transport.close()
  })
  return {
    ...{ probe, clock, proxy, asked, connect },
    first: () => connections[0] as Connection,
    says: (text: string) => {
      answer = text
    },
    use: (...all: Connection[]) => {
      connections = all
    },
    turnTo: (to: string) => {
      page = to
    },
  }
}

it('asks nobody until a page is named', async () => {
  const { probe, clock, asked, proxy, first } = await begin('')
  await probe.look()
  clock.advance(60 * MINUTE)
  expect([asked, proxy.asked, probe.seen(first())]).toEqual([[], [], null])
})

it('asks once through each proxy, at most every five minutes, and keeps what it saw for a day', async () => {
  const { probe, clock, asked, proxy, first } = await begin()
  await probe.look()
  await probe.look()
  expect(asked).toEqual(['ip.far.invalid/json?x=1'])
  expect(proxy.asked).toHaveLength(1)
  const at = clock.now()
  expect(probe.seen(first())).toEqual({ ip: '192.0.2.7', at })
  proxy.close()
  // From here on nobody answers.
  clock.advance(24 * 60 * MINUTE)
  expect(probe.seen(first())).toEqual({ ip: '192.0.2.7', at })
  clock.advance(1)
  expect(probe.seen(first())).toBeNull()
})

it('looks again by itself', async () => {
  const { probe, clock, asked, says, first } = await begin()
  await probe.look()
  says('192.0.2.8\n')
  clock.advance(5 * MINUTE)
  // What the tick began.
  await expect.poll(() => probe.seen(first())?.ip).toBe('192.0.2.8')
  expect(asked).toHaveLength(2)
})

it('goes through the door of the connection only', async () => {
  const { probe, asked, proxy, connect, use } = await begin()
  const [changing, off] = [connect('changing', proxy.label, true, true), connect('off', proxy.label, false)]
  // Without a proxy nobody knows this page's name here.
  const direct = connect('direct', null)
  use(changing, off, direct)
  await probe.look()
  expect([asked, proxy.asked]).toEqual([[], []])
  for (const each of [changing, off, direct]) expect(probe.seen(each)).toBeNull()
})

it('asks no page on this machine for the address of a proxy', async () => {
  const { probe, asked, turnTo } = await begin()
  turnTo('http://127.0.0.1:9/')
  await probe.look()
  expect(asked).toEqual([])
})

it('forgets what another page has said, and what it had been asked when it is switched off', async () => {
  const { probe, asked, turnTo, first } = await begin()
  await probe.look()
  turnTo('')
  expect(probe.seen(first())).toBeNull()
  await probe.look()
  turnTo('http://other.far.invalid/')
  expect(probe.seen(first())).toBeNull()
  await probe.look()
  expect(asked).toEqual(['ip.far.invalid/json?x=1', 'other.far.invalid/'])
})

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.7\n', '192.0.2.7'],
  ['{"ip":"2001:db8::7","port":80}', '2001:db8::7'],
  ['Current IP Address: 192.0.2.7.', '192.0.2.7'],
  ['<html>version 1.2.3</html>', null],
  ['', null],
  [`${' '.repeat(5_000)}192.0.2.7`, null],
])('in %j it finds %s', (text, ip) => expect(addressIn(text)).toBe(ip))
