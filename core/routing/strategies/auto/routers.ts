// Other ways for `auto` to come to an order than by its rules: cost, speed, or the service level the user wants
// (docs/resilience.md, "Strategies: auto").
import type { ComboConfig } from '../../../contract/combo-config'
import type { TargetView } from '../../target-view'
import { costOf } from '../../tier'
import { ascending, byNumber, byScore } from '../ranking'
import type { Candidate, Ranked } from '../strategy'
import type { FactorValues } from './factors'

/** The cheapest first, unknown prices last. */
export const byCost = (candidates: readonly Candidate[]): Ranked[] =>
  ascending(candidates, 'cost', ({ view }) => costOf(view))

const FAILURE_MS = 1_000

/** Share of failures; unknown: none. */
const errorRate = ({ recentFailures, successRate }: TargetView): number =>
  recentFailures?.rate ?? (successRate === null ? 0 : 1 - successRate)

/** The fastest first, each failure in a hundred as ten milliseconds; the unmeasured last. */
export const byLatency = (candidates: readonly Candidate[]): Ranked[] =>
  ascending(candidates, 'ms', ({ view }) =>
    view.p95LatencyMs === null ? null : view.p95LatencyMs + FAILURE_MS * errorRate(view),
  )

export type SlaConfig = Pick<
  ComboConfig,
  'slaTargetP95Ms' | 'slaMaxErrorRate' | 'slaMaxCostPer1MTokens' | 'slaHardConstraints'
>

/** By how much a measure is beyond its limit, as a share of the limit. Unknown, or no limit: 0. */
function excess(value: number | null, most: number | null): number {
  if (value === null || most === null || value <= most) return 0
  return most > 0 ? value / most - 1 : value
}

/** Within the limit 1, beyond it less; without a limit as compared with the others. */
const kept = (value: number | null, most: number | null, compared: number): number =>
  most === null || value === null ? compared : 1 / (1 + excess(value, most))

function slaScore(candidate: Candidate, factors: FactorValues, config: SlaConfig): Ranked {
  const { view } = candidate
  const errors = errorRate(view)
  const cost = costOf(view)
  const latency = kept(view.p95LatencyMs, config.slaTargetP95Ms, factors.latencyInv)
  const error = kept(errors, config.slaMaxErrorRate, 1 - errors)
  const price = kept(cost, config.slaMaxCostPer1MTokens, factors.costInv)
  const violation =
    excess(view.p95LatencyMs, config.slaTargetP95Ms) +
    excess(errors, config.slaMaxErrorRate) +
    excess(cost, config.slaMaxCostPer1MTokens)
  return {
    candidate,
    score: 0.35 * latency + 0.35 * error + 0.15 * factors.health + 0.1 * price + 0.05 * factors.stability,
    parts: { latency, error, health: factors.health, cost: price, stability: factors.stability, violation },
  }
}

/** The best kept service level first; where the limits are hard, whoever is least beyond them before all others. */
export function bySla(
  candidates: readonly Candidate[],
  factors: (candidate: Candidate) => FactorValues,
  config: SlaConfig,
): Ranked[] {
  const ranked = byScore(candidates.map((candidate) => slaScore(candidate, factors(candidate), config)))
  if (!config.slaHardConstraints) return ranked
  return ranked.sort((a, b) => byNumber(a.parts.violation ?? 0, b.parts.violation ?? 0))
}
