// A connection's own proxy as people give it: an address that may hold a password, sealed whole, and shown by its label.
import type { Logger, Vault } from '../host'
import { type ProxyAddress, parseProxy, secretsOf } from '../pipeline/proxy-address'
import type { StoredProxy } from '../store/connections-table'

/**
 * What is wanted: an address, null for none, undefined where it stays as it is: nothing was given, or what is shown of
 * it came back.
 * @throws GatewayError 400 naming `field`; its text never holds what was given
 */
export function wantedProxy(
  given: string | null | undefined,
  present: Pick<StoredProxy, 'label'> | null,
  field = 'proxy',
): ProxyAddress | null | undefined {
  if (given === undefined) return undefined
  if (given === null || given.trim() === '') return null
  const proxy = parseProxy(given, field)
  return present !== null && proxy.url === proxy.label && proxy.label === present.label ? undefined : proxy
}

/** @throws GatewayError `vault_unavailable` */
export async function sealProxy(
  proxy: ProxyAddress | null | undefined,
  { vault, log }: { readonly vault: Pick<Vault, 'seal'>; readonly log: Pick<Logger, 'addSecret'> },
): Promise<{ proxy?: StoredProxy | null }> {
  if (proxy === undefined) return {}
  if (proxy === null) return { proxy: null }
  for (const secret of secretsOf(proxy)) log.addSecret(secret)
  return { proxy: { secret: await vault.seal(proxy.url), label: proxy.label } }
}
