// One circuit breaker that lives: holds the state, and moves it when it is read. Nobody else sees the raw state; the
// three readers (`canExecute`, `getStatus`, `getRetryAfterMs`) and every report let time do its part first.
import type { BreakerKind, BreakerState } from '../contract/health-words'
import {
  admitted,
  type Breaker,
  type BreakerOptions,
  CLOSED_BREAKER,
  canExecute,
  counts,
  effectiveCooldownMs,
  effectiveResetMs,
  isProbing,
  onFailure,
  onSuccess,
  onTestPassed,
  quietWindowMs,
  refreshed,
  released,
  reset,
  retryAfterMs,
  type Ticket,
  type Transition,
} from './breaker'

export interface BreakerStatus {
  readonly name: string
  readonly state: BreakerState
  readonly failureCount: number
  readonly lastFailureTime: number | null
  readonly retryAfterMs: number
  readonly lastFailureKind: BreakerKind | null
  readonly openCycleCount: number
  readonly kindFailureCounts: Readonly<Partial<Record<BreakerKind, number>>>
  readonly degradationThreshold: number
  readonly effectiveResetTimeout: number
  readonly transitionHistory: readonly Transition[]
  /** When it entered its state; null while it has never left CLOSED. */
  readonly since: number | null
  /** OPEN: when a probe is allowed. DEGRADED: when it is whole again without further failures. */
  readonly until: number | null
}

/** Thrown by `execute` where the breaker lets nothing through. */
export class CircuitBreakerOpenError extends Error {
  constructor(
    readonly circuitName: string,
    readonly retryAfterMs: number,
  ) {
    super(`Provider ${circuitName} circuit breaker is open`)
    this.name = 'CircuitBreakerOpenError'
  }
}

/** What the outcome of a call says of the provider. */
export type BreakerVerdict = BreakerKind | 'success' | 'ignore'

/** Of no epoch: never current. */
const NOT_ADMITTED: Ticket = { epoch: 0, probe: 0 }

export class CircuitBreaker {
  private lastUsedAt: number

  constructor(
    readonly name: string,
    private readonly options: () => BreakerOptions,
    private readonly now: () => number,
    private breaker: Breaker = CLOSED_BREAKER,
    /** Called after each change that would be written down or shown. */
    private readonly changed: (breaker: CircuitBreaker) => void = () => {},
  ) {
    this.lastUsedAt = now()
  }

  canExecute(now = this.now()): boolean {
    if (this.breaker.state === 'CLOSED') return true
    return canExecute(this.refresh(now), this.options())
  }

  getRetryAfterMs(now = this.now()): number {
    if (this.breaker.state === 'CLOSED') return 0
    return retryAfterMs(this.refresh(now), this.options(), now)
  }

  getStatus(now = this.now()): BreakerStatus {
    const breaker = this.refresh(now)
    const options = this.options()
    return {
      name: this.name,
      state: breaker.state,
      failureCount: breaker.failureCount,
      lastFailureTime: breaker.lastFailureTime,
      retryAfterMs: retryAfterMs(breaker, options, now),
      lastFailureKind: breaker.lastFailureKind,
      openCycleCount: breaker.openCycleCount,
      kindFailureCounts: breaker.kindFailureCounts,
      degradationThreshold: options.degradationThreshold,
      effectiveResetTimeout: effectiveResetMs(breaker, options),
      transitionHistory: breaker.history,
      since: breaker.history.at(-1)?.timestamp ?? (breaker.state === 'CLOSED' ? null : breaker.lastFailureTime),
      until: untilOf(breaker, options),
    }
  }

  /** Takes a probe slot where there are slots to take; null where it lets nothing through. */
  admit(now = this.now()): Ticket | null {
    this.lastUsedAt = now
    const current = this.refresh(now)
    if (!canExecute(current, this.options())) return null
    const { breaker, ticket } = admitted(current, now)
    this.breaker = breaker
    return ticket
  }

  /** For one that is sent whatever the breaker says (a forced connection): past an open breaker it counts for nothing. */
  ticketAnyway(now = this.now()): Ticket {
    return this.admit(now) ?? NOT_ADMITTED
  }

  isProbing(ticket: Ticket, now = this.now()): boolean {
    return isProbing(this.refresh(now), ticket)
  }

  /** Whether a result under this ticket would count. */
  counts(ticket: Ticket, now = this.now()): boolean {
    return counts(this.refresh(now), ticket)
  }

  /** @param ticket null: reported without an admission; counts in every state */
  failed(ticket: Ticket | null, kind: BreakerKind = 'transient', now = this.now()): void {
    this.set(onFailure(this.breaker, this.options(), ticket, kind, now))
  }

  /** @param ticket as for `failed` */
  succeeded(ticket: Ticket | null, now = this.now()): void {
    if (this.breaker.state === 'CLOSED' && this.breaker.failureCount === 0) return
    this.set(onSuccess(this.breaker, this.options(), ticket, now))
  }

  release(ticket: Ticket): void {
    if (ticket.probe !== 0) this.set(released(this.breaker, ticket))
  }

  testPassed(now = this.now()): void {
    this.set(onTestPassed(this.breaker, this.options(), now))
  }

  reset(now = this.now()): void {
    this.set(reset(this.breaker, now))
  }

  /** Runs a call through the breaker. `judge` says what an error means; by default each is a transient failure. */
  async execute<T>(run: () => Promise<T>, judge: (error: unknown) => BreakerVerdict = () => 'transient'): Promise<T> {
    const ticket = this.admit()
    if (ticket === null) throw new CircuitBreakerOpenError(this.name, this.getRetryAfterMs())
    try {
      const result = await run()
      this.succeeded(ticket)
      return result
    } catch (error) {
      const verdict = judge(error)
      if (verdict === 'success') this.succeeded(ticket)
      else if (verdict === 'ignore') this.release(ticket)
      else this.failed(ticket, verdict)
      throw error
    }
  }

  /** For the store, as time has left it. */
  snapshot(now = this.now()): Breaker {
    return this.refresh(now)
  }

  /** Nothing to remember: closed, without a failure. */
  get isPristine(): boolean {
    return this.breaker.state === 'CLOSED' && this.breaker.failureCount === 0
  }

  idleSince(): number {
    return this.lastUsedAt
  }

  private refresh(now: number): Breaker {
    this.set(refreshed(this.breaker, this.options(), now))
    return this.breaker
  }

  private set(next: Breaker): void {
    if (next === this.breaker) return
    this.breaker = next
    this.changed(this)
  }
}

function untilOf(breaker: Breaker, options: BreakerOptions): number | null {
  switch (breaker.state) {
    case 'CLOSED':
    case 'HALF_OPEN':
      return null
    case 'DEGRADED':
      return breaker.lastFailureTime + quietWindowMs(breaker, options)
    case 'OPEN':
      return breaker.lastFailureTime + effectiveCooldownMs(breaker, options)
  }
}
