// The providers and connections in force, ready for use: rows from the catalogue and the user, keys opened, addresses
// and request headers prepared. Rebuilt whole on a change and then replaced, so that a running request keeps what it
// began with.
import type { ConnectionSettings } from '../contract/connection-settings'
import type { Dialect } from '../contract/kinds'
import type { DialectModule } from '../dialects/dialect'
import { dialectModules } from '../dialects/dialects'
import { badInput } from '../errors'
import type { ConnectionLogin } from '../oauth/login'
import type { ProxyAddress } from '../pipeline/proxy-address'
import type { StoredConnection } from '../store/connections-table'
import { fillHeader, fillOptions, type OptionValues, optionTrouble } from './options'
import { mainDialect, type ProviderRow } from './provider-row'

/** Where one dialect of one connection is reached. */
export interface Endpoint {
  readonly dialect: Dialect
  readonly origin: string
  /** Path of the base URL, without a trailing slash. */
  readonly basePath: string
  /** Authorization and defaults, as a flat list of names and values. */
  readonly headers: readonly string[]
  /** Path of the generate call where it is not the dialect's own; `{model}` is still open. */
  readonly pathTemplate: string | null
  /** Query string of every call, without "?"; often empty. */
  readonly query: string
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
  /** In the order of the row: the provider's main dialect first. */
  readonly endpoints: readonly Endpoint[]
  /** Address of its own, instead of the provider's. */
  readonly baseUrl: string | null
  readonly options: OptionValues
  /** Why there are no endpoints, in words for people; null where nothing is wrong with its options. */
  readonly optionTrouble: string | null
  /** Its own; null: as settings and environment say. */
  readonly proxy: ProxyAddress | null
  /** It has a proxy of its own whose address cannot be opened; it is kept, and nothing goes out without it. */
  readonly proxyLocked: boolean
  readonly settings: ConnectionSettings
  readonly stored: StoredConnection | null
  /** Its tokens take the place of a key. */
  readonly login?: ConnectionLogin
}

export interface Provider {
  readonly row: ProviderRow
  /** By priority, lowest first; then by age. */
  readonly connections: readonly Connection[]
}

export type Registry = ReadonlyMap<string, Provider>

/** By id, else by alias: a provider the user defined under that name comes before an alias of a built-in one. */
export function findProvider(registry: Registry, idOrAlias: string): Provider | undefined {
  const known = registry.get(idOrAlias)
  if (known !== undefined) return known
  for (const provider of registry.values()) if (provider.row.aliases.includes(idOrAlias)) return provider
  return undefined
}

type Buildable = Pick<StoredConnection, 'id' | 'name' | 'priority' | 'enabled' | 'baseUrl'> &
  Partial<Pick<StoredConnection, 'options' | 'settings'>>

export function buildConnection(
  row: ProviderRow,
  stored: Buildable,
  apiKey: string | null,
  locked: boolean,
  full: StoredConnection | null,
): Connection {
  const { id, name, priority, enabled, baseUrl, options = {}, settings = {} } = stored
  const bases = basesOf(row, baseUrl)
  const trouble = optionTrouble(row, textsOf(row, bases), options)
  const endpoints =
    trouble === null ? bases.map(([dialect, base]) => endpoint(row, dialect, base, options, apiKey)) : []
  const common = { id, provider: row.id, name, priority, enabled, apiKey, locked, baseUrl, options, stored: full }
  return { ...common, settings, proxy: null, proxyLocked: false, endpoints, optionTrouble: trouble?.why ?? null }
}

type Bases = readonly (readonly [Dialect, string])[]

/**
 * A connection's own address stands for the provider's main dialect, and for the dialects that the provider serves from
 * the same base. What others would be at that address nobody knows; requests are translated instead.
 */
function basesOf(row: ProviderRow, baseUrl: string | null): Bases {
  const main = row.endpoints[mainDialect(row)]
  const all = Object.entries(row.endpoints) as [Dialect, string][]
  if (baseUrl === null) return all.filter(([, base]) => base !== '')
  return all.filter(([, base]) => base === main).map(([dialect]) => [dialect, baseUrl])
}

/** Everything options may stand in that a connection with these bases would use. */
const textsOf = (row: ProviderRow, bases: Bases): string[] => [
  ...bases.flatMap(([dialect, base]) => [base, row.paths[dialect] ?? '']),
  row.query,
  ...row.headers.map(([, value]) => value),
]

/**
 * Whether a connection with these, `baseUrl` being an address of its own, could be reached.
 * @throws GatewayError 400 naming `options.<key>` or `baseUrl`
 */
export function checkAddress(row: ProviderRow, baseUrl: string | null, values: OptionValues): void {
  const trouble = optionTrouble(row, textsOf(row, basesOf(row, baseUrl)), values)
  if (trouble !== null) {
    const option = row.options.find(({ key }) => key === trouble.key)
    throw badInput(`options.${trouble.key}`, `${row.label} needs the ${option?.label.toLowerCase()}. ${option?.help}`)
  }
  if (baseUrl === null && Object.values(row.endpoints).every((base) => base === ''))
    throw badInput('baseUrl', `${row.label} has no address of its own. Enter the one you have for it.`)
}

function endpoint(
  row: ProviderRow,
  dialect: Dialect,
  base: string,
  options: OptionValues,
  apiKey: string | null,
): Endpoint {
  const url = new URL(fillOptions(row, base, options))
  const template = row.paths[dialect]
  return {
    dialect,
    origin: url.origin,
    basePath: url.pathname.replace(/\/+$/, ''),
    headers: [
      ...['content-type', 'application/json', 'accept-encoding', 'identity'],
      ...(apiKey === null ? [] : authHeaders(row, dialect, apiKey)),
      ...row.headers.flatMap(([name, value]) => [name, fillHeader(row, value, options)]),
    ],
    pathTemplate: template === undefined ? null : fillOptions(row, template, options),
    query: fillOptions(row, row.query, options),
  }
}

function authHeaders({ auth }: ProviderRow, dialect: Dialect, apiKey: string): string[] {
  if (auth === null) return dialectModules[dialect].authHeaders(apiKey).flat()
  return auth === 'bearer' ? ['authorization', `Bearer ${apiKey}`] : [auth, apiKey]
}

/** Those of the connection's endpoints that serve this model, best first; all of them where the row says nothing. */
export function endpointsFor(row: ProviderRow, connection: Connection, model: string): readonly Endpoint[] {
  const rule = row.modelDialects.find(({ models }) => models.test(model))
  if (rule === undefined) return connection.endpoints
  const serving = connection.endpoints.filter(({ dialect }) => rule.dialects.includes(dialect))
  return serving.length === 0 ? connection.endpoints : serving
}

/**
 * Path and query of one call. `call` is of the endpoint's dialect; only its generate call follows the row's own path.
 * @throws GatewayError 400 for a model that cannot stand in a path
 */
export function callPath(
  { basePath, pathTemplate, query }: Pick<Endpoint, 'basePath' | 'pathTemplate' | 'query'>,
  call: DialectModule,
  model: string,
  stream: boolean,
): string {
  const own = pathTemplate !== null && call.translation !== null
  const path = own ? pathTemplate.replaceAll('{model}', () => pathSegment(model)) : call.path(model, stream)
  return withQuery(basePath + path, query)
}

export const withQuery = (path: string, query: string): string =>
  query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`

function pathSegment(model: string): string {
  if (/^\.{0,2}$/.test(model)) throw badInput('model', `"${model}" cannot be the name of a model here.`)
  return encodeURIComponent(model.toWellFormed())
}

/** Why a connection cannot be used, in words for people; null when it can. */
export function unusableBecause(row: ProviderRow, connection: Connection): string | null {
  if (!connection.enabled) return 'switched off'
  const { login } = connection
  if (login?.state === 'needs-sign-in') return login.why
  if (connection.proxyLocked)
    return 'the address of its proxy cannot be opened by this system’s key store; enter it again'
  if (connection.locked) return 'its key cannot be opened by this system’s key store; enter it again'
  if (connection.apiKey === null && row.needsKey && login === undefined) return 'it has no key'
  if (connection.endpoints.length === 0) return connection.optionTrouble ?? 'it has no address'
  return null
}
