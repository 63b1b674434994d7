// The registry as the window shows it. No key goes out of here, only masks.

import type { Dialect } from '../contract/kinds'
import type { ConnectionView, LoginView, ProviderView } from '../contract/views'
import { PRACTICE_ID } from '../providers/catalogue'
import { mainDialect, type OAuthEndpoints } from '../providers/provider-row'
import type { Connection, Provider } from '../providers/registry'
import type { Activity } from '../resilience/activity'

export function connectionView(provider: Provider, connection: Connection, activity: Activity): ConnectionView {
  const { state, why, since, until } = activity.connectionState(provider, connection)
  const seen = activity.of(connection.id)
  const { stored } = connection
  return {
    id: connection.id,
    provider: connection.provider,
    name: connection.name,
    baseUrl: stored?.baseUrl ?? null,
    options: { ...connection.options },
    keyMask: stored === null || stored.secret === null ? null : maskOf(stored.keyTail),
    priority: connection.priority,
    enabled: connection.enabled,
    state,
    why,
    since,
    until,
    locked: connection.locked,
    proxy:
      stored === null || stored.proxy === null ? null : { label: stored.proxy.label, locked: connection.proxyLocked },
    settings: connection.settings,
    login: loginView(connection),
    lastUsedAt: seen.lastUsedAt,
    inFlight: seen.inFlight,
    quota: activity.quotaOf(connection),
    createdAt: stored?.createdAt ?? 0,
  }
}

const signInView = ({ authorizeUrl, deviceUrl, tokenUrl, clientId }: OAuthEndpoints): ProviderView['signIn'] => ({
  ...{ authorizeUrl, deviceUrl, tokenUrl, clientId },
})

/** Read out: what the registry carries is alive. */
function loginView({ login }: Connection): LoginView | null {
  if (login === undefined) return null
  const { state, expiresAt, why, again } = login
  return { state, expiresAt, why, again: [...again] }
}

export const maskOf = (tail: string | null): string => `…${tail ?? ''}`

export function providerView(provider: Provider, activity: Activity): ProviderView {
  const { row } = provider
  const dialect = mainDialect(row)
  const { oauth } = row
  return {
    id: row.id,
    aliases: [...row.aliases],
    label: row.label,
    class: row.class,
    group: row.group,
    dialect,
    dialects: Object.keys(row.endpoints) as Dialect[],
    baseUrl: row.id === PRACTICE_ID ? '' : (row.endpoints[dialect] ?? ''),
    options: row.options.map(({ key, label, help, default: usual }) => ({
      ...{ key, label, help, default: usual },
      required: usual === null,
    })),
    modelsListable: row.modelsPath !== null,
    freeTier: row.freeTier,
    note: row.note,
    source: row.source,
    builtIn: row.builtIn,
    needsKey: row.needsKey,
    keyHint: row.keyHint,
    docsUrl: row.docsUrl,
    signIn: oauth === null ? null : signInView(oauth),
    ...activity.providerState(provider),
    connections: provider.connections.map((connection) => connectionView(provider, connection, activity)),
  }
}
