import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DialectModule } from '../../../core/dialects/dialect'
import { dialectModules } from '../../../core/dialects/dialects'
import { CATALOGUE, customRow } from '../../../core/providers/catalogue'
import { keyCheckCall, modelsCall } from '../../../core/providers/models-call'
import { type ProviderRow, providerRow } from '../../../core/providers/provider-row'
import {
  buildConnection,
  type Connection,
  callPath,
  checkAddress,
  endpointsFor,
  findProvider,
  type Registry,
  unusableBecause,
} from '../../../core/providers/registry'
import { sampleOptions } from './sample-options'

const rowOf = (id: string): ProviderRow => CATALOGUE.find((row) => row.id === id) as ProviderRow

interface Given {
  readonly baseUrl?: string
  readonly options?: Record<string, string>
  readonly key?: string | null
}

const connect = (row: ProviderRow, { baseUrl, options = {}, key = 'k' }: Given = {}): Connection =>
  buildConnection(
    row,
    { id: 'con_1', name: 'one', priority: 1, enabled: true, baseUrl: baseUrl ?? null, options },
    key,
    false,
    null,
  )

const addresses = (connection: Connection): Record<string, string> =>
  Object.fromEntries(connection.endpoints.map(({ dialect, origin, basePath }) => [dialect, origin + basePath]))
const headersOf = (list: readonly string[]): Record<string, string> =>
  Object.fromEntries(list.flatMap((name, i) => (i % 2 === 0 ? [[name, list[i + 1] ?? '']] : [])))

const { 'openai-chat': chat, gemini } = dialectModules
const pathOf = (connection: Connection, call: DialectModule, model = 'm', stream = false): string => {
  const endpoint = connection.endpoints.find(({ dialect }) => dialect === call.name)
  if (endpoint === undefined) throw new Error(`no ${call.name}`)
  return callPath(endpoint, call, model, stream)
}

describe('a connection', () => {
  it('reaches every dialect of its provider, the main one first', () => {
    const connection = connect(rowOf('deepseek'))
    expect(connection.endpoints[0]?.dialect).toBe('openai-chat')
    expect(addresses(connection)).toEqual({
      'openai-chat': 'https://api.deepseek.com/v1',
      anthropic: 'https://api.deepseek.com/anthropic/v1',
    })
  })

  it.each(CATALOGUE.filter(({ id }) => id !== 'practice').map((row) => [row.id, row] as const))(
    'of %s can be built from a key, and its options and address where it has such',
    (_id, row) => {
      const own = Object.values(row.endpoints).every((base) => base === '') ? { baseUrl: 'https://box.example/v1' } : {}
      const connection = connect(row, { ...own, options: sampleOptions(row) })
      expect(unusableBecause(row, connection)).toBeNull()
      expect(connection.endpoints).toHaveLength(Object.keys(row.endpoints).length)
      expect(() => checkAddress(row, connection.baseUrl, sampleOptions(row))).not.toThrow()
    },
  )

  it('sends its key as the dialect says, unless the provider wants it otherwise', () => {
    const headers = (row: ProviderRow, options = {}) =>
      connect(row, { options }).endpoints.map((endpoint) => headersOf(endpoint.headers))
    expect(headers(rowOf('gemini'))).toMatchObject([{ 'x-goog-api-key': 'k' }, { authorization: 'Bearer k' }])
    expect(headers(rowOf('azure'), { resource: 'a' })).toMatchObject([{ 'api-key': 'k' }, { 'api-key': 'k' }])
    for (const each of headers(rowOf('openrouter'))) expect(each).toMatchObject({ authorization: 'Bearer k' })
    expect(headers(rowOf('openrouter'))[1]).not.toHaveProperty('x-api-key')
  })

  it('sends the headers of its row, filled', () => {
    const row = rowOf('cloudflare-ai-gateway')
    const options = { ...sampleOptions(row), gateway: 'my-gateway' }
    const [endpoint] = connect(row, { options }).endpoints
    expect(headersOf(endpoint?.headers ?? [])['cf-aig-gateway-id']).toBe('my-gateway')
  })

  it('without a needed option cannot be used, and says which', () => {
    const row = rowOf('azure')
    const connection = connect(row)
    expect(connection.endpoints).toEqual([])
    expect(unusableBecause(row, connection)).toBe('its resource name is not given (options.resource)')
    expect(() => checkAddress(row, null, {})).toThrow(/^options\.resource: Azure OpenAI needs the resource name/)
  })

  it('whose stored option is no longer valid cannot be used, and says so', () => {
    const connection = connect(rowOf('azure'), { options: { resource: 'a/../b' } })
    expect(unusableBecause(rowOf('azure'), connection)).toBe('its resource name is not valid (options.resource)')
  })

  it('of a provider without an address of its own needs one', () => {
    expect(unusableBecause(rowOf('codex'), connect(rowOf('codex')))).toBe('it has no address')
    expect(() => checkAddress(rowOf('codex'), null, {})).toThrow(/^baseUrl: .* has no address of its own/)
    expect(() => checkAddress(rowOf('codex'), 'https://a.example/v1', {})).not.toThrow()
  })
})

describe('an address of its own', () => {
  it.each<[string, Record<string, string>]>([
    ['openai', { 'openai-chat': 'http://box:1/v1', 'openai-responses': 'http://box:1/v1' }],
    [
      'openrouter',
      { 'openai-chat': 'http://box:1/v1', 'openai-responses': 'http://box:1/v1', anthropic: 'http://box:1/v1' },
    ],
    [
      'ollama',
      { 'openai-chat': 'http://box:1/v1', 'openai-responses': 'http://box:1/v1', anthropic: 'http://box:1/v1' },
    ],
    ['deepseek', { 'openai-chat': 'http://box:1/v1' }],
    ['gemini', { gemini: 'http://box:1/v1' }],
    ['minimax', { anthropic: 'http://box:1/v1' }],
  ])('of %s serves the main dialect, and those the provider has at the same base', (id, expected) => {
    expect(addresses(connect(rowOf(id), { baseUrl: 'http://box:1/v1' }))).toEqual(expected)
  })

  it('needs no option that stood in the address, but those elsewhere', () => {
    const row = rowOf('azure-deployments')
    const connection = connect(row, { baseUrl: 'http://box:1/openai' })
    expect(unusableBecause(row, connection)).toBeNull()
    expect(pathOf(connection, chat, 'gpt')).toBe('/openai/deployments/gpt/chat/completions?api-version=2024-10-21')
    const strict = { ...row, options: row.options.map((option) => ({ ...option, default: null })) }
    expect(unusableBecause(strict, connect(strict, { baseUrl: 'http://box:1/openai' }))).toContain('API version')
  })
})

describe('the path of a call', () => {
  it('is the dialect’s own behind the base', () => {
    expect(pathOf(connect(rowOf('openai')), chat)).toBe('/v1/chat/completions')
    expect(pathOf(connect(rowOf('gemini')), gemini, 'gemini-x', true)).toBe(
      '/v1beta/models/gemini-x:streamGenerateContent?alt=sse',
    )
  })

  it('is the row’s where it has one, for the generate call only', () => {
    expect(pathOf(connect(rowOf('writer')), chat)).toBe('/v1/chat')
    const lesser: DialectModule = { ...chat, path: () => '/embeddings', translation: null }
    expect(pathOf(connect(rowOf('writer')), lesser)).toBe('/v1/embeddings')
    expect(pathOf(connect(rowOf('azure-deployments'), { options: { resource: 'a' } }), lesser)).toBe(
      '/openai/embeddings?api-version=2024-10-21',
    )
  })

  it('has the row’s query behind its own', () => {
    const row = providerRow({
      id: 'a',
      label: 'A',
      endpoints: { gemini: 'https://a.example/v1beta' },
      query: 'v=1&w=2',
    })
    expect(pathOf(connect(row), gemini, 'g', true)).toBe('/v1beta/models/g:streamGenerateContent?alt=sse&v=1&w=2')
    expect(pathOf(connect(row), gemini, 'g', false)).toBe('/v1beta/models/g:generateContent?v=1&w=2')
  })

  it('keeps whatever a model is called in one segment', () => {
    const connection = connect(rowOf('azure-deployments'), { options: { resource: 'a' } })
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (model) => {
        if (model === '.' || model === '..') {
          expect(() => pathOf(connection, chat, model)).toThrow(/^model: /)
          return
        }
        const url = new URL(`https://a.example${pathOf(connection, chat, model)}`)
        const segments = url.pathname.split('/').map(decodeURIComponent)
        expect(segments).toEqual(['', 'openai', 'deployments', model.toWellFormed(), 'chat', 'completions'])
        expect(url.search).toBe('?api-version=2024-10-21')
      }),
    )
  })
})

describe('a model that is served in certain dialects only', () => {
  const dialects = (id: string, model: string, given: Given = {}): string[] => {
    const row = rowOf(id)
    return endpointsFor(row, connect(row, { options: sampleOptions(row), ...given }), model).map(
      ({ dialect }) => dialect,
    )
  }

  it.each([
    ['opencode-zen', 'claude-sonnet-4-5', ['anthropic']],
    ['opencode-zen', 'gpt-5.1-codex', ['openai-responses']],
    ['opencode-zen', 'gpt-oss-120b', ['openai-chat']],
    ['opencode-zen', 'gemini-3-pro', ['gemini']],
    ['opencode-zen', 'kimi-k2', ['openai-chat']],
    ['bedrock-mantle', 'anthropic.claude-haiku-4-5', ['anthropic']],
    ['bedrock-mantle', 'openai.gpt-oss-120b', ['openai-chat', 'openai-responses']],
    ['vertex', 'gemini-2.5-pro', ['gemini']],
    ['vertex', 'meta/llama-4', ['openai-chat']],
    ['openai', 'gpt-5', ['openai-chat', 'openai-responses']],
  ])('%s/%s goes to %j', (id, model, expected) => {
    expect(dialects(id, model)).toEqual(expected)
  })

  it('goes to whatever the connection has where that dialect is not at its own address', () => {
    expect(dialects('azure-foundry', 'claude-opus', { baseUrl: 'http://box:1/v1' })).toEqual([
      'openai-chat',
      'openai-responses',
    ])
  })
})

describe('a list of models', () => {
  const listOf = (id: string, given: Given = {}): string | null => {
    const row = rowOf(id)
    const call = modelsCall(row, connect(row, { options: sampleOptions(row), ...given }))
    return call === null ? null : call.origin + call.path
  }

  it.each([
    ['openai', 'https://api.openai.com/v1/models'],
    ['anthropic', 'https://api.anthropic.com/v1/models?limit=1000'],
    ['gemini', 'https://generativelanguage.googleapis.com/v1beta/models?pageSize=1000'],
    ['azure-deployments', 'https://my-models.openai.azure.com/openai/models?api-version=2024-10-21'],
    ['cohere', 'https://api.cohere.com/v1/models?page_size=1000&endpoint=chat'],
    ['cloudflare-ai', null],
    ['siliconflow', 'https://api.siliconflow.com/v1/models?sub_type=chat'],
    ['vertex', null],
  ])('of %s is at %s', (id, address) => {
    expect(listOf(id)).toBe(address)
  })

  it('behind an address of its own is there, and the key goes nowhere else', () => {
    expect(listOf('cohere', { baseUrl: 'http://box:1/v1' })).toBe('http://box:1/v1/models')
    const openRouter = rowOf('openrouter')
    expect(keyCheckCall(openRouter, connect(openRouter))).toMatchObject({ path: '/api/v1/key' })
    expect(keyCheckCall(openRouter, connect(openRouter, { baseUrl: 'http://box:1/v1' }))).toBeNull()
  })

  it('that does not exist may have a call in its place that needs the key, with options in its address', () => {
    const row = rowOf('cloudflare-ai')
    expect(keyCheckCall(row, connect(row, { options: sampleOptions(row) }))).toMatchObject({
      origin: 'https://api.cloudflare.com',
      path: '/client/v4/accounts/0123456789abcdef0123456789abcdef/ai/models/search?per_page=1',
    })
  })

  it('is asked for with the key and the headers of the dialect', () => {
    const call = modelsCall(rowOf('anthropic'), connect(rowOf('anthropic')))
    expect(headersOf(call?.headers ?? [])).toMatchObject({ 'x-api-key': 'k', 'anthropic-version': '2023-06-01' })
  })

  it('of a connection that has no address is none', () => {
    expect(modelsCall(rowOf('azure'), connect(rowOf('azure')))).toBeNull()
  })
})

describe('a provider’s other name', () => {
  const own = customRow({
    ...{
      id: 'google',
      label: 'Mine',
      class: 'apikey',
      dialect: 'gemini',
      baseUrl: 'http://box:1',
      perModelQuota: true,
    },
  } as const)
  const registry = (...rows: ProviderRow[]): Registry =>
    new Map([...CATALOGUE, ...rows].map((row) => [row.id, { row, connections: [] }]))

  it('leads to it', () => {
    expect(findProvider(registry(), 'google')?.row.id).toBe('gemini')
    expect(findProvider(registry(), 'gemini')?.row.id).toBe('gemini')
    expect(findProvider(registry(), 'nobody')).toBeUndefined()
    expect(findProvider(registry(), '')).toBeUndefined()
  })

  it('gives way to a provider the user has called so', () => {
    expect(findProvider(registry(own), 'google')?.row.label).toBe('Mine')
  })
})
