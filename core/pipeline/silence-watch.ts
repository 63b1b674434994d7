// Notices who has been silent for too long. One timer looks at all: a timer of its own for each call, begun anew with
// every piece of its answer, would be a good part of the work.
import type { Clock, Timer } from '../clock'
import { type Listed, Roster } from './roster'

/** The watch is late by twice this at most, and never early. */
const LOOK_MS = 50

export interface Watched extends Listed {
  /** When it was last heard, as the watch tells the time. */
  heardAt: number
  /** So long may it be silent, in milliseconds. */
  mayBeSilentMs: number
  /** It was silent for too long. Told at every look, for as long as it is watched and silent. */
  silent(): void
}

export class SilenceWatch {
  private readonly watched = new Roster<Watched>()
  private looking: Timer | null = null
  /** Monotonic milliseconds, at the last look. */
  private now = 0

  constructor(private readonly clock: Clock) {}

  add(one: Watched): void {
    if (this.looking === null) {
      this.now = this.clock.elapsed()
      this.looking = this.clock.every(LOOK_MS, () => this.look())
    }
    one.heardAt = this.now
    this.watched.add(one)
  }

  heard(one: Watched): void {
    one.heardAt = this.now
  }

  remove(one: Watched): void {
    this.watched.remove(one)
  }

  private look(): void {
    this.now = this.clock.elapsed()
    if (this.watched.count === 0) {
      this.looking?.cancel()
      this.looking = null
      return
    }
    // What is heard between two looks counts from the earlier one.
    for (const one of this.watched.all()) if (this.now - one.heardAt >= one.mayBeSilentMs + LOOK_MS) one.silent()
  }
}
