// Everybody in turn, a few answers each (docs/resilience.md, "Strategies: round-robin"). Whoever cannot be used loses
// the turn to the next in the list. Places at a target are the caller's affair.
import type { ComboConfig } from '../../contract/combo-config'
import { indexOfKey, turned, unscored } from './ranking'
import { type StrategyState, strategy } from './strategy'

interface RoundRobinState extends StrategyState {
  readonly kind: 'round-robin'
  /** Whose turn it was last. */
  readonly last: string | null
  /** Answers of that turn. */
  readonly answers: number
  /** The turn is over. */
  readonly over: boolean
}

type Config = Pick<ComboConfig, 'stickyRoundRobinLimit'>

export const roundRobin = strategy<RoundRobinState, Config>({
  start: { kind: 'round-robin', last: null, answers: 0, over: false },

  order({ candidates, listed, config }, state) {
    const at = indexOfKey(listed, state.last)
    const ordered = turned(candidates, ({ index }) => index, at < 0 ? 0 : state.over ? at + 1 : at)
    const leader = ordered[0]?.target.executionKey ?? null
    const goesOn = leader === state.last && !state.over
    return {
      ordered: ordered.map(unscored),
      state: {
        ...state,
        last: leader ?? state.last,
        answers: goesOn ? state.answers : 0,
        // A turn of one request ends as it begins, so that requests at the same time are spread.
        over: leader === null ? state.over : config.stickyRoundRobinLimit <= 1,
      },
    }
  },

  settled(state, target, outcome, config) {
    if (outcome.kind !== 'success' || state.last !== target.executionKey || state.over) return state
    const answers = state.answers + 1
    return { ...state, answers, over: answers >= config.stickyRoundRobinLimit }
  },
})
