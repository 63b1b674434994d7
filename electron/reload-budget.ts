// A page that crashed is loaded again, but not for ever: something that crashes it each time would spin.
const LIMIT = 3
const WITHIN_MS = 60_000

export class ReloadBudget {
  private spent: number[] = []

  constructor(private readonly now: () => number) {}

  /** Whether one more reload is all right. */
  take(): boolean {
    const now = this.now()
    this.spent = this.spent.filter((at) => now - at < WITHIN_MS)
    if (this.spent.length >= LIMIT) return false
    this.spent.push(now)
    return true
  }
}
