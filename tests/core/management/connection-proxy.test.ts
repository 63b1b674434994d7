// A connection's own proxy and settings as a person enters them: sealed, shown by the label, never without it.
import { describe, expect, it, onTestFinished } from 'vitest'
import { ConnectionView } from '../../../core/contract/views'
import { proxiesInUse } from '../../../core/providers/egress'
import { unusableBecause } from '../../../core/providers/registry'
import { startFakeProxy } from '../../support/fake-proxy'
import { begin, refusal, upstream } from './open-connections'

const PASSWORD = 'proxy-password-4711'
const PROXY = `http://someone:${PASSWORD}@127.0.0.1:3128`
const LABEL = 'http://127.0.0.1:3128'

async function withOne(proxy: string | null = PROXY) {
  const all = await begin()
  const view = await all.operations['connections:add']({
    provider: 'openai',
    name: 'work',
    apiKey: 'sk-1234567890',
    proxy,
  })
  const connection = () => {
    const found = all.book.find(view.id)
    if (found === null) throw new Error('it is gone')
    return found.connection
  }
  return { ...all, view, id: view.id, connection }
}

describe('a proxy', () => {
  it('is used with its password, shown without, and nowhere in clear', async () => {
    const { view, connection, database, log, operations } = await withOne()
    expect(ConnectionView.parse(view).proxy).toEqual({ label: LABEL, locked: false })
    expect(connection().proxy).toMatchObject({ username: 'someone', password: PASSWORD, label: LABEL })
    expect(log.secrets).toContain(PASSWORD)
    expect(log.secrets).toContain(PROXY)
    expect(JSON.stringify(await operations['providers:list']())).not.toContain(PASSWORD)
    const rows = JSON.stringify(database.prepare('SELECT * FROM connections').all())
    expect(rows).toContain(LABEL)
    expect(rows).not.toContain(PASSWORD)
    expect(database.serialize().includes(PASSWORD)).toBe(false)
  })

  it.each<[string | null | undefined, string | null]>([
    [undefined, PROXY],
    // What the window shows comes back from a form that was not touched.
    [LABEL, PROXY],
    [`${LABEL}/`, PROXY],
    [null, null],
    ['  ', null],
    ['socks5://127.0.0.1', 'socks5://127.0.0.1:1080'],
    ['http://127.0.0.1:3129', 'http://127.0.0.1:3129'],
    ['http://other:other-password@127.0.0.1:3128', 'http://other:other-password@127.0.0.1:3128'],
  ])('changed by %j is %s', async (given, url) => {
    const { operations, id, connection, book } = await withOne()
    await operations['connections:update']({ id, ...(given === undefined ? {} : { proxy: given }) })
    expect(connection().proxy?.url ?? null).toBe(url)
    expect([...proxiesInUse(book.registry())]).toEqual(url === null ? [] : [url])
  })

  it('that makes no sense is refused without being repeated, and nothing is changed', async () => {
    const { operations, id, connections } = await withOne()
    const before = connections.list()
    for (const proxy of [`ftp://me:${PASSWORD}@box`, `http://me:${PASSWORD}@box:1/path`]) {
      const refusals = [
        operations['connections:update']({ id, name: 'other', proxy }),
        operations['connections:add']({ provider: 'openai', name: 'b', apiKey: 'sk-1234567890', proxy }),
        operations['connections:test']({ provider: 'openai', apiKey: 'sk-1234567890', proxy }),
      ]
      for (const said of await Promise.all(refusals.map(refusal))) {
        expect(said).toMatch(/^proxy: must /)
        expect(said).not.toContain(PASSWORD)
      }
    }
    expect(connections.list()).toEqual(before)
  })

  it('that cannot be opened is shown, kept, and nothing goes out without it', async () => {
    const { operations, id, connections, book, connection } = await withOne()
    const [stored] = connections.list()
    if (stored?.proxy == null) throw new Error('it has none')
    connections.update(id, { proxy: { ...stored.proxy, secret: { vault: 'file:elsewhere', data: Buffer.from('x') } } })
    await book.reload()
    expect(connection()).toMatchObject({ proxy: null, proxyLocked: true, apiKey: 'sk-1234567890' })
    const row = book.row('openai')
    if (row === undefined) throw new Error('no such provider')
    expect(unusableBecause(row, connection())).toContain('the address of its proxy cannot be opened')
    const result = await operations['connections:test']({ id })
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining('its proxy cannot be opened') })
    const view = await operations['connections:update']({ id, name: 'renamed' })
    expect(view).toMatchObject({ name: 'renamed', proxy: { label: LABEL, locked: true } })
    expect((await operations['connections:update']({ id, proxy: PROXY })).proxy).toEqual({
      label: LABEL,
      locked: false,
    })
  })

  it('is what a live test goes through, saved or not, and is named when it fails', async () => {
    const { baseUrl, keys } = await upstream(200, '{"data":[{"id":"m"}]}')
    const proxy = await startFakeProxy(Number(new URL(baseUrl).port), { kind: 'http', wants: `someone:${PASSWORD}` })
    onTestFinished(() => proxy.close())
    const { operations, id } = await withOne(proxy.with(`someone:${PASSWORD}`))
    await operations['connections:update']({ id, baseUrl: 'http://api.far.invalid/v1' })
    expect(await operations['connections:test']({ id })).toMatchObject({ ok: true, models: ['m'] })
    const draft = { provider: 'openai', apiKey: 'sk-draft-123456', baseUrl: 'http://api.far.invalid/v1' }
    const wrong = await operations['connections:test']({ ...draft, proxy: proxy.with('someone:wrong-password') })
    expect(wrong).toMatchObject({ ok: false, reason: 'network_error' })
    expect(wrong.message).toContain(`the proxy ${proxy.label} does not accept the user name and password`)
    expect(wrong.message).not.toContain('wrong-password')
    expect(keys).toEqual(['Bearer sk-1234567890'])
  })
})

describe('settings of a connection', () => {
  it('are stored, shown, and in the registry', async () => {
    const { operations, id, view, connection } = await withOne(null)
    expect(view.settings).toEqual({})
    const settings = { maxConcurrent: 2, rateLimitOverrides: { rpm: 60, modelConcurrency: { 'glm-5': 1 } } }
    expect((await operations['connections:update']({ id, settings })).settings).toEqual(settings)
    expect(connection().settings).toEqual(settings)
    await operations['connections:update']({ id, settings: { rateLimitOverrides: { rpm: null } }, priority: 3 })
    expect(connection().settings).toEqual({
      maxConcurrent: 2,
      rateLimitOverrides: { modelConcurrency: { 'glm-5': 1 } },
    })
    await operations['connections:update']({ id, name: 'renamed' })
    expect(connection().settings.maxConcurrent).toBe(2)
  })

  it('can be given with a new one', async () => {
    const { operations } = await begin()
    const settings = { disableCooling: true }
    const added = await operations['connections:add']({ provider: 'ollama', name: 'a', settings })
    expect(added).toMatchObject({ settings, proxy: null })
  })
})
