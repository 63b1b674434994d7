// Connections whose address needs more than a key, and providers that are called by another name.
import { describe, expect, it } from 'vitest'
import { ConnectionView } from '../../../core/contract/views'
import { begin, refusal } from './open-connections'

const KEY = 'azure-secret-1234567890-tail'
const work = { provider: 'azure', name: 'work', apiKey: KEY }

describe('adding a connection with options', () => {
  it('builds its address from them, and shows them', async () => {
    const { operations, book } = await begin()
    const view = await operations['connections:add']({ ...work, options: { resource: ' my-models ' } })
    expect(ConnectionView.parse(view)).toMatchObject({
      options: { resource: 'my-models' },
      baseUrl: null,
      state: 'healthy',
    })
    expect(book.find(view.id)?.connection.endpoints[0]).toMatchObject({
      origin: 'https://my-models.openai.azure.com',
      basePath: '/openai/v1',
    })
  })

  it.each([
    [{}, 'options.resource: Azure OpenAI needs the resource name. The first part of'],
    [{ options: { resource: '' } }, 'options.resource: Azure OpenAI needs the resource name'],
    [{ options: { resource: 'a.b/c' } }, 'options.resource: does not look like one'],
    [{ options: { resource: 'a', region: 'b' } }, 'options.region: Azure OpenAI takes these options: resource'],
    [{ provider: 'openai', options: { resource: 'a' } }, 'options.resource: OpenAI takes no options'],
    [{ provider: 'new-api' }, 'baseUrl: New API, One API (your own address) has no address of its own'],
  ])('is refused by name: %j', async (more, words) => {
    const { operations, connections } = await begin()
    expect(await refusal(operations['connections:add']({ ...work, ...more }))).toContain(words)
    expect(connections.list()).toEqual([])
  })

  it('needs none that only its address would have held, if it has an address of its own', async () => {
    const { operations } = await begin()
    const view = await operations['connections:add']({ ...work, baseUrl: 'https://proxy.example/azure' })
    expect(view).toMatchObject({ baseUrl: 'https://proxy.example/azure', options: {}, state: 'healthy' })
  })

  it('finds a provider by another name, and keeps it under its own', async () => {
    const { operations, connections } = await begin()
    const view = await operations['connections:add']({ provider: 'google', name: 'a', apiKey: KEY })
    expect(view.provider).toBe('gemini')
    expect(connections.list()).toMatchObject([{ provider: 'gemini' }])
  })
})

describe('changing options', () => {
  const withOne = async () => {
    const all = await begin()
    const { id } = await all.operations['connections:add']({ ...work, options: { resource: 'one' } })
    const change = (more: object) => all.operations['connections:update']({ id, ...more })
    return { ...all, id, change }
  }

  it('replaces all of them, and forgets what was held against the connection', async () => {
    const { activity, book, id, change } = await withOne()
    activity.of(id).failure = { reason: 'auth_error', message: 'no', at: 0 }
    expect(await change({ options: { resource: 'two' } })).toMatchObject({
      options: { resource: 'two' },
      state: 'healthy',
    })
    expect(book.find(id)?.connection.endpoints[0]?.origin).toBe('https://two.openai.azure.com')
  })

  it('leaves them alone when they are not named', async () => {
    const { change } = await withOne()
    expect(await change({ priority: 9 })).toMatchObject({ options: { resource: 'one' }, priority: 9 })
  })

  it('is refused as a whole where the address could not be built', async () => {
    const { connections, change } = await withOne()
    expect(await refusal(change({ name: 'x', options: {} }))).toContain('options.resource')
    expect(connections.list()).toMatchObject([{ name: 'work', options: { resource: 'one' } }])
    await change({ options: {}, baseUrl: 'https://proxy.example/openai' })
    expect(await refusal(change({ baseUrl: null }))).toContain('options.resource')
  })
})

describe('a stored connection', () => {
  it('that lacks an option is there, and says what it needs', async () => {
    const { operations, connections, book } = await begin()
    connections.insert({
      ...{ provider: 'azure', name: 'old', baseUrl: null, options: {}, secret: null, keyTail: null },
      ...{ priority: 1, enabled: true, createdAt: 1 },
    })
    await book.reload()
    const azure = (await operations['providers:list']()).find(({ id }) => id === 'azure')
    expect(azure?.connections).toMatchObject([{ state: 'needs-you', why: 'it has no key' }])
    await operations['connections:update']({ id: azure?.connections[0]?.id ?? '', apiKey: KEY })
    expect(book.registry().get('azure')?.connections[0]?.optionTrouble).toContain('resource name is not given')
  })
})

describe('a provider of the user’s own', () => {
  const mine = { label: 'Mine', dialect: 'gemini', baseUrl: 'http://box:1' } as const

  it('may have the name that is another name of a built-in one, and then has it alone', async () => {
    const { operations } = await begin()
    const view = await operations['providers:add']({ ...mine, id: 'google' })
    expect(view).toMatchObject({ id: 'google', baseUrl: 'http://box:1/v1beta', group: 'own', dialects: ['gemini'] })
    const connection = await operations['connections:add']({ provider: 'google', name: 'a' })
    expect(connection.provider).toBe('google')
  })

  it('that was there before a built-in one got its id stays the user’s', async () => {
    const { operations, providers, book } = await begin()
    const own = { ...mine, id: 'groq', class: 'apikey', perModelQuota: true } as const
    providers.insert(own)
    await book.reload()
    const all = (await operations['providers:list']()).filter(({ id }) => id === 'groq')
    expect(all).toMatchObject([{ label: 'Mine', builtIn: false }])
    expect(await operations['providers:remove']({ id: 'groq' })).toBeNull()
    expect(book.registry().get('groq')?.row.label).toBe('Groq')
  })
})
