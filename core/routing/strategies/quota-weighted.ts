// A draw among accounts whose quota is freshly known and not nearly spent, by what is left and what is under way; the
// others are reserves (docs/resilience.md, "Strategies: quota-weighted"). Nothing left at all is out.
import type { ComboConfig } from '../../contract/combo-config'
import { shareLeftOf, spentUntil } from './quota'
import { byScore, drawWeighted, first } from './ranking'
import { type ResetAwareConfig, resetAwareScore } from './reset-aware'
import { type Candidate, NO_STATE, type Ranked, type SetAside, type Strategy, type StrategyState } from './strategy'

type Config = ResetAwareConfig & Pick<ComboConfig, 'quotaWeightedFloorPercent'>

/** Until the call itself is counted as in flight. */
const RESERVE_MS = 120_000

const spent = (candidate: Candidate, now: number): SetAside => ({
  candidate,
  exclusion: {
    gate: 'quota',
    reason: 'quota_exhausted',
    until: spentUntil(candidate, now),
    why: 'Nothing is left of its quota.',
  },
})

const isFresh = ({ view: { quota } }: Candidate): boolean =>
  quota.kind === 'unlimited' || (quota.kind === 'known' && quota.fresh)

const weightOf = ({ candidate, score }: Ranked): number => Math.max(0, score ?? 0) / (1 + candidate.view.inFlight)

export const quotaWeighted: Strategy<StrategyState, Config> = {
  start: NO_STATE,

  order({ candidates, config, now, random }) {
    const pool: Ranked[] = []
    const reserve: Ranked[] = []
    const setAside: SetAside[] = []
    for (const candidate of candidates) {
      const left = shareLeftOf(candidate, now)
      if (left === 0) {
        setAside.push(spent(candidate, now))
        continue
      }
      const ranked = resetAwareScore(candidate, config, now)
      const isSure = isFresh(candidate) && left !== null && left * 100 > config.quotaWeightedFloorPercent
      if (isSure) pool.push({ ...ranked, parts: { ...ranked.parts, weight: weightOf(ranked) } })
      else reserve.push(ranked)
    }
    const [winner, ...others] = first(pool, drawWeighted(pool.map(weightOf), random))
    const ordered = [...(winner === undefined ? [] : [winner]), ...byScore(others), ...reserve]
    return { ordered, setAside, state: NO_STATE, ...(ordered.length > 0 && { reserveMs: RESERVE_MS }) }
  },
}
