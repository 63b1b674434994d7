// How long the answers to each name are that clients ask for: the mean of its last ones. In memory only, bounded.

/** So many of the last answers count. */
const KEPT = 50
/** Of so many names at most; the one known longest is given up. */
const MOST = 1_000

interface Sizes {
  readonly last: number[]
  /** Where the next one goes, once there are as many as are kept. */
  at: number
  sum: number
}

export class OutputSizes {
  private readonly sizes = new Map<string, Sizes>()

  /** @param name as the client wrote it. @param tokens as the answer reported them */
  note(name: string, tokens: number): void {
    const known = this.sizes.get(name) ?? this.begin(name)
    known.sum += tokens - (known.last[known.at] ?? 0)
    known.last[known.at] = tokens
    known.at = (known.at + 1) % KEPT
  }

  /** null: no answer has told yet. */
  usual(name: string): number | null {
    const known = this.sizes.get(name)
    return known === undefined ? null : Math.round(known.sum / known.last.length)
  }

  private begin(name: string): Sizes {
    for (const oldest of this.sizes.keys()) {
      if (this.sizes.size < MOST) break
      this.sizes.delete(oldest)
    }
    const sizes = { last: [], at: 0, sum: 0 }
    this.sizes.set(name, sizes)
    return sizes
  }
}
