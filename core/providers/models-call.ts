// How a provider is asked for its models and for what is left of an allowance, and how a key is looked at without cost. What comes back is read in
// core/models/parse-model-list.ts.
import { dialectModules } from '../dialects/dialects'
import type { GetCall } from './get-text'
import { fillOptions } from './options'
import { type ProviderRow, USUAL_MODELS_PATH } from './provider-row'
import { type Connection, type Endpoint, withQuery } from './registry'

/** null: this provider cannot list its models, or the connection has no address. */
export function modelsCall(row: ProviderRow, connection: Connection): GetCall | null {
  const [endpoint] = connection.endpoints
  if (endpoint === undefined || row.modelsPath === null) return null
  const usual = dialectModules[endpoint.dialect].modelsPath
  // Behind an address of its own nobody knows the provider's other hosts, and the key must not go there.
  const elsewhere = connection.baseUrl !== null && isWhole(row.modelsPath)
  const path = elsewhere || row.modelsPath === USUAL_MODELS_PATH ? usual : row.modelsPath
  return getCall(row, connection, endpoint, path)
}

/** A call that costs nothing and needs a valid key; null: none is known for this connection. */
export function keyCheckCall(row: ProviderRow, connection: Connection): GetCall | null {
  const [endpoint] = connection.endpoints
  if (endpoint === undefined || row.keyCheckPath === null || connection.baseUrl !== null) return null
  return getCall(row, connection, endpoint, row.keyCheckPath)
}

/** Asks how much of its allowance or money is left; null: there is no page for it. */
export function quotaCall(row: ProviderRow, connection: Connection): GetCall | null {
  const [endpoint] = connection.endpoints
  if (endpoint === undefined || row.quotaPage === null) return null
  const { path } = row.quotaPage
  return isWhole(path) && connection.baseUrl !== null ? null : getCall(row, connection, endpoint, path)
}

const isWhole = (path: string): boolean => path.startsWith('https://')

function getCall(row: ProviderRow, { options, proxy }: Connection, endpoint: Endpoint, path: string): GetCall {
  const headers = [...endpoint.headers, ...dialectModules[endpoint.dialect].defaultHeaders.flat()]
  const filled = fillOptions(row, path, options)
  if (isWhole(filled)) {
    const url = new URL(filled)
    return { origin: url.origin, path: url.pathname + url.search, headers, proxy }
  }
  return { origin: endpoint.origin, path: withQuery(endpoint.basePath + filled, endpoint.query), headers, proxy }
}
