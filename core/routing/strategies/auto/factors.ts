// The sixteen factors of `auto`, each from 0 to 1, the more the better (docs/resilience.md, "Strategies: auto"). What is
// not known has a value of its own, said beside each; a greatest value of zero makes everybody equally good.
import { FACTORS, type Factor, type Task, TIERS, type Tier } from '../../../contract/auto-words'
import type { TargetView } from '../../target-view'
import { costOf } from '../../tier'
import { sessionAvailability } from '../cache-optimized'
import { earliestReset, shareLeftOf, urgency, WEEK_MS, windowOf } from '../quota'
import { clamp01 } from '../ranking'
import type { Candidate, Ranked, RequestFacts } from '../strategy'
import type { Weights } from './packs'
import { taskFit } from './task-fit'

const UNKNOWN = 0.5
const MONTH_S = 2_592_000
const ENOUGH_SAMPLES = 10
/** A quota that cannot be read halves the score: nobody knows whether there is any. */
const UNREADABLE_PENALTY = 0.5

/** The greatest values among those that may be used. 0: none is known, or all are 0. */
export interface Greatest {
  readonly cost: number
  readonly p95: number
  readonly deviation: number
}

export function greatestOf(candidates: readonly Candidate[]): Greatest {
  let cost = 0
  let p95 = 0
  let deviation = 0
  for (const { view } of candidates) {
    cost = Math.max(cost, costOf(view) ?? 0)
    p95 = Math.max(p95, view.p95LatencyMs ?? 0)
    deviation = Math.max(deviation, view.latencyDeviationMs ?? 0)
  }
  return { cost, p95, deviation }
}

/** The less the better; unknown is in between. */
const inverse = (value: number | null, greatest: number): number =>
  value === null ? UNKNOWN : greatest > 0 ? clamp01(1 - value / greatest) : 1

/** No quotas at all, or unlimited: 1. Unreadable: 0. Known without a number: in between. */
function quotaFactor(candidate: Candidate, now: number): number {
  switch (candidate.view.quota.kind) {
    case 'none':
    case 'unlimited':
      return 1
    case 'unreadable':
      return 0
    case 'known':
      return shareLeftOf(candidate, now) ?? UNKNOWN
  }
}

/** A strained provider answers: it is as good as a whole one. */
function healthFactor({ breaker }: TargetView): number {
  switch (breaker) {
    case 'CLOSED':
    case 'DEGRADED':
      return 1
    case 'HALF_OPEN':
      return 0.5
    case 'OPEN':
      return 0
  }
}

const TIER_BASE: Readonly<Record<Tier, number>> = { ultra: 1, pro: 0.67, standard: 0.33, free: 0 }

/** The better the account, and the sooner its quota comes back. Unknown: as a standard account, and never. */
function tierPriority({ tier, quota }: TargetView, now: number): number {
  const resetAt = quota.kind === 'known' ? (earliestReset(quota, now) ?? quota.resetAt) : null
  const soon = resetAt === null ? 0 : clamp01(1 - Math.max(0, resetAt - now) / 1_000 / MONTH_S)
  return TIER_BASE[tier ?? 'standard'] * 0.8 + 0.2 * soon
}

function tierAffinity(tier: Tier | null, hint: Tier | null): number {
  if (tier === null || hint === null) return UNKNOWN
  const distance = Math.abs(TIERS.indexOf(tier) - TIERS.indexOf(hint))
  return distance === 0 ? 1 : distance === 1 ? 0.7 : 0.3
}

/** Simple requests belong to free accounts, demanding ones to the better ones. */
function specificityMatch(tier: Tier | null, specificity: number | null): number {
  if (tier === null || specificity === null) return UNKNOWN
  switch (tier) {
    case 'free':
      return specificity <= 15 ? 0.9 : 0.2
    case 'standard':
      return specificity > 15 && specificity <= 50 ? 0.9 : 0.4
    case 'pro':
    case 'ultra':
      return specificity > 50 ? 0.9 : 0.3
  }
}

function resetWindowAffinity({ quota }: TargetView, now: number): number {
  return quota.kind === 'known' ? urgency(windowOf(quota, '7d', now)?.resetAt ?? null, WEEK_MS, now) : UNKNOWN
}

/** Few requests prove nothing. */
const reliability = ({ recentFailures }: TargetView): number =>
  recentFailures === null || recentFailures.samples < ENOUGH_SAMPLES ? 1 : 1 - recentFailures.rate

export type FactorValues = Readonly<Record<Factor, number>>

/** What a request wants of a target's tier. */
export interface Wanted extends Pick<RequestFacts, 'specificity'> {
  /** The one that was asked for, as by `auto/coding:pro`; null: none was. */
  readonly tierHint: Tier | null
}

export function factorsOf(
  candidate: Candidate,
  greatest: Greatest,
  { specificity, tierHint }: Wanted,
  task: Task | null,
  now: number,
): FactorValues {
  const { view, target } = candidate
  return {
    quota: clamp01(quotaFactor(candidate, now)),
    health: healthFactor(view),
    costInv: inverse(costOf(view), greatest.cost),
    latencyInv: inverse(view.p95LatencyMs, greatest.p95),
    taskFit: taskFit(target.model, task),
    stability: inverse(view.latencyDeviationMs, greatest.deviation),
    tierPriority: clamp01(tierPriority(view, now)),
    tierAffinity: tierAffinity(view.tier, tierHint),
    specificityMatch: specificityMatch(view.tier, specificity),
    contextAffinity: clamp01(view.contextAffinity ?? UNKNOWN),
    sessionAvailability: sessionAvailability(candidate),
    connectionDensity: clamp01((view.connections - 1) / 10),
    cacheAffinity: clamp01(view.cacheAffinity ?? 0),
    resetWindowAffinity: resetWindowAffinity(view, now),
    quality: clamp01(view.quality ?? UNKNOWN),
    reliability: clamp01(reliability(view)),
  }
}

export function scored(
  candidate: Candidate,
  parts: FactorValues,
  weights: Weights,
): Ranked & { readonly score: number } {
  let score = 0
  for (const factor of FACTORS) score += weights[factor] * parts[factor]
  return { candidate, score: candidate.view.quota.kind === 'unreadable' ? score * UNREADABLE_PENALTY : score, parts }
}
