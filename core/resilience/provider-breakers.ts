// The breakers of all providers: made when first needed, forgotten when there is nothing to remember, each with the
// profile of its provider's class (docs/resilience.md, "Circuit breaker").
import type { BreakerKind } from '../contract/health-words'
import type { ProviderClass } from '../contract/kinds'
import type { ResilienceSettings } from '../contract/resilience-settings'
import type { StoredBreaker } from '../store/breakers-table'
import {
  type Breaker,
  type BreakerOptions,
  CLOSED_BREAKER,
  DEFAULT_BREAKER_OPTIONS,
  derivedDegradation,
} from './breaker'
import { CircuitBreaker } from './circuit-breaker'
import type { ProviderFacts } from './health-events'

const MAX_BREAKERS = 500
const IDLE_MS = 1_800_000
/** Waits of the kinds that count only where the hints are on. */
export const HINTED_COOLDOWNS: Readonly<Partial<Record<BreakerKind, number>>> = {
  rate_limit: 60_000,
  quota_exhausted: 3_600_000,
}

export interface ProviderBreakersDeps {
  readonly settings: () => ResilienceSettings
  readonly provider: (id: string) => ProviderFacts | undefined
  readonly now: () => number
  readonly changed: (providerId: string) => void
}

/** Local servers share the cooldowns of key providers. */
export const cooldownProfile = (settings: ResilienceSettings, of: ProviderClass) =>
  settings.connectionCooldown[of === 'oauth' ? 'oauth' : 'apikey']

/** Whether rate limits count against the provider as a whole; where nothing is set they do not. */
export const breakerHintsOn = (settings: ResilienceSettings, of: ProviderClass): boolean =>
  cooldownProfile(settings, of).useUpstream429BreakerHints ?? false

export function breakerOptions(settings: ResilienceSettings, of: ProviderClass): BreakerOptions {
  const cooldownByKind = breakerHintsOn(settings, of) ? HINTED_COOLDOWNS : {}
  if (of !== 'local') return { ...DEFAULT_BREAKER_OPTIONS, ...settings.providerBreaker[of], cooldownByKind }
  const { failureThreshold, resetTimeoutMs } = settings.providerBreaker.local
  const degradationThreshold = derivedDegradation(failureThreshold)
  return { ...DEFAULT_BREAKER_OPTIONS, failureThreshold, degradationThreshold, resetTimeoutMs, cooldownByKind }
}

export class ProviderBreakers {
  private readonly breakers = new Map<string, CircuitBreaker>()
  /** Made once for each snapshot of the settings. */
  private made: { readonly from: ResilienceSettings; readonly by: Map<ProviderClass, BreakerOptions> } | null = null

  constructor(private readonly deps: ProviderBreakersDeps) {}

  find(providerId: string): CircuitBreaker | undefined {
    return this.breakers.get(providerId)
  }

  of({ id }: ProviderFacts): CircuitBreaker {
    return this.breakers.get(id) ?? this.add(id, CLOSED_BREAKER)
  }

  optionsOf(of: ProviderClass): BreakerOptions {
    const settings = this.deps.settings()
    if (this.made?.from !== settings) this.made = { from: settings, by: new Map() }
    let options = this.made.by.get(of)
    if (options === undefined) {
      options = breakerOptions(settings, of)
      this.made.by.set(of, options)
    }
    return options
  }

  all(): Iterable<CircuitBreaker> {
    return this.breakers.values()
  }

  /** @returns how many there are */
  resetAll(): number {
    for (const breaker of this.breakers.values()) breaker.reset()
    return this.breakers.size
  }

  restore(stored: readonly StoredBreaker[]): void {
    for (const row of stored) this.add(row.name, fromStored(row))
  }

  /** Called every few minutes: what has nothing to remember and is not used is forgotten. */
  sweep(now: number): void {
    for (const [id, breaker] of this.breakers) {
      if (breaker.isPristine && Math.abs(now - breaker.idleSince()) > IDLE_MS) this.breakers.delete(id)
    }
  }

  private add(id: string, breaker: Breaker): CircuitBreaker {
    if (this.breakers.size >= MAX_BREAKERS) {
      const oldest = [...this.breakers.values()].find(({ isPristine }) => isPristine)
      if (oldest !== undefined) this.breakers.delete(oldest.name)
    }
    const options = () => this.optionsOf(this.deps.provider(id)?.class ?? 'apikey')
    const made = new CircuitBreaker(id, options, this.deps.now, breaker, ({ name }) => this.deps.changed(name))
    this.breakers.set(id, made)
    return made
  }
}

/** A half-open breaker without a running probe makes no sense: it is open, and its time decides. */
export function fromStored({ state, failureCount, lastFailureTime, options }: StoredBreaker): Breaker {
  const { lastFailureKind, openCycleCount, kindFailureCounts } = options
  const counts = { ...CLOSED_BREAKER, failureCount, lastFailureKind, openCycleCount, kindFailureCounts }
  if (state === 'CLOSED') return { ...counts, state, lastFailureTime }
  return { ...counts, state: state === 'DEGRADED' ? 'DEGRADED' : 'OPEN', lastFailureTime: lastFailureTime ?? 0 }
}

export function toStored(name: string, breaker: Breaker, options: BreakerOptions): StoredBreaker {
  const { state, failureCount, lastFailureTime, lastFailureKind, openCycleCount, kindFailureCounts } = breaker
  const { failureThreshold, resetTimeoutMs: resetTimeout, halfOpenRequests } = options
  return {
    name,
    state,
    failureCount,
    lastFailureTime,
    options: { failureThreshold, resetTimeout, halfOpenRequests, lastFailureKind, openCycleCount, kindFailureCounts },
  }
}
