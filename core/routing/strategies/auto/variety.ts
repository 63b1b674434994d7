// Who leads among the scored: mostly the best, sometimes one nearly as good, now and then anybody, so that no target
// stays unknown and none takes everything (docs/resilience.md, "Strategies: auto").
import { drawBelow, drawWeighted, first } from '../ranking'
import type { Ranked } from '../strategy'

type Scored = Ranked & { readonly score: number }

const CLEAR_GAP = 0.1
const SAME = 1e-4
const MIDDLE_RANGE = 0.3
/** Of the best, the nearly as good, the rest; those without members give theirs to the others. */
const PREFERENCES = [0.45, 0.35, 0.2] as const

/** @param ranked best first. @returns the same with a random one first */
export const explored = <T>(ranked: readonly T[], random: () => number): T[] =>
  first(ranked, drawBelow(ranked.length, random))

/** @param ranked best first. @returns the same, perhaps with another first; never where the best is clearly better */
export function rotated(ranked: readonly Scored[], random: () => number): Scored[] {
  const [best, second] = ranked
  const worst = ranked.at(-1)
  if (best === undefined || second === undefined || worst === undefined) return [...ranked]
  if (best.score - second.score >= CLEAR_GAP) return [...ranked]
  const range = best.score - worst.score
  const tops = countFrom(ranked, best.score - SAME)
  const tiers = [tops, Math.max(countFrom(ranked, best.score - MIDDLE_RANGE * range), tops) - tops]
  const sizes = [...tiers, ranked.length - tiers.reduce((a, b) => a + b, 0)]
  const tier = drawWeighted(
    PREFERENCES.map((preference, i) => ((sizes[i] ?? 0) > 0 ? preference : 0)),
    random,
  )
  const before = sizes.slice(0, tier).reduce((a, b) => a + b, 0)
  return first(ranked, before + drawBelow(sizes[tier] ?? 1, random))
}

/** How many reach the score. `ranked` best first. */
const countFrom = (ranked: readonly Scored[], score: number): number => {
  const behind = ranked.findIndex((one) => one.score < score)
  return behind < 0 ? ranked.length : behind
}
