// Which target a combo last answered a conversation with. In memory only, bounded, and for a quarter of an hour: that is
// about as long as a provider keeps a prompt's beginning in its cache (docs/resilience.md, "Combos").

const KEPT_MS = 15 * 60_000
const MOST_SESSIONS = 500

export interface ComboSession {
  readonly combo: string
  /** Of the target. */
  readonly executionKey: string
  readonly until: number
}

export class ComboSessions {
  private readonly sessions = new Map<string, ComboSession>()

  /** null: none, or too long ago. */
  find(combo: string, conversation: string, now: number): ComboSession | null {
    const session = this.sessions.get(keyOf(combo, conversation))
    return session === undefined || session.until <= now ? null : session
  }

  /** Of all conversations of a combo, the one that ends first first. */
  of = (combo: string, now: number): readonly ComboSession[] =>
    [...this.sessions.values()].filter((session) => session.combo === combo && session.until > now)

  remember(combo: string, conversation: string, executionKey: string, now: number): void {
    const key = keyOf(combo, conversation)
    this.sessions.delete(key)
    this.sessions.set(key, { combo, executionKey, until: now + KEPT_MS })
    for (const oldest of this.sessions.keys()) if (this.sessions.size > MOST_SESSIONS) this.sessions.delete(oldest)
  }
}

const keyOf = (combo: string, conversation: string): string => `${conversation}:${combo}`
