// Equals take turns: whoever of them comes next in the list behind the one that led last.
import type { Target } from '../combo'
import { indexOfKey, keyOf, placeOf, turned } from './ranking'
import type { Ranked, StrategyState } from './strategy'

export interface TurnState extends StrategyState {
  /** Who led last. */
  readonly last: string | null
}

/** @param equals as listed. @returns them in turn, and who leads; the last leader where there are none */
export function inTurn(
  equals: readonly Ranked[],
  listed: readonly Target[],
  last: string | null,
): { readonly turn: readonly Ranked[]; readonly last: string | null } {
  const turn = turned(equals, placeOf, indexOfKey(listed, last) + 1)
  return { turn, last: turn[0] === undefined ? last : keyOf(turn[0]) }
}
