// The state machine of a provider's circuit breaker: CLOSED, DEGRADED, OPEN, HALF_OPEN. Pure: state and input in, state
// out; the same object where nothing changed. Times are wall-clock milliseconds (docs/resilience.md, "Circuit breaker").
import type { BreakerKind, BreakerState } from '../contract/health-words'

export interface BreakerOptions {
  readonly failureThreshold: number
  /** Less than `failureThreshold`. */
  readonly degradationThreshold: number
  readonly resetTimeoutMs: number
  /** The wait grows up to this many times the first one … */
  readonly maxBackoffMultiplier: number
  /** … and begins to grow after so many failed probes. */
  readonly backoffEscalationCount: number
  /** How many requests may probe at the same time. */
  readonly halfOpenRequests: number
  /** Waits of kinds that have one of their own, instead of `resetTimeoutMs`. */
  readonly cooldownByKind: Readonly<Partial<Record<BreakerKind, number>>>
  /** So many failures of one kind open it whatever the others; 1: the first one does. */
  readonly thresholdByKind: Readonly<Partial<Record<BreakerKind, number>>>
}

/** Of breakers without a profile (docs/resilience.md, "Circuit breaker: settings"). */
export const DEFAULT_BREAKER_OPTIONS: BreakerOptions = {
  failureThreshold: 5,
  degradationThreshold: 3,
  resetTimeoutMs: 30_000,
  maxBackoffMultiplier: 16,
  backoffEscalationCount: 3,
  halfOpenRequests: 1,
  cooldownByKind: {},
  thresholdByKind: {},
}

/** 0.6 of the failures that open it, but so that DEGRADED can be visited: for profiles that name no number. */
export const derivedDegradation = (failureThreshold: number): number =>
  Math.max(1, Math.min(Math.ceil(0.6 * failureThreshold), failureThreshold - 1))

export interface Transition {
  readonly from: BreakerState
  readonly to: BreakerState
  readonly timestamp: number
  readonly failureCount: number
  readonly reason: string
}
const MAX_HISTORY = 20

type KindCounts = Readonly<Partial<Record<BreakerKind, number>>>

interface Counts {
  readonly failureCount: number
  readonly kindFailureCounts: KindCounts
  readonly lastFailureTime: number | null
  readonly lastFailureKind: BreakerKind | null
  /** Failed probes since it was last closed. */
  readonly openCycleCount: number
  /** Another one each time it opens or is reset: results from before then are ignored. */
  readonly epoch: number
  readonly lastProbe: number
  /** The newest last. */
  readonly history: readonly Transition[]
}

/** A request under way that tries whether the provider is back. */
export interface Probe {
  readonly id: number
  readonly startedAt: number
}

export type Breaker =
  | (Counts & { readonly state: 'CLOSED' })
  | (Counts & { readonly state: 'DEGRADED'; readonly lastFailureTime: number })
  | (Counts & { readonly state: 'OPEN'; readonly lastFailureTime: number })
  | (Counts & { readonly state: 'HALF_OPEN'; readonly lastFailureTime: number; readonly probes: readonly Probe[] })

/** What a request was let through with. `probe` 0: it is none. */
export interface Ticket {
  readonly epoch: number
  readonly probe: number
}

export const CLOSED_BREAKER: Breaker = {
  state: 'CLOSED',
  failureCount: 0,
  kindFailureCounts: {},
  lastFailureTime: null,
  lastFailureKind: null,
  openCycleCount: 0,
  epoch: 1,
  lastProbe: 0,
  history: [],
}

/** `base` doubled for each failed probe beyond the ones that pass unpunished, within the cap. */
function escalated(base: number, cycles: number, options: BreakerOptions): number {
  const { backoffEscalationCount, maxBackoffMultiplier } = options
  if (cycles <= backoffEscalationCount) return base
  return Math.min(base * 2 ** (cycles - backoffEscalationCount), base * maxBackoffMultiplier)
}

export const effectiveResetMs = ({ openCycleCount }: Breaker, options: BreakerOptions): number =>
  escalated(options.resetTimeoutMs, openCycleCount, options)

const baseWaitMs = ({ lastFailureKind }: Breaker, { cooldownByKind, resetTimeoutMs }: BreakerOptions): number =>
  (lastFailureKind === null ? undefined : cooldownByKind[lastFailureKind]) ?? resetTimeoutMs

/** How long it stays open after its last failure. A kind's own wait grows like the general one. */
export const effectiveCooldownMs = (breaker: Breaker, options: BreakerOptions): number =>
  escalated(baseWaitMs(breaker, options), breaker.openCycleCount, options)

/** So long without a failure makes a degraded breaker whole. */
export const quietWindowMs = (breaker: Breaker, options: BreakerOptions): number =>
  Math.max(effectiveCooldownMs(breaker, options), baseWaitMs(breaker, options) * options.maxBackoffMultiplier)

/** What time alone changes. Every reader and every event goes through here first; no timer does. */
export function refreshed(breaker: Breaker, options: BreakerOptions, now: number): Breaker {
  switch (breaker.state) {
    case 'CLOSED':
      return breaker
    case 'DEGRADED': {
      const set = anchored(breaker, now)
      if (now - set.lastFailureTime < quietWindowMs(set, options)) return set
      return closed(set, now, 'quiet-window')
    }
    case 'OPEN': {
      const set = anchored(breaker, now)
      if (now - set.lastFailureTime < effectiveCooldownMs(set, options)) return set
      return { ...moved(set, 'HALF_OPEN', now, 'cooldown-over'), state: 'HALF_OPEN', probes: [] }
    }
    case 'HALF_OPEN': {
      // One that never settles gives its slot back after the reset timeout, also under a clock that was set back.
      const probes = breaker.probes.filter(({ startedAt }) => isWithin(startedAt, options.resetTimeoutMs, now))
      return probes.length === breaker.probes.length ? breaker : { ...breaker, probes }
    }
  }
}

const isWithin = (since: number, ms: number, now: number): boolean => now >= since && now - since < ms

/** Under a clock that was set back, the wait begins anew: never longer than it can be. */
const anchored = <B extends Breaker & { readonly lastFailureTime: number }>(breaker: B, now: number): B =>
  breaker.lastFailureTime <= now ? breaker : { ...breaker, lastFailureTime: now }

/** Of a refreshed breaker. */
export const canExecute = (breaker: Breaker, options: BreakerOptions): boolean =>
  breaker.state === 'HALF_OPEN' ? breaker.probes.length < options.halfOpenRequests : breaker.state !== 'OPEN'

const LEAST_WAIT_MS = 1_000

/** Of a refreshed breaker: 0 where it lets through; for others during a probe the time left, at least a second. */
export function retryAfterMs(breaker: Breaker, options: BreakerOptions, now: number): number {
  if (canExecute(breaker, options)) return 0
  if (breaker.state === 'OPEN')
    return Math.max(breaker.lastFailureTime + effectiveCooldownMs(breaker, options) - now, 1)
  if (breaker.state !== 'HALF_OPEN') return 0
  const oldest = Math.min(...breaker.probes.map(({ startedAt }) => startedAt))
  return Math.max(oldest + options.resetTimeoutMs - now, LEAST_WAIT_MS)
}

/** Takes a probe slot where the breaker is half open. Of a refreshed breaker that can execute. */
export function admitted(breaker: Breaker, now: number): { readonly breaker: Breaker; readonly ticket: Ticket } {
  if (breaker.state !== 'HALF_OPEN') return { breaker, ticket: { epoch: breaker.epoch, probe: 0 } }
  const id = breaker.lastProbe + 1
  const probes = [...breaker.probes, { id, startedAt: now }]
  return { breaker: { ...breaker, lastProbe: id, probes }, ticket: { epoch: breaker.epoch, probe: id } }
}

/** Whether the probe is still the one its slot was given to. */
export const isProbing = (breaker: Breaker, ticket: Ticket): boolean =>
  breaker.state === 'HALF_OPEN' && ticket.probe !== 0 && breaker.probes.some(({ id }) => id === ticket.probe)

/** Admitted, and the breaker neither opened nor was reset since. CLOSED and DEGRADED are one epoch. */
const isCurrent = (breaker: Breaker, ticket: Ticket): boolean =>
  (breaker.state === 'CLOSED' || breaker.state === 'DEGRADED') && ticket.probe === 0 && ticket.epoch === breaker.epoch

/** Whether what came of a request says something of the provider as it is now. */
export const counts = (breaker: Breaker, ticket: Ticket): boolean =>
  isCurrent(breaker, ticket) || isProbing(breaker, ticket)

/**
 * @param ticket null: reported to the breaker itself, by one that asks for no admission; counts in every state
 */
export function onFailure(
  before: Breaker,
  options: BreakerOptions,
  ticket: Ticket | null,
  kind: BreakerKind,
  now: number,
): Breaker {
  const breaker = refreshed(before, options, now)
  if (ticket !== null && !counts(breaker, ticket)) return breaker
  const counted = {
    ...breaker,
    failureCount: breaker.failureCount + 1,
    kindFailureCounts: { ...breaker.kindFailureCounts, [kind]: (breaker.kindFailureCounts[kind] ?? 0) + 1 },
    lastFailureTime: now,
    lastFailureKind: kind,
  }
  switch (counted.state) {
    case 'HALF_OPEN': {
      const openCycleCount = counted.openCycleCount + 1
      return opened({ ...counted, openCycleCount }, now, `probe-failed (cycle ${openCycleCount})`)
    }
    case 'OPEN':
      return counted
    case 'CLOSED':
    case 'DEGRADED': {
      const own = options.thresholdByKind[kind]
      if (own !== undefined && (counted.kindFailureCounts[kind] ?? 0) >= own)
        return opened(counted, now, `${kind} failures`)
      if (counted.failureCount >= options.failureThreshold) return opened(counted, now, 'failure-threshold')
      if (counted.state === 'DEGRADED' || counted.failureCount < options.degradationThreshold) return counted
      return { ...moved(counted, 'DEGRADED', now, 'degradation-threshold'), state: 'DEGRADED', lastFailureTime: now }
    }
  }
}

/** @param ticket as for `onFailure` */
export function onSuccess(before: Breaker, options: BreakerOptions, ticket: Ticket | null, now: number): Breaker {
  const breaker = refreshed(before, options, now)
  if (ticket !== null && !counts(breaker, ticket)) return breaker
  switch (breaker.state) {
    case 'HALF_OPEN':
      return closed(breaker, now, 'probe-success')
    case 'OPEN':
      return closed(breaker, now, 'late-success')
    case 'CLOSED':
    case 'DEGRADED': {
      if (breaker.failureCount === 0) return breaker
      const failureCount = breaker.failureCount - 1
      const kindFailureCounts = failureCount === 0 ? {} : breaker.kindFailureCounts
      const fewer = { ...breaker, failureCount, kindFailureCounts }
      if (fewer.state === 'CLOSED' || failureCount > options.degradationThreshold) return fewer
      return { ...moved(fewer, 'CLOSED', now, 'successes'), state: 'CLOSED' }
    }
  }
}

/** The probe ended without telling anything: its slot is free again. */
export function released(breaker: Breaker, ticket: Ticket): Breaker {
  if (breaker.state !== 'HALF_OPEN' || !isProbing(breaker, ticket)) return breaker
  return { ...breaker, probes: breaker.probes.filter(({ id }) => id !== ticket.probe) }
}

/** A person's test of one of its connections went well: a degraded breaker is whole again. Others stay. */
export function onTestPassed(before: Breaker, options: BreakerOptions, now: number): Breaker {
  const breaker = refreshed(before, options, now)
  return breaker.state === 'DEGRADED' ? closed(breaker, now, 'test-passed') : breaker
}

/** A person's reset: everything zeroed, and whatever is under way counts no more. */
export const reset = (breaker: Breaker, now: number): Breaker => ({
  ...closed(breaker, now, 'reset'),
  lastFailureTime: null,
  lastFailureKind: null,
  epoch: breaker.epoch + 1,
})

/** Counts cleared; the moment and kind of the last failure stay for display. */
const closed = (breaker: Breaker, now: number, reason: string): Extract<Breaker, { readonly state: 'CLOSED' }> => ({
  ...bare(moved(breaker, 'CLOSED', now, reason)),
  state: 'CLOSED',
  failureCount: 0,
  kindFailureCounts: {},
  openCycleCount: 0,
})

const opened = (breaker: Breaker, now: number, reason: string): Breaker => ({
  ...bare(moved(breaker, 'OPEN', now, reason)),
  state: 'OPEN',
  lastFailureTime: now,
  epoch: breaker.epoch + 1,
})

/** Without what only a half-open breaker has. */
function bare(breaker: Breaker): Counts {
  if (breaker.state !== 'HALF_OPEN') return breaker
  const { probes: _gone, ...counts } = breaker
  return counts
}

/** The line in its history; the state itself is the caller's to set. */
function moved<B extends Breaker>(breaker: B, to: BreakerState, now: number, reason: string): B {
  if (breaker.state === to) return breaker
  const entry = { from: breaker.state, to, timestamp: now, failureCount: breaker.failureCount, reason }
  return { ...breaker, history: [...breaker.history, entry].slice(-MAX_HISTORY) }
}
