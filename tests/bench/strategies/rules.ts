// Whom the rule of each strategy says to use, read from the documentation and not from the strategy: for one request,
// the share of the lead that every usable target is due. Summed over a day it tells whether somebody is starved.

import type { ComboConfig } from '../../../core/contract/combo-config'
import type { AnyStrategyName } from '../../../core/contract/combo-strategies'
import type { Target } from '../../../core/routing/combo'
import { rendezvous } from '../../../core/routing/strategies/cache-key'
import type { TargetReason } from '../../../core/routing/strategies/order-targets'
import { shareLeftOf, windowOf } from '../../../core/routing/strategies/quota'
import { isSaturated } from '../../../core/routing/strategies/quota-share'
import { resetAwareScore } from '../../../core/routing/strategies/reset-aware'
import { resetOf } from '../../../core/routing/strategies/reset-window'
import type { Candidate, RequestFacts } from '../../../core/routing/strategies/strategy'

export interface Situation {
  /** Usable ones, as listed. */
  readonly candidates: readonly Candidate[]
  readonly reasons: readonly TargetReason[]
  readonly facts: RequestFacts
  readonly config: ComboConfig
  readonly now: number
  /** Who answered last. */
  readonly lastGood: { readonly target: Target; readonly connectionId: string | null } | null
}

type Dues = ReadonlyMap<Candidate, number>
type Rule = (situation: Situation) => Dues

const firstOf = (some: readonly Candidate[]): Dues => new Map(some.slice(0, 1).map((one) => [one, 1]))
const evenly = (some: readonly Candidate[], of = 1): Dues => new Map(some.map((one) => [one, of / some.length]))

function byWeight(some: readonly Candidate[], weightOf: (one: Candidate) => number): Dues {
  const total = some.reduce((sum, one) => sum + weightOf(one), 0)
  return total > 0 ? new Map(some.map((one) => [one, weightOf(one) / total])) : evenly(some)
}

/** Those that reach the greatest value. */
function greatest(some: readonly Candidate[], measure: (one: Candidate) => number): Candidate[] {
  const most = Math.max(...some.map(measure))
  return some.filter((one) => measure(one) >= most)
}
const least = (some: readonly Candidate[], measure: (one: Candidate) => number): Candidate[] =>
  greatest(some, (one) => -measure(one))

const listed: Rule = ({ candidates }) => firstOf(candidates)
const inTurn: Rule = ({ candidates }) => evenly(candidates)

/** Of all pairs, those in which it is the better one; equals share. */
function bestOfTwo({ candidates }: Situation): Dues {
  if (candidates.length < 2) return firstOf(candidates)
  const known = candidates.filter(({ view }) => view.successRate !== null && view.averageLatencyMs !== null)
  const term = ({ view }: Candidate): number => (view.successRate ?? 0) / Math.log10((view.averageLatencyMs ?? 0) + 10)
  const best = known.length === 0 ? 1 : Math.max(...known.map(term))
  const scores = candidates.map((one) => {
    const { successRate, averageLatencyMs, breaker } = one.view
    const isHalfKnown = successRate !== null && averageLatencyMs === null
    const score = isHalfKnown ? successRate * best : successRate === null ? best : term(one)
    return score - (breaker === 'HALF_OPEN' ? 0.25 : 0)
  })
  const pairs = (candidates.length * (candidates.length - 1)) / 2
  return new Map(
    candidates.map((one, i) => {
      let won = 0
      for (const [j, other] of scores.entries()) {
        const own = scores[i] ?? 0
        if (j !== i) won += own > other ? 1 : own === other ? 0.5 : 0
      }
      return [one, won / pairs]
    }),
  )
}

/** Whoever scores best among the accounts, and those within the band behind it. */
function quotaAndReset({ candidates, config, now }: Situation): Dues {
  const score = (one: Candidate): number => resetAwareScore(one, config, now).score ?? -1
  const best = Math.max(...candidates.map(score))
  return evenly(candidates.filter((one) => score(one) >= best * (1 - config.resetAwareTieBandPercent / 100)))
}

function soonestReset({ candidates, config, now }: Situation): Dues {
  const open = candidates.filter(({ view }) => view.quota.kind !== 'known' || !view.quota.limitReached)
  const resets = open.map((one) => resetOf(one, config, now) ?? Number.POSITIVE_INFINITY)
  const soonest = Math.min(...resets)
  return evenly(open.filter((_, i) => soonest === resets[i] || (resets[i] ?? 0) <= soonest + 60_000))
}

function mostHeadroom({ candidates, now }: Situation): Dues {
  const left = ({ view: { quota } }: Candidate): number => {
    if (quota.kind !== 'known') return 1
    const used = (['5h', '7d'] as const).map((name) => windowOf(quota, name, now)?.usedPercent ?? 0)
    return 1 - Math.min(100, Math.max(...used)) / 100
  }
  return firstOf(greatest(candidates, left))
}

function byQuota({ candidates, config, now }: Situation): Dues {
  const sure = candidates.filter((one) => {
    const { quota } = one.view
    const left = shareLeftOf(one, now)
    return left !== null && left * 100 > config.quotaWeightedFloorPercent && (quota.kind !== 'known' || quota.fresh)
  })
  const reserve = candidates.filter((one) => shareLeftOf(one, now) !== 0)
  if (sure.length === 0) return firstOf(reserve)
  return byWeight(sure, (one) => (resetAwareScore(one, config, now).score ?? 0) / (1 + one.view.inFlight))
}

/** Everybody gets a share of the trials; the best score leads at least in four requests of ten. */
function automatic({ reasons, candidates, config }: Situation): Dues {
  const scored = new Map(reasons.flatMap((one) => (one.kind === 'ordered' ? [[one.target, one.score ?? 0]] : [])))
  const pool = candidates.filter(({ target }) => scored.has(target))
  const trials = config.explorationRate / Math.max(1, pool.length)
  const best = Math.max(...scored.values())
  const tops = pool.filter(({ target }) => (scored.get(target) ?? 0) >= best - 1e-4)
  return new Map(pool.map((one) => [one, trials + (tops.includes(one) ? 0.4 / tops.length : 0)]))
}

function lastGood({ candidates, lastGood: good }: Situation): Dues {
  if (good === null) return firstOf(candidates)
  const { target, connectionId } = good
  const found =
    candidates.find((one) => one.target.executionKey === target.executionKey) ??
    candidates.find((one) => connectionId !== null && one.target.connectionId === connectionId) ??
    candidates.find((one) => one.target.provider === target.provider) ??
    candidates[0]
  return firstOf(found === undefined ? [] : [found])
}

function promptCache({ candidates, facts }: Situation): Dues {
  if (facts.cacheKey === null) return firstOf(candidates)
  const share = rendezvous(facts.cacheKey)
  return firstOf(greatest(candidates, ({ target }) => share(target.connectionId ?? target.executionKey)))
}

function divided({ candidates, now }: Situation): Dues {
  const open = candidates.filter((one) => !isSaturated(one, now))
  return byWeight(open.length === 0 ? candidates : open, ({ target }) => target.weight)
}

const RULES: Readonly<Record<AnyStrategyName, Rule>> = {
  priority: listed,
  'fill-first': listed,
  'context-relay': listed,
  weighted: ({ candidates }) => byWeight(candidates, ({ target }) => target.weight),
  'round-robin': inTurn,
  random: inTurn,
  'strict-random': inTurn,
  p2c: bestOfTwo,
  'least-used': ({ candidates }) => firstOf(least(candidates, ({ view }) => view.useCount)),
  'cost-optimized': ({ candidates }) => firstOf(least(candidates, ({ view }) => view.inputPrice ?? Number.MAX_VALUE)),
  'reset-aware': quotaAndReset,
  'reset-window': soonestReset,
  headroom: mostHeadroom,
  'quota-weighted': byQuota,
  auto: automatic,
  lkgp: lastGood,
  'context-optimized': ({ candidates }) => firstOf(greatest(candidates, ({ view }) => view.contextWindow ?? 0)),
  'cache-optimized': promptCache,
  // All are asked, not only whoever leads: counted by requests instead.
  fusion: ({ candidates }) => new Map(candidates.map((one) => [one, 1])),
  pipeline: ({ candidates }) => new Map(candidates.map((one) => [one, 1])),
  'quota-share': divided,
}

/** Nobody is due anything where nobody may be used. */
export const duesBy = (strategy: AnyStrategyName, situation: Situation): Dues =>
  situation.candidates.length === 0 ? new Map() : RULES[strategy](situation)
