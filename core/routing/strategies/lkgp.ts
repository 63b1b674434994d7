// The connection that answered last leads, else its provider; the others stay as listed (docs/resilience.md,
// "Strategies: lkgp").
import { indexOfLastGood, type LastGood, lastGoodAfter } from './last-good'
import { asListed, first } from './ranking'
import { type StrategyState, strategy } from './strategy'

interface LkgpState extends StrategyState {
  readonly kind: 'lkgp'
  readonly good: LastGood | null
}

export const lkgp = strategy<LkgpState, object>({
  start: { kind: 'lkgp', good: null },
  order: ({ candidates }, state) => ({
    ordered: asListed(first(candidates, indexOfLastGood(candidates, state.good))),
    state,
  }),
  settled: (state, target, outcome) => ({ ...state, good: lastGoodAfter(state.good, target, outcome) }),
})
