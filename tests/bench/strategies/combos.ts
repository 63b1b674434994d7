// The combos the strategies are compared with: the same steps in the same order, each connection a target of its own.
import { completeConfig, type SetConfig } from '../../../core/contract/combo-config'
import type { AnyStrategyName } from '../../../core/contract/combo-strategies'
import type { Member, ResolvedCombo } from '../../../core/routing/combo'
import { expandCombo } from '../../../core/routing/expand-connections'
import type { SimGateway } from './gateway'
import { PROVIDERS } from './world'

/** Of a pipeline the planner, then the executor; of a fusion three voices, the first of which judges. */
const FEW: Readonly<Partial<Record<AnyStrategyName, readonly (readonly [string, string])[]>>> = {
  fusion: [
    ['openai', 'gpt-5'],
    ['anthropic', 'claude-sonnet-4-5'],
    ['gemini', 'gemini-3-pro'],
  ],
  pipeline: [
    ['anthropic', 'claude-sonnet-4-5'],
    ['openai', 'gpt-5'],
  ],
}

const ALL = PROVIDERS.flatMap(({ id, models }) => models.map(({ model }) => [id, model] as const))

/** Weights only some strategies look at: the first of the list are meant to carry more. */
const weightOf = (place: number): number => (place < 4 ? 3 : place < 8 ? 2 : 1)

/** One member asked by itself; how often it is asked again is for the whole to say. */
export const alone = (combo: ResolvedCombo, member: Member): ResolvedCombo => ({
  ...combo,
  name: `${combo.name}, one of it`,
  strategy: 'priority',
  config: { ...combo.config, maxRetries: 0 },
  members: [member],
})

export function comboOf(strategy: AnyStrategyName, config: SetConfig, { registry }: SimGateway): ResolvedCombo {
  const steps = FEW[strategy] ?? ALL
  const members = steps.map(
    ([provider, model], place): Member => ({
      kind: 'target',
      target: {
        ...{ executionKey: `${place + 1}`, provider, model, weight: weightOf(place) },
        ...{ connectionId: null, allowedConnections: null, prompt: null, onlyAfterQuota: false },
      },
    }),
  )
  const whole = completeConfig(strategy, { connectionAwareExpansion: true, ...config })
  const combo = { name: 'simulated', strategy, config: whole, members, judge: null, dropped: [] }
  return expandCombo(combo, (id) => registry.get(id)?.connections.map((connection) => connection.id) ?? [])
}
