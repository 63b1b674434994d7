// Changes to the list of providers, before main pushes the same.
import type { ConnectionView, ProviderView } from '../../../core/contract/views'

/** A provider's connections with one put in or replaced, in the order they are tried. */
export const withConnection = (
  providers: readonly ProviderView[],
  connection: ConnectionView,
): readonly ProviderView[] =>
  providers.map((provider) =>
    provider.id === connection.provider
      ? {
          ...provider,
          connections: [...provider.connections.filter(({ id }) => id !== connection.id), connection].sort(
            (a, b) => a.priority - b.priority,
          ),
        }
      : provider,
  )

export const withoutConnection = (providers: readonly ProviderView[], id: string): readonly ProviderView[] =>
  providers.map((provider) => ({
    ...provider,
    connections: provider.connections.filter((connection) => connection.id !== id),
  }))
