// The shell that holds the health of all providers, connections and models: every question "may this be used now?" and
// every outcome of an attempt goes through here. The decisions are pure and lie beside it; time recovers everything
// lazily, when it is asked. Nothing here waits, and a healthy target costs three look-ups.
import type { ResilienceSettings } from '../contract/resilience-settings'
import type { Ticket } from './breaker'
import type { BreakerStatus, CircuitBreaker } from './circuit-breaker'
import type { ConnectionEntry } from './connection-book'
import { applyFailure, NO_CONSEQUENCE, tellTerminal, terminalOf } from './failure-outcomes'
import { breakerGate, coolingGate, lockGate } from './gates'
import type { Admission, Consequence, Failure, Gate, Subject } from './health-events'
import { type HealthDeps, type HealthParts, openHealthParts } from './health-parts'
import type { Lock } from './lockout'
import type { RetryOutcome } from './terminal'

export interface AdmitOptions {
  /** Send it though the provider is out: a person's live test, a forced connection. */
  readonly pastBreaker?: boolean
  /** The one allowance inside a request: a connection that its own 429 has just put to rest. */
  readonly pastCooldown?: boolean
  /** Its outcome says nothing of the provider, so it is no probe either. */
  readonly provesNothing?: boolean
}

export interface CooldownsCleared {
  readonly cleared: number
  readonly unchanged: number
  readonly skippedTerminal: number
  readonly lockoutsCleared: number
}

export class Health {
  private readonly parts: HealthParts
  private readonly settled = new WeakSet<Admission>()

  /** Restores what was written down. */
  constructor(private readonly deps: HealthDeps) {
    this.parts = openHealthParts(deps)
  }

  close(): void {
    this.parts.close()
  }

  // Questions. Each gives null where nothing stands in the way.

  providerGate(providerId: string, now: number): Gate | null {
    const breaker = this.parts.breakers.find(providerId)
    return breaker === undefined || breaker.canExecute(now) ? null : breakerGate(breaker.getStatus(now), now)
  }

  connectionGate(connectionId: string, now: number): Gate | null {
    return this.parts.connections.gate(connectionId, now)
  }

  modelGate(subject: Subject, now: number): Gate | null {
    if (this.parts.locks.size === 0) return null
    const facts = this.deps.provider(subject.providerId)
    const lock = facts === undefined ? null : this.parts.locks.find(facts, subject, now)
    return lock === null ? null : lockGate(lock)
  }

  /** Asked only while a combo resolves its targets; off by default. @param connectionId null: none is named */
  comboGate(providerId: string, connectionId: string | null, now: number): Gate | null {
    const settings = this.deps.settings().providerCooldown
    if (!settings.enabled || this.parts.windows.size === 0) return null
    const of = this.deps.provider(providerId)?.class ?? 'apikey'
    const provider = this.parts.windows.provider(providerId, settings[of], now)
    if (provider !== null) return coolingGate(provider, 'provider-cooldown')
    const connection =
      connectionId === null ? null : this.parts.windows.connection(providerId, connectionId, settings, now)
    return connection === null ? null : coolingGate(connection, 'connection-window')
  }

  // The life of one attempt: admitted, then exactly one of succeeded, failed, aborted.

  /** Asks all gates once more, and takes a probe's slot where the provider is being tried. */
  admit(subject: Subject, options: AdmitOptions = {}): Admission | Gate {
    const now = this.deps.clock.now()
    const { providerId, connectionId, model } = subject
    const closed = this.connectionGate(connectionId, now)
    if (closed !== null && !(options.pastCooldown === true && closed.gate === 'cooldown')) return closed
    const locked = this.modelGate(subject, now)
    if (locked !== null) return locked
    const facts = this.deps.provider(providerId)
    const breaker = facts === undefined || facts.breakerExempt === true ? null : this.parts.breakers.of(facts)
    const ticket = breaker === null ? NO_TICKET : ticketOf(breaker, options, now)
    if (breaker !== null && ticket === null) return breakerGate(breaker.getStatus(now), now)
    const seq = this.parts.nextSeq()
    return { kind: 'admitted', providerId, connectionId, model, seq, breaker, ticket: ticket ?? NO_TICKET }
  }

  /** The first content arrived: that is what a probe waits for. The attempt goes on. */
  began({ breaker, ticket }: Admission): void {
    if (ticket.probe !== 0) breaker?.succeeded(ticket)
  }

  succeeded(admission: Admission): void {
    if (!this.settle(admission)) return
    const { providerId, connectionId, breaker, ticket } = admission
    breaker?.succeeded(ticket)
    this.parts.windows.succeeded(providerId, connectionId)
    this.parts.connections.succeeded(admission)
    if (this.parts.locks.size === 0) return
    const facts = this.deps.provider(providerId)
    if (facts !== undefined) this.parts.locks.succeeded(facts, admission)
  }

  /** The client left, or the gateway gave up by itself: proves nothing about anyone. */
  aborted(admission: Admission): void {
    if (this.settle(admission)) admission.breaker?.release(admission.ticket)
  }

  failed(admission: Admission, failure: Failure): Consequence {
    if (!this.settle(admission)) return NO_CONSEQUENCE
    const now = this.deps.clock.now()
    const facts = this.deps.provider(admission.providerId)
    if (facts === undefined) {
      // Removed meanwhile.
      admission.breaker?.release(admission.ticket)
      return NO_CONSEQUENCE
    }
    return applyFailure(this.parts, admission, failure, facts, now)
  }

  // What a person does. Written down at once.

  /** A live test of the connection went well. One that did not writes nothing. */
  testPassed(providerId: string, connectionId: string): void {
    this.parts.breakers.find(providerId)?.testPassed()
    this.parts.connections.clear(connectionId, this.parts.nextSeq())
    this.parts.flush()
  }

  /** New credentials, or a reset of the connection: nothing is held against it or its models any more. */
  clearConnection(connectionId: string): void {
    this.parts.connections.clear(connectionId, this.parts.nextSeq())
    this.parts.locks.clearConnection(connectionId)
    this.parts.changed()
    this.parts.flush()
  }

  /** Ends rests and locks. Terminal connections are left as they are, and counted. */
  clearCooldowns(connectionIds: readonly string[]): CooldownsCleared {
    const now = this.deps.clock.now()
    const counts = { cleared: 0, unchanged: 0, terminal: 0 }
    let lockoutsCleared = 0
    for (const id of new Set(connectionIds)) {
      const outcome = this.parts.connections.clearCooldown(id, now)
      counts[outcome]++
      if (outcome !== 'terminal') lockoutsCleared += this.parts.locks.clearConnection(id)
    }
    this.parts.changed()
    this.parts.flush()
    const { cleared, unchanged, terminal: skippedTerminal } = counts
    return { cleared, unchanged, skippedTerminal, lockoutsCleared }
  }

  /** @param connectionId null: of every connection of the provider. @returns whether there was one */
  clearLockout(providerId: string, connectionId: string | null, model: string): boolean {
    const facts = this.deps.provider(providerId)
    const removed = facts === undefined ? 0 : this.parts.locks.remove(facts, connectionId, model)
    if (removed > 0) this.parts.changed()
    return removed > 0
  }

  clearLockouts(): number {
    const removed = this.parts.locks.clear()
    this.parts.changed()
    return removed
  }

  /** At the start, when it is known which connections there are: the others went while nobody looked. */
  keepOnly(connectionIds: ReadonlySet<string>): void {
    this.parts.connections.keepOnly(connectionIds)
  }

  resetBreaker(providerId: string): void {
    this.parts.breakers.find(providerId)?.reset()
    this.parts.flush()
  }

  /** @returns how many there are */
  resetBreakers(): number {
    this.parts.dedup.clear()
    this.parts.windows.clear()
    const count = this.parts.breakers.resetAll()
    this.parts.flush()
    return count
  }

  /** Wired to the settings: what a changed number means is read anew anyway; changed hints begin with clean breakers. */
  settingsChanged(next: ResilienceSettings, previous: ResilienceSettings): void {
    const changed = (['oauth', 'apikey'] as const).some(
      (of) =>
        next.connectionCooldown[of].useUpstream429BreakerHints !==
        previous.connectionCooldown[of].useUpstream429BreakerHints,
    )
    if (changed) this.resetBreakers()
  }

  // Retries of connections that were refused with 401: whoever runs them asks who is due, and says what came of it.

  dueRetries(): string[] {
    return this.parts.connections.dueRetries(this.deps.clock.now())
  }

  retried(connectionId: string, outcome: RetryOutcome): void {
    const now = this.deps.clock.now()
    const before = terminalOf(this.parts, connectionId, now)
    this.parts.connections.retried(connectionId, outcome, this.parts.nextSeq(), now)
    tellTerminal(this.parts, connectionId, before, now)
  }

  // What is shown.

  breakerStatuses(now: number): BreakerStatus[] {
    return [...this.parts.breakers.all()].map((breaker) => breaker.getStatus(now))
  }

  breakerStatus(providerId: string, now: number): BreakerStatus | null {
    return this.parts.breakers.find(providerId)?.getStatus(now) ?? null
  }

  /** undefined: it is well. */
  connection(connectionId: string, now: number): ConnectionEntry | undefined {
    return this.parts.connections.entry(connectionId, now)
  }

  lockouts(now: number): Lock[] {
    return this.parts.locks.list(now)
  }

  lockoutsOf(connectionId: string, now: number): Lock[] {
    return this.parts.locks.ofConnection(connectionId, now)
  }

  /** Every attempt ends once; a second report of it is ignored. */
  private settle(admission: Admission): boolean {
    if (this.settled.has(admission)) return false
    this.settled.add(admission)
    return true
  }
}

const NO_TICKET = { epoch: 0, probe: 0 }

/** null: the breaker lets nothing through. */
function ticketOf(breaker: CircuitBreaker, { pastBreaker, provesNothing }: AdmitOptions, now: number): Ticket | null {
  if (pastBreaker === true) return breaker.ticketAnyway(now)
  if (provesNothing === true) return breaker.canExecute(now) ? NO_TICKET : null
  return breaker.admit(now)
}

/** For those that only want to know whether it is one. */
export const isGate = (found: Admission | Gate): found is Gate => found.kind === 'closed'
