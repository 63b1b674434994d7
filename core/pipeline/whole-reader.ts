// Reads an answer that is not a stream. It is kept until complete, so that a break in the middle can still be made
// good by another connection; a very large one is relayed as it comes.
import type { DialectModule } from '../dialects/dialect'
import type { Outcome } from '../resilience/classify'
import type { AnswerReader, AttemptResult } from './answer-reader'
import type { ClientAnswer } from './client-answer'

const KEEP_BYTES = 8 * 1_048_576
/** Token counts stand near the end, in OpenAI's and Anthropic's answers alike. */
const USAGE_TAIL = 4096

export function createWholeReader(
  status: number,
  answer: ClientAnswer,
  dialect: DialectModule,
  headers: () => string[],
): AnswerReader {
  let chunks: Buffer[] = []
  let length = 0
  let relaying = false
  const usage = (body: Buffer) => dialect.readUsage(body.toString('latin1', Math.max(0, body.length - USAGE_TAIL)))
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
      const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
      if (body.length === 0) return { kind: 'failed', outcome: { kind: 'empty' }, error: null }
      if (!looksLikeJson(body, true)) return unreadable(body)
      if (answer.isOpen) return noStream
      const fault = errorInside(body, dialect)
      if (fault !== null) return fault
      if (mayBeEmpty(body) && isEmpty(body, dialect)) return { kind: 'failed', outcome: { kind: 'empty' }, error: null }
      answer.sendWhole(status, headers(), body)
      return { kind: 'answered', status, usage: usage(body) }
    },
    broken(outcome: Outcome): AttemptResult {
      if (!relaying) return { kind: 'failed', outcome, error: null }
      answer.breakOff()
      return { kind: 'truncated', status, usage: null, message: 'the connection broke in the middle of the answer' }
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

/** An answer without content is short, and says so in one of these ways: only such a one is parsed. */
const EMPTY_BYTES = 4096
const EMPTY_CONTENT = /"(?:content|text)"\s*:\s*(?:null|""|\[\s*\])|"(?:choices|message)"\s*:\s*[[{]\s*[\]}]/

const mayBeEmpty = (body: Buffer): boolean => body.length <= EMPTY_BYTES && EMPTY_CONTENT.test(body.toString('latin1'))

function isEmpty(body: Buffer, dialect: DialectModule): boolean {
  try {
    return dialect.isEmptyAnswer(body.toString('utf8'))
  } catch {
    return false
  }
}

/** Errors begin with one of these; answers never do. */
const ERROR_START = /^\s*\{\s*(?:"type"\s*:\s*"error"\s*,\s*)?"error"\s*:\s*[{"]/

/** Some upstreams answer 200 and mean an error: a status line is a promise made before the result is known. */
function errorInside(body: Buffer, dialect: DialectModule): AttemptResult | null {
  if (!ERROR_START.test(body.toString('latin1', 0, 80))) return null
  const sign = dialect.readSign(undefined, body.toString('utf8'))
  if (sign.kind !== 'fault') return null
  const { status, text } = sign
  const error = { status, headers: { 'content-type': 'application/json' }, body }
  return { kind: 'failed', outcome: { kind: 'http', status, retryAfter: undefined, text }, error }
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
