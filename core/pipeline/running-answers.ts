// The answers under way. A Set would do, but one that many requests pass through leaves its outgrown tables behind,
// each pointing to the next: once the first has become old, the collector keeps every request that ever stood in one
// until its next full round. That cost a sixth of the gateway's work.
import type { ClientAnswer } from './client-answer'

export class RunningAnswers {
  private readonly list: ClientAnswer[] = []

  get count(): number {
    return this.list.length
  }

  add(answer: ClientAnswer): void {
    answer.place = this.list.length
    this.list.push(answer)
  }

  /** The last one takes its place. One that is not there, or no longer, is left alone. */
  remove(answer: ClientAnswer): void {
    const { place } = answer
    const last = this.list.at(-1)
    if (place === null || last === undefined) return
    this.list[place] = last
    last.place = place
    answer.place = null
    this.list.pop()
  }

  /** A copy: stopping an answer takes it out. */
  all(): ClientAnswer[] {
    return [...this.list]
  }
}
