// The optional window gate: combos do not walk again through what failed a moment ago. Off by default, in memory only,
// consulted only while a combo resolves its targets (docs/resilience.md, "Provider cooldown").
import type { ResilienceSettings } from '../contract/resilience-settings'

type CooldownSettings = ResilienceSettings['providerCooldown']
export type WindowOptions = CooldownSettings['apikey']

/** Failures of a provider inside the window, oldest first; `coolingSince` once there were enough of them. */
interface ProviderEntry {
  readonly failures: readonly number[]
  readonly coolingSince: number | null
}
interface ConnectionEntry {
  readonly failures: number
  readonly lastFailureAt: number
}

export interface Cooling {
  readonly since: number
  readonly until: number
  readonly failures: number
}

const MAX_DOUBLINGS = 10
const KEPT_AT_LEAST_MS = 1_800_000

export class ProviderCooldown {
  private readonly providers = new Map<string, ProviderEntry>()
  private readonly connections = new Map<string, ConnectionEntry>()

  failed(providerId: string, connectionId: string, window: WindowOptions, now: number): void {
    this.providers.set(providerId, withFailure(this.providers.get(providerId), window, now))
    const key = `${providerId}:${connectionId}`
    this.connections.set(key, { failures: (this.connections.get(key)?.failures ?? 0) + 1, lastFailureAt: now })
  }

  succeeded(providerId: string, connectionId: string): void {
    if (this.providers.size === 0) return
    this.providers.delete(providerId)
    this.connections.delete(`${providerId}:${connectionId}`)
  }

  provider(providerId: string, { cooldownMs }: WindowOptions, now: number): Cooling | null {
    const entry = this.providers.get(providerId)
    if (entry === undefined || entry.coolingSince === null) return null
    return coolingOf(entry.coolingSince, cooldownMs, entry.failures.length, now)
  }

  connection(providerId: string, connectionId: string, settings: CooldownSettings, now: number): Cooling | null {
    const entry = this.connections.get(`${providerId}:${connectionId}`)
    if (entry === undefined) return null
    return coolingOf(entry.lastFailureAt, pauseMs(entry.failures, settings), entry.failures, now)
  }

  /** Called once a minute: what is long over is forgotten. */
  cleanUp({ maxRetryCooldownMs }: CooldownSettings, now: number): void {
    const keptMs = Math.max(KEPT_AT_LEAST_MS, maxRetryCooldownMs)
    const isOld = (at: number): boolean => now < at || now - at > keptMs
    for (const [id, { failures }] of this.providers) if (isOld(failures.at(-1) ?? 0)) this.providers.delete(id)
    for (const [key, { lastFailureAt }] of this.connections) if (isOld(lastFailureAt)) this.connections.delete(key)
  }

  clear(): void {
    this.providers.clear()
    this.connections.clear()
  }

  get size(): number {
    return this.providers.size + this.connections.size
  }
}

/** Doubles with each failure, from the shortest pause to the longest. */
export const pauseMs = (failures: number, settings: CooldownSettings): number =>
  Math.min(settings.minRetryCooldownMs * 2 ** Math.min(failures - 1, MAX_DOUBLINGS), settings.maxRetryCooldownMs)

function withFailure(entry: ProviderEntry | undefined, window: WindowOptions, now: number): ProviderEntry {
  const recent = (entry?.failures ?? []).filter((at) => at <= now && now - at < window.failureWindowMs)
  const failures = [...recent, now].slice(-window.failureThreshold)
  const enough = failures.length >= window.failureThreshold
  const cooling = coolingOf(entry?.coolingSince ?? null, window.cooldownMs, 0, now)
  return { failures, coolingSince: cooling?.since ?? (enough ? now : null) }
}

/** null when over, also when the clock was set back before its beginning: never longer than it can be. */
function coolingOf(since: number | null, ms: number, failures: number, now: number): Cooling | null {
  if (since === null || now < since || now - since >= ms) return null
  return { since, until: since + ms, failures }
}
