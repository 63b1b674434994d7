import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ConnectionView, ProviderView, TestResult } from '../../../core/contract/views'
import { begin, refusal, upstream } from './open-connections'

const KEY = 'sk-secret-1234567890-tail'
describe('adding a connection', () => {
  it('makes it usable at once, with the key for requests and a mask for people', async () => {
    const { operations, book, changed, clock } = await begin()
    const view = await operations['connections:add']({ provider: 'openai', name: 'work', apiKey: ` Bearer ${KEY}\n` })
    expect(ConnectionView.parse(view)).toMatchObject({
      provider: 'openai',
      name: 'work',
      baseUrl: null,
      keyMask: '…tail',
      priority: 1,
      enabled: true,
      state: 'healthy',
      createdAt: clock.now(),
    })
    expect(book.find(view.id)?.connection.apiKey).toBe(KEY)
    expect(changed).toHaveBeenCalledExactlyOnceWith('providers:changed')
  })

  it('puts each behind the last, unless it is told where', async () => {
    const { operations, book } = await begin()
    const add = (name: string, priority?: number) =>
      operations['connections:add']({ provider: 'ollama', name, ...(priority === undefined ? {} : { priority }) })
    expect([(await add('a')).priority, (await add('b')).priority]).toEqual([1, 2])
    await add('first', 0)
    expect((await add('c')).priority).toBe(3)
    const names = book
      .registry()
      .get('ollama')
      ?.connections.map(({ name }) => name)
    expect(names).toEqual(['first', 'a', 'b', 'c'])
  })

  it('forgives how an address is written', async () => {
    const { operations } = await begin()
    const add = (name: string, baseUrl: string) => operations['connections:add']({ provider: 'ollama', name, baseUrl })
    expect((await add('a', 'http://box:1/v1/chat/completions')).baseUrl).toBe('http://box:1/v1')
    expect((await add('b', '  ')).baseUrl).toBeNull()
  })

  it.each([
    [{ provider: 'nobody', name: 'a' }, 'There is no provider "nobody"'],
    [{ provider: 'practice', name: 'a' }, 'Practice has its two connections already'],
    [{ provider: 'openai', name: 'a' }, 'apiKey: OpenAI needs a key'],
    [{ provider: 'openai', name: 'a', apiKey: '  ' }, 'apiKey: OpenAI needs a key'],
    [{ provider: 'openai', name: 'a', apiKey: `${KEY} x` }, 'apiKey: The key contains a space'],
    [{ provider: 'ollama', name: 'a', baseUrl: 'box' }, 'baseUrl: must be an address'],
    [{ provider: 'ollama', name: 'a', baseUrl: `http://${KEY}@box` }, 'baseUrl: must not contain a user name'],
  ])('is refused: %j', async (input, words) => {
    const { operations, connections, changed } = await begin()
    const message = await refusal(operations['connections:add'](input))
    expect(message).toContain(words)
    expect(message).not.toContain(KEY)
    expect(connections.list()).toEqual([])
    expect(changed).not.toHaveBeenCalled()
  })

  it('needs a name of its own within its provider', async () => {
    const { operations } = await begin()
    await operations['connections:add']({ provider: 'openai', name: 'work', apiKey: KEY })
    await operations['connections:add']({ provider: 'anthropic', name: 'work', apiKey: KEY })
    const again = operations['connections:add']({ provider: 'openai', name: 'work', apiKey: KEY })
    expect(await refusal(again)).toContain('There is already a connection "work"')
  })

  it('needs it too when two are added at once', async () => {
    const { operations, connections } = await begin()
    const add = () => operations['connections:add']({ provider: 'openai', name: 'work', apiKey: KEY })
    const [first, second] = [add(), refusal(add())]
    await first
    expect(await second).toContain('There is already a connection "work"')
    expect(connections.list()).toHaveLength(1)
  })
})

describe('a key', () => {
  it('leaves neither in a view, nor in the database, and the log masks it', async () => {
    const { operations, database, log } = await begin()
    const view = await operations['connections:add']({ provider: 'openai', name: 'work', apiKey: KEY })
    const updated = await operations['connections:update']({ id: view.id, apiKey: `${KEY}2` })
    const shown = JSON.stringify([view, updated, await operations['providers:list']()])
    expect(shown).not.toContain('sk-secret')
    expect(database.serialize().includes('sk-secret')).toBe(false)
    expect([...log.secrets].sort()).toEqual([KEY, `${KEY}2`])
  })

  it('that is short is not shown at all', async () => {
    const { operations } = await begin()
    const view = await operations['connections:add']({ provider: 'ollama', name: 'a', apiKey: 'abc123' })
    expect(view.keyMask).toBe('…')
  })
})

describe('changing a connection', () => {
  async function withOne() {
    const all = await begin()
    const view = await all.operations['connections:add']({ provider: 'openai', name: 'work', apiKey: KEY })
    return { ...all, view, id: view.id }
  }

  it('leaves alone what is not named', async () => {
    const { operations, book, view, id } = await withOne()
    expect(await operations['connections:update']({ id })).toEqual(view)
    expect(await operations['connections:update']({ id, name: 'work', enabled: false, priority: 7 })).toEqual({
      ...view,
      enabled: false,
      priority: 7,
      state: 'off',
      why: 'switched off',
    })
    expect(book.find(id)?.connection.apiKey).toBe(KEY)
  })

  it('sets and takes back an address, and replaces and removes a key', async () => {
    const { operations, book, id } = await withOne()
    const change = (more: object) => operations['connections:update']({ id, ...more })
    expect((await change({ baseUrl: 'http://box:1' })).baseUrl).toBe('http://box:1/v1')
    expect((await change({ baseUrl: null })).baseUrl).toBeNull()
    expect((await change({ apiKey: 'another-key-0000' })).keyMask).toBe('…0000')
    expect(book.find(id)?.connection.endpoints[0]?.headers).toContain('Bearer another-key-0000')
    expect(await change({ apiKey: '' })).toMatchObject({ keyMask: null, state: 'needs-you', why: 'it has no key' })
  })

  it('forgets what was held against it when key or address are new, not for another name', async () => {
    const { operations, activity, id } = await withOne()
    const fail = (): void => {
      activity.of(id).failure = { reason: 'auth_error', message: 'no', at: 0 }
    }
    fail()
    expect((await operations['connections:update']({ id, name: 'x' })).state).toBe('needs-you')
    expect((await operations['connections:update']({ id, apiKey: KEY })).state).toBe('healthy')
    fail()
    expect((await operations['connections:update']({ id, baseUrl: 'http://box:1' })).state).toBe('healthy')
  })

  it('is refused as a whole', async () => {
    const { operations, view, id } = await withOne()
    await operations['connections:add']({ provider: 'openai', name: 'home', apiKey: KEY })
    expect(await refusal(operations['connections:update']({ id, name: 'home' }))).toContain('already a connection')
    const half = operations['connections:update']({ id, name: 'x', baseUrl: 'ftp://box' })
    expect(await refusal(half)).toContain('baseUrl: must begin with http')
    expect(await refusal(operations['connections:update']({ id: 'con_x' }))).toContain('There is no connection')
    expect(await refusal(operations['connections:update']({ id: 'practice-first', enabled: false }))).toContain('no')
    expect(await operations['connections:update']({ id })).toEqual(view)
  })
})

describe('removing a connection', () => {
  it('can be undone, key and all', async () => {
    const { operations, book } = await begin()
    const view = await operations['connections:add']({ provider: 'openai', name: 'work', apiKey: KEY })
    expect(await operations['connections:remove']({ id: view.id })).toBeNull()
    expect(book.find(view.id)).toBeNull()
    expect(await refusal(operations['connections:remove']({ id: view.id }))).toContain('There is no connection')
    expect(await operations['connections:restore']({ id: view.id })).toEqual(view)
    expect(book.find(view.id)?.connection.apiKey).toBe(KEY)
    expect(await refusal(operations['connections:restore']({ id: view.id }))).toContain('cannot be brought back')
  })

  it('frees its name; then it stays removed', async () => {
    const { operations, connections } = await begin()
    const { id } = await operations['connections:add']({ provider: 'ollama', name: 'a' })
    await operations['connections:remove']({ id })
    const second = await operations['connections:add']({ provider: 'ollama', name: 'a' })
    await refusal(operations['connections:restore']({ id }))
    expect(connections.list().map((known) => known.id)).toEqual([second.id])
  })
})

describe('a provider of one’s own', () => {
  const box = { label: 'My LLM box!', dialect: 'openai-chat', baseUrl: 'http://box:1' } as const

  it('gets a name from its label, a free one', async () => {
    const { operations } = await begin()
    const view = await operations['providers:add'](box)
    expect(ProviderView.parse(view)).toMatchObject({
      id: 'my-llm-box',
      baseUrl: 'http://box:1/v1',
      builtIn: false,
      state: 'off',
    })
    expect((await operations['providers:add'](box)).id).toBe('my-llm-box-2')
    expect((await operations['providers:add']({ ...box, label: '漢' })).id).toBe('custom')
    expect((await operations['providers:add']({ ...box, label: 'OpenAI' })).id).toBe('openai-2')
  })

  it.each(['openai', 'Upper', '-x', 'a/b', '', 'x'.repeat(41)])('cannot be called %j', async (id) => {
    const { operations } = await begin()
    expect(await refusal(operations['providers:add']({ ...box, id }))).toMatch(/^id: /)
  })

  it('goes only without connections, and a built-in one never', async () => {
    const { operations } = await begin()
    const { id } = await operations['providers:add'](box)
    const connection = await operations['connections:add']({ provider: id, name: 'a' })
    expect(await refusal(operations['providers:remove']({ id }))).toContain('still has connections')
    await operations['connections:remove']({ id: connection.id })
    expect(await operations['providers:remove']({ id })).toBeNull()
    expect(await refusal(operations['providers:remove']({ id }))).toContain('There is no provider')
    expect(await refusal(operations['providers:remove']({ id: 'openai' }))).toContain('Built-in')
  })
})

describe('a connection whose provider is gone', () => {
  it('cannot be restored, and leaves nothing behind', async () => {
    const { operations, connections } = await begin()
    const { id: provider } = await operations['providers:add']({
      label: 'Box',
      dialect: 'openai-chat',
      baseUrl: 'http://box:1',
    })
    const { id } = await operations['connections:add']({ provider, name: 'a' })
    await operations['connections:remove']({ id })
    await operations['providers:remove']({ id: provider })
    expect(await refusal(operations['connections:restore']({ id }))).toContain('There is no provider "box"')
    expect(connections.list()).toEqual([])
  })
})

describe('testing a connection', () => {
  const draft = (baseUrl: string, apiKey = KEY) => ({ provider: 'openai', apiKey, baseUrl })

  it('lists the models, with the key it was given, and forgives the connection', async () => {
    const { operations, activity, changed } = await begin()
    const { baseUrl, keys } = await upstream(200, '{"data":[{"id":"m-1"},{"id":"m-2"},{"x":1}]}')
    const { id } = await operations['connections:add']({ provider: 'openai', name: 'a', apiKey: KEY, baseUrl })
    activity.of(id).failure = { reason: 'timeout', message: 'x', at: 0 }
    changed.mockClear()
    const result = await operations['connections:test']({ id })
    expect(TestResult.parse(result)).toMatchObject({ ok: true, status: 200, reason: null, models: ['m-1', 'm-2'] })
    expect(result.message).toMatch(/^OpenAI answered in \d+ ms with 2 models\.$/)
    expect(keys).toEqual([`Bearer ${KEY}`])
    expect(activity.of(id).failure).toBeNull()
    expect(changed).toHaveBeenCalledOnce()
  })

  it('of a draft saves nothing, and knows its key as a secret', async () => {
    const { operations, connections, log, changed } = await begin()
    const { baseUrl, keys } = await upstream(200, '{"data":[{"id":"m-1"}]}')
    expect(await operations['connections:test'](draft(baseUrl, `Bearer ${KEY}`))).toMatchObject({ ok: true })
    expect(keys).toEqual([`Bearer ${KEY}`])
    expect(log.secrets.has(KEY)).toBe(true)
    expect(connections.list()).toEqual([])
    expect(changed).not.toHaveBeenCalled()
  })

  it.each([
    [401, '{"error":{"message":"bad"}}', 'auth_error', 'OpenAI refused the key (401). Enter a valid key.'],
    [403, '', 'forbidden', 'OpenAI refused the key (403)'],
    [402, '{"error":{"message":"empty"}}', 'credits_exhausted', 'no credit left (402: empty)'],
    [404, 'nothing here', 'not_found', 'has no list of models there (404). Check the base URL.'],
    [429, '{"error":{"message":"slow"}}', 'rate_limit_exceeded', '429: slow.'],
    [500, `{"error":{"message":"key ${KEY} broke it"}}`, 'server_error', 'key ••• broke it.'],
    [302, '', 'server_error', 'a redirect is not followed'],
    [200, '<html>', 'server_error', 'but not with a list of models. Check the base URL.'],
    [200, '{"data":{}}', 'server_error', 'but not with a list of models'],
    [200, 'null', 'server_error', 'but not with a list of models'],
  ])('an answer of %i %j is %s, in words', async (status, body, reason, words) => {
    const { operations } = await begin()
    const { baseUrl } = await upstream(status, body)
    const result = await operations['connections:test'](draft(baseUrl))
    expect(result).toMatchObject({ ok: false, status, reason, models: [] })
    expect(result.message).toContain(words)
    expect(JSON.stringify(result)).not.toContain(KEY)
  })

  it('of what does not answer says so', async () => {
    const { operations } = await begin()
    const { baseUrl, stop } = await upstream(200, '')
    stop()
    const result = await operations['connections:test'](draft(baseUrl))
    expect(result).toMatchObject({ ok: false, status: null, reason: 'network_error' })
    expect(result.message).toContain('nothing listens at its address')
  })

  it('of what cannot be used at all says why, and asks nobody', async () => {
    const { operations } = await begin()
    const result = await operations['connections:test']({ provider: 'openai' })
    expect(result).toMatchObject({ ok: false, status: null, message: 'Not tested: it has no key.' })
    expect(await refusal(operations['connections:test']({ id: 'con_x' }))).toContain('There is no connection')
    expect(await refusal(operations['connections:test'](draft('box')))).toContain('baseUrl:')
  })

  it('is given up after 15 seconds', async () => {
    const { operations, clock } = await begin()
    const asked = Promise.withResolvers<void>()
    const server = createServer(() => asked.resolve())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    const testing = operations['connections:test'](draft(`http://127.0.0.1:${port}`))
    await asked.promise
    clock.advance(15_000)
    expect(await testing).toMatchObject({ ok: false, status: null, reason: 'timeout', ms: 15_000 })
  })
})
