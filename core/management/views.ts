// The registry as the window shows it. No key goes out of here, only masks.

import type { Dialect } from '../contract/kinds'
import type { ConnectionView, ProviderView } from '../contract/views'
import { PRACTICE_ID } from '../providers/catalogue'
import type { Connection, Provider } from '../providers/registry'
import type { Activity } from '../resilience/activity'

export function connectionView(provider: Provider, connection: Connection, activity: Activity): ConnectionView {
  const { state, why } = activity.connectionState(provider, connection)
  const seen = activity.of(connection.id)
  const { stored } = connection
  return {
    id: connection.id,
    provider: connection.provider,
    name: connection.name,
    baseUrl: stored?.baseUrl ?? null,
    keyMask: stored === null || stored.secret === null ? null : maskOf(stored.keyTail),
    priority: connection.priority,
    enabled: connection.enabled,
    state,
    why,
    locked: connection.locked,
    lastUsedAt: seen.lastUsedAt,
    inFlight: seen.inFlight,
    createdAt: stored?.createdAt ?? 0,
  }
}

export const maskOf = (tail: string | null): string => `…${tail ?? ''}`

export function providerView(provider: Provider, activity: Activity): ProviderView {
  const { row } = provider
  const [dialect, baseUrl] = (Object.entries(row.endpoints)[0] ?? ['openai-chat', '']) as [Dialect, string]
  return {
    id: row.id,
    label: row.label,
    class: row.class,
    dialect,
    baseUrl: row.id === PRACTICE_ID ? '' : baseUrl,
    builtIn: row.builtIn,
    needsKey: row.needsKey,
    keyHint: row.keyHint,
    docsUrl: row.docsUrl,
    ...activity.providerState(provider),
    connections: provider.connections.map((connection) => connectionView(provider, connection, activity)),
  }
}
