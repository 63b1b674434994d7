// A shuffled deck: nobody leads twice before everybody has, and a new deck does not begin with the card the last one
// ended with (docs/resilience.md, "Strategies: strict-random"). A card that cannot be played now stays in the deck.
import type { Target } from '../combo'
import { drawBelow, shuffled, unscored } from './ranking'
import { type Candidate, type StrategyState, strategy } from './strategy'

interface DeckState extends StrategyState {
  readonly kind: 'strict-random'
  /** What is still to come. */
  readonly deck: readonly string[]
  readonly last: string | null
}

const keyOf = ({ executionKey }: Target): string => executionKey

/** All cards, mixed; the first that can be played is another than the last one, where there is another. */
function newDeck(
  listed: readonly Target[],
  playable: ReadonlyMap<string, Candidate>,
  last: string | null,
  random: () => number,
): string[] {
  const deck = shuffled(listed.map(keyOf), random)
  const at = deck.findIndex((key) => playable.has(key))
  if (at < 0 || deck[at] !== last || playable.size < 2) return deck
  const others = [...deck.keys()].filter((i) => i !== at && playable.has(deck[i] ?? ''))
  const other = others[drawBelow(others.length, random)] ?? at
  const moved = deck[at] as string
  deck[at] = deck[other] as string
  deck[other] = moved
  return deck
}

export const strictRandom = strategy<DeckState, object>({
  start: { kind: 'strict-random', deck: [], last: null },

  order({ candidates, listed, random }, state) {
    const playable = new Map(candidates.map((candidate) => [candidate.target.executionKey, candidate]))
    const rest = state.deck.some((key) => playable.has(key))
      ? state.deck
      : newDeck(listed, playable, state.last, random)
    const card = rest.find((key) => playable.has(key))
    const drawn = card === undefined ? undefined : playable.get(card)
    if (card === undefined || drawn === undefined) return { ordered: [], state }
    const others = shuffled(
      candidates.filter((candidate) => candidate !== drawn),
      random,
    )
    return {
      ordered: [drawn, ...others].map(unscored),
      state: { ...state, deck: rest.filter((key) => key !== card), last: card },
    }
  },
})
