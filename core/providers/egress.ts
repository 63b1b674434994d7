// By which door a connection leaves for the internet: what limits by address, and the probe, go by (docs/resilience.md,
// "Limits by address"). Pure.
import { createHash } from 'node:crypto'
import type { ProxyAddress } from '../pipeline/proxy-address'
import { isLoopback, type ProxyRules, proxyFor } from '../pipeline/proxy-choice'
import type { Egress, SeenAddress } from '../resilience/egress-lock'
import type { Connection, Registry } from './registry'

type Leaving = Pick<Connection, 'endpoints' | 'proxy' | 'proxyLocked' | 'settings'>

/**
 * `direct`, or the proxy it goes through as one stable text: scheme, host, port and a mark of the user name, since many
 * proxies give each user another address. Never the password. null: nobody can know.
 */
export function egressIdentity(connection: Leaving, rules: ProxyRules): string | null {
  if (connection.settings.egressRotating === true || connection.proxyLocked) return null
  const proxy = egressProxy(connection, rules)
  return proxy === null ? 'direct' : doorOf(proxy)
}

/** The proxy it goes through, its own or that of the rules; null: none. */
export function egressProxy({ endpoints: [endpoint], proxy }: Leaving, rules: ProxyRules): ProxyAddress | null {
  return endpoint === undefined ? proxy : proxyFor(endpoint.origin, proxy, rules)
}

/** Whether it leaves this machine at all. */
export const leaves = ({ endpoints: [endpoint] }: Leaving): boolean =>
  endpoint !== undefined && !isLoopback(endpoint.origin)

function doorOf({ scheme, label, username }: ProxyAddress): string {
  if (username === '') return label
  const mark = createHash('sha256').update(username).digest('hex').slice(0, 12)
  return `${scheme}://${mark}@${label.slice(scheme.length + 3)}`
}

/** All connections as the limits by address look at them. */
export const egresses = (
  registry: Registry,
  rules: ProxyRules,
  seen: (connection: Connection) => SeenAddress | null,
): Egress[] =>
  [...registry.values()].flatMap(({ row, connections }) =>
    connections.map((connection) => {
      const door = egressIdentity(connection, rules)
      return {
        connectionId: connection.id,
        providerId: row.id,
        proxy: door === 'direct' ? null : door,
        rotating: door === null,
        seen: seen(connection),
        disableCooling: connection.settings.disableCooling === true,
      }
    }),
  )

/** By `url`: the connections' own proxies that are still needed. */
export const proxiesInUse = (registry: Registry): ReadonlySet<string> =>
  new Set(
    [...registry.values()]
      .flatMap(({ connections }) => connections)
      .flatMap(({ enabled, proxy }) => (enabled && proxy !== null ? [proxy.url] : [])),
  )
