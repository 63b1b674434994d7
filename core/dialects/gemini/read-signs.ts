// What the pass-through path must know of an answer it does not translate: cheap looks at single events and at the last
// bytes of a stream.
import type { JsonObject } from '../canonical'
import type { StreamEnd, StreamSign } from '../dialect'
import { isObject, objectsOf, parseJson, textOf } from '../json'
import { counters, type Usage } from '../usage'
import { failedStatus, failureText, mayBeEmpty } from './finish-reason'
import { faultIn } from './read-fault'

export function readSign(_event: string | undefined, data: string): StreamSign {
  const answer = parseJson(data)
  if (!isObject(answer)) return { kind: 'preamble' }
  const fault = faultIn(answer)
  if (fault !== null) return { kind: 'fault', ...fault }
  const candidates = objectsOf(answer.candidates)
  if (candidates.some(hasContent) || candidates.some(endsWithout) || isBlocked(answer)) return { kind: 'content' }
  for (const { finishReason, finishMessage } of candidates) {
    const status = isReason(finishReason) ? failedStatus(finishReason, false) : null
    if (status !== null) {
      return { kind: 'fault', status, text: failureText(String(finishReason), status, textOf(finishMessage)) }
    }
  }
  // Gemini has no end marker, and some servers say STOP in every event.
  return { kind: 'preamble' }
}

export function isEmptyAnswer(body: string): boolean {
  const answer = JSON.parse(body) as JsonObject
  const candidates = objectsOf(answer.candidates)
  return !isBlocked(answer) && !candidates.some(hasContent) && !candidates.some(endsWithout)
}

function hasContent({ content }: JsonObject): boolean {
  return isObject(content) && objectsOf(content.parts).some(isContent)
}

/** Text may be empty; every other part (calls, images, code …) is itself an answer. */
function isContent(part: JsonObject): boolean {
  if (typeof part.text === 'string' && part.text !== '') return true
  return Object.keys(part).some((name) => name !== 'text' && name !== 'thought' && name !== 'thoughtSignature')
}

const endsWithout = ({ finishReason }: JsonObject): boolean => isReason(finishReason) && mayBeEmpty(finishReason)

const isReason = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value !== 'FINISH_REASON_UNSPECIFIED'

/** The prompt itself was refused: there will be no answer, and trying again gives none either. */
function isBlocked({ promptFeedback }: JsonObject): boolean {
  return isObject(promptFeedback) && isBlockReason(promptFeedback.blockReason)
}

export const isBlockReason = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && value !== 'BLOCK_REASON_UNSPECIFIED'

export function readEnd(tail: string): StreamEnd {
  const separator = tail.endsWith('\n\n') || tail.endsWith('\r\n\r\n') ? '' : '\n\n'
  return {
    complete: /"(?:finishReason|blockReason)"\s*:\s*"/.test(tail),
    // There is no end marker to add: the stream ends where the connection does.
    closing: separator,
    usage: readUsage(tail),
  }
}

const readAnswerCounters = counters('promptTokenCount', 'candidatesTokenCount')
const readThoughtCounters = counters('promptTokenCount', 'thoughtsTokenCount')

/** Thoughts are counted beside the answer, and paid for like it. */
export function readUsage(text: string): Usage | null {
  const counted = readAnswerCounters(text)
  const thoughts = readThoughtCounters(text)?.outputTokens ?? null
  if (counted === null || thoughts === null)
    return counted ?? (thoughts === null ? null : { inputTokens: null, outputTokens: thoughts })
  return { inputTokens: counted.inputTokens, outputTokens: (counted.outputTokens ?? 0) + thoughts }
}
