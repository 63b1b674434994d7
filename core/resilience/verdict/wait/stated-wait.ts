// How long the answer itself says to wait. One order of trust for all providers (docs/resilience.md, "Stated waits").
import { fieldWait } from './body-fields'
import { type Headers, retryAfter, retryAfterMs } from './retry-headers'
import { waitInText } from './text-waits'
import type { ReadContext } from './values'
import { limitWindows, windowWait } from './window-headers'

/** Where the wait was found. `retry-info`: Google's typed field, which speaks of exactly this call. */
export type WaitSource = 'retry-after-ms' | 'retry-after' | 'retry-info' | 'body-field' | 'window' | 'text'

export interface StatedWait {
  /** Whole milliseconds from the moment the answer arrived, rounded up; 0: at once, or past. Neither capped nor raised. */
  readonly ms: number
  readonly source: WaitSource
}

export interface WaitEvidence {
  /** Names in lower case. */
  readonly headers: Headers
  readonly json: unknown
  /** `waitInWords` of the error's messages. */
  readonly words: number | null
  /** The status is one of a limit, so that a window without further words is the one that refused. */
  readonly refusedByLimit: boolean
}

/** Waits that differ by less are the same one, rounded. */
const SAME_MS = 1_000

export function statedWait(evidence: WaitEvidence, context: ReadContext): StatedWait | null {
  const { headers, json, words, refusedByLimit } = evidence
  const exact = retryAfterMs(headers, context.now)
  if (exact !== null) return { ms: exact, source: 'retry-after-ms' }
  const header = retryAfter(headers, context.now)
  if (header !== null) return { ms: header, source: 'retry-after' }
  const field = fieldWait(json, context)
  if (field !== null) {
    const ms = words !== null && Math.abs(words - field.ms) < SAME_MS ? Math.max(words, field.ms) : field.ms
    return { ms, source: field.typed ? 'retry-info' : 'body-field' }
  }
  const window = windowWait(limitWindows(headers, context), refusedByLimit)
  if (window !== null) return { ms: window, source: 'window' }
  return words === null ? null : { ms: words, source: 'text' }
}

/** Milliseconds that the first of the messages that says so states; null: none does. */
export function waitInWords(messages: readonly string[], context: ReadContext): number | null {
  for (const message of messages) {
    const ms = waitInText(message, context)
    if (ms !== null) return ms
  }
  return null
}
