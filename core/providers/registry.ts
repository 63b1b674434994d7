// The providers and connections in force, ready for use: rows from the catalogue and the user, keys opened, request
// headers prepared. Rebuilt whole on a change and then replaced, so that a running request keeps what it began with.
import type { Dialect } from '../contract/kinds'
import { dialectModules } from '../dialects/dialects'
import type { StoredConnection } from '../store/connections-table'
import type { ProviderRow } from './catalogue'

/** Where one dialect of one connection is reached. */
export interface Endpoint {
  readonly dialect: Dialect
  readonly origin: string
  /** Path of the base URL, without a trailing slash. */
  readonly basePath: string
  /** Authorization and defaults, as a flat list of names and values. */
  readonly headers: readonly string[]
}

export interface Connection {
  readonly id: string
  readonly provider: string
  readonly name: string
  readonly priority: number
  readonly enabled: boolean
  /** null: no key stored, or the key cannot be opened. */
  readonly apiKey: string | null
  /** The stored key cannot be opened by any vault at hand; it is kept. */
  readonly locked: boolean
  readonly endpoints: readonly Endpoint[]
  readonly stored: StoredConnection | null
}

export interface Provider {
  readonly row: ProviderRow
  /** By priority, lowest first; then by age. */
  readonly connections: readonly Connection[]
}

export type Registry = ReadonlyMap<string, Provider>

export function buildConnection(
  row: ProviderRow,
  stored: Pick<StoredConnection, 'id' | 'name' | 'priority' | 'enabled' | 'baseUrl'>,
  apiKey: string | null,
  locked: boolean,
  full: StoredConnection | null,
): Connection {
  const endpoints = Object.entries(row.endpoints).flatMap(([dialect, base]) => {
    const address = stored.baseUrl ?? base
    return address === '' ? [] : [endpoint(dialect as Dialect, address, apiKey)]
  })
  const { id, name, priority, enabled } = stored
  return { id, provider: row.id, name, priority, enabled, apiKey, locked, endpoints, stored: full }
}

function endpoint(dialect: Dialect, address: string, apiKey: string | null): Endpoint {
  const url = new URL(address)
  const auth = apiKey === null ? [] : dialectModules[dialect].authHeaders(apiKey).flat()
  return {
    dialect,
    origin: url.origin,
    basePath: url.pathname.replace(/\/+$/, ''),
    headers: ['content-type', 'application/json', 'accept-encoding', 'identity', ...auth],
  }
}

/** Why a connection cannot be used, in words for people; null when it can. */
export function unusableBecause(row: ProviderRow, connection: Connection): string | null {
  if (!connection.enabled) return 'switched off'
  if (connection.locked) return 'its key cannot be opened by this system’s key store; enter it again'
  if (connection.apiKey === null && row.needsKey) return 'it has no key'
  if (connection.endpoints.length === 0) return 'it has no address'
  return null
}
