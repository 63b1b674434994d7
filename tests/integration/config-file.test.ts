// --import and --export: the documented configuration file, taken over whole or not at all.
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream'
import { question } from '../support/gateway-pair'
import { CLIENT_KEY, type GatewayProcess, runGateway, startGateway, temporaryFolder } from '../support/gateway-process'
import { type Answer, send } from '../support/http-client'

let dataDir: string
let upstream: FakeUpstream
const running: GatewayProcess[] = []
beforeAll(async () => {
  upstream = await startFakeUpstream()
})
afterAll(() => upstream.stop())
beforeEach(() => {
  dataDir = temporaryFolder()
})
afterEach(async () => {
  for (const gateway of running.splice(0)) await gateway.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function start(config?: object): Promise<GatewayProcess> {
  const gateway = await startGateway({ dataDir, ...(config === undefined ? {} : { config }) })
  running.push(gateway)
  return gateway
}

const ask = (gateway: GatewayProcess, model: string): Promise<Answer> =>
  send(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${CLIENT_KEY}` },
    body: JSON.stringify(question(model)),
  })

const provider = (more: object = {}) => ({
  id: 'fake',
  label: 'Fake',
  class: 'apikey',
  dialect: 'openai-chat',
  baseUrl: 'http://127.0.0.1:1/v1',
  ...more,
})
const one = (connection: object, more: object = {}) => ({
  version: 1,
  providers: [provider()],
  connections: [{ provider: 'fake', name: 'a', ...connection }],
  ...more,
})

test.each<[string, object]>([
  ['version', { version: 2 }],
  ['surprise', { version: 1, surprise: true }],
  ['settings.listenPort', { version: 1, settings: { listenPort: 70_000 } }],
  ['settings.listenPort', { version: 1, settings: { listenPort: '4517' } }],
  ['settings.noSuchThing', { version: 1, settings: { noSuchThing: 1 } }],
  ['settings.allowedOrigins[0]', { version: 1, settings: { allowedOrigins: ['*'] } }],
  ['clientKeys[0].key', { version: 1, clientKeys: [{ name: 'k', key: 'short' }] }],
  ['clientKeys[0].scopes[0]', { version: 1, clientKeys: [{ name: 'k', key: CLIENT_KEY, scopes: ['all'] }] }],
  ['providers[0].id', { version: 1, providers: [provider({ id: 'openai' })] }],
  ['providers[0].id', { version: 1, providers: [provider({ id: 'Not An Id' })] }],
  ['providers[0].dialect', { version: 1, providers: [provider({ dialect: 'cobol' })] }],
  ['providers[0].baseUrl', { version: 1, providers: [provider({ baseUrl: 'ftp://x' })] }],
  ['connections[0].provider', { version: 1, connections: [{ provider: 'nobody', name: 'a' }] }],
  ['connections[0].apiKey', one({ apiKey: '  ' })],
  ['connections[0].apiKey', one({ apiKey: 'sk-abc\r\nX-Evil: 1' })],
  ['connections[0].apiKey', one({ apiKey: 'sk-abc\u200bdef' })],
  ['connections[0].baseUrl', one({ baseUrl: 'not a url' })],
  ['connections[0].priority', one({ priority: -1 })],
  ['connections[0].wieght', one({ wieght: 1 })],
  ['connections[1].name', { ...one({}), connections: [1, 2].map(() => ({ provider: 'fake', name: 'a' })) }],
])('a fault at %s is named by its path, without the key (%j)', async (path, config) => {
  const whole = { clientKeys: [{ name: 'first', key: CLIENT_KEY }], ...config }
  const { code, events, stderr } = await runGateway({ dataDir, config: whole, args: ['--port', '0'] })
  expect(code).toBe(2)
  expect(events).toHaveLength(1)
  expect(events[0]).toMatchObject({ event: 'error', code: 'bad_input' })
  expect(String(events[0]?.message).startsWith(`${path}: `)).toBe(true)
  expect(JSON.stringify(events) + stderr).not.toContain('sk-abc')
})

test('of a file with a fault nothing is taken over', async () => {
  const config = {
    ...one({ apiKey: 'sk-good-0001' }),
    settings: { historyDays: 7 },
    clientKeys: [{ name: 'main', key: CLIENT_KEY }],
  }
  const { connections } = config
  const faulty = { ...config, connections: [...connections, { provider: 'fake', name: 'b', apiKey: '' }] }
  expect((await runGateway({ dataDir, config: faulty })).code).toBe(2)
  expect(await exported()).toEqual({ version: 1, settings: {}, providers: [], connections: [] })
  // No key was taken over either: this run makes the first one.
  expect((await start()).listening).toHaveProperty('clientKey')
})

test('a file that is no JSON is refused', async () => {
  const file = join(dataDir, 'broken.json')
  writeFileSync(file, '{"version":1,')
  const { code, events } = await runGateway({ dataDir, args: ['--import', file] })
  expect(code).toBe(2)
  expect(events[0]?.message).toContain('not valid JSON')
})

test('white space and "Bearer" around a pasted key are not part of it', async () => {
  const { baseUrl } = upstream
  const config = {
    version: 1,
    clientKeys: [{ name: 'main', key: CLIENT_KEY }],
    providers: [provider({ baseUrl })],
    connections: [' sk-pasted-0001 ', 'sk-pasted-0001\n', 'Bearer sk-pasted-0001'].map((apiKey, i) => ({
      provider: 'fake',
      name: `c${i}`,
      apiKey,
      enabled: true,
    })),
  }
  await upstream.answer('*', 'pasted', { status: 503, steps: [] })
  const gateway = await start(config)
  await ask(gateway, 'fake/pasted')
  const keys = (await upstream.seen('pasted')).map(({ key }) => key)
  expect(keys).toEqual(['sk-pasted-0001', 'sk-pasted-0001', 'sk-pasted-0001'])
})

test('a second import changes what has the same provider and name, and leaves the rest', async () => {
  const { baseUrl } = upstream
  const base = { version: 1, clientKeys: [{ name: 'main', key: CLIENT_KEY }], providers: [provider({ baseUrl })] }
  const first = await start({
    ...base,
    connections: [
      { provider: 'fake', name: 'a', apiKey: 'sk-before-aaaa', priority: 1 },
      { provider: 'fake', name: 'b', apiKey: 'sk-before-bbbb', priority: 2 },
    ],
  })
  await first.end()
  const config = { version: 1, connections: [{ provider: 'fake', name: 'b', apiKey: 'sk-after-bbbb', priority: 0 }] }
  const second = await start(config)
  expect((await ask(second, 'fake/first')).status).toBe(200)
  expect((await upstream.seen('first'))[0]?.key).toBe('sk-after-bbbb')
  await second.end()
  const { connections } = (await exported()) as { connections: object[] }
  expect(connections).toHaveLength(2)
  expect(connections).toContainEqual({ provider: 'fake', name: 'a', priority: 1 })
  expect(connections).toContainEqual({ provider: 'fake', name: 'b', priority: 0 })
})

async function exported(): Promise<unknown> {
  const file = join(dataDir, 'out.json')
  const { code, events } = await runGateway({ dataDir, args: ['--export', file] })
  expect(code).toBe(0)
  expect(events).toEqual([{ event: 'exported', file }])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  return JSON.parse(readFileSync(file, 'utf8'))
}
