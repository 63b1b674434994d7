// Who is under way. A Set would do, but one that many pass through leaves its outgrown tables behind, each pointing to
// the next: once the first has become old, the collector keeps all that ever stood in one until its next full round.
// That cost a sixth of the gateway's work.

export interface Listed {
  /** In the one roster it may be in; null: it is in none. */
  place: number | null
}

export class Roster<T extends Listed> {
  private readonly list: T[] = []

  get count(): number {
    return this.list.length
  }

  add(one: T): void {
    one.place = this.list.length
    this.list.push(one)
  }

  /** The last one takes its place. One that is not there, or no longer, is left alone. */
  remove(one: T): void {
    const { place } = one
    const last = this.list.at(-1)
    if (place === null || last === undefined) return
    this.list[place] = last
    last.place = place
    one.place = null
    this.list.pop()
  }

  /** A copy: who is met may leave, or make others leave. */
  all(): T[] {
    return [...this.list]
  }
}
