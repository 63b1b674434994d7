// Most quota left, and soonest renewed, first: what is about to come back is spent before what has to last
// (docs/resilience.md, "Strategies: reset-aware"). The urgency counts only what is left, so that an empty account never
// leads. Accounts nearly as good as the best take turns.
import type { ComboConfig } from '../../contract/combo-config'
import { isLimitReached, leftOverAll, SESSION_MS, shareLeft, urgency, WEEK_MS, windowOf } from './quota'
import { byScore, placeOf, unscored } from './ranking'
import { type Candidate, type Ranked, strategy } from './strategy'
import { inTurn, type TurnState } from './take-turns'

export type ResetAwareConfig = Pick<
  ComboConfig,
  'resetAwareSessionWeight' | 'resetAwareWeeklyWeight' | 'resetAwareExhaustionGuardPercent'
>
type Config = ResetAwareConfig & Pick<ComboConfig, 'resetAwareTieBandPercent'>

const NO_DATA = 0.5
const LEAST_GUARD = 0.05

/** `share` for what is left, the rest of it for what is left and comes back soon. */
const part = (left: number, urgent: number, share: number): number => share * left + (1 - share) * urgent * left

/** Both 0 is no ratio: then the defaults'. */
function weightsOf({
  resetAwareSessionWeight: s,
  resetAwareWeeklyWeight: w,
}: ResetAwareConfig): readonly [number, number] {
  return s + w > 0 ? [s / (s + w), w / (s + w)] : [0.35, 0.65]
}

/** From 0 to 1. A spent account has no score: it comes last. */
export function resetAwareScore(candidate: Candidate, config: ResetAwareConfig, now: number): Ranked {
  const { quota } = candidate.view
  if (quota.kind === 'unlimited') return { candidate, score: 1, parts: { unlimited: 1 } }
  if (quota.kind !== 'known') return { candidate, score: NO_DATA, parts: { noData: NO_DATA } }
  if (isLimitReached(quota, now)) return { candidate, score: null, parts: { limitReached: 1 } }
  const five = windowOf(quota, '5h', now)
  const week = windowOf(quota, '7d', now)
  const overall = leftOverAll(quota, now)
  const fiveLeft = shareLeft(five?.usedPercent ?? null) ?? overall
  const weekLeft = shareLeft(week?.usedPercent ?? null) ?? overall
  if (fiveLeft === null && weekLeft === null) return { candidate, score: NO_DATA, parts: { noData: NO_DATA } }
  const session = part(fiveLeft ?? NO_DATA, urgency(five?.resetAt ?? null, SESSION_MS, now), 0.45)
  const weekly = part(weekLeft ?? NO_DATA, urgency(week?.resetAt ?? null, WEEK_MS, now), 0.25)
  const [wS, wW] = weightsOf(config)
  const guard = guardOf(fiveLeft ?? NO_DATA, config.resetAwareExhaustionGuardPercent / 100)
  return { candidate, score: (wS * session + wW * weekly) * guard, parts: { session, weekly, guard } }
}

/** With less than `below` left of its five hours an account is spared. */
const guardOf = (left: number, below: number): number => (left < below ? Math.max(LEAST_GUARD, left / below) : 1)

export const resetAware = strategy<TurnState, Config>({
  start: { kind: 'reset-aware', last: null },

  order({ candidates, listed, config, now }, state) {
    const ranked = byScore(candidates.map((candidate) => resetAwareScore(candidate, config, now)))
    const best = ranked[0]?.score ?? null
    if (best === null) return { ordered: ranked.map(({ candidate }) => unscored(candidate)), state }
    const least = best * (1 - config.resetAwareTieBandPercent / 100)
    const behind = ranked.findIndex(({ score }) => score === null || score < least)
    const band = (behind < 0 ? ranked : ranked.slice(0, behind)).toSorted((a, b) => placeOf(a) - placeOf(b))
    const { turn, last } = inTurn(band, listed, state.last)
    return { ordered: [...turn, ...ranked.slice(band.length)], state: { ...state, last } }
  },
})
