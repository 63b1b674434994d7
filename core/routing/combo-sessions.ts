// Which target a combo last answered a conversation with. In memory only, bounded, and for a quarter of an hour: that is
// about as long as a provider keeps a prompt's beginning in its cache (docs/resilience.md, "Combos").

const KEPT_MS = 15 * 60_000
const MOST_SESSIONS = 500

interface Session {
  readonly executionKey: string
  readonly until: number
}

export class ComboSessions {
  private readonly sessions = new Map<string, Session>()

  /** @returns the target's executionKey; null: none, or too long ago */
  find(combo: string, conversation: string, now: number): string | null {
    const session = this.sessions.get(keyOf(combo, conversation))
    return session === undefined || session.until <= now ? null : session.executionKey
  }

  remember(combo: string, conversation: string, executionKey: string, now: number): void {
    const key = keyOf(combo, conversation)
    this.sessions.delete(key)
    this.sessions.set(key, { executionKey, until: now + KEPT_MS })
    for (const oldest of this.sessions.keys()) if (this.sessions.size > MOST_SESSIONS) this.sessions.delete(oldest)
  }
}

const keyOf = (combo: string, conversation: string): string => `${conversation}:${combo}`
