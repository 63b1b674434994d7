// The one shape all strategies have. A strategy orders what may be used; it never sees an excluded target, has no
// clock, no randomness of its own, and remembers only what it hands back as its next state.
import type { Category, Task } from '../../contract/auto-words'
import type { ComboConfig } from '../../contract/combo-config'
import type { Reason } from '../../contract/kinds'
import type { Target } from '../combo'
import type { Exclusion, TargetView } from '../target-view'
import type { AutoWishes } from './auto/wishes'

/** Plain data, kept by the caller for each combo; `kind` says whose it is. */
export interface StrategyState {
  readonly kind: string
}
export const NO_STATE: StrategyState = { kind: 'none' }

/** What strategies may know of the request. */
export interface RequestFacts {
  readonly task: Task | null
  /** What `auto/<category>` asks for beyond the combo's own configuration. */
  readonly category: Category | null
  /** The same for requests that begin alike; see cache-key.ts. */
  readonly cacheKey: string | null
  /** Tokens. */
  readonly inputTokens: number | null
  /** As many as answers to the same name usually have, and no more than the client wants. */
  readonly outputTokens: number | null
  /** How demanding it is, 0 to 100. */
  readonly specificity: number | null
  readonly wishes: AutoWishes
}

/** A target that may be used, as seen now. */
export interface Candidate {
  readonly target: Target
  readonly view: TargetView
  /** Place in the combo's list. */
  readonly index: number
}

export interface Scene<C> {
  /** In the order of the list. */
  readonly candidates: readonly Candidate[]
  /** All of the list, excluded ones too. */
  readonly listed: readonly Target[]
  /** Share of `listed` whose provider's breaker is open. */
  readonly openShare: number
  readonly config: C
  readonly request: RequestFacts
  readonly now: number
  /** 0 ≤ x < 1 */
  readonly random: () => number
}

export type Parts = Readonly<Record<string, number>>

export interface Ranked {
  readonly candidate: Candidate
  /** null: this strategy gives none. */
  readonly score: number | null
  readonly parts: Parts
}

export interface SetAside {
  readonly candidate: Candidate
  readonly exclusion: Exclusion
}

export interface Choice {
  readonly ordered: readonly Ranked[]
  /** What the strategy itself leaves out. */
  readonly setAside?: readonly SetAside[]
  readonly state: StrategyState
  /** The first is to be counted as in flight at once, at most so long: before it is really called. */
  readonly reserveMs?: number
}

export type Outcome =
  | { readonly kind: 'success' /** That answered. */; readonly connectionId: string | null }
  | { readonly kind: 'failure'; readonly reason: Reason }

export interface Strategy<S extends StrategyState, C> {
  readonly start: S
  readonly order: (scene: Scene<C>, state: S) => Choice
  /** What an attempt's end changes. */
  readonly settled?: (state: S, target: Target, outcome: Outcome, config: C, now: number) => S
}

export type AnyStrategy = Strategy<StrategyState, ComboConfig>

/** Gives a strategy only what is its own: after a change of strategy it begins anew. */
export function strategy<S extends StrategyState, C>({
  start,
  order,
  settled,
}: Strategy<S, C>): Strategy<StrategyState, C> {
  const own = (state: StrategyState): S => (state.kind === start.kind ? (state as S) : start)
  return {
    start,
    order: (scene, state) => order(scene, own(state)),
    ...(settled === undefined
      ? {}
      : { settled: (state, target, outcome, config, now) => settled(own(state), target, outcome, config, now) }),
  }
}

/** A strategy that remembers nothing. */
export const stateless = <C>(rank: (scene: Scene<C>) => readonly Ranked[]): Strategy<StrategyState, C> => ({
  start: NO_STATE,
  order: (scene) => ({ ordered: rank(scene), state: NO_STATE }),
})
