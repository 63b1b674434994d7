// Proxies of connections and of the settings, through the whole gateway: who is asked for what, what is said when a
// proxy fails, and that its password is nowhere.
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { gate, parts, stream as scripted, text } from '../support/fake-answers'
import { type FakeProxy, startFakeProxy } from '../support/fake-proxy'
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream'
import { KEY_A, KEY_B, question } from '../support/gateway-pair'
import { CLIENT_KEY, type GatewayProcess, runGateway, startGateway, temporaryFolder } from '../support/gateway-process'
import { type Answer, openStream, send } from '../support/http-client'

const PASSWORD = 'proxy-password-4711'
const WHO = `someone:${PASSWORD}`
const AS_HEADER = btoa(WHO)
const FAR = 'http://api.far.invalid/v1'

let upstream: FakeUpstream
let web: FakeProxy
let socks: FakeProxy
let gateway: GatewayProcess
const dataDir = temporaryFolder()

const provider = (id: string, baseUrl = FAR): object => ({
  ...{ id, label: id, class: 'apikey', dialect: 'openai-chat', baseUrl },
})

beforeAll(async () => {
  upstream = await startFakeUpstream()
  const port = Number(new URL(upstream.baseUrl).port)
  web = await startFakeProxy(port, { kind: 'http', wants: WHO })
  socks = await startFakeProxy(port, { kind: 'socks5', wants: WHO })
  gateway = await startGateway({
    dataDir,
    args: ['--log-level', 'debug'],
    config: {
      version: 1,
      clientKeys: [{ name: 'main', key: CLIENT_KEY, scopes: ['manage'] }],
      providers: ['web', 'socks', 'near', 'broken', 'refused'].map((id) =>
        provider(id, id === 'near' ? upstream.baseUrl : FAR),
      ),
      connections: [
        { provider: 'web', name: 'a', apiKey: KEY_A, proxy: web.with(WHO), maxConcurrent: 5 },
        { provider: 'socks', name: 'a', apiKey: KEY_A, proxy: socks.with(WHO) },
        { provider: 'near', name: 'a', apiKey: KEY_A, proxy: web.with(WHO) },
        // Nobody listens there; the second one leads on.
        { provider: 'broken', name: 'a', apiKey: KEY_A, proxy: `http://${WHO}@127.0.0.1:9`, priority: 1 },
        { provider: 'broken', name: 'b', apiKey: KEY_B, proxy: socks.with(WHO), priority: 2 },
        { provider: 'refused', name: 'a', apiKey: KEY_A, proxy: web.with('someone:wrong-password') },
      ],
    },
  })
  // Its keys and passwords stand in clear in what was given to it, and nowhere else.
  rmSync(join(dataDir, 'import.json'))
})
afterAll(async () => {
  await gateway.stop()
  await upstream.stop()
  web.close()
  socks.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const headers = { authorization: `Bearer ${CLIENT_KEY}` }
const ask = (model: string, url = gateway.url): Promise<Answer> =>
  send(`${url}/v1/chat/completions`, { method: 'POST', headers, body: JSON.stringify(question(model)) })

/** Lists of models are fetched through a proxy too, whenever that may be. */
const targetsOf = ({ asked }: FakeProxy): string[] => asked.map(({ target }) => target)

describe.each(['web', 'socks'] as const)('a connection with a proxy (%s)', (kind) => {
  test('is reached through it, with its user name and password', async () => {
    const proxy = kind === 'web' ? web : socks
    const answer = await ask(`${kind}/whole-${kind}`)
    expect(answer.status, answer.text).toBe(200)
    expect(proxy.asked).toContainEqual({ target: 'api.far.invalid:80', credentials: WHO })
    const [seen] = await upstream.seen(`whole-${kind}`)
    expect(seen?.headers).toMatchObject({ host: 'api.far.invalid', authorization: `Bearer ${KEY_A}` })
    expect(seen?.headers).not.toHaveProperty('proxy-authorization')
  })

  test('streams through it, each piece as it comes', async () => {
    const { content, ending } = parts['openai-chat']
    const model = `streamed-${kind}`
    await upstream.answer('*', model, scripted(text(content('first')), gate(model), text(content('second') + ending)))
    const body = JSON.stringify(question(`${kind}/${model}`, { stream: true }))
    const stream = await openStream(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body })
    expect(await stream.until('first')).not.toContain('second')
    upstream.open(model)
    expect(await stream.rest()).toContain('second')
  })
})

test('this machine is never reached through a proxy', async () => {
  expect((await ask('near/m')).status).toBe(200)
  expect(targetsOf(web).filter((target) => !target.endsWith('.invalid:80'))).toEqual([])
})

describe('a proxy that fails', () => {
  test('is named, the next connection is asked, and the provider is not blamed', async () => {
    for (let i = 0; i < 5; i++) {
      const answer = await ask('broken/m')
      expect(answer.status, answer.text).toBe(200)
      expect(answer.headers['x-breakwater-attempts']).toBe('2')
    }
    const health = (await send(`${gateway.url}/api/monitoring/health`, { headers })).json<{
      providerBreakers: { name: string; failureCount: number }[]
      lockouts: unknown[]
    }>()
    expect(health.providerBreakers.filter(({ name, failureCount }) => name === 'broken' && failureCount > 0)).toEqual(
      [],
    )
    expect(health.lockouts).toEqual([])
  })

  test('is told of in the error, without its password', async () => {
    const answer = await ask('refused/m')
    expect(answer.status).toBe(502)
    expect(answer.text).toContain(`the proxy ${web.label} does not accept the user name and password (407)`)
    expect(answer.text).not.toContain('wrong-password')
  })
})

test('the password is in no log, no list, no export and no file', async () => {
  const list = await send(`${gateway.url}/api/providers`, { headers })
  expect(list.text).toContain(web.label)
  const exported = join(dataDir, 'export.json')
  await gateway.end()
  const run = await runGateway({ dataDir, args: ['--export', exported] })
  expect(run.code, run.stderr).toBe(0)
  const written = JSON.parse(readFileSync(exported, 'utf8')) as { connections: Record<string, unknown>[] }
  expect(written.connections.find(({ provider: of }) => of === 'web')).toMatchObject({
    proxy: web.label,
    maxConcurrent: 5,
  })
  const all = [list.text, gateway.stdoutText(), gateway.stderrText(), run.stdout, run.stderr]
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  for (const { parentPath, name } of files) all.push(readFileSync(join(parentPath, name), 'latin1'))
  for (const each of all) {
    for (const secret of [PASSWORD, AS_HEADER, 'wrong-password']) expect(each.includes(secret)).toBe(false)
  }
})

test('the proxy of the settings leads those without one of their own, from the moment it is set', async () => {
  const port = Number(new URL(upstream.baseUrl).port)
  const [setting, own] = [await startFakeProxy(port, { kind: 'http' }), await startFakeProxy(port, { kind: 'socks5' })]
  const started = await startGateway({
    config: {
      version: 1,
      clientKeys: [{ name: 'main', key: CLIENT_KEY, scopes: ['manage'] }],
      providers: [provider('plain'), provider('own', 'http://own.far.invalid/v1')],
      connections: [
        { provider: 'plain', name: 'a', apiKey: KEY_A },
        { provider: 'own', name: 'a', apiKey: KEY_A, proxy: own.label },
      ],
    },
    env: { HTTP_PROXY: 'http://127.0.0.1:9' },
  })
  onTestFinished(async () => {
    await started.stop()
    setting.close()
    own.close()
  })
  const down = await ask('plain/m', started.url)
  expect(down.text).toContain('the proxy http://127.0.0.1:9 does not answer (ECONNREFUSED)')
  const change = await send(`${started.url}/api/settings`, {
    ...{ method: 'PATCH', headers, body: JSON.stringify({ httpsProxy: setting.label }) },
  })
  expect(change.status, change.text).toBe(200)
  for (const model of ['plain/m', 'own/m']) expect((await ask(model, started.url)).status).toBe(200)
  expect([setting, own].map((proxy) => [...new Set(targetsOf(proxy))])).toEqual([
    ['api.far.invalid:80'],
    ['own.far.invalid:80'],
  ])
})
