// One fault is counted once: many requests on one connection fail together, and a dead network fails everything at the
// same moment. Memory only (docs/resilience.md, "Circuit breaker: what counts").

/** One connection counts at most once in this time. */
export const SAME_CONNECTION_MS = 5_000
/** Failures of the network alone count at most once for a provider in this time. */
export const SAME_NETWORK_MS = 10_000
const MAX_ENTRIES = 10_000

export class FailureDedup {
  private readonly connections = new Map<string, number>()
  private readonly networks = new Map<string, number>()

  /** Whether a failure counts now; if so, the next ones of the same fault do not. */
  counts(providerId: string, connectionId: string, network: boolean, now: number): boolean {
    if (isRecent(this.connections.get(connectionId), SAME_CONNECTION_MS, now)) return false
    if (network) {
      if (isRecent(this.networks.get(providerId), SAME_NETWORK_MS, now)) return false
      note(this.networks, providerId, now)
    }
    note(this.connections, connectionId, now)
    return true
  }

  /** After a reset, the next failure is news again. */
  clear(): void {
    this.connections.clear()
    this.networks.clear()
  }

  get size(): number {
    return this.connections.size + this.networks.size
  }
}

/** A moment from the future was noted under another clock, and says nothing. */
const isRecent = (at: number | undefined, ms: number, now: number): boolean =>
  at !== undefined && at <= now && now - at < ms

function note(map: Map<string, number>, key: string, now: number): void {
  // The order of a Map is that of insertion: the oldest goes first.
  map.delete(key)
  if (map.size >= MAX_ENTRIES) map.delete(map.keys().next().value as string)
  map.set(key, now)
}
