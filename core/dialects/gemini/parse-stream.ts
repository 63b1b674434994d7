// Chunks of an answer → events. Every chunk is a whole GenerateContentResponse; the last says why the model stopped,
// some servers' every one does, and no marker says that it was the last.
import type { AnswerEvent, CanonicalUsage, JsonObject } from '../canonical'
import { isObject, numberOf, objectsOf, parseJson, textOf } from '../json'
import type { StreamParser, WriteContext } from '../translation'
import { codeText } from './code-text'
import { failedStatus, failureText, stopReasonOf } from './finish-reason'
import { faultIn } from './read-fault'
import { isBlockReason } from './read-signs'
import { readSignature } from './signature'

export function createStreamParser(newId: WriteContext['newId']): StreamParser {
  const reader = new AnswerReader(newId)
  return {
    event(_name, data) {
      const answer = parseJson(data)
      return isObject(answer) ? reader.read(answer) : []
    },
    end: () => reader.end(),
  }
}

/** Reads one answer, in one piece or many. */
export class AnswerReader {
  private isStarted = false
  private isOver = false
  private hasContent = false
  private calls = 0
  private reason: string | null = null
  private isBlocked = false
  private usage: CanonicalUsage | null = null

  constructor(private readonly newId: WriteContext['newId']) {}

  read(answer: JsonObject): readonly AnswerEvent[] {
    if (this.isOver) return []
    const fault = faultIn(answer)
    if (fault !== null) return [this.fault(fault.status, fault.text)]
    const events: AnswerEvent[] = []
    if (!this.isStarted) {
      this.isStarted = true
      events.push({ kind: 'start', id: textOf(answer.responseId), model: textOf(answer.modelVersion) })
    }
    if (isObject(answer.usageMetadata)) this.usage = usageOf(answer.usageMetadata) ?? this.usage
    if (isObject(answer.promptFeedback) && isBlockReason(answer.promptFeedback.blockReason)) this.isBlocked = true
    const candidate = Array.isArray(answer.candidates) ? answer.candidates[0] : undefined
    if (isObject(candidate)) this.readCandidate(candidate, events)
    return events
  }

  /** What was held back. `whole`: the answer came in one piece, complete even where it does not say why it stopped. */
  end(whole = false): readonly AnswerEvent[] {
    if (this.isOver) return []
    this.isOver = true
    const events: AnswerEvent[] = []
    if (this.usage !== null) events.push({ kind: 'usage', usage: this.usage })
    const reason = this.reason ?? (whole && this.hasContent ? 'STOP' : null)
    if (reason !== null) {
      events.push({ kind: 'stop', reason: stopReasonOf(reason, this.calls > 0), sequence: null }, { kind: 'end' })
    } else if (this.isBlocked) {
      events.push({ kind: 'stop', reason: 'content-filter', sequence: null }, { kind: 'end' })
    }
    return events
  }

  private readCandidate(candidate: JsonObject, events: AnswerEvent[]): void {
    const before = events.length
    if (isObject(candidate.content)) {
      for (const part of objectsOf(candidate.content.parts)) this.readPart(part, events)
    }
    if (events.length > before) this.hasContent = true
    const reason = textOf(candidate.finishReason)
    if (reason === null || reason === '' || reason === 'FINISH_REASON_UNSPECIFIED') return
    this.reason = reason
    const status = failedStatus(reason, this.hasContent)
    if (status === null) return
    events.push(this.fault(status, failureText(reason, status, textOf(candidate.finishMessage))))
  }

  private fault(status: number, text: string): AnswerEvent {
    this.isOver = true
    return { kind: 'fault', status, text }
  }

  private readPart(part: JsonObject, events: AnswerEvent[]): void {
    const sign = textOf(part.thoughtSignature)
    const signature = sign === null ? null : readSignature(sign)
    if (isObject(part.functionCall) && typeof part.functionCall.name === 'string') {
      if (signature !== null) events.push({ kind: 'thinking-signature', ...signature, redacted: true })
      this.readCall(part.functionCall, part.functionCall.name, events)
      return
    }
    const text = textOf(part.text) ?? codeText(part)
    const isThought = part.thought === true
    if (text !== null && text !== '') events.push({ kind: isThought ? 'thinking' : 'text', text })
    if (isObject(part.inlineData)) readImage(part.inlineData, events)
    if (signature !== null) {
      events.push({ kind: 'thinking-signature', ...signature, redacted: !isThought || text === null || text === '' })
    }
  }

  private readCall(call: JsonObject, name: string, events: AnswerEvent[]): void {
    const index = this.calls++
    const id = textOf(call.id) || this.newId('call')
    events.push(
      { kind: 'tool-call', index, id, name, freeForm: false },
      { kind: 'tool-arguments', index, piece: JSON.stringify(call.args ?? {}) },
      { kind: 'tool-end', index },
    )
  }
}

function readImage({ mimeType, data }: JsonObject, events: AnswerEvent[]): void {
  if (typeof mimeType === 'string' && mimeType.startsWith('image/') && typeof data === 'string' && data !== '') {
    events.push({ kind: 'image', mediaType: mimeType, data })
  }
}

/** null where nothing was counted yet. */
function usageOf(usage: JsonObject): CanonicalUsage | null {
  const prompt = numberOf(usage.promptTokenCount)
  const tools = numberOf(usage.toolUsePromptTokenCount)
  const words = numberOf(usage.candidatesTokenCount)
  const thoughts = numberOf(usage.thoughtsTokenCount)
  if (prompt === null && words === null && thoughts === null) return null
  return {
    input: prompt === null ? null : prompt + (tools ?? 0),
    cachedInput: numberOf(usage.cachedContentTokenCount),
    cacheWrite: null,
    output: words === null && thoughts === null ? null : (words ?? 0) + (thoughts ?? 0),
    reasoning: thoughts,
  }
}
