// Which sessions each signed-in account has served of late, to tell how busy it is with others. In memory only, bounded.
import { createHash } from 'node:crypto'

const SEEN_MS = 15 * 60_000
/** Of one account; the one seen longest ago is given up. */
const MOST = 500

export class AccountSessions {
  /** Wall-clock milliseconds by session, by connection; seen longest ago first. */
  private readonly seen = new Map<string, Map<string, number>>()

  note(connectionId: string, session: string, now: number): void {
    const sessions = this.seen.get(connectionId) ?? new Map<string, number>()
    this.seen.set(connectionId, sessions)
    sessions.delete(session)
    sessions.set(session, now)
    for (const [oldest, at] of sessions) {
      if (sessions.size <= MOST && isRecent(at, now)) break
      sessions.delete(oldest)
    }
  }

  /** Seen in the last quarter of an hour, without the one that asks. */
  others(connectionId: string, session: string, now: number): number {
    const sessions = this.seen.get(connectionId)
    if (sessions === undefined) return 0
    let count = 0
    for (const [each, at] of sessions) if (each !== session && isRecent(at, now)) count++
    return count
  }
}

/** A clock that was set back makes no session last. */
const isRecent = (at: number, now: number): boolean => Math.abs(now - at) < SEEN_MS

/** By which tools say which session a request belongs to. */
const SESSION_HEADERS = [
  'x-codex-session-id',
  'x-session-id',
  'x-omniroute-session',
  'x-claude-code-session-id',
  'session_id',
  'session-id',
] as const

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** Where no header tells, all requests of one key by one tool are one session: the body is not looked into for it. */
export function sessionOf(headers: Headers, clientKeyId: string | null): string {
  for (const name of SESSION_HEADERS) {
    const value = headers[name]
    if (typeof value === 'string' && value !== '') return hashed(`${name}\n${value}`)
  }
  return hashed(`tool\n${clientKeyId ?? ''}\n${headers['user-agent'] ?? ''}`)
}

/** Short, whatever a client sends. */
const hashed = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22)
