// Targets with a very low score are set aside for a while, longer each time, and come back when their score has risen
// (docs/resilience.md, "Strategies: auto"). Only as long as another target is left: a low score is a preference, not
// evidence of a fault, and must not refuse a request that somebody could answer.

const MINUTE_MS = 60_000
const FIRST_MS = 5 * MINUTE_MS
const LONGEST_MS = 30 * MINUTE_MS
const OUT_BELOW = 0.2
const BACK_FROM = 0.3

export interface Healing {
  /** Wall-clock milliseconds. */
  readonly since: number
  readonly until: number
  /** How often in a row it was set aside. */
  readonly times: number
}
/** By `executionKey`. */
export type HealingBook = Readonly<Record<string, Healing>>

const again = (times: number, now: number): Healing => ({
  since: now,
  until: now + Math.min(FIRST_MS * 2 ** (times - 1), LONGEST_MS),
  times,
})

/** What becomes of one target with this score; null: nothing is kept of it. */
function nextHealing(known: Healing | undefined, score: number, now: number): Healing | null {
  if (known === undefined) return score < OUT_BELOW ? again(1, now) : null
  // A clock that was set back begins the time anew.
  if (now < known.since) return again(known.times, now)
  if (now < known.until) return known
  // Back again: remembered until it has answered, so that the next time is longer.
  if (score >= BACK_FROM) return known.until === known.since ? known : { ...known, since: now, until: now }
  return isOut(known) || score < OUT_BELOW ? again(known.times + 1, now) : known
}

/** Not yet back. One that is back has a time of no length. */
const isOut = ({ since, until }: Healing): boolean => until > since

export interface HealingStep {
  readonly book: HealingBook
  /** Keys of those that are out now. */
  readonly out: ReadonlySet<string>
}

/** @param scores of those that may be used. Others keep what is known of them, as long as they are `listed`. */
export function healed(
  book: HealingBook,
  scores: ReadonlyMap<string, number>,
  listed: ReadonlySet<string>,
  now: number,
): HealingStep {
  const next: Record<string, Healing> = {}
  for (const [key, known] of Object.entries(book)) if (listed.has(key) && !scores.has(key)) next[key] = known
  const out = new Set<string>()
  for (const [key, score] of scores) {
    const healing = nextHealing(book[key], score, now)
    if (healing === null) continue
    next[key] = healing
    if (isOut(healing)) out.add(key)
  }
  return { book: next, out: out.size < scores.size ? out : new Set() }
}

/** It has answered: the next time begins anew. */
export function forgiven(book: HealingBook, key: string): HealingBook {
  if (book[key] === undefined || isOut(book[key])) return book
  const { [key]: _gone, ...others } = book
  return others
}
