// Small tools that strategies share: to rank, to draw, to take turns. All stable, none ever NaN.
import type { Target } from '../combo'
import type { Candidate, Parts, Ranked } from './strategy'

export const clamp01 = (value: number): number => (value > 0 ? Math.min(value, 1) : 0)

const NO_PARTS: Parts = {}

export const unscored = (candidate: Candidate): Ranked => ({ candidate, score: null, parts: NO_PARTS })

/** In the order of the list. */
export const asListed = (candidates: readonly Candidate[]): Ranked[] => candidates.map(unscored)

/** Ascending by a measure; unknown (null) ones last, equals as they stood. */
export function ascending(
  candidates: readonly Candidate[],
  name: string,
  measure: (c: Candidate) => number | null,
): Ranked[] {
  return candidates
    .map((candidate) => {
      const score = measure(candidate)
      return { candidate, score, parts: score === null ? NO_PARTS : { [name]: score } }
    })
    .sort((a, b) => byNumber(a.score ?? Number.POSITIVE_INFINITY, b.score ?? Number.POSITIVE_INFINITY))
}

/** Descending by score; unknown (null) ones last, equals as they stood. */
export const byScore = (ranked: readonly Ranked[]): Ranked[] =>
  [...ranked].sort((a, b) => byNumber(b.score ?? Number.NEGATIVE_INFINITY, a.score ?? Number.NEGATIVE_INFINITY))

/** Never NaN, not for two infinities either. */
export const byNumber = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0)

/** The one at `index` first, the others as they stood. */
export function first<T>(items: readonly T[], index: number): T[] {
  const chosen = items[index]
  return chosen === undefined ? [...items] : [chosen, ...items.slice(0, index), ...items.slice(index + 1)]
}

/** 0 to n − 1, each as likely. */
export const drawBelow = (n: number, random: () => number): number => Math.min(Math.floor(random() * n), n - 1)

/** An index, as likely as its weight says. Weights that are all 0: each as likely. −1: there is none. */
export function drawWeighted(weights: readonly number[], random: () => number): number {
  let total = 0
  for (const weight of weights) total += weight
  if (!(total > 0)) return drawBelow(weights.length, random)
  let left = random() * total
  let last = -1
  for (const [i, weight] of weights.entries()) {
    if (!(weight > 0)) continue
    if (left < weight) return i
    left -= weight
    last = i
  }
  return last
}

/** Every order as likely. */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const out = [...items]
  for (let i = out.length - 1; i > 0; i--) {
    const j = drawBelow(i + 1, random)
    const moved = out[i] as T
    out[i] = out[j] as T
    out[j] = moved
  }
  return out
}

/** Place in the list of the target last chosen; −1: none, or it is gone. */
export const indexOfKey = (listed: readonly Target[], key: string | null): number =>
  key === null ? -1 : listed.findIndex(({ executionKey }) => executionKey === key)

/** Beginning with the first at or behind `from` in the list, around to the ones before it. Items as listed. */
export function turned<T>(items: readonly T[], indexOf: (item: T) => number, from: number): T[] {
  const start = items.findIndex((item) => indexOf(item) >= from)
  return start <= 0 ? [...items] : [...items.slice(start), ...items.slice(0, start)]
}

export const keyOf = ({ candidate }: Ranked): string => candidate.target.executionKey
export const placeOf = ({ candidate }: Ranked): number => candidate.index
