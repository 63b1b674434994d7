// Two drawn at random, the better one leads: much of the good of always taking the best, without the herd
// (docs/resilience.md, "Strategies: p2c").
import { drawBelow, first, unscored } from './ranking'
import {
  type Candidate,
  type Choice,
  NO_STATE,
  type Parts,
  type Scene,
  type Strategy,
  type StrategyState,
} from './strategy'

interface Duel {
  readonly score: number
  readonly parts: Parts
}

const HALF_OPEN_PENALTY = 0.25
/** Where nobody has been tried. */
const USUAL_SUCCESS = 0.5
const USUAL_SPEED = 0.25

/** 1 for 0 ms, a half for 90 ms, a third for a second. */
const speed = (averageLatencyMs: number): number => 1 / Math.log10(averageLatencyMs + 10)

/** The best values of the pool; the untried are taken to be as good until they have been tried. */
interface Best {
  readonly success: number
  readonly speed: number
  readonly score: number
}

function bestOf(candidates: readonly Candidate[]): Best {
  let success: number | null = null
  let fastest: number | null = null
  let score: number | null = null
  for (const { view } of candidates) {
    const rate = view.successRate
    const term = view.averageLatencyMs === null ? null : speed(view.averageLatencyMs)
    if (rate !== null) success = Math.max(success ?? 0, rate)
    if (term !== null) fastest = Math.max(fastest ?? 0, term)
    if (rate !== null && term !== null) score = Math.max(score ?? 0, rate * term)
  }
  const known = { success: success ?? USUAL_SUCCESS, speed: fastest ?? USUAL_SPEED }
  return { ...known, score: score ?? known.success * known.speed }
}

function duelOf({ view }: Candidate, best: Best): Duel {
  const success = view.successRate ?? best.success
  const term = view.averageLatencyMs === null ? best.speed : speed(view.averageLatencyMs)
  const isUntried = view.successRate === null && view.averageLatencyMs === null
  const halfOpen = view.breaker === 'HALF_OPEN' ? HALF_OPEN_PENALTY : 0
  return { score: (isUntried ? best.score : success * term) - halfOpen, parts: { success, speed: term, halfOpen } }
}

/** Of connections of one provider: 100 less what speaks against it. */
function healthOf({ view }: Candidate): Duel {
  const backoff = 10 * view.backoffLevel
  const lastError = view.lastError === null ? 0 : 20
  const cooling = view.cooling ? 30 : 0
  return { score: Math.max(0, 100 - backoff - lastError - cooling), parts: { backoff, lastError, cooling } }
}

/** The second wins only if it is strictly better. The winner leads, the others stay as they are. */
function duel({ candidates, random }: Scene<object>, judge: (candidate: Candidate) => Duel): Choice {
  const n = candidates.length
  const one = drawBelow(n, random)
  const other = n > 1 ? drawBelow(n - 1, random) : one
  const two = n > 1 && other >= one ? other + 1 : other
  const drawn = [one, two].flatMap((i) => candidates[i] ?? [])
  const duels = new Map(drawn.map((candidate) => [candidate, judge(candidate)]))
  const [a, b] = [...duels.values()]
  const winner = a !== undefined && b !== undefined && b.score > a.score ? two : one
  const ordered = first(candidates, winner).map((candidate) => ({ ...unscored(candidate), ...duels.get(candidate) }))
  return { ordered, state: NO_STATE }
}

export const p2c: Strategy<StrategyState, object> = {
  start: NO_STATE,
  order(scene) {
    const best = bestOf(scene.candidates)
    return duel(scene, (candidate) => duelOf(candidate, best))
  },
}

/** Among connections of one provider, which have no metrics of their own but marks. */
export const p2cOfAccounts: Strategy<StrategyState, object> = {
  start: NO_STATE,
  order: (scene) => duel(scene, healthOf),
}
