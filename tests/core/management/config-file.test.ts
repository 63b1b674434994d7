import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { GatewayError } from '../../../core/errors'
import { hashKey } from '../../../core/http/client-keys'
import { exportConfig, type ImportTarget, importConfig, parseConfigFile } from '../../../core/management/config-file'
import { createMemoryVault } from '../../../core/node/key-file-vault'
import { openClientKeysTable } from '../../../core/store/client-keys-table'
import { openConnectionsTable } from '../../../core/store/connections-table'
import { openProvidersTable } from '../../../core/store/providers-table'
import { openSettingsTable } from '../../../core/store/settings-table'
import { memoryDatabase } from '../../support/memory-databases'

const KEY = 'bw-0123456789abcdef0123456789abcdef'
const fake = (more: object = {}) => ({
  id: 'fake',
  label: 'Fake',
  class: 'apikey',
  dialect: 'openai-chat',
  baseUrl: 'http://127.0.0.1:9901/v1',
  ...more,
})
const file = (content: object): string => JSON.stringify({ version: 1, ...content })
const connections = (...list: object[]): string =>
  file({ providers: [fake()], connections: list.map((each, i) => ({ provider: 'fake', name: `c${i}`, ...each })) })

function faultOf(text: string, userProviders: readonly string[] = []): GatewayError {
  try {
    parseConfigFile(text, userProviders)
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
  throw new Error('was accepted')
}

describe('a configuration file', () => {
  it('may leave out everything but its version', () => {
    expect(parseConfigFile('{"version":1}')).toEqual({ version: 1 })
    expect(parseConfigFile('\uFEFF {"version":1}\n')).toEqual({ version: 1 })
  })

  it('may name built-in providers, its own, and those that are here already', () => {
    const text = file({
      providers: [fake()],
      connections: ['openai', 'fake', 'mine'].map((provider) => ({ provider, name: 'a' })),
    })
    expect(parseConfigFile(text, ['mine']).connections).toHaveLength(3)
  })
})

describe('a fault', () => {
  it.each<[string, string]>([
    ['version', '{}'],
    ['version', '{"version":"1"}'],
    ['version', '{"version":2}'],
    ['surprise', file({ surprise: 1 })],
    ['settings', file({ settings: [] })],
    ['settings.listenPort', file({ settings: { listenPort: '4517' } })],
    ['settings.listenPort', file({ settings: { listenPort: null } })],
    ['settings.nothingLikeIt', file({ settings: { nothingLikeIt: 1 } })],
    ['settings.constructor', file({ settings: { constructor: 1 } })],
    ['clientKeys', file({ clientKeys: {} })],
    ['clientKeys[0].key', file({ clientKeys: [{ name: 'k' }] })],
    ['clientKeys[0].key', file({ clientKeys: [{ name: 'k', key: 'x'.repeat(15) }] })],
    ['clientKeys[0].key', file({ clientKeys: [{ name: 'k', key: `${KEY} with spaces` }] })],
    ['clientKeys[0].name', file({ clientKeys: [{ name: '  ', key: KEY }] })],
    ['clientKeys[0].scopes[1]', file({ clientKeys: [{ name: 'k', key: KEY, scopes: ['manage', 'all'] }] })],
    ['clientKeys[0].hint', file({ clientKeys: [{ name: 'k', key: KEY, hint: '' }] })],
    ['clientKeys[1].name', file({ clientKeys: ['1', '2'].map((end) => ({ name: 'k', key: KEY + end })) })],
    ['clientKeys[1].key', file({ clientKeys: ['1', '2'].map((name) => ({ name, key: KEY })) })],
    ['providers[0].id', file({ providers: [fake({ id: 'openai' })] })],
    ['providers[0].id', file({ providers: [fake({ id: 'practice' })] })],
    ['providers[0].id', file({ providers: [fake({ id: 'Fake' })] })],
    ['providers[0].id', file({ providers: [fake({ id: 'a/b' })] })],
    ['providers[1].id', file({ providers: [fake(), fake({ label: 'Again' })] })],
    ['providers[0].class', file({ providers: [fake({ class: 'free' })] })],
    ['providers[0].baseUrl', file({ providers: [fake({ baseUrl: '127.0.0.1' })] })],
    ['providers[0].baseUrl', file({ providers: [fake({ baseUrl: 'http://me:sk-abc@127.0.0.1/' })] })],
    ['providers[0].perModelQuota', file({ providers: [fake({ perModelQuota: 'yes' })] })],
    ['connections[0]', file({ connections: ['sk-abc'] })],
    ['connections[0].proxy', connections({ proxy: 'ftp://me:secret-word@127.0.0.1' })],
    ['connections[1].proxy', connections({}, { proxy: 'http://me:secret-word@127.0.0.1:1/path' })],
    ['connections[0].proxy', connections({ proxy: 1 })],
    ['connections[0].maxConcurrent', connections({ max_concurrent: -1 })],
    ['connections[1].rateLimitOverrides.rpm', connections({}, { rateLimitOverrides: { rpm: 1_000_001 } })],
    ['connections[0].rateLimitOverrides.burst', connections({ rateLimitOverrides: { burst: 1 } })],
    [
      'connections[0].rateLimitOverrides.modelConcurrency.m',
      connections({ rateLimitOverrides: { modelConcurrency: { m: 0 } } }),
    ],
    ['connections[0].lowPriorityMode', connections({ providerSpecificData: { lowPriorityMode: 'yes' } })],
    ['settings.httpsProxy', file({ settings: { httpsProxy: 'http://me:secret-word@proxy.example:3128' } })],
    ['connections[0].provider', connections({ provider: 'nobody' })],
    ['connections[0].provider', connections({ provider: 'practice' })],
    ['connections[1].name', connections({ name: 'c1' }, {})],
    ['connections[1].apiKey', connections({}, { apiKey: '' })],
    ['connections[1].apiKey', connections({}, { apiKey: 'sk-abc\r\nX-Evil: 1' })],
    ['connections[0].apiKey', connections({ apiKey: ['sk-abc'] })],
    ['connections[0].baseUrl', connections({ baseUrl: 'file:///etc/passwd' })],
    ['connections[0].options', connections({ options: 'resource' })],
    ['connections[0].options.resource', connections({ options: { resource: 1 } })],
    ['connections[0].options.region', connections({ options: { region: 'x' } })],
    ['connections[0].options.resource', connections({ provider: 'azure', options: { resource: 'a/b' } })],
    ['connections[0].options.place', connections({ provider: 'azure', options: { resource: 'a', place: 'b' } })],
    ['connections[1].name', connections({ provider: 'google', name: 'x' }, { provider: 'gemini', name: 'x' })],
    ['connections[0].priority', connections({ priority: 1.5 })],
    ['connections[0].api_key', connections({ api_key: 'sk-abc' })],
    ['connections[0].__proto__', '{"version":1,"connections":[{"provider":"openai","name":"a","__proto__":{"x":1}}]}'],
  ])('at %s is named by that path', (path, text) => {
    const fault = faultOf(text)
    expect(fault).toMatchObject({ code: 'bad_input', httpStatus: 400, details: { field: path } })
    expect(fault.message).toMatch(/Nothing was taken over\.$/)
    expect(fault.message.startsWith(`${path}: `)).toBe(true)
    expect(fault.message).not.toMatch(/sk-abc|bw-0123/)
  })

  it.each(['', '[]', 'null', '"text"', '{"version":1', '{"version":1,}', 'version: 1'])(
    'in %j is told in words',
    (text) => {
      expect(faultOf(text).message).toMatch(/Nothing was taken over\.$/)
    },
  )

  it('in the JSON itself is told by its place, and nothing of the file is quoted', () => {
    const text = '{\n  "version": 1,\n  "connections": [{ "apiKey": "sk-abcdef", oops }]\n}'
    expect(faultOf(text).message).toBe('The file is not valid JSON: see line 3, column 44. Nothing was taken over.')
    fc.assert(
      fc.property(fc.nat(text.length - 1), (cut) => {
        expect(faultOf(text.slice(0, cut)).message).not.toContain('abcdef')
      }),
    )
  })

  it('is all that a file of anything else can lead to', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(() => parseConfigFile(text)).toThrow(GatewayError)
      }),
    )
  })
})

function openTarget() {
  const database = memoryDatabase('config')
  const vault = createMemoryVault()
  const secrets: string[] = []
  const target = {
    transaction: (run: () => void) => database.transaction(run)(),
    settings: openSettingsTable(database),
    providers: openProvidersTable(database),
    connections: openConnectionsTable(database),
    clientKeys: openClientKeysTable(database),
    seal: (plain: string) => vault.seal(plain),
    addSecret: (value: string) => void secrets.push(value),
    now: 5_000,
  } satisfies ImportTarget
  return { ...target, vault, secrets, database }
}
const everything = ({ database }: ReturnType<typeof openTarget>): unknown =>
  ['settings', 'providers', 'connections', 'client_keys'].map((name) => database.prepare(`SELECT * FROM ${name}`).all())

describe('an import', () => {
  let target: ReturnType<typeof openTarget>
  beforeEach(() => {
    target = openTarget()
  })
  const take = (text: string): Promise<void> =>
    importConfig(
      parseConfigFile(
        text,
        target.providers.list().map(({ id }) => id),
      ),
      target,
    )

  it('takes over all of the file', async () => {
    await take(
      file({
        settings: { listenPort: 4600, allowedHosts: ['box.local'] },
        clientKeys: [{ name: 'main', key: KEY, scopes: ['manage'] }],
        providers: [fake({ perModelQuota: false })],
        connections: [
          { provider: 'fake', name: 'a', apiKey: ' Bearer sk-a-long-enough-key\n', priority: 7, enabled: false },
          { provider: 'openai', name: 'work', apiKey: 'sk-short', baseUrl: 'http://127.0.0.1:9902' },
        ],
      }),
    )
    expect(Object.fromEntries(target.settings.all())).toEqual({ listenPort: 4600, allowedHosts: ['box.local'] })
    expect(target.clientKeys.list()).toMatchObject([
      { name: 'main', hash: hashKey(KEY), mask: 'bw-…cdef', scopes: ['manage'], createdAt: 5_000 },
    ])
    expect(target.providers.list()).toEqual([fake({ perModelQuota: false })])
    const [a, work] = target.connections.list().toSorted((one, other) => (one.name < other.name ? -1 : 1))
    expect(a).toMatchObject({
      provider: 'fake',
      name: 'a',
      baseUrl: null,
      keyTail: '-key',
      priority: 7,
      enabled: false,
    })
    expect(work).toMatchObject({
      provider: 'openai',
      baseUrl: 'http://127.0.0.1:9902/v1',
      keyTail: null,
      enabled: true,
    })
    const keys = [a, work].map((each) => each?.secret && target.vault.open(each.secret))
    expect(await Promise.all(keys)).toEqual(['sk-a-long-enough-key', 'sk-short'])
    expect(target.secrets).toEqual(expect.arrayContaining([KEY, 'sk-a-long-enough-key', 'sk-short']))
  })

  it('keeps options, and finds a provider by another name', async () => {
    const azure = { provider: 'azure-openai', name: 'a', options: { resource: ' my-models ' } }
    await take(file({ connections: [azure, { provider: 'google', name: 'b', baseUrl: 'http://box:1' }] }))
    const [a, b] = target.connections.list().toSorted((one, other) => (one.name < other.name ? -1 : 1))
    expect(a).toMatchObject({ provider: 'azure', options: { resource: 'my-models' } })
    expect(b).toMatchObject({ provider: 'gemini', baseUrl: 'http://box:1/v1beta', options: {} })
    await take(file({ connections: [{ provider: 'azure', name: 'a', priority: 9 }] }))
    expect(target.connections.list()).toContainEqual({ ...a, priority: 9 })
    await take(file({ connections: [{ provider: 'azure', name: 'a', options: {} }] }))
    expect(target.connections.list()).toContainEqual({ ...a, priority: 9, options: {} })
  })

  it('takes a name for the user’s own provider first', async () => {
    const own = fake({ id: 'google', dialect: 'gemini', baseUrl: 'http://box:1' })
    await take(file({ providers: [own], connections: [{ provider: 'google', name: 'a' }] }))
    expect(target.providers.list()).toMatchObject([{ id: 'google', baseUrl: 'http://box:1/v1beta' }])
    expect(target.connections.list()).toMatchObject([{ provider: 'google' }])
  })

  it('leaves no key in clear in the database', async () => {
    await take(connections({ apiKey: 'sk-a-long-enough-key' }))
    const bytes = target.database.serialize().toString('latin1')
    expect(bytes).not.toContain('sk-a-long-enough')
  })

  it('puts what has no priority behind the last of its provider, in the order of the file', async () => {
    await take(connections({ priority: 5 }, {}, {}))
    await take(connections({ name: 'later' }))
    const order = target.connections.list().toSorted((one, other) => one.priority - other.priority)
    expect(order.map(({ name, priority }) => [name, priority])).toEqual([
      ['c0', 5],
      ['c1', 6],
      ['c2', 7],
      ['later', 8],
    ])
  })

  it('changes what has the same provider and name, and leaves what it does not name', async () => {
    await take(connections({ apiKey: 'sk-a-long-enough-key', priority: 3, baseUrl: 'http://127.0.0.1:1/v1' }, {}))
    const named = (name: string) => target.connections.list().find((each) => each.name === name)
    const [before, other] = [named('c0'), named('c1')]
    await take(connections({ enabled: false }))
    expect(named('c0')).toEqual({ ...before, enabled: false })
    expect(named('c1')).toEqual(other)
    await take(connections({ apiKey: 'sk-another-long-one' }))
    expect(named('c0')).toMatchObject({ id: before?.id, keyTail: '-one', priority: 3 })
  })

  it('takes over proxies, sealed, and settings under all their names', async () => {
    const secret = 'http://me:secret-word@127.0.0.1:3128'
    await take(
      connections(
        { proxy: secret, max_concurrent: 2, providerSpecificData: { passthroughModels: false } },
        { proxy: 'socks5://127.0.0.1', disableCooling: true, rateLimitOverrides: { rpm: '60' } },
      ),
    )
    const named = (name: string) => target.connections.list().find((each) => each.name === name)
    const [first, second] = [named('c0'), named('c1')]
    expect(first?.settings).toEqual({ maxConcurrent: 2, perModelQuota: false })
    expect(second?.settings).toEqual({ disableCooling: true, rateLimitOverrides: { rpm: 60 } })
    expect([first, second].map((each) => each?.proxy?.label)).toEqual([
      'http://127.0.0.1:3128',
      'socks5://127.0.0.1:1080',
    ])
    expect(await target.vault.open(first?.proxy?.secret as never)).toBe(secret)
    expect(JSON.stringify(everything(target))).not.toContain('secret-word')
    expect([...target.secrets].join()).toContain('secret-word')
    await take(connections({ proxy: 'http://127.0.0.1:3128', maxConcurrent: null }, { proxy: null }))
    expect(named('c0')).toEqual({ ...first, settings: { perModelQuota: false } })
    expect(named('c1')).toEqual({ ...second, proxy: null })
  })

  it('repeated changes nothing more', async () => {
    const text = file({ clientKeys: [{ name: 'main', key: KEY }], providers: [fake()], settings: { historyDays: 3 } })
    await take(text)
    const once = everything(target)
    await take(text)
    expect(everything(target)).toEqual(once)
  })

  it('refuses a key that is here under another name, and then takes nothing over', async () => {
    await take(file({ clientKeys: [{ name: 'main', key: KEY }] }))
    const before = everything(target)
    const text = file({
      settings: { historyDays: 3 },
      providers: [fake()],
      clientKeys: [
        { name: 'new', key: `${KEY}-2` },
        { name: 'other', key: KEY },
      ],
    })
    await expect(take(text)).rejects.toMatchObject({ details: { field: 'clientKeys[1].key' } })
    expect(everything(target)).toEqual(before)
  })

  it('that fails in the middle takes nothing over, whatever it had written', async () => {
    await take(connections({}))
    const [before, listed] = [everything(target), target.connections.list()]
    target.database.exec(
      "CREATE TEMP TRIGGER fail BEFORE INSERT ON connections WHEN NEW.name = 'b' BEGIN SELECT RAISE(ABORT, 'full'); END",
    )
    const text = file({
      settings: { historyDays: 3 },
      clientKeys: [{ name: 'k', key: KEY }],
      providers: [fake({ label: 'Changed' })],
      connections: ['a', 'b'].map((name) => ({ provider: 'fake', name })),
    })
    await expect(take(text)).rejects.toThrow('full')
    expect(everything(target)).toEqual(before)
    expect(target.connections.list()).toEqual(listed)
  })

  it('without a vault that can seal takes nothing over', async () => {
    const before = everything(target)
    target.seal = () => Promise.reject(new GatewayError('vault_unavailable', 409, 'Choose first.'))
    const text = file({
      settings: { historyDays: 3 },
      connections: [{ provider: 'openai', name: 'a', apiKey: 'sk-x' }],
    })
    await expect(take(text)).rejects.toMatchObject({ code: 'vault_unavailable' })
    expect(everything(target)).toEqual(before)
  })
})

describe('an export', () => {
  it('can be imported elsewhere and gives the same export there, without a key in it', async () => {
    const from = openTarget()
    const text = file({
      settings: { listenPort: 4600, paused: true },
      clientKeys: [{ name: 'main', key: KEY }],
      providers: [fake({ perModelQuota: false })],
      connections: [
        { provider: 'fake', name: 'a', apiKey: 'sk-a-long-enough-key', priority: 2, enabled: false },
        { provider: 'fake', name: 'd', proxy: 'socks5://me:sk-proxy-key@127.0.0.1:1', rateLimitOverrides: { rpm: 5 } },
        { provider: 'openai', name: 'b', baseUrl: 'http://127.0.0.1:9902/v1' },
        { provider: 'azure-deployments', name: 'c', options: { resource: 'a', apiVersion: '2025-01-01-preview' } },
      ],
    })
    await importConfig(parseConfigFile(text), from)
    const sourceOf = (target: ReturnType<typeof openTarget>) => ({
      settings: target.settings.all(),
      providers: target.providers.list(),
      connections: target.connections.list(),
    })
    const exported = exportConfig(sourceOf(from))
    expect(exported).not.toMatch(/sk-|bw-|-key/)
    expect(JSON.parse(exported).connections[0]).toEqual({
      ...{ provider: 'azure-deployments', name: 'c', priority: 1 },
      options: { apiVersion: '2025-01-01-preview', resource: 'a' },
    })
    expect(JSON.parse(exported).connections[2]).toEqual({
      ...{ provider: 'fake', name: 'd', priority: 3, proxy: 'socks5://127.0.0.1:1', rateLimitOverrides: { rpm: 5 } },
    })
    const to = openTarget()
    await importConfig(parseConfigFile(exported), to)
    expect(exportConfig(sourceOf(to))).toBe(exported)
    // Whether it is paused belongs to this machine.
    expect(JSON.parse(exported).settings).toEqual({ listenPort: 4600 })
  })
})
