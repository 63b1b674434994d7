// Events of an Anthropic stream into canonical ones. A whole answer is read by the same reader, block after block.
import type { AnswerEvent, JsonObject } from '../canonical'
import { isObject, numberOf, parseJson, textOf } from '../json'
import type { StreamParser, WriteContext } from '../translation'
import { faultStatus } from './read-fault'
import { readThinking } from './signature'
import { stopReasonOf } from './stop-reasons'
import { addCounts, noCounts, usageOf } from './token-counts'

/** A content block whose end has not come. Blocks of other kinds (tools that ran on the server) say nothing. */
type OpenBlock =
  | { readonly kind: 'thinking'; signature: string; hasText: boolean }
  | { readonly kind: 'tool'; readonly index: number; readonly input: unknown; hasPieces: boolean }

export class AnswerReader implements StreamParser {
  private readonly open = new Map<number, OpenBlock>()
  private readonly counts = noCounts()
  private calls = 0
  private started = false
  /** Held until the end, so that usage comes before it. */
  private stop: { readonly word: string; readonly sequence: string | null; readonly details: unknown } | null = null
  private over = false

  constructor(private readonly newId: WriteContext['newId']) {}

  event(name: string | undefined, data: string): readonly AnswerEvent[] {
    if (this.over) return []
    const parsed = parseJson(data)
    if (!isObject(parsed)) return []
    const type = textOf(parsed.type) ?? name
    if (type === 'error' || (type === undefined && isObject(parsed.error))) return this.fail(parsed, data)
    return this.read(type, parsed)
  }

  end(): readonly AnswerEvent[] {
    return this.over || this.stop === null ? [] : this.finish()
  }

  /** One event other than an error. */
  read(type: string | undefined, event: JsonObject): readonly AnswerEvent[] {
    switch (type) {
      case 'message_start':
        return this.start(event.message)
      case 'content_block_start':
        return [...this.begin(), ...this.openBlock(numberOf(event.index) ?? 0, event.content_block)]
      case 'content_block_delta':
        return this.delta(numberOf(event.index) ?? 0, event.delta)
      case 'content_block_stop':
        return this.closeBlock(numberOf(event.index) ?? 0)
      case 'message_delta':
        addCounts(this.counts, event.usage)
        this.takeStop(event.delta)
        return this.begin()
      case 'message_stop':
        return [...this.begin(), ...this.finish()]
      default:
        return []
    }
  }

  private fail({ error }: JsonObject, text: string): readonly AnswerEvent[] {
    this.over = true
    return [{ kind: 'fault', status: faultStatus(error), text }]
  }

  private start(message: unknown): readonly AnswerEvent[] {
    if (!isObject(message)) return this.begin()
    addCounts(this.counts, message.usage)
    return this.begin(textOf(message.id), textOf(message.model))
  }

  /** Servers that leave message_start out are forgiven. */
  private begin(id: string | null = null, model: string | null = null): readonly AnswerEvent[] {
    if (this.started) return []
    this.started = true
    return [{ kind: 'start', id, model }]
  }

  private openBlock(at: number, block: unknown): readonly AnswerEvent[] {
    if (!isObject(block)) return []
    switch (block.type) {
      case 'text':
        return piece('text', block.text)
      case 'thinking': {
        const text = textOf(block.thinking) ?? ''
        this.open.set(at, { kind: 'thinking', signature: textOf(block.signature) ?? '', hasText: text !== '' })
        return piece('thinking', text)
      }
      case 'redacted_thinking':
        return signature(block)
      case 'tool_use': {
        const index = this.calls++
        this.open.set(at, { kind: 'tool', index, input: block.input, hasPieces: false })
        const id = textOf(block.id) ?? this.newId('call')
        return [{ kind: 'tool-call', index, id, name: textOf(block.name) ?? '', freeForm: false }]
      }
      default:
        return []
    }
  }

  private delta(at: number, delta: unknown): readonly AnswerEvent[] {
    if (!isObject(delta)) return []
    const block = this.open.get(at)
    switch (delta.type) {
      case 'text_delta':
        return piece('text', delta.text)
      case 'thinking_delta':
        if (block?.kind === 'thinking') block.hasText ||= textOf(delta.thinking) !== ''
        return piece('thinking', delta.thinking)
      case 'signature_delta':
        if (block?.kind === 'thinking') block.signature += textOf(delta.signature) ?? ''
        return []
      case 'input_json_delta': {
        const text = textOf(delta.partial_json) ?? ''
        if (text === '' || block?.kind !== 'tool') return []
        block.hasPieces = true
        return [{ kind: 'tool-arguments', index: block.index, piece: text }]
      }
      default:
        return []
    }
  }

  private closeBlock(at: number): readonly AnswerEvent[] {
    const block = this.open.get(at)
    if (block === undefined) return []
    this.open.delete(at)
    if (block.kind === 'thinking') {
      const { signature: opaque, hasText } = block
      return opaque === '' ? [] : signature({ type: 'thinking', signature: opaque, thinking: hasText ? '…' : '' })
    }
    const end: AnswerEvent = { kind: 'tool-end', index: block.index }
    if (block.hasPieces) return [end]
    return [{ kind: 'tool-arguments', index: block.index, piece: JSON.stringify(block.input ?? {}) }, end]
  }

  private takeStop(delta: unknown): void {
    if (!isObject(delta)) return
    const word = textOf(delta.stop_reason)
    if (word !== null) this.stop = { word, sequence: textOf(delta.stop_sequence), details: delta.stop_details }
  }

  private finish(): readonly AnswerEvent[] {
    this.over = true
    const events = [...this.open.keys()].flatMap((at) => this.closeBlock(at))
    const { word, sequence, details } = this.stop ?? { word: '', sequence: null, details: null }
    if (word === 'refusal' && isObject(details)) events.push(...piece('refusal', details.explanation))
    const usage = usageOf(this.counts)
    if (usage !== null) events.push({ kind: 'usage', usage })
    const reason = stopReasonOf(word, this.calls > 0)
    events.push({ kind: 'stop', reason, sequence: reason === 'stop-sequence' ? sequence : null }, { kind: 'end' })
    return events
  }
}

function piece(kind: 'text' | 'thinking' | 'refusal', value: unknown): readonly AnswerEvent[] {
  const text = textOf(value) ?? ''
  return text === '' ? [] : [{ kind, text }]
}

function signature(block: JsonObject): readonly AnswerEvent[] {
  const part = readThinking(block)
  if (part === null || part.signature === null) return []
  const { signature: opaque, issuer, redacted } = part
  return [{ kind: 'thinking-signature', signature: opaque, issuer, redacted }]
}

export const createStreamParser = (newId: WriteContext['newId']): StreamParser => new AnswerReader(newId)
