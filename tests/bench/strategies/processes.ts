// Many requests at the same time on a clock that stands still: each is a generator that says how long it sleeps.
import type { Clock, Timer } from '../../../core/clock'

/** What wakes a sleeper early. */
export class Signal {
  private wake: (() => void) | null = null

  /** @returns how to stop listening */
  listen(wake: () => void): () => void {
    this.wake = wake
    return () => {
      this.wake = null
    }
  }

  fire(): void {
    this.wake?.()
  }
}

/** Milliseconds to sleep, at most so long where a signal may come before. */
export interface Sleep {
  readonly ms: number
  readonly signal?: Signal
}

export type Process<T = void> = Generator<Sleep, T, void>

/** Runs it to its first sleep at once, and on from there as time passes. */
export function start<T>(process: Process<T>, clock: Clock, ended: (result: T) => void = () => {}): void {
  const go = (): void => {
    const step = process.next()
    if (step.done === true) return ended(step.value)
    const { ms, signal } = step.value
    let timer: Timer | null = null
    const stop = signal?.listen(() => resume())
    const resume = (): void => {
      timer?.cancel()
      stop?.()
      go()
    }
    timer = clock.after(Math.max(0, ms), resume)
  }
  go()
}
