// One draw by weight; the others follow as reserves, the heavier first. Weight 0 is never drawn while another has more
// (docs/resilience.md, "Strategies: weighted").
import type { ComboConfig } from '../../contract/combo-config'
import { byNumber, drawWeighted, first, unscored } from './ranking'
import { type Candidate, type StrategyState, strategy } from './strategy'

interface WeightedState extends StrategyState {
  readonly kind: 'weighted'
  /** The draw that is kept, and how many answers came of it. */
  readonly kept: { readonly key: string; readonly answers: number } | null
}

type Config = Pick<ComboConfig, 'stickyWeightedLimit'>

const weightOf = ({ target }: Candidate): number => Math.max(target.weight || 0, 0)

export const weighted = strategy<WeightedState, Config>({
  start: { kind: 'weighted', kept: null },

  order({ candidates, config, random }, state) {
    const kept = candidates.findIndex(({ target }) => target.executionKey === state.kept?.key)
    const drawn = kept >= 0 ? kept : drawWeighted(candidates.map(weightOf), random)
    const key = candidates[drawn]?.target.executionKey
    const reserves = first(candidates, drawn)
      .slice(1)
      .sort((a, b) => byNumber(weightOf(b), weightOf(a)))
    const next = kept >= 0 ? state.kept : key === undefined ? null : { key, answers: 0 }
    return {
      ordered: [...candidates.slice(drawn, drawn + 1), ...reserves].map((candidate) => ({
        ...unscored(candidate),
        parts: { weight: weightOf(candidate) },
      })),
      state: { ...state, kept: config.stickyWeightedLimit > 1 ? next : null },
    }
  },

  settled(state, target, outcome, config) {
    if (outcome.kind !== 'success' || state.kept?.key !== target.executionKey) return state
    const answers = state.kept.answers + 1
    return { ...state, kept: answers < config.stickyWeightedLimit ? { ...state.kept, answers } : null }
  },
})
