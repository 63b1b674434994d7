// Reads an answer that is not a stream. It is kept until complete, so that a break in the middle can still be made
// good by another connection; a very large one is relayed as it comes.
import type { DialectModule } from '../dialects/dialect'
import type { AnswerReader, AttemptResult } from './answer-reader'
import type { Answer } from './client-answer'
import type { Outcome } from './outcome'

const KEEP_BYTES = 8 * 1_048_576
/** Token counts stand near the end, in OpenAI's and Anthropic's answers alike; an answer this short is looked at whole. */
const LOOKED_AT = 4096

export function createWholeReader(
  status: number,
  answer: Answer,
  dialect: DialectModule,
  headers: () => string[],
  onStart: ((start: string) => void) | null = null,
  rename: ((bytes: Buffer) => Buffer) | null = null,
): AnswerReader {
  let chunks: Buffer[] = []
  let length = 0
  let relaying = false
  return {
    data(chunk): boolean | AttemptResult {
      length += chunk.length
      if (relaying) return answer.write(chunk, true)
      chunks.push(chunk)
      if (length <= KEEP_BYTES) return true
      const body = Buffer.concat(chunks)
      chunks = []
      if (!looksLikeJson(body, false)) return unreadable(body)
      if (answer.isOpen) return noStream
      relaying = true
      answer.commit(status, headers(), false)
      return answer.write(body, true)
    },
    end(): AttemptResult {
      if (relaying) {
        answer.end()
        return { kind: 'answered', status, usage: null }
      }
      const came = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
      const body = rename?.(came) ?? came
      if (body.length === 0) return { kind: 'failed', outcome: { kind: 'empty' }, error: null }
      if (!looksLikeJson(body, true)) return unreadable(body)
      if (answer.isOpen) return noStream
      // latin1 keeps every byte and is cheap; what is looked for is ASCII.
      const end = body.toString('latin1', Math.max(0, body.length - LOOKED_AT))
      const whole = end.length === body.length
      const fault = errorInside(body, whole ? end : body.toString('latin1', 0, ERROR_START_LENGTH), dialect)
      if (fault !== null) return fault
      if (whole && isEmpty(body, end, dialect)) return { kind: 'failed', outcome: { kind: 'empty' }, error: null }
      onStart?.(body.toString('latin1', 0, LOOKED_AT))
      if (whole) answer.sendWhole(status, headers(), end, 'latin1')
      else answer.sendWhole(status, headers(), body)
      return { kind: 'answered', status, usage: dialect.readUsage(end) }
    },
    broken(outcome: Outcome): AttemptResult {
      if (!relaying) return { kind: 'failed', outcome, error: null }
      answer.breakOff()
      const message = 'the connection broke in the middle of the answer'
      return { kind: 'truncated', status, usage: null, message, outcome }
    },
  }
}

const unreadable = (body: Buffer): AttemptResult => ({
  kind: 'failed',
  outcome: { kind: 'unreadable', text: body.toString('utf8', 0, 2048) },
  error: null,
})

/** A stream that was opened while attempts went on takes no document: its client would wait for events for ever. */
const noStream: AttemptResult = {
  kind: 'failed',
  outcome: { kind: 'unreadable', text: 'a document instead of a stream' },
  error: null,
}

/** Most answers have words in one of these places: they need no second look. */
const HAS_WORDS = /"(?:content|text)"\s*:\s*"[^"]/

/** An answer without content is short, and only one without words is parsed to find out. */
function isEmpty(body: Buffer, text: string, dialect: DialectModule): boolean {
  if (HAS_WORDS.test(text)) return false
  try {
    return dialect.isEmptyAnswer(body.toString('utf8'))
  } catch {
    return false
  }
}

/** Errors begin with one of these; answers never do. */
const ERROR_START = /^\s*\{\s*(?:"type"\s*:\s*"error"\s*,\s*)?"error"\s*:\s*[{"]/

const ERROR_START_LENGTH = 80

/** Some upstreams answer 200 and mean an error: a status line is a promise made before the result is known. */
function errorInside(body: Buffer, start: string, dialect: DialectModule): AttemptResult | null {
  if (!ERROR_START.test(start)) return null
  const sign = dialect.readSign(undefined, body.toString('utf8'))
  if (sign.kind !== 'fault') return null
  const { status, text } = sign
  const error = { status, headers: { 'content-type': 'application/json' }, body }
  return { kind: 'failed', outcome: { kind: 'http', status, headers: {}, text }, error }
}

/** By its first and last character: enough to tell an answer from a login page or a cut one. */
function looksLikeJson(body: Buffer, whole: boolean): boolean {
  let first = 0
  while (first < body.length && isSpace(body[first] as number)) first++
  let last = body.length - 1
  while (last > first && isSpace(body[last] as number)) last--
  return body[first] === 0x7b && (!whole || body[last] === 0x7d)
}

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
