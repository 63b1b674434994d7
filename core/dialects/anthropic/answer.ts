// Complete answers: read by the reader of streams, and written from a run of events.
import type { AnswerEvent, CanonicalUsage, JsonObject } from '../canonical'
import { isObject } from '../json'
import type { WriteContext } from '../translation'
import { toolInput } from './build-content'
import { AnswerReader } from './parse-stream'
import { signedBlock } from './signature'
import { stopWord } from './stop-reasons'
import { wireUsage } from './token-counts'

export function parseAnswer(body: JsonObject, newId: WriteContext['newId']): readonly AnswerEvent[] | null {
  if (!Array.isArray(body.content) || (body.type !== undefined && body.type !== 'message')) return null
  const reader = new AnswerReader(newId)
  const events: AnswerEvent[] = [...reader.read('message_start', { message: body })]
  for (const [index, content_block] of body.content.entries()) {
    if (!isObject(content_block)) continue
    events.push(...reader.read('content_block_start', { index, content_block }))
    events.push(...reader.read('content_block_stop', { index }))
  }
  events.push(...reader.read('message_delta', { delta: body }))
  events.push(...reader.read('message_stop', {}))
  return events
}

interface Call {
  readonly id: string
  readonly name: string
  readonly freeForm: boolean
  arguments: string
}

type Piece =
  | { readonly kind: 'text'; text: string }
  | { readonly kind: 'thinking'; text: string; signed: JsonObject | null }
  | { readonly kind: 'call'; readonly call: Call }

export function writeAnswer(events: readonly AnswerEvent[], { requestId, model }: WriteContext): string {
  const pieces: Piece[] = []
  const calls = new Map<number, Call>()
  let id: string | null = null
  let refused = false
  let usage: CanonicalUsage | null = null
  let stop: AnswerEvent & { kind: 'stop' } = { kind: 'stop', reason: 'stop', sequence: null }
  for (const event of events) {
    switch (event.kind) {
      case 'start':
        id = event.id
        break
      case 'refusal':
        refused = true
        addText(pieces, event.text)
        break
      case 'text':
        addText(pieces, event.text)
        break
      case 'image':
        addText(pieces, '[image]')
        break
      case 'thinking':
        addThinking(pieces, event.text)
        break
      case 'thinking-signature':
        addSignature(pieces, event)
        break
      case 'tool-call': {
        const call: Call = { id: event.id, name: event.name, freeForm: event.freeForm, arguments: '' }
        calls.set(event.index, call)
        pieces.push({ kind: 'call', call })
        break
      }
      case 'tool-arguments': {
        const call = calls.get(event.index)
        if (call !== undefined) call.arguments += event.piece
        break
      }
      case 'usage':
        usage = event.usage
        break
      case 'stop':
        stop = event
        break
    }
  }
  return JSON.stringify({
    id: id ?? `msg_${requestId}`,
    type: 'message',
    role: 'assistant',
    model,
    content: pieces.map(blockOf),
    stop_reason: stopWord(stop.reason, calls.size > 0, refused),
    stop_sequence: stop.sequence,
    usage: { input_tokens: 0, ...wireUsage(usage) },
  })
}

function addText(pieces: Piece[], text: string): void {
  const last = pieces.at(-1)
  if (last?.kind === 'text') last.text += text
  else pieces.push({ kind: 'text', text })
}

function addThinking(pieces: Piece[], text: string): void {
  const last = pieces.at(-1)
  if (last?.kind === 'thinking' && last.signed === null) last.text += text
  else pieces.push({ kind: 'thinking', text, signed: null })
}

function addSignature(pieces: Piece[], event: AnswerEvent & { kind: 'thinking-signature' }): void {
  const last = pieces.at(-1)
  const open = last?.kind === 'thinking' && last.signed === null ? last : null
  const signed = signedBlock(open?.text ?? '', event.signature, event.issuer, event.redacted)
  if (open !== null && signed.type === 'thinking') open.signed = signed
  else pieces.push({ kind: 'thinking', text: '', signed })
}

function blockOf(piece: Piece): JsonObject {
  switch (piece.kind) {
    case 'text':
      return { type: 'text', text: piece.text }
    case 'thinking':
      return piece.signed ?? { type: 'thinking', thinking: piece.text, signature: '' }
    case 'call':
      return { type: 'tool_use', id: piece.call.id, name: piece.call.name, input: toolInput(piece.call) }
  }
}
