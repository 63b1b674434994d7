// Where the lists of models are: the addresses of the usable connections, each once, with all connections that lead
// there. Pure.

import type { GetCall } from '../providers/get-text'
import type { ProviderRow } from '../providers/provider-row'
import type { Connection, Provider, Registry } from '../providers/registry'
import { unusableBecause } from '../providers/registry'

export interface ListPlace {
  readonly provider: string
  /** Origin and path, without a query: never a key. */
  readonly address: string
  /** By priority. The first that works is enough. */
  readonly calls: readonly GetCall[]
  /** Changes when other connections lead there, or one got another key. A sign-in's next token is no change. */
  readonly signature: string
}

export type CallOf = (row: ProviderRow, connection: Connection) => GetCall | null

export function listPlaces(registry: Registry, callOf: CallOf): ListPlace[] {
  return [...registry.values()].flatMap((provider) => placesOf(provider, callOf))
}

export const isUsable = ({ row, connections }: Provider): boolean =>
  connections.some((connection) => unusableBecause(row, connection) === null)

function placesOf({ row, connections }: Provider, callOf: CallOf): ListPlace[] {
  const places = new Map<string, { calls: GetCall[]; signature: string }>()
  for (const connection of connections) {
    if (unusableBecause(row, connection) !== null) continue
    const call = callOf(row, connection)
    if (call === null) continue
    const address = call.origin + (call.path.split('?', 1)[0] ?? '')
    const place = places.get(address) ?? { calls: [], signature: '' }
    place.calls.push(call)
    place.signature += `${signature(connection)}\n`
    places.set(address, place)
  }
  return [...places].map(([address, place]) => ({ provider: row.id, address, ...place }))
}

const signature = ({ id, stored, options, proxy }: Connection): string => {
  const sealed = stored?.secret ?? null
  return `${id} ${sealed === null ? '' : Buffer.from(sealed.data).toString('base64')} ${JSON.stringify(options)} ${proxy?.url ?? ''}`
}

export const placeKey = ({ provider, address }: Pick<ListPlace, 'provider' | 'address'>): string =>
  `${provider} ${address}`
