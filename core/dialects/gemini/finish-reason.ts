// Why a model of Google's stopped, in Google's words and in ours. What is not known to be a proper end never becomes one:
// agents decide by this word whether their work is done.
import type { StopReason } from '../canonical'

const FILTERED: ReadonlySet<string> = new Set([
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
  'MODEL_ARMOR',
  'ESCALATION',
])

const CUT_OFF: ReadonlySet<string> = new Set(['MAX_TOKENS', 'CONTINUATION'])

/** The answer is not what was asked for, whatever came before; each with the HTTP status it stands for. */
const BROKEN: ReadonlyMap<string, number> = new Map([
  ['MALFORMED_FUNCTION_CALL', 502],
  ['UNEXPECTED_TOOL_CALL', 502],
  ['TOO_MANY_TOOL_CALLS', 502],
  ['MALFORMED_RESPONSE', 502],
  ['MISSING_THOUGHT_SIGNATURE', 400],
  ['PUP_LIMITED_DISABLED', 403],
])

/** An answer that ends for one of these may be without content. */
export const mayBeEmpty = (reason: string): boolean => FILTERED.has(reason) || CUT_OFF.has(reason)

/** HTTP status of a failure that is told as a finish reason; null for every proper end. */
export function failedStatus(reason: string, hasContent: boolean): number | null {
  const status = BROKEN.get(reason)
  if (status !== undefined) return status
  // OTHER, NO_IMAGE and what Google may add: nothing came, and nobody knows why.
  return hasContent || reason === 'STOP' || mayBeEmpty(reason) ? null : 502
}

/** Of a reason that is no failure. Gemini says STOP even where it waits for the results of its calls. */
export function stopReasonOf(reason: string, hasCalls: boolean): StopReason {
  if (reason === 'STOP') return hasCalls ? 'tool-calls' : 'stop'
  if (FILTERED.has(reason)) return 'content-filter'
  // What ends for an unknown reason is told as unfinished.
  return 'length'
}

export function failureText(reason: string, status: number, message: string | null): string {
  const words = `The model ended its answer with ${reason}${message === null ? '' : `: ${message}`}.`
  return JSON.stringify({ error: { code: status, message: words, status: reason } })
}

/** `pause` is never shown as a proper end. */
export function finishReasonOf(reason: StopReason): string {
  switch (reason) {
    case 'length':
      return 'MAX_TOKENS'
    case 'content-filter':
      return 'SAFETY'
    case 'pause':
      return 'OTHER'
    case 'stop':
    case 'tool-calls':
    case 'stop-sequence':
      return 'STOP'
  }
}
