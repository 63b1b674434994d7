// Adding, changing, removing and testing connections and user-defined providers.
import { withPatch } from '../contract/connection-settings'
import type { Dialect } from '../contract/kinds'
import type { OperationInput, OperationOutput } from '../contract/operations'
import { badInput, notFound } from '../errors'
import { secretsOf } from '../pipeline/proxy-address'
import { isLoopback } from '../pipeline/proxy-choice'
import { normalizeBaseUrl } from '../providers/base-url'
import { customRow, PRACTICE_ID } from '../providers/catalogue'
import { discoverLocal } from '../providers/discover-local'
import { checkOptions } from '../providers/options'
import { mainDialect, type ProviderRow } from '../providers/provider-row'
import { buildConnection, checkAddress } from '../providers/registry'
import { normalizeApiKey } from './api-key'
import { connectionPlace } from './connection-place'
import { sealProxy, wantedProxy } from './connection-proxy'
import type { Parts } from './parts'
import { testConnection } from './test-connection'
import { connectionView, providerView } from './views'

export function connectionOperations(parts: Parts) {
  const { book, connections, providers, vault, activity, clock, transport, changed, health } = parts

  const rowOf = (id: string): ProviderRow => {
    const row = book.row(id)
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
      if (rowOf(id).builtIn) throw badInput('id', 'Built-in providers cannot be removed. Switch off their connections.')
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
      connectionPlace(parts, row, input, null)
      const wanted = wantedProxy(input.proxy, null)
      const sealed =
        input.apiKey === undefined || input.apiKey.trim() === ''
          ? { secret: null, keyTail: null }
          : await seal(input.apiKey)
      if (sealed.secret === null && row.needsKey) throw badInput('apiKey', `${row.label} needs a key.`)
      const through = await sealProxy(wanted, parts)
      // Again behind the sealing, which waits: two at once must not both find the name free.
      const place = connectionPlace(parts, row, input, null)
      const { id } = connections.insert({ ...place, ...sealed, ...through, createdAt: clock.now() })
      await reload()
      return view(id)
    },

    'connections:update': async (input: OperationInput<'connections:update'>) => {
      const stored = storedOf(input.id)
      const row = rowOf(stored.provider)
      const baseUrl = input.baseUrl === undefined ? stored.baseUrl : addressOf(row, input.baseUrl)
      const options = input.options === undefined ? stored.options : checkOptions(row, input.options)
      if (input.baseUrl !== undefined || input.options !== undefined) checkAddress(row, baseUrl, options)
      const wanted = wantedProxy(input.proxy, stored.proxy)
      const sealed =
        input.apiKey === undefined
          ? {}
          : input.apiKey.trim() === ''
            ? { secret: null, keyTail: null }
            : await seal(input.apiKey)
      const through = await sealProxy(wanted, parts)
      if (input.name !== undefined) refuseSameName(row.id, input.name, stored.id)
      connections.update(stored.id, {
        ...(input.name === undefined ? {} : { name: input.name }),
        ...{ baseUrl, options },
        ...sealed,
        ...through,
        ...(input.settings === undefined ? {} : { settings: withPatch(storedOf(stored.id).settings, input.settings) }),
        ...(input.priority === undefined ? {} : { priority: input.priority }),
        ...(input.enabled === undefined ? {} : { enabled: input.enabled }),
      })
      const isNew = [input.apiKey, input.baseUrl, input.options, wanted].some((given) => given !== undefined)
      if (isNew) {
        activity.clear(stored.id)
        // What was held against the old credentials says nothing of the new ones.
        health.clearConnection(stored.id)
      }
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
        const { conclusive, ...result } = await testConnection(found.provider.row, found.connection, transport(), clock)
        if (result.ok && conclusive) {
          activity.clear(input.id)
          health.testPassed(found.provider.row.id, input.id)
          changed('providers:changed')
        }
        return cleaned(result, parts)
      }
      const row = 'dialect' in input ? endpointRow(input.dialect) : rowOf(input.provider)
      const key = input.apiKey === undefined || input.apiKey.trim() === '' ? null : normalizeApiKey(input.apiKey).value
      if (key !== null) parts.log.addSecret(key)
      const baseUrl =
        'dialect' in input ? normalizeBaseUrl(input.baseUrl, input.dialect) : addressOf(row, input.baseUrl)
      const options = checkOptions(row, 'dialect' in input ? {} : (input.options ?? {}))
      const place = { id: 'draft', name: 'draft', priority: 0, enabled: true, baseUrl, options }
      const proxy = wantedProxy('dialect' in input ? undefined : input.proxy, null) ?? null
      if (proxy !== null) for (const secret of secretsOf(proxy)) parts.log.addSecret(secret)
      const draft = { ...buildConnection(row, place, key, false, null), proxy }
      const { conclusive: _, ...result } = await testConnection(row, draft, transport(), clock)
      return cleaned(result, parts)
    },

    'providers:discover': async () => {
      const known = [...book.registry().values()].flatMap(({ connections: all }) => all)
      const found = await discoverLocal(book.rows(), transport(), clock)
      return found.map(({ provider, baseUrl, models }) => ({
        ...{ provider, baseUrl, models: [...models] },
        already: known.some(({ endpoints }) => endpoints.some(({ origin }) => isSameServer(origin, baseUrl))),
      }))
    },
  }
}

/** What a provider of the user's own would be, for a test of it before it is added. */
const endpointRow = (dialect: Dialect): ProviderRow =>
  customRow({ id: 'draft', label: 'The endpoint', class: 'apikey', dialect, baseUrl: '', perModelQuota: true })

const cleaned = (result: OperationOutput<'connections:test'>, { redact }: Parts) => ({
  ...result,
  message: redact(result.message),
})

const addressOf = (row: ProviderRow, given: string | null | undefined): string | null =>
  given === undefined || given === null || given.trim() === '' ? null : normalizeBaseUrl(given, mainDialect(row))

/** Loopback has several names. */
function isSameServer(origin: string, found: string): boolean {
  const [one, other] = [new URL(origin), new URL(found)]
  return isLoopback(origin) && one.port === other.port
}

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
