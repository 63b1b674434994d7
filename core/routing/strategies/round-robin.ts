// Everybody in turn, a few answers each (docs/resilience.md, "Strategies: round-robin"). Whoever cannot be used is passed
// over, and the turn goes to whoever has waited longest, as listed. A place in the list would not do: one long prompt
// that only few can take would let all the others in between lose their turns. Places at a target are the caller's affair.
import type { ComboConfig } from '../../contract/combo-config'
import { turned, unscored } from './ranking'
import { type Candidate, type StrategyState, strategy } from './strategy'

interface RoundRobinState extends StrategyState {
  readonly kind: 'round-robin'
  /** Whose turn it was last. */
  readonly last: string | null
  /** Answers of that turn. */
  readonly answers: number
  /** The turn is over. */
  readonly over: boolean
  /** Turns so far. */
  readonly count: number
  /** Which turn each had last; a missing one has had none. */
  readonly turns: Readonly<Record<string, number>>
}

type Config = Pick<ComboConfig, 'stickyRoundRobinLimit'>

/** Whose turn is longest ago, the first listed of equals. */
function nextInTurn(candidates: readonly Candidate[], { turns }: RoundRobinState): Candidate | undefined {
  const turnOf = ({ target }: Candidate): number => turns[target.executionKey] ?? 0
  return candidates.reduce<Candidate | undefined>(
    (next, one) => (next === undefined || turnOf(one) < turnOf(next) ? one : next),
    undefined,
  )
}

export const roundRobin = strategy<RoundRobinState, Config>({
  start: { kind: 'round-robin', last: null, answers: 0, over: false, count: 0, turns: {} },

  order({ candidates, listed, config }, state) {
    const holder = state.over ? undefined : candidates.find(({ target }) => target.executionKey === state.last)
    const leader = holder ?? nextInTurn(candidates, state)
    if (leader === undefined) return { ordered: [], state }
    const ordered = turned(candidates, ({ index }) => index, leader.index).map(unscored)
    // A turn of one request ends as it begins, so that requests at the same time are spread.
    const over = config.stickyRoundRobinLimit <= 1
    if (leader === holder) return { ordered, state: { ...state, over } }
    const last = leader.target.executionKey
    const count = state.count + 1
    const known = listed.flatMap(({ executionKey: key }) => {
      const turn = key === last ? count : state.turns[key]
      return turn === undefined ? [] : [[key, turn] as const]
    })
    return { ordered, state: { ...state, last, answers: 0, over, count, turns: Object.fromEntries(known) } }
  },

  settled(state, target, outcome, config) {
    if (outcome.kind !== 'success' || state.last !== target.executionKey || state.over) return state
    const answers = state.answers + 1
    return { ...state, answers, over: answers >= config.stickyRoundRobinLimit }
  },
})
