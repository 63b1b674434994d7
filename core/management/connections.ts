// Adding, changing, removing and testing connections and user-defined providers.

import type { Dialect } from '../contract/kinds'
import type { OperationInput, OperationOutput } from '../contract/operations'
import { badInput, notFound } from '../errors'
import { normalizeBaseUrl } from '../providers/base-url'
import { builtInIds, PRACTICE_ID, type ProviderRow } from '../providers/catalogue'
import { buildConnection } from '../providers/registry'
import { normalizeApiKey } from './api-key'
import type { Parts } from './parts'
import { testConnection } from './test-connection'
import { connectionView, providerView } from './views'

export function connectionOperations(parts: Parts) {
  const { book, connections, providers, vault, activity, clock, transport, changed } = parts

  const rowOf = (id: string): ProviderRow => {
    const row = book.rows().find((known) => known.id === id)
    if (row === undefined) throw notFound('provider', id)
    return row
  }
  const storedOf = (id: string) => {
    const stored = connections.list().find((known) => known.id === id)
    if (stored === undefined) throw notFound('connection', id)
    return stored
  }
  const view = (id: string) => {
    const found = book.find(id)
    if (found === null) throw notFound('connection', id)
    return connectionView(found.provider, found.connection, activity)
  }
  const seal = async (apiKey: string) => {
    const key = normalizeApiKey(apiKey)
    return { secret: await vault.seal(key.value), keyTail: key.tail }
  }
  const refuseSameName = (provider: string, name: string, except: string | null): void => {
    const twin = connections.list().find((known) => known.provider === provider && known.name === name)
    if (twin !== undefined && twin.id !== except) {
      throw badInput('name', `There is already a connection "${name}" of this provider. Choose another name.`)
    }
  }
  const reload = async (): Promise<void> => {
    await book.reload()
    changed('providers:changed')
  }

  return {
    'providers:list': async () => [...book.registry().values()].map((provider) => providerView(provider, activity)),

    'providers:add': async (input: OperationInput<'providers:add'>) => {
      const baseUrl = normalizeBaseUrl(input.baseUrl, input.dialect)
      const taken = new Set(book.rows().map(({ id }) => id))
      const id = input.id === undefined ? freeId(input.label, taken) : checkId(input.id, taken)
      providers.insert({
        id,
        label: input.label,
        class: 'apikey',
        dialect: input.dialect,
        baseUrl,
        perModelQuota: true,
      })
      await reload()
      const provider = book.registry().get(id)
      if (provider === undefined) throw notFound('provider', id)
      return providerView(provider, activity)
    },

    'providers:remove': async ({ id }: OperationInput<'providers:remove'>) => {
      if (builtInIds.has(id))
        throw badInput('id', 'Built-in providers cannot be removed. Switch off their connections.')
      rowOf(id)
      if (connections.list().some(({ provider }) => provider === id)) {
        throw badInput('id', 'This provider still has connections. Delete them first.')
      }
      providers.remove(id)
      await reload()
      return null
    },

    'connections:add': async (input: OperationInput<'connections:add'>) => {
      const row = rowOf(input.provider)
      if (row.id === PRACTICE_ID) throw badInput('provider', 'Practice has its two connections already.')
      const baseUrl =
        input.baseUrl === undefined || input.baseUrl.trim() === ''
          ? null
          : normalizeBaseUrl(input.baseUrl, mainDialect(row))
      const sealed =
        input.apiKey === undefined || input.apiKey.trim() === ''
          ? { secret: null, keyTail: null }
          : await seal(input.apiKey)
      if (sealed.secret === null && row.needsKey) throw badInput('apiKey', `${row.label} needs a key.`)
      // Behind the sealing, which waits: two at once must not both find the name free.
      refuseSameName(row.id, input.name, null)
      const last = Math.max(
        0,
        ...connections
          .list()
          .filter(({ provider }) => provider === row.id)
          .map(({ priority }) => priority),
      )
      const { id } = connections.insert({
        provider: row.id,
        name: input.name,
        baseUrl,
        ...sealed,
        priority: input.priority ?? last + 1,
        enabled: true,
        createdAt: clock.now(),
      })
      await reload()
      return view(id)
    },

    'connections:update': async (input: OperationInput<'connections:update'>) => {
      const stored = storedOf(input.id)
      const row = rowOf(stored.provider)
      const sealed =
        input.apiKey === undefined
          ? {}
          : input.apiKey.trim() === ''
            ? { secret: null, keyTail: null }
            : await seal(input.apiKey)
      if (input.name !== undefined) refuseSameName(row.id, input.name, stored.id)
      connections.update(stored.id, {
        ...(input.name === undefined ? {} : { name: input.name }),
        ...(input.baseUrl === undefined
          ? {}
          : {
              baseUrl:
                input.baseUrl === null || input.baseUrl.trim() === ''
                  ? null
                  : normalizeBaseUrl(input.baseUrl, mainDialect(row)),
            }),
        ...sealed,
        ...(input.priority === undefined ? {} : { priority: input.priority }),
        ...(input.enabled === undefined ? {} : { enabled: input.enabled }),
      })
      if (input.apiKey !== undefined || input.baseUrl !== undefined) activity.clear(stored.id)
      await reload()
      return view(stored.id)
    },

    'connections:remove': async ({ id }: OperationInput<'connections:remove'>) => {
      storedOf(id)
      connections.softRemove(id, clock.now())
      await reload()
      return null
    },

    'connections:restore': async ({ id }: OperationInput<'connections:restore'>) => {
      if (!connections.restore(id)) {
        throw badInput('', 'This connection cannot be brought back: it is gone, or its name is in use again.')
      }
      const { provider } = storedOf(id)
      if (!book.rows().some((known) => known.id === provider)) {
        connections.softRemove(id, clock.now())
        throw notFound('provider', provider)
      }
      await reload()
      return view(id)
    },

    'connections:test': async (
      input: OperationInput<'connections:test'>,
    ): Promise<OperationOutput<'connections:test'>> => {
      if ('id' in input) {
        const found = book.find(input.id)
        if (found === null) throw notFound('connection', input.id)
        const result = await testConnection(found.provider.row, found.connection, transport(), clock)
        if (result.ok) {
          activity.clear(input.id)
          changed('providers:changed')
        }
        return cleaned(result, parts)
      }
      const row = rowOf(input.provider)
      const key = input.apiKey === undefined || input.apiKey.trim() === '' ? null : normalizeApiKey(input.apiKey).value
      if (key !== null) parts.log.addSecret(key)
      const address =
        input.baseUrl === undefined || input.baseUrl.trim() === ''
          ? null
          : normalizeBaseUrl(input.baseUrl, mainDialect(row))
      const draft = buildConnection(
        row,
        { id: 'draft', name: 'draft', priority: 0, enabled: true, baseUrl: address },
        key,
        false,
        null,
      )
      return cleaned(await testConnection(row, draft, transport(), clock), parts)
    },
  }
}

const cleaned = (result: OperationOutput<'connections:test'>, { redact }: Parts) => ({
  ...result,
  message: redact(result.message),
})

const mainDialect = (row: ProviderRow): Dialect => (Object.keys(row.endpoints)[0] ?? 'openai-chat') as Dialect

const ID = /^[a-z0-9][a-z0-9-]{0,39}$/

function checkId(id: string, taken: ReadonlySet<string>): string {
  if (!ID.test(id)) throw badInput('id', 'must be lower-case letters, digits and dashes, at most 40.')
  if (taken.has(id)) throw badInput('id', `There is already a provider "${id}".`)
  return id
}

/** "My LLM box" → "my-llm-box", with a number behind it when that is taken. */
function freeId(label: string, taken: ReadonlySet<string>): string {
  const base =
    label
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 32) || 'custom'
  for (let n = 1; ; n++) {
    const id = n === 1 ? base : `${base}-${n}`
    if (!taken.has(id)) return id
  }
}
