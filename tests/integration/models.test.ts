// Models from the providers' own lists to what tools are shown and may write, over HTTP, with the official clients.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLIENT_KEY, type GatewayProcess, startGateway, temporaryFolder } from '../support/gateway-process'
import { type Answer, send } from '../support/http-client'

const OTHER_KEY = 'bw-00000000000000000000000000000002'

/** What each provider lists; the path tells which one is asked. */
const LISTS: Readonly<Record<string, object>> = {
  '/box/v1/models': {
    object: 'list',
    data: [
      { id: 'gpt-box', context_length: 32_000, max_completion_tokens: 4_000 },
      { id: 'Twin' },
      { id: 'meta/llama-box' },
    ],
  },
  '/gem/v1beta/models': {
    models: [{ name: 'models/gem-1', displayName: 'Gem One', inputTokenLimit: 1_000_000, outputTokenLimit: 65_000 }],
  },
  '/claudish/v1/models': {
    data: [
      { type: 'model', id: 'claude-fake-1', display_name: 'Claude Fake 1' },
      { type: 'model', id: 'Twin', display_name: 'Twin' },
    ],
    has_more: false,
  },
}

let upstream: Server
let upstreamUrl: string
let gateway: GatewayProcess
const dataDir = temporaryFolder()
/** Model and path of each question that arrived. */
const questions: { readonly path: string; readonly model: string }[] = []

beforeAll(async () => {
  upstream = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://upstream').pathname
    const json = (status: number, body: object): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.method === 'GET') return json(LISTS[path] === undefined ? 500 : 200, LISTS[path] ?? {})
    let text = ''
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    request.on('end', () => {
      const { model } = JSON.parse(text) as { model: string }
      questions.push({ path, model })
      json(200, {
        ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model },
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
      })
    })
  })
  await new Promise<void>((done) => upstream.listen(0, '127.0.0.1', done))
  upstreamUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
  gateway = await startGateway({ dataDir, config: config() })
  await until(
    gateway,
    (ids) => ids.includes('box/gpt-box') && ids.includes('gem/gem-1') && ids.includes('claudish/Twin'),
  )
}, 60_000)

afterAll(async () => {
  await gateway.stop()
  upstream.closeAllConnections()
  upstream.close()
})

function config(): object {
  const provider = (id: string, dialect: string, path: string) => ({
    ...{ id, label: id.toUpperCase(), class: 'apikey', dialect },
    baseUrl: upstreamUrl + path,
  })
  const connection = (name: string) => ({ provider: name, name: 'main', apiKey: `sk-${name}-0123456789` })
  return {
    version: 1,
    clientKeys: [
      { name: 'main', key: CLIENT_KEY },
      { name: 'other', key: OTHER_KEY },
    ],
    providers: [
      provider('box', 'openai-chat', '/box/v1'),
      provider('gem', 'gemini', '/gem/v1beta'),
      provider('claudish', 'anthropic', '/claudish/v1'),
      provider('mute', 'openai-chat', '/mute/v1'),
    ],
    connections: ['box', 'gem', 'claudish', 'mute'].map(connection),
    modelAliases: [
      { name: 'fast', target: 'gpt-box' },
      { name: 'claude-*', target: 'fast' },
      { name: 'fast', target: 'box/for-other', clientKey: 'other' },
      { name: 'lost', target: 'nobody/x' },
    ],
  }
}

interface List {
  readonly data: readonly { readonly id: string; readonly display_name: string; readonly context_window?: number }[]
  readonly models: readonly { readonly slug: string }[]
}

const get = (path: string, headers: Readonly<Record<string, string>> = {}, key = CLIENT_KEY): Promise<Answer> =>
  send(gateway.url + path, { headers: { authorization: `Bearer ${key}`, ...headers } })

/** Asks again until the list is as wanted: it is fetched in the background. */
async function until({ url }: GatewayProcess, wanted: (ids: readonly string[]) => boolean): Promise<void> {
  for (;;) {
    const answer = await send(`${url}/v1/models`, { headers: { authorization: `Bearer ${CLIENT_KEY}` } })
    if (wanted(answer.json<List>().data.map(({ id }) => id))) return
    await new Promise((again) => setTimeout(again, 100))
  }
}

const chat = (model: string, key = CLIENT_KEY): Promise<Answer> =>
  send(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }),
  })

describe('The list of models', () => {
  test('holds every provider’s models and the user’s names, for OpenAI, Anthropic and Codex at once', async () => {
    const { data, models } = (await get('/v1/models')).json<List>()
    const ids = data.map(({ id }) => id)
    expect(ids).toEqual(
      expect.arrayContaining([
        ...['fast', 'practice/echo', 'box/gpt-box', 'box/Twin', 'box/meta/llama-box'],
        ...['gem/gem-1', 'claudish/claude-fake-1', 'claudish/Twin'],
      ]),
    )
    expect(ids).not.toContain('lost')
    expect(models.map(({ slug }) => slug)).toEqual(ids)
    expect(data.find(({ id }) => id === 'fast')).toMatchObject({ context_window: 32_000 })
    expect(data.find(({ id }) => id === 'claudish/claude-fake-1')).toMatchObject({
      display_name: 'CLAUDISH: Claude Fake 1',
      type: 'model',
      object: 'model',
    })
  })

  test('is read by the official clients, page by page', async () => {
    const all = (await get('/v1/models')).json<List>().data.map(({ id }) => id)
    const openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: CLIENT_KEY })
    const anthropic = new Anthropic({ baseURL: gateway.url, apiKey: CLIENT_KEY })
    const google = new GoogleGenAI({ apiKey: CLIENT_KEY, httpOptions: { baseUrl: gateway.url } })
    const seen: Record<string, (string | undefined)[]> = { openai: [], anthropic: [], google: [] }
    for await (const { id } of openai.models.list()) seen.openai?.push(id)
    for await (const { id } of anthropic.models.list({ limit: 3 })) seen.anthropic?.push(id)
    for await (const { name } of await google.models.list({ config: { pageSize: 3 } })) {
      seen.google?.push(name?.replace('models/', ''))
    }
    expect(seen).toEqual({ openai: all, anthropic: all, google: all })
    expect(await openai.models.retrieve('box/meta/llama-box')).toMatchObject({ id: 'box/meta/llama-box' })
    expect(await anthropic.models.retrieve('claudish/claude-fake-1')).toMatchObject({ type: 'model' })
    expect(await google.models.get({ model: 'gem/gem-1' })).toMatchObject({
      displayName: 'GEM: Gem One',
      inputTokenLimit: 1_000_000,
    })
  })

  test.each(['/v1/models', '/models', '/v1/v1/models', '/api/v1/models', '/v1/models?limit=1000'])(
    'is the same under %s',
    async (path) => {
      expect((await get(path)).text).toBe((await get('/v1/models')).text)
    },
  )

  test('gives Codex an empty catalogue, and others a page only when they ask for one', async () => {
    expect((await get('/v1/models?client_version=0.171.0')).json<List>()).toMatchObject({ models: [] })
    const anthropic = { 'anthropic-version': '2023-06-01' }
    expect((await get('/v1/models?limit=2', anthropic)).json<List>().data).toHaveLength(2)
    expect((await get('/v1/models', anthropic)).text).toBe((await get('/v1/models')).text)
  })

  test.each<[string, string, string, number, string]>([
    ['OpenAI', '/v1/models/nobody/m', '', 404, 'model_not_found'],
    ['OpenAI', '/v1/models/%ff', '', 404, 'model_not_found'],
    ['Anthropic', '/v1/models?limit=0', '2023-06-01', 400, 'limit: must be a whole number from 1 to 1000.'],
    ['Anthropic', '/v1/models?after_id=none', '2023-06-01', 400, 'after_id: There is no model'],
    ['Gemini', '/v1beta/models/none', '', 404, 'This model is not in the list'],
    ['Gemini', '/v1beta/models?pageToken=x', '', 400, 'pageToken: is not one of this list'],
  ])('refuses in the form of %s: %s', async (_who, path, version, status, words) => {
    const answer = await get(path, version === '' ? {} : { 'anthropic-version': version })
    expect(answer.status).toBe(status)
    expect(answer.text).toContain(words)
    expect(answer.json()).toHaveProperty('error.message')
  })

  test.each(['/v1/models/box%2Fmeta%2Fllama-box', '/v1/models/box/meta/llama-box', '/v1/models/gpt-box'])(
    'knows one by %s',
    async (path) => {
      const name = decodeURIComponent(path.slice('/v1/models/'.length))
      expect((await get(path)).json<{ id: string }>().id).toBe(name)
    },
  )

  test('is there at once after a restart, when every upstream is down', async () => {
    const before = (await get('/v1/models')).json<List>().data.map(({ id }) => id)
    expect(await gateway.end()).toBe(0)
    upstream.closeAllConnections()
    await new Promise<void>((done) => upstream.close(() => done()))
    gateway = await startGateway({ dataDir })
    expect((await get('/v1/models')).json<List>().data.map(({ id }) => id)).toEqual(before)
    await new Promise<void>((done) => upstream.listen(Number(new URL(upstreamUrl).port), '127.0.0.1', done))
  })
})

describe('A model’s name in a request', () => {
  test.each<[string, string, string]>([
    ['box/anything', CLIENT_KEY, 'anything'],
    ['gpt-box', CLIENT_KEY, 'gpt-box'],
    ['GPT-BOX', CLIENT_KEY, 'gpt-box'],
    ['meta/llama-box', CLIENT_KEY, 'meta/llama-box'],
    ['fast', CLIENT_KEY, 'gpt-box'],
    ['fast', OTHER_KEY, 'for-other'],
    ['claude-opus-9[1m]', CLIENT_KEY, 'gpt-box'],
    ['mute/whatever', CLIENT_KEY, 'whatever'],
  ])('%s leads to the upstream’s model', async (name, key, model) => {
    const answer = await chat(name, key)
    expect(answer.status, answer.text).toBe(200)
    expect(questions.at(-1)).toMatchObject({ model })
  })

  test.each<[string, number, string, string]>([
    ['Twin', 400, 'ambiguous_model', 'Write one of box/Twin, claudish/Twin.'],
    ['unheard-of', 404, 'model_not_found', 'No model is named \\"unheard-of\\". Write it as provider/model'],
    ['nobody/x', 404, 'model_not_found', 'No provider is named \\"nobody\\"'],
    ['lost', 404, 'model_not_found', '\\"lost\\" stands for \\"nobody/x\\"'],
  ])('%s is refused with %i and what to write', async (name, status, code, words) => {
    const answer = await chat(name)
    expect(answer.status).toBe(status)
    expect(answer.json().error.code).toBe(code)
    expect(answer.text).toContain(words)
  })
})

test('Tokens are counted here where the upstream cannot', async () => {
  const body = { model: 'box/gpt-box', messages: [{ role: 'user', content: 'The quick brown fox' }] }
  const answer = await send(`${gateway.url}/v1/messages/count_tokens`, {
    method: 'POST',
    headers: { 'x-api-key': CLIENT_KEY, 'anthropic-version': '2023-06-01' },
    body: JSON.stringify(body),
  })
  expect(answer.status, answer.text).toBe(200)
  // Four for the words, seven for what wraps them.
  expect(answer.json<{ input_tokens: number }>().input_tokens).toBe(4 + 7)
})
