// A Responses stream → events. Servers differ in what they send: deltas, or whole items at their end, or everything in
// the closing event only. Whatever comes first is said; what repeats it is not said again.
import type { AnswerEvent, JsonObject, StopReason } from '../canonical'
import { isObject, numberOf, objectsOf, parseJson, textOf } from '../json'
import type { StreamParser, WriteContext } from '../translation'
import { faultOf } from './errors'
import { readSignature } from './signature'
import { canonicalUsage } from './usage'

type NewId = WriteContext['newId']

export const createStreamParser = (newId: NewId): StreamParser => new ResponsesParser(newId)

interface Item {
  readonly type: string
  /** Characters already said, per content or summary part. */
  readonly said: number[]
  /** Of a call that has been opened. */
  call: number | null
  /** Which of its two texts an item of reasoning tells; the other is left out. */
  told: 'summary' | 'content' | null
  ended: boolean
}

const NOTHING: readonly AnswerEvent[] = []

export class ResponsesParser implements StreamParser {
  private readonly byIndex = new Map<number, Item>()
  private readonly byId = new Map<string, Item>()
  private readonly byType = new Map<string, Item>()
  private out: AnswerEvent[] = []
  private started = false
  private over = false
  private calls = 0
  /** The last thing said was reasoning that no signature has ended. */
  private thinkingOpen = false

  constructor(private readonly newId: NewId) {}

  event(name: string | undefined, data: string): readonly AnswerEvent[] {
    if (this.over) return NOTHING
    const event = parseJson(data)
    if (!isObject(event)) return NOTHING
    this.read(textOf(event.type) ?? name ?? '', event)
    return this.taken()
  }

  /** The closing event carries the reason and the end in one: without it the answer is incomplete. */
  end(): readonly AnswerEvent[] {
    return NOTHING
  }

  /** A complete answer, which is also what the closing event holds. */
  whole(response: JsonObject): readonly AnswerEvent[] {
    this.start(response)
    if (response.status === 'failed' || response.status === 'cancelled') this.fault(response.error)
    else this.finish(response, response.status)
    return this.taken()
  }

  private taken(): readonly AnswerEvent[] {
    if (this.out.length === 0) return NOTHING
    const events = this.out
    this.out = []
    return events
  }

  private read(type: string, event: JsonObject): void {
    switch (type) {
      case 'response.created':
      case 'response.queued':
      case 'response.in_progress':
        return this.start(event.response)
      case 'response.output_item.added':
        return isObject(event.item) ? this.added(this.find(event, event.item), event.item) : undefined
      case 'response.output_item.done':
        return isObject(event.item) ? this.ended(this.find(event, event.item), event.item) : undefined
      case 'response.output_text.delta':
        return this.piece('text', this.find(event, MESSAGE), event.content_index, event.delta)
      case 'response.output_text.done':
        return this.rest('text', this.find(event, MESSAGE), event.content_index, event.text)
      case 'response.refusal.delta':
        return this.piece('refusal', this.find(event, MESSAGE), event.content_index, event.delta)
      case 'response.refusal.done':
        return this.rest('refusal', this.find(event, MESSAGE), event.content_index, event.refusal)
      case 'response.reasoning_summary_text.delta':
        return this.thought(this.find(event, REASONING), 'summary', event.summary_index, textOf(event.delta))
      case 'response.reasoning_summary_text.done':
        return this.thoughtRest(this.find(event, REASONING), 'summary', event.summary_index, event.text)
      case 'response.reasoning_text.delta':
        return this.thought(this.find(event, REASONING), 'content', event.content_index, textOf(event.delta))
      case 'response.reasoning_text.done':
        return this.thoughtRest(this.find(event, REASONING), 'content', event.content_index, event.text)
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        return this.argument(this.find(event, CALL), textOf(event.delta) ?? '')
      case 'response.function_call_arguments.done':
        return this.argumentsRest(this.find(event, CALL), event.arguments)
      case 'response.custom_tool_call_input.done':
        return this.argumentsRest(this.find(event, CALL), event.input)
      case 'response.completed':
      case 'response.incomplete':
        return this.closed(type, event.response)
      case 'response.failed':
      case 'response.cancelled':
        return this.fault(isObject(event.response) ? (event.response.error ?? event.error) : event.error)
      case 'error':
        return this.fault(event.error ?? event)
      default:
        if (isObject(event.error)) this.fault(event.error)
    }
  }

  private start(response: unknown): void {
    if (this.started) return
    this.started = true
    const { id, model } = isObject(response) ? response : {}
    this.out.push({ kind: 'start', id: textOf(id), model: textOf(model) })
  }

  private say(event: AnswerEvent): void {
    this.start(null)
    this.thinkingOpen = event.kind === 'thinking'
    this.out.push(event)
  }

  private fault(error: unknown): void {
    this.over = true
    this.out.push(faultOf(error ?? null))
  }

  /** Indexes are steadier than ids: some servers give one item several ids. */
  private find(event: JsonObject, item: JsonObject): Item {
    const index = numberOf(event.output_index)
    const id = textOf(event.item_id) ?? textOf(item.id)
    const known =
      (index === null ? undefined : this.byIndex.get(index)) ?? (id === null ? undefined : this.byId.get(id))
    return known ?? this.remember(index, id, textOf(item.type) ?? '')
  }

  /** Some servers name no item in their deltas: those belong to the latest of its type. */
  private nameless(type: string): Item | undefined {
    const item = this.byType.get(type)
    return item?.ended === false ? item : undefined
  }

  private remember(index: number | null, id: string | null, type: string): Item {
    const item: Item = this.nameless(type) ?? { type, said: [], call: null, told: null, ended: false }
    if (index === null && id === null) this.byType.set(type, item)
    if (index !== null) this.byIndex.set(index, item)
    if (id !== null) this.byId.set(id, item)
    return item
  }

  private added(item: Item, wire: JsonObject): void {
    if (wire.type === 'function_call' || wire.type === 'custom_tool_call') this.openCall(item, wire)
  }

  private ended(item: Item, wire: JsonObject): void {
    if (item.ended) return
    item.ended = true
    switch (wire.type) {
      case 'message':
        objectsOf(wire.content).forEach((part, index) => {
          if (part.type === 'refusal') this.rest('refusal', item, index, part.refusal)
          else this.rest('text', item, index, part.text)
        })
        return
      case 'reasoning':
        return this.endReasoning(item, wire)
      case 'function_call':
      case 'custom_tool_call':
        this.openCall(item, wire)
        this.argumentsRest(item, wire.type === 'function_call' ? wire.arguments : wire.input)
        if (item.call !== null) this.say({ kind: 'tool-end', index: item.call })
        return
      case 'image_generation_call': {
        const data = textOf(wire.result) ?? ''
        if (data !== '') this.say({ kind: 'image', mediaType: `image/${textOf(wire.output_format) ?? 'png'}`, data })
      }
    }
  }

  private piece(kind: 'text' | 'refusal', item: Item, index: unknown, delta: unknown): void {
    const text = textOf(delta) ?? ''
    if (text === '') return
    count(item, index, text.length)
    this.say({ kind, text })
  }

  private rest(kind: 'text' | 'refusal', item: Item, index: unknown, whole: unknown): void {
    this.piece(kind, item, index, unsaid(item, index, whole))
  }

  private thought(item: Item, told: 'summary' | 'content', index: unknown, text: string | null): void {
    if (text === null || text === '') return
    item.told ??= told
    if (item.told !== told) return
    // Parts, and items that no signature parts, are paragraphs of one text.
    const begins = (item.said[numberOf(index) ?? 0] ?? 0) === 0
    const parted = begins && this.thinkingOpen
    count(item, index, text.length)
    this.say({ kind: 'thinking', text: parted ? `\n\n${text}` : text })
  }

  private thoughtRest(item: Item, told: 'summary' | 'content', index: unknown, whole: unknown): void {
    this.thought(item, told, index, unsaid(item, index, whole))
  }

  private endReasoning(item: Item, wire: JsonObject): void {
    for (const told of ['summary', 'content'] as const) {
      if (item.told !== null && item.told !== told) continue
      objectsOf(wire[told]).forEach((part, index) => {
        this.thoughtRest(item, told, index, part.text)
      })
    }
    const encrypted = textOf(wire.encrypted_content) ?? ''
    if (encrypted === '') return
    const redacted = item.told === null && objectsOf(wire.summary).length === 0
    this.say({ kind: 'thinking-signature', ...readSignature(textOf(wire.id), encrypted), redacted })
  }

  private openCall(item: Item, wire: JsonObject): void {
    if (item.call !== null) return
    item.call = this.calls++
    const id = textOf(wire.call_id) || textOf(wire.id) || this.newId('call')
    const freeForm = wire.type === 'custom_tool_call'
    this.say({ kind: 'tool-call', index: item.call, id, name: textOf(wire.name) ?? '', freeForm })
  }

  /** Before its item was announced a call has no name: what comes then is said when the item ends. */
  private argument(item: Item, piece: string): void {
    if (item.call === null || piece === '') return
    count(item, 0, piece.length)
    this.say({ kind: 'tool-arguments', index: item.call, piece })
  }

  private argumentsRest(item: Item, whole: unknown): void {
    const text = isObject(whole) ? JSON.stringify(whole) : whole
    this.argument(item, unsaid(item, 0, text))
  }

  private closed(type: string, response: unknown): void {
    if (!isObject(response)) return this.finish({}, type === 'response.completed' ? 'completed' : 'incomplete')
    this.start(response)
    if (response.status === 'failed') return this.fault(response.error)
    this.finish(response, type === 'response.completed' ? 'completed' : 'incomplete')
  }

  private finish(response: JsonObject, status: unknown): void {
    this.start(response)
    objectsOf(response.output).forEach((wire, index) => {
      const item = this.outputItem(wire, index)
      if (item !== null) this.ended(item, wire)
    })
    if (status === 'in_progress' || status === 'queued') return
    const usage = canonicalUsage(response.usage)
    if (usage !== null) this.out.push({ kind: 'usage', usage })
    this.out.push({ kind: 'stop', reason: this.reason(response, status), sequence: null }, { kind: 'end' })
    this.over = true
  }

  /** The item of the closing event's list; null where it was said under another id. */
  private outputItem(wire: JsonObject, index: number): Item | null {
    const id = textOf(wire.id)
    const known = (id === null ? undefined : this.byId.get(id)) ?? this.byIndex.get(index)
    if (known === undefined) return this.remember(null, id, textOf(wire.type) ?? '')
    return known.type === wire.type ? known : null
  }

  private reason({ incomplete_details: details }: JsonObject, status: unknown): StopReason {
    if (status !== 'incomplete') return this.calls > 0 ? 'tool-calls' : 'stop'
    const reason = isObject(details) ? details.reason : null
    if (reason === 'content_filter') return 'content-filter'
    return reason === 'pause_turn' ? 'pause' : 'length'
  }
}

const MESSAGE: JsonObject = { type: 'message' }
const REASONING: JsonObject = { type: 'reasoning' }
const CALL: JsonObject = { type: 'function_call' }

function count(item: Item, index: unknown, length: number): void {
  const at = numberOf(index) ?? 0
  item.said[at] = (item.said[at] ?? 0) + length
}

function unsaid(item: Item, index: unknown, whole: unknown): string {
  const text = textOf(whole) ?? ''
  const said = item.said[numberOf(index) ?? 0] ?? 0
  return said === 0 ? text : text.slice(said)
}
