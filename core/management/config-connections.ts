// The connections of the configuration file: taken over with their secrets sealed, written without any.
import {
  type ConnectionSettings,
  type ConnectionSettingsPatch,
  settingsOf,
  withPatch,
} from '../contract/connection-settings'
import { normalizeBaseUrl } from '../providers/base-url'
import { builtInRow } from '../providers/catalogue'
import { checkOptions } from '../providers/options'
import { mainDialect, type ProviderRow, providerRow } from '../providers/provider-row'
import type { NewConnection, StoredConnection, StoredProxy } from '../store/connections-table'
import { normalizeApiKey } from './api-key'
import type { ConfigFile } from './config-file'
import { sealProxy, wantedProxy } from './connection-proxy'

type FileConnection = NonNullable<ConfigFile['connections']>[number]
type Listed = Pick<StoredConnection, 'id' | 'provider' | 'name' | 'priority'> &
  Partial<Pick<StoredConnection, 'proxy' | 'settings'>>

/** What of the table the import uses. */
export interface ConnectionTarget {
  list(): readonly Listed[]
  insert(connection: NewConnection): unknown
  update(id: string, patch: Partial<Omit<NewConnection, 'provider' | 'createdAt'>>): void
}

interface Target {
  readonly providers: { list(): { id: string; dialect: FileProvider['dialect'] }[] }
  readonly connections: ConnectionTarget
  readonly now: number
}
type FileProvider = NonNullable<ConfigFile['providers']>[number]

interface Sealing {
  readonly seal: (plain: string) => Promise<{ vault: string; data: Uint8Array }>
  readonly addSecret: (value: string) => void
}

interface Sealed {
  /** Empty: none was given. */
  readonly key: Partial<Pick<StoredConnection, 'secret' | 'keyTail'>>
  readonly proxy: { readonly proxy?: StoredProxy | null }
}

export async function sealSecrets({ apiKey, proxy }: FileConnection, { seal, addSecret }: Sealing): Promise<Sealed> {
  const sealedProxy = await sealProxy(wantedProxy(proxy, null), { vault: { seal }, log: { addSecret } })
  if (apiKey === undefined) return { key: {}, proxy: sealedProxy }
  const { value, tail } = normalizeApiKey(apiKey)
  addSecret(value)
  return { key: { secret: await seal(value), keyTail: tail }, proxy: sealedProxy }
}

/** Inside the import's transaction. `sealed` goes with `all`, one for one. */
export function importConnections(all: readonly FileConnection[], sealed: readonly Sealed[], target: Target): void {
  const own = new Map(target.providers.list().map(({ id, dialect }) => [id, dialect]))
  for (const [i, connection] of all.entries()) {
    const { name, priority, enabled } = connection
    const row = own.has(connection.provider) ? undefined : builtInRow(connection.provider)
    const provider = row?.id ?? connection.provider
    const dialect = row === undefined ? own.get(provider) : mainDialect(row)
    const same = target.connections.list().filter((known) => known.provider === provider)
    const existing = same.find((known) => known.name === name)
    const baseUrl =
      connection.baseUrl === undefined
        ? undefined
        : normalizeBaseUrl(connection.baseUrl, dialect ?? 'openai-chat', `connections[${i}].baseUrl`)
    const options =
      connection.options === undefined
        ? undefined
        : checkOptions(row ?? ownRow(provider), connection.options, `connections[${i}].options`)
    const patch: ConnectionSettingsPatch = settingsOf(connection)
    const { key = {}, proxy = {} } = sealed[i] ?? {}
    if (existing !== undefined) {
      // What an export says of a proxy changes nothing where it came from.
      const keeps = wantedProxy(connection.proxy, existing.proxy ?? null) === undefined
      target.connections.update(existing.id, {
        ...key,
        ...(keeps ? {} : proxy),
        ...(baseUrl === undefined ? {} : { baseUrl }),
        ...(options === undefined ? {} : { options }),
        ...(priority === undefined ? {} : { priority }),
        ...(enabled === undefined ? {} : { enabled }),
        ...(Object.keys(patch).length === 0 ? {} : { settings: withPatch(existing.settings ?? {}, patch) }),
      })
      continue
    }
    target.connections.insert({
      provider,
      name,
      baseUrl: baseUrl ?? null,
      options: options ?? {},
      secret: key.secret ?? null,
      keyTail: key.keyTail ?? null,
      ...proxy,
      settings: withPatch({}, patch),
      priority: priority ?? Math.max(0, ...same.map((known) => known.priority)) + 1,
      enabled: enabled ?? true,
      createdAt: target.now,
    })
  }
}

/** Enough of a row to say that it takes no options. */
export const ownRow = (id: string): ProviderRow => providerRow({ id, label: `"${id}"`, endpoints: {} })

export type ExportedConnection = Pick<
  StoredConnection,
  'provider' | 'name' | 'baseUrl' | 'options' | 'priority' | 'enabled'
> & { readonly proxy?: Pick<StoredProxy, 'label'> | null; readonly settings?: ConnectionSettings }

/** The same content gives the same file, so that two of them can be compared. Of a proxy only its label. */
export const exportConnections = (connections: readonly ExportedConnection[]): FileConnection[] =>
  [...connections]
    .sort(inOrder)
    .map(({ provider, name, baseUrl, options, priority, enabled, proxy = null, settings = {} }) => ({
      provider,
      name,
      ...(baseUrl === null ? {} : { baseUrl }),
      ...(Object.keys(options).length === 0 ? {} : { options: inKeyOrder(options) }),
      priority,
      ...(enabled ? {} : { enabled }),
      ...(proxy === null ? {} : { proxy: proxy.label }),
      ...settingsOf(settings),
    }))

const inOrder = (a: ExportedConnection, b: ExportedConnection): number =>
  compare(a.provider, b.provider) || a.priority - b.priority || compare(a.name, b.name)
const inKeyOrder = (options: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(options).sort(([a], [b]) => compare(a, b)))
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
