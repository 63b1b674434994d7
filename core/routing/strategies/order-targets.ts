// All strategies by name, and the one way to ask them. What is excluded never reaches a strategy, whatever it is, not
// even when everything is (docs/resilience.md, "Strategies").
import type { ComboConfig } from '../../contract/combo-config'
import type { AccountStrategyName, AnyStrategyName } from '../../contract/combo-strategies'
import type { Target } from '../combo'
import { type Exclusion, exclusionOf, soundView, type TargetView } from '../target-view'
import { auto } from './auto/auto'
import { cacheOptimized } from './cache-optimized'
import { contextOptimized } from './context-optimized'
import { contextRelay } from './context-relay'
import { costOptimized } from './cost-optimized'
import { fillFirst } from './fill-first'
import { fusion } from './fusion'
import { headroom } from './headroom'
import { leastUsed } from './least-used'
import { lkgp } from './lkgp'
import { p2c, p2cOfAccounts } from './p2c'
import { pipeline } from './pipeline'
import { priority } from './priority'
import { quotaShare } from './quota-share'
import { quotaWeighted } from './quota-weighted'
import { random } from './random'
import { resetAware } from './reset-aware'
import { resetWindow } from './reset-window'
import { roundRobin } from './round-robin'
import type { AnyStrategy, Candidate, Outcome, Parts, RequestFacts, StrategyState } from './strategy'
import { strictRandom } from './strict-random'
import { weighted } from './weighted'

const STRATEGY: Readonly<Record<AnyStrategyName, AnyStrategy>> = {
  priority,
  weighted,
  'round-robin': roundRobin,
  'context-relay': contextRelay,
  'fill-first': fillFirst,
  p2c,
  random,
  'least-used': leastUsed,
  'cost-optimized': costOptimized,
  'reset-aware': resetAware,
  'reset-window': resetWindow,
  headroom,
  'quota-weighted': quotaWeighted,
  'strict-random': strictRandom,
  auto,
  lkgp,
  'context-optimized': contextOptimized,
  'cache-optimized': cacheOptimized,
  fusion,
  pipeline,
  'quota-share': quotaShare,
}

/** States are kept for so many combos at most; the oldest is given up. */
export const MOST_STATES = 500
/** Those of `quota-share`. */
export const MOST_SHARE_STATES = 200

export interface OrderInput {
  /** In the order of the list, excluded ones too. */
  readonly targets: readonly Target[]
  readonly view: (target: Target) => TargetView
  /** As the last call or `settleTarget` returned it; null: there is none. */
  readonly state: StrategyState | null
  readonly config: ComboConfig
  readonly request: RequestFacts
  /** Wall-clock milliseconds. */
  readonly now: number
  /** 0 ≤ x < 1 */
  readonly random: () => number
}

/** Why a target stands where it does, or does not stand at all. */
export type TargetReason =
  | { readonly kind: 'ordered'; readonly target: Target; readonly score: number | null; readonly parts: Parts }
  | { readonly kind: 'excluded'; readonly target: Target; readonly exclusion: Exclusion }

export interface Ordered {
  /** Who to try, in which order. */
  readonly ordered: readonly Target[]
  /** For each target: first those of `ordered`, then the excluded ones. */
  readonly reasons: readonly TargetReason[]
  /** Replaces the one given. */
  readonly state: StrategyState
  /** The first is to be counted as in flight at once, for at most so long; null: not before it is called. */
  readonly reserveMs: number | null
}

/** @throws GatewayError 402 where `auto` finds nobody within a strict budget */
export const orderTargets = (name: AnyStrategyName, input: OrderInput): Ordered => orderBy(STRATEGY[name], input)

/** Among connections of one provider. */
export const orderConnections = (name: AccountStrategyName, input: OrderInput): Ordered =>
  orderBy(accountStrategy(name), input)

const accountStrategy = (name: AccountStrategyName): AnyStrategy => (name === 'p2c' ? p2cOfAccounts : STRATEGY[name])

/** The next state, now that an attempt has ended. `target` as it was ordered. */
export const settleTarget = (
  name: AnyStrategyName,
  state: StrategyState | null,
  target: Target,
  outcome: Outcome,
  config: ComboConfig,
  now: number,
): StrategyState => {
  const { start, settled } = STRATEGY[name]
  return settled === undefined ? (state ?? start) : settled(state ?? start, target, outcome, config, now)
}

function orderBy(strategy: AnyStrategy, { targets, view, state, ...scene }: OrderInput): Ordered {
  const candidates: Candidate[] = []
  const excluded: TargetReason[] = []
  let open = 0
  for (const [index, target] of targets.entries()) {
    const seen = soundView(view(target))
    const exclusion = exclusionOf(seen)
    if (seen.breaker === 'OPEN') open++
    if (exclusion === null) candidates.push({ target, view: seen, index })
    else excluded.push({ kind: 'excluded', target, exclusion })
  }
  const openShare = targets.length === 0 ? 0 : open / targets.length
  const choice = strategy.order({ ...scene, candidates, listed: targets, openShare }, state ?? strategy.start)
  const ordered = choice.ordered.map(({ candidate }) => candidate.target)
  const reasons = choice.ordered.map(
    ({ candidate, score, parts }): TargetReason => ({ kind: 'ordered', target: candidate.target, score, parts }),
  )
  const setAside = (choice.setAside ?? []).map(
    ({ candidate, exclusion }): TargetReason => ({ kind: 'excluded', target: candidate.target, exclusion }),
  )
  return {
    ordered,
    reasons: [...reasons, ...setAside, ...excluded],
    state: choice.state,
    reserveMs: choice.reserveMs ?? null,
  }
}
