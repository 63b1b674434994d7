// Conversations that may change from one account to another: who answered last, and what is kept for whoever takes over.
// In memory only, and bounded.
import type { Summary } from './strategies/context-relay'

const MOST_CONVERSATIONS = 500
/** A summary that could not be made is not tried again at every answer. */
const PAUSE_AFTER_FAILURE_MS = 10 * 60_000

interface Conversation {
  connectionId: string | null
  summary: Summary | null
  isBeingMade: boolean
  /** No summary is tried before. */
  pausedUntil: number
}

export class ContextRelays {
  private readonly conversations = new Map<string, Conversation>()
  private summaries = 0

  /** Whether there can be a summary of anything: nothing needs to be looked into where not. */
  get isEmpty(): boolean {
    return this.summaries === 0
  }

  summaryOf(conversation: string): Summary | null {
    return this.conversations.get(conversation)?.summary ?? null
  }

  /** @returns who had answered the conversation before; null: nobody had */
  answered(conversation: string, connectionId: string): string | null {
    const known = this.known(conversation)
    const previous = known.connectionId
    known.connectionId = connectionId
    return previous
  }

  /** False: somebody makes one already, or has just failed to. Otherwise `made` follows. */
  begin(conversation: string, now: number): boolean {
    const known = this.known(conversation)
    if (known.isBeingMade || now < known.pausedUntil) return false
    known.isBeingMade = true
    return true
  }

  /** @param summary null: it could not be made */
  made(conversation: string, summary: Summary | null, now: number): void {
    const known = this.known(conversation)
    known.isBeingMade = false
    if (summary === null) {
      known.pausedUntil = now + PAUSE_AFTER_FAILURE_MS
      return
    }
    if (known.summary === null) this.summaries++
    known.summary = summary
  }

  /** Those that nobody has gone on with for longest are forgotten. */
  private known(conversation: string): Conversation {
    const known = this.conversations.get(conversation) ?? {
      ...{ connectionId: null, summary: null, isBeingMade: false, pausedUntil: 0 },
    }
    this.conversations.delete(conversation)
    this.conversations.set(conversation, known)
    for (const [oldest, { summary, isBeingMade }] of this.conversations) {
      if (this.conversations.size <= MOST_CONVERSATIONS) break
      if (isBeingMade || oldest === conversation) continue
      if (summary !== null) this.summaries--
      this.conversations.delete(oldest)
    }
    return known
  }
}
