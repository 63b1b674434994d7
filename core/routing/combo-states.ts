// What the strategies of combos remember from request to request. In memory only, bounded: the combo that was asked
// longest ago is forgotten.
import { MOST_STATES } from './strategies/order-targets'
import type { StrategyState } from './strategies/strategy'

export class ComboStates {
  private readonly states = new Map<string, StrategyState>()

  get = (combo: string): StrategyState | null => this.states.get(combo) ?? null

  set(combo: string, state: StrategyState): void {
    this.states.delete(combo)
    this.states.set(combo, state)
    for (const oldest of this.states.keys()) if (this.states.size > MOST_STATES) this.states.delete(oldest)
  }
}
