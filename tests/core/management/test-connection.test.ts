// What a person is told of a provider that cannot list its models, or lists them to everyone.
import { describe, expect, it } from 'vitest'
import { testConnection } from '../../../core/management/test-connection'
import { createTransport } from '../../../core/pipeline/transport'
import { type ProviderRow, providerRow } from '../../../core/providers/provider-row'
import { buildConnection } from '../../../core/providers/registry'
import { ManualClock } from '../../support/manual-clock'
import { quietLogger } from './open-config'
import { begin, refusal, upstream } from './open-connections'

const LIST = '{"data":[{"id":"m-1"}]}'

async function outcome(row: ProviderRow, key: string | null = 'k') {
  const transport = createTransport({ connectTimeoutMs: 5_000, extraCaFile: '' }, {}, quietLogger())
  const place = { id: 'c', name: 'c', priority: 1, enabled: true, baseUrl: null }
  const connection = buildConnection(row, place, key, false, null)
  const result = await testConnection(row, connection, transport, new ManualClock())
  await transport.close()
  return result
}

const row = (baseUrl: string, more: Partial<ProviderRow>): ProviderRow =>
  providerRow({ id: 'a', label: 'Acme', endpoints: { 'openai-chat': baseUrl }, ...more })

describe('a provider that cannot list its models', () => {
  it('is not tested, and that is said: nothing is spent, and nobody is asked', async () => {
    const { baseUrl, keys } = await upstream(200, LIST)
    expect(await outcome(row(baseUrl, { modelsPath: null }))).toMatchObject({
      ok: false,
      status: null,
      reason: null,
      conclusive: false,
      message:
        'Not tested: Acme has no call that costs nothing. Whether the key is valid shows with the first request.',
    })
    expect(keys).toEqual([])
  })

  it('is tested by a call that costs nothing, where there is one', async () => {
    const { baseUrl, paths } = await upstream(200, '{"user":"me"}')
    const result = await outcome(row(baseUrl, { modelsPath: null, keyCheckPath: '/me' }))
    expect(result).toMatchObject({ ok: true, conclusive: true, models: [], message: 'Acme took the key in 0 ms.' })
    expect(paths).toEqual(['/v1/me'])
  })
})

describe('a list of models that anyone may read', () => {
  it('proves nothing about the key, and that is said', async () => {
    const { baseUrl } = await upstream(200, LIST)
    const result = await outcome(row(baseUrl, { publicModels: true }))
    expect(result).toMatchObject({ ok: true, conclusive: false, models: ['m-1'] })
    expect(result.message).toContain('open to everyone: whether the key is valid shows with the first request')
  })

  it('is no test of a connection without a key, which needs none', async () => {
    const { baseUrl } = await upstream(200, LIST)
    expect(await outcome(row(baseUrl, { publicModels: true, needsKey: false }), null)).toMatchObject({
      ok: true,
      conclusive: true,
    })
  })

  it('is followed by a call that needs the key, where there is one', async () => {
    const { baseUrl, paths } = await upstream(200, LIST)
    const result = await outcome(row(baseUrl, { publicModels: true, keyCheckPath: '/key' }))
    expect(result).toMatchObject({ ok: true, conclusive: true, models: ['m-1'] })
    expect(result.message).toContain('and took the key')
    expect(paths).toEqual(['/v1/models', '/v1/key'])
  })
})

describe('a person’s test that proves nothing', () => {
  it('ends no state of the connection', async () => {
    const { baseUrl, keys, paths } = await upstream(200, LIST)
    const { operations, activity, changed } = await begin(new URL(baseUrl).origin)
    const { id } = await operations['connections:add']({ provider: 'nvidia', name: 'a', apiKey: 'nvapi-123456789012' })
    const failure = { reason: 'auth_error', message: 'no', at: 0 } as const
    activity.of(id).failure = failure
    changed.mockClear()
    expect(await operations['connections:test']({ id })).toMatchObject({ ok: true, models: ['m-1'] })
    expect([paths, keys]).toEqual([['/v1/models'], ['Bearer nvapi-123456789012']])
    expect(activity.of(id).failure).toEqual(failure)
    expect(changed).not.toHaveBeenCalled()
  })

  it('is another thing behind an address of its own, where nobody knows the list to be open', async () => {
    const { baseUrl } = await upstream(200, LIST)
    const { operations, activity } = await begin()
    const nvidia = { provider: 'nvidia', name: 'a', apiKey: 'nvapi-123456789012', baseUrl }
    const { id } = await operations['connections:add'](nvidia)
    activity.of(id).failure = { reason: 'auth_error', message: 'no', at: 0 }
    expect(await operations['connections:test']({ id })).toMatchObject({ ok: true })
    expect(activity.of(id).failure).toBeNull()
  })
})

describe('looking for servers on this machine', () => {
  it('says which of them have a connection already, under whatever name of this machine', async () => {
    const running = await upstream(200, '{"data":[{"id":"m","owned_by":"vllm"}]}')
    const { operations } = await begin(new URL(running.baseUrl).origin)
    const before = await operations['providers:discover']()
    const found = before.find(({ baseUrl }) => baseUrl === 'http://127.0.0.1:8000/v1')
    expect(found).toEqual({ provider: 'vllm', baseUrl: 'http://127.0.0.1:8000/v1', models: ['m'], already: false })
    await operations['connections:add']({ provider: 'vllm', name: 'a', baseUrl: 'http://localhost:8000/v1' })
    const after = await operations['providers:discover']()
    expect(after.filter(({ already }) => already).map(({ baseUrl }) => baseUrl)).toEqual(['http://127.0.0.1:8000/v1'])
  })
})

describe('an endpoint that is not a provider yet', () => {
  it('is tested as it would be once it is added, and nothing is kept of it', async () => {
    const { operations, providers, connections } = await begin()
    const endpoint = await upstream(200, '{"data":[{"id":"m-1"}]}')
    const result = await operations['connections:test']({
      ...{ dialect: 'openai-responses', baseUrl: `${endpoint.baseUrl}/`, apiKey: 'sk-draft-0123456789' },
    })
    expect(result).toMatchObject({
      ok: true,
      models: ['m-1'],
      message: expect.stringContaining('The endpoint answered'),
    })
    expect(endpoint.keys).toEqual(['Bearer sk-draft-0123456789'])
    expect([providers.list(), connections.list()]).toEqual([[], []])
  })

  it('is refused where its address is none', async () => {
    const { operations } = await begin()
    expect(await refusal(operations['connections:test']({ dialect: 'gemini', baseUrl: 'box' }))).toContain('baseUrl: ')
  })
})
