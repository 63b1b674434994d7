// The list of providers is fetched whole once; pushes carry only those that are used or the user's own.
import type { ProviderView } from '../../core/contract/views'

const UNUSED = { state: 'off', why: 'no connection yet', connections: [] } as const

/** The list with what was pushed in place. Rows of the catalogue that were not pushed have no connection now. */
export function mergeProviders(
  known: readonly ProviderView[],
  pushed: readonly ProviderView[],
): readonly ProviderView[] {
  const byId = new Map(pushed.map((provider) => [provider.id, provider]))
  const kept = known.flatMap((provider) => {
    const now = byId.get(provider.id)
    byId.delete(provider.id)
    if (now !== undefined) return [now]
    if (!provider.builtIn) return []
    return [provider.connections.length === 0 ? provider : { ...provider, ...UNUSED, connections: [] }]
  })
  return [...kept, ...byId.values()]
}

/** Whether providers of the user's own came or went: then rows of the catalogue may have, too. */
export function ownChanged(known: readonly ProviderView[], pushed: readonly ProviderView[]): boolean {
  const own = (providers: readonly ProviderView[]): string =>
    providers
      .flatMap(({ id, builtIn }) => (builtIn ? [] : [id]))
      .sort()
      .join()
  return own(known) !== own(pushed)
}
