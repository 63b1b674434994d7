// The one source of time in core/. Nothing else calls Date.now(), setTimeout or setInterval.

export interface Timer {
  /** Starts the same wait again from now. */
  restart(): void
  cancel(): void
}

export interface Clock {
  /** Wall-clock epoch milliseconds: for what is stored, shown, or stated by others. */
  now(): number
  /** Monotonic milliseconds with fractions: for durations. */
  elapsed(): number
  /** Calls `run` once after `ms`. Does not keep the process alive. */
  after(ms: number, run: () => void): Timer
  /** Calls `run` every `ms` until cancelled. Does not keep the process alive. */
  every(ms: number, run: () => void): Timer
}

export const systemClock: Clock = {
  now: Date.now,
  elapsed: () => performance.now(),
  after: (ms, run) => new SystemTimer(setTimeout(run, ms)),
  every: (ms, run) => new SystemTimer(setInterval(run, ms)),
}

class SystemTimer implements Timer {
  constructor(private readonly handle: NodeJS.Timeout) {
    handle.unref()
  }

  restart(): void {
    this.handle.refresh()
  }

  cancel(): void {
    clearTimeout(this.handle)
  }
}
