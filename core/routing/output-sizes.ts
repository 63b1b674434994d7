// How long the answers to each name are that clients ask for: the mean of its last ones. In memory only, bounded.

/** So many of the last answers count. */
const KEPT = 50
/** Of so many names at most; the one answered longest ago is given up. */
const MOST = 1_000

export class OutputSizes {
  private readonly sizes = new Map<string, number[]>()

  /** @param name as the client wrote it. @param tokens as the answer reported them */
  note(name: string, tokens: number): void {
    const known = this.sizes.get(name) ?? []
    this.sizes.delete(name)
    this.sizes.set(name, known)
    known.push(tokens)
    if (known.length > KEPT) known.shift()
    for (const oldest of this.sizes.keys()) if (this.sizes.size > MOST) this.sizes.delete(oldest)
  }

  /** null: no answer has told yet. */
  usual(name: string): number | null {
    const known = this.sizes.get(name)
    if (known === undefined) return null
    return Math.round(known.reduce((sum, tokens) => sum + tokens, 0) / known.length)
  }
}
