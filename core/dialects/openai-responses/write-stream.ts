// Events → a Responses stream. The items of the answer are opened, filled and closed in the order the official SDKs
// demand; calls may stand open side by side.
import type { AnswerEvent, CanonicalUsage, JsonObject, StopReason } from '../canonical'
import type { StreamWriter, WriteContext } from '../translation'
import { type ClientTool, ClientTools } from './client-tools'
import { responseIdOf } from './errors'
import {
  BuiltInCall,
  type CallName,
  type Closed,
  type Emit,
  type ItemStatus,
  type OpenCall,
  OpenMessage,
  OpenReasoning,
  type Place,
  StreamedCall,
  WrappedCall,
  writeImage,
} from './open-items'
import { type ResponseFrame, responseFrame, responseObject } from './response-object'
import { MADE_REASONING_ID, writeSignature } from './signature'
import { wireUsage } from './usage'

export interface ResponsesWriter extends StreamWriter {
  /** The complete answer, as its last event told it; null before the end. For the store. */
  response(): JsonObject | null
}

export function createResponsesWriter(context: WriteContext): ResponsesWriter {
  let text = ''
  let sequence = 0
  const composer = new Composer(context, (type, fields) => {
    const name = `response.${type}`
    text += `event: ${name}\ndata: ${JSON.stringify({ type: name, sequence_number: sequence++, ...fields })}\n\n`
  })
  return {
    write(event) {
      text = ''
      composer.take(event)
      return text
    },
    // Items may stay open: the error event that follows ends them all.
    breakOff: () => '',
    response: () => composer.response,
  }
}

/** The response object of a complete run of events. */
export function responseOf(events: readonly AnswerEvent[], context: WriteContext): JsonObject {
  const composer = new Composer(context, () => {})
  for (const event of events) composer.take(event)
  return composer.response ?? composer.finish()
}

const IGNORE = { dropped: () => {} }

class Composer {
  /** Closed items by output index. */
  private readonly output: JsonObject[] = []
  private readonly tools: ClientTools
  private frame: ResponseFrame | null = null
  private nextIndex = 0
  private message: OpenMessage | null = null
  private reasoning: OpenReasoning | null = null
  private readonly calls = new Map<number, OpenCall>()
  private usage: CanonicalUsage | null = null
  private stop: StopReason = 'stop'
  response: JsonObject | null = null

  constructor(
    private readonly context: WriteContext,
    private readonly emit: Emit,
  ) {
    this.tools = new ClientTools(context.body, IGNORE)
  }

  take(event: AnswerEvent): void {
    if (this.response !== null) return
    this.begin(event.kind === 'start' ? event.id : null)
    switch (event.kind) {
      case 'text':
      case 'refusal':
        return this.say(event.kind, event.text)
      case 'thinking':
        return this.think(event.text)
      case 'thinking-signature':
        return this.sign(event)
      case 'tool-call':
        return this.openCall(event)
      case 'tool-arguments':
        return this.calls.get(event.index)?.say(event.piece)
      case 'tool-end':
        return this.closeCall(event.index, 'completed')
      case 'image':
        return this.image(event.mediaType, event.data)
      case 'usage':
        this.usage = event.usage
        return
      case 'stop':
        this.stop = event.reason
        return
      case 'end':
        this.finish()
    }
  }

  finish(): JsonObject {
    const reason = INCOMPLETE.get(this.stop) ?? null
    const status = reason === null ? 'completed' : 'incomplete'
    this.closeThinking(null, false)
    this.closeMessage(status)
    for (const index of [...this.calls.keys()]) this.closeCall(index, status)
    const usage = wireUsage(this.usage)
    const response = responseObject(this.begin(null), { status, output: this.output, usage, reason })
    this.emit(status, { response })
    this.response = response
    return response
  }

  private begin(upstreamId: string | null): ResponseFrame {
    if (this.frame !== null) return this.frame
    const id = upstreamId?.startsWith('resp_') ? upstreamId : responseIdOf(this.context.requestId)
    const frame = responseFrame(id, this.context)
    const response = responseObject(frame, { status: 'in_progress', output: [], usage: null, reason: null })
    this.frame = frame
    this.emit('created', { response })
    this.emit('in_progress', { response })
    return frame
  }

  private readonly newPlace = (prefix: string): Place => this.placeOf(this.context.newId(prefix))

  private placeOf(id: string): Place {
    return { id, output_index: this.nextIndex++ }
  }

  private keep({ output_index, item }: Closed): void {
    this.output[output_index] = item
  }

  private say(kind: 'text' | 'refusal', piece: string): void {
    this.closeThinking(null, false)
    this.message ??= new OpenMessage(this.newPlace('msg'), this.emit)
    this.message.say(kind, piece)
  }

  private think(piece: string): void {
    this.closeMessage('completed')
    this.reasoning ??= new OpenReasoning(this.newPlace(MADE_REASONING_ID), this.emit)
    this.reasoning.say(piece)
  }

  private sign({ signature, issuer, redacted }: Extract<AnswerEvent, { kind: 'thinking-signature' }>): void {
    this.closeMessage('completed')
    const { id, encrypted } = writeSignature({ signature, issuer })
    const place = (): Place => (id === null ? this.newPlace(MADE_REASONING_ID) : this.placeOf(id))
    this.reasoning ??= new OpenReasoning(place(), this.emit)
    this.closeThinking(encrypted, redacted)
  }

  private openCall({ index, id, name, freeForm }: Extract<AnswerEvent, { kind: 'tool-call' }>): void {
    this.closeThinking(null, false)
    this.closeMessage('completed')
    const tool = this.tools.get(name)
    const called = { call_id: id, name: tool?.ownName ?? name, namespace: tool?.namespace ?? null }
    this.calls.set(index, this.newCall(tool?.kind ?? 'function', called, freeForm))
  }

  private newCall(kind: ClientTool['kind'], called: CallName, freeForm: boolean): OpenCall {
    if (freeForm) return new StreamedCall(this.newPlace('ctc'), called, true, this.emit)
    if (kind === 'function') return new StreamedCall(this.newPlace('fc'), called, false, this.emit)
    if (kind === 'custom') return new WrappedCall(this.newPlace('ctc'), called, this.emit)
    return new BuiltInCall(kind, called, this.newPlace, this.emit)
  }

  private closeCall(index: number, status: ItemStatus): void {
    const call = this.calls.get(index)
    if (call === undefined) return
    this.calls.delete(index)
    this.keep(call.close(status))
  }

  private image(mediaType: string, data: string): void {
    this.closeThinking(null, false)
    this.closeMessage('completed')
    this.keep(writeImage(this.newPlace('ig'), mediaType, data, this.emit))
  }

  private closeMessage(status: ItemStatus): void {
    if (this.message === null) return
    this.keep(this.message.close(status))
    this.message = null
  }

  private closeThinking(encrypted: string | null, hidden: boolean): void {
    if (this.reasoning === null) return
    this.keep(this.reasoning.close(encrypted, hidden))
    this.reasoning = null
  }
}

/** Reasons that leave an answer incomplete. The last is no word of the API: none there says that the model would go on. */
const INCOMPLETE: ReadonlyMap<StopReason, string> = new Map([
  ['length', 'max_output_tokens'],
  ['content-filter', 'content_filter'],
  ['pause', 'pause_turn'],
])
