// Whole answers, read into the run of events a stream would give, and written from one.
import type { AnswerEvent, CanonicalUsage, JsonObject, StopReason } from '../canonical'
import type { WriteContext } from '../translation'
import { PartMaker } from './answer-parts'
import { AnswerReader } from './parse-stream'
import { endingCandidate, usageMetadata } from './write-stream'

/** null where the document is no answer of Gemini's. */
export function parseAnswer(body: JsonObject, newId: WriteContext['newId']): readonly AnswerEvent[] | null {
  const isOurs = Array.isArray(body.candidates) || body.promptFeedback !== undefined || body.usageMetadata !== undefined
  if (!isOurs) return null
  const reader = new AnswerReader(newId)
  return [...reader.read(body), ...reader.end(true)]
}

export function writeAnswer(events: readonly AnswerEvent[], context: WriteContext): string {
  const maker = new PartMaker()
  const parts: JsonObject[] = []
  let usage: CanonicalUsage | null = null
  let reason: StopReason = 'stop'
  for (const event of events) {
    if (event.kind === 'usage') usage = event.usage
    else if (event.kind === 'stop') {
      reason = event.reason
      parts.push(...maker.last(reason))
    } else parts.push(...maker.parts(event))
  }
  return JSON.stringify({
    candidates: [endingCandidate(joined(parts), reason)],
    ...(usage === null ? {} : { usageMetadata: usageMetadata(usage) }),
    modelVersion: context.model,
    responseId: context.requestId,
  })
}

/** Pieces of text that follow each other are one part, and a signature that stands alone goes onto the thought before. */
function joined(parts: readonly JsonObject[]): readonly JsonObject[] {
  const whole: JsonObject[] = []
  let pieces: string[] = []
  for (const part of parts) {
    const last = whole.at(-1)
    if (typeof part.text === 'string' && typeof last?.text === 'string' && continues(last, part)) {
      pieces.push(part.text)
      whole[whole.length - 1] = { ...last, ...part, text: '' }
      continue
    }
    closeText(whole, pieces)
    pieces = typeof part.text === 'string' ? [part.text] : []
    whole.push(part)
  }
  closeText(whole, pieces)
  return whole
}

const continues = (last: JsonObject, part: JsonObject): boolean =>
  last.thought === part.thought && last.thoughtSignature === undefined

function closeText(whole: JsonObject[], pieces: readonly string[]): void {
  const last = whole.at(-1)
  if (last !== undefined && pieces.length > 1) whole[whole.length - 1] = { ...last, text: pieces.join('') }
}
