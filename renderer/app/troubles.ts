import type { HealthState } from '../../core/contract/kinds'
import type { ProviderView } from '../../core/contract/views'

/** A connection that does not serve as it should. */
export interface Trouble {
  readonly connectionId: string
  readonly provider: string
  readonly name: string
  readonly state: HealthState
  readonly why: string
}

const WEIGHT: Readonly<Record<HealthState, number>> = { 'needs-you': 0, resting: 1, strained: 2, off: 3, healthy: 4 }

/** What a person should look at, the most urgent first. What is switched off on purpose is no trouble. */
export function troublesOf(providers: readonly ProviderView[]): readonly Trouble[] {
  return providers
    .flatMap(({ label, connections }) =>
      connections
        .filter(({ state }) => state !== 'healthy' && state !== 'off')
        .map(({ id, name, state, why }) => ({ connectionId: id, provider: label, name, state, why })),
    )
    .sort((a, b) => WEIGHT[a.state] - WEIGHT[b.state])
}
