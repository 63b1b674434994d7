// Events of an answer → parts in Gemini's form. Calls are told whole: their arguments are an object on this wire.
import type { AnswerEvent, JsonObject, StopReason } from '../canonical'
import { anyArguments, argumentObject } from './call-arguments'
import { type Signature, writeSignature } from './signature'

interface OpenCall {
  readonly id: string
  readonly name: string
  readonly freeForm: boolean
  readonly pieces: string[]
  /** Of the hidden reasoning before it. */
  readonly signature: string | null
  hasEnded: boolean
  isWritten: boolean
}

/** Collects calls until they are complete, and gives the parts each event makes. */
export class PartMaker {
  private readonly calls: OpenCall[] = []
  /** Of hidden reasoning; goes onto the next call. */
  private signature: string | null = null

  parts(event: AnswerEvent): readonly JsonObject[] {
    switch (event.kind) {
      case 'text':
      case 'refusal':
        return [...this.loose(), { text: event.text }]
      case 'thinking':
        return [...this.loose(), { text: event.text, thought: true }]
      case 'thinking-signature':
        return this.sign(event, event.redacted)
      case 'image':
        return [...this.loose(), { inlineData: { mimeType: event.mediaType, data: event.data } }]
      case 'tool-call': {
        const { index, id, name, freeForm } = event
        this.calls[index] = {
          id,
          name,
          freeForm,
          pieces: [],
          signature: this.signature,
          hasEnded: false,
          isWritten: false,
        }
        this.signature = null
        return []
      }
      case 'tool-arguments':
        this.calls[event.index]?.pieces.push(event.piece)
        return []
      case 'tool-end':
        return this.ended(event.index)
      default:
        return []
    }
  }

  /** What is left when the answer is complete. A call that was cut off in the middle is no call. */
  last(reason: StopReason): readonly JsonObject[] {
    const parts: JsonObject[] = []
    for (const call of this.calls) {
      if (call === undefined || call.isWritten) continue
      if (reason === 'length' && !isComplete(call)) continue
      parts.push(write(call))
    }
    return [...parts, ...this.loose()]
  }

  private sign({ issuer, signature }: Signature, hidden: boolean): readonly JsonObject[] {
    const text = writeSignature({ issuer, signature })
    if (!hidden) return [...this.loose(), { text: '', thought: true, thoughtSignature: text }]
    const before = this.loose()
    this.signature = text
    return before
  }

  /** A signature that no call came for stands alone. */
  private loose(): readonly JsonObject[] {
    if (this.signature === null) return []
    const part = { text: '', thought: true, thoughtSignature: this.signature }
    this.signature = null
    return [part]
  }

  /** Calls are written in their order: one that ended waits for those before it. */
  private ended(index: number): readonly JsonObject[] {
    const ended = this.calls[index]
    if (ended === undefined) return []
    ended.hasEnded = true
    const parts: JsonObject[] = []
    for (const call of this.calls) {
      if (call === undefined || call.isWritten) continue
      // What is no JSON may have been cut off: the reason why the model stopped will tell.
      if (!call.hasEnded || !isComplete(call)) break
      parts.push(write(call))
    }
    return parts
  }
}

const isComplete = ({ freeForm, pieces }: OpenCall): boolean => freeForm || argumentObject(pieces.join('')) !== null

function write(call: OpenCall): JsonObject {
  call.isWritten = true
  const { id, name, freeForm, pieces, signature } = call
  const functionCall = { id, name, args: anyArguments(pieces.join(''), freeForm) }
  return signature === null ? { functionCall } : { functionCall, thoughtSignature: signature }
}
