import type { ConnectionView, ProviderView } from '../../../core/contract/views'
import { valueOr } from '../../app/loadable'
import { usePushed } from '../../app/pushed'
import { useWizard } from './wizard-state'

/** The connection the first run is about: the one chosen or saved in it, else the practice provider's first. */
export function useChosen(): { readonly provider: ProviderView; readonly connection: ConnectionView } | null {
  const providers = usePushed(({ providers }) => valueOr(providers, null))
  const id = useWizard(({ connectionId }) => connectionId)
  if (providers === null) return null
  const all = providers.flatMap((provider) => provider.connections.map((connection) => ({ provider, connection })))
  return (
    all.find(({ connection }) => connection.id === id) ?? all.find(({ provider }) => provider.id === 'practice') ?? null
  )
}
