// Chance that belongs to a thing and not to the order in which things are asked: the same request to the same key at
// the same try has the same luck under every strategy, so that only what a strategy does makes a difference.

/** 0 ≤ x < 1, always the same for the same numbers. */
export function luck(...of: readonly number[]): number {
  let hash = 0x811c9dc5
  for (const number of of) {
    hash = Math.imul(hash ^ Math.floor(number), 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
    hash ^= hash >>> 16
  }
  return (hash >>> 0) / 2 ** 32
}

/** Mean 0, standard deviation about 1, never beyond 3.5: the sum of twelve. */
export function bell(...of: readonly number[]): number {
  let sum = -6
  for (let i = 0; i < 12; i++) sum += luck(...of, i)
  return Math.max(-3.5, Math.min(3.5, sum))
}

/** mulberry32: a stream of numbers for those who ask one after the other. */
export function seeded(seed: number): () => number {
  let a = seed
  return () => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}
