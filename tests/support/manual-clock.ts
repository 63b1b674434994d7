// Time that stands still until a test moves it: timers run in order, each at its own moment.
import type { Clock, Timer } from '../../core/clock'

interface Waiting {
  at: number
  readonly ms: number
  readonly repeats: boolean
  readonly run: () => void
  on: boolean
}

export class ManualClock implements Clock {
  private readonly timers = new Set<Waiting>()
  private passed = 0

  constructor(private readonly start = 1_750_000_000_000) {}

  now = (): number => this.start + this.passed
  elapsed = (): number => this.passed
  after = (ms: number, run: () => void): Timer => this.add(ms, run, false)
  every = (ms: number, run: () => void): Timer => this.add(ms, run, true)

  /** How many timers are still to run. */
  get waiting(): number {
    return this.timers.size
  }

  /** Lets `ms` pass; whatever falls due runs at its moment, also what is begun on the way. */
  advance(ms: number): void {
    const end = this.passed + ms
    for (let next = this.nextDue(end); next !== null; next = this.nextDue(end)) {
      this.passed = Math.max(this.passed, next.at)
      if (next.repeats) next.at += Math.max(next.ms, 1)
      else this.timers.delete(next)
      next.run()
    }
    this.passed = end
  }

  private nextDue(end: number): Waiting | null {
    let next: Waiting | null = null
    for (const timer of this.timers) {
      if (timer.at <= end && (next === null || timer.at < next.at)) next = timer
    }
    return next
  }

  private add(ms: number, run: () => void, repeats: boolean): Timer {
    const timer: Waiting = { at: this.passed + ms, ms, repeats, run, on: true }
    this.timers.add(timer)
    return {
      restart: () => {
        if (!timer.on) return
        timer.at = this.passed + ms
        this.timers.add(timer)
      },
      cancel: () => {
        timer.on = false
        this.timers.delete(timer)
      },
    }
  }
}
