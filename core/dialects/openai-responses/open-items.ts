// The items of an answer that are being written: each knows the events of its own life, in the order the official SDKs
// demand. Nothing of it is wire text yet.
import type { JsonObject } from '../canonical'
import { isObject, parseJson } from '../json'
import { type BuiltIn, builtInIdPrefix, builtInItem } from './built-in-tools'

/** Takes one event; `type` goes without its "response." */
export type Emit = (type: string, fields: JsonObject) => void

export interface Place {
  readonly id: string
  readonly output_index: number
}

/** A finished item and where it stands in the answer. */
export interface Closed {
  readonly output_index: number
  readonly item: JsonObject
}

export type ItemStatus = 'completed' | 'incomplete'

const itemFields = ({ id, output_index }: Place): JsonObject => ({ item_id: id, output_index })

const added = (emit: Emit, { output_index }: Place, item: JsonObject): void =>
  emit('output_item.added', { output_index, item })

function done(emit: Emit, { output_index }: Place, item: JsonObject): Closed {
  emit('output_item.done', { output_index, item })
  return { output_index, item }
}

/** A message: one run of visible text or refusal after the other. */
export class OpenMessage {
  private readonly content: JsonObject[] = []
  private part: { kind: 'text' | 'refusal'; text: string } | null = null

  constructor(
    private readonly place: Place,
    private readonly emit: Emit,
  ) {
    added(emit, place, this.item('in_progress'))
  }

  say(kind: 'text' | 'refusal', piece: string): void {
    if (this.part?.kind !== kind) this.open(kind)
    if (this.part !== null) this.part.text += piece
    const delta = { ...this.partFields(), delta: piece }
    if (kind === 'refusal') this.emit('refusal.delta', delta)
    else this.emit('output_text.delta', { ...delta, logprobs: [] })
  }

  close(status: ItemStatus): Closed {
    this.closePart()
    return done(this.emit, this.place, this.item(status))
  }

  private open(kind: 'text' | 'refusal'): void {
    this.closePart()
    this.part = { kind, text: '' }
    this.emit('content_part.added', { ...this.partFields(), part: contentPart(kind, '') })
  }

  private closePart(): void {
    if (this.part === null) return
    const { kind, text } = this.part
    const at = this.partFields()
    const part = contentPart(kind, text)
    if (kind === 'refusal') this.emit('refusal.done', { ...at, refusal: text })
    else this.emit('output_text.done', { ...at, text, logprobs: [] })
    this.emit('content_part.done', { ...at, part })
    this.content.push(part)
    this.part = null
  }

  private partFields(): JsonObject {
    return { ...itemFields(this.place), content_index: this.content.length }
  }

  private item(status: ItemStatus | 'in_progress'): JsonObject {
    return { id: this.place.id, type: 'message', status, role: 'assistant', content: [...this.content] }
  }
}

const contentPart = (kind: 'text' | 'refusal', text: string): JsonObject =>
  kind === 'refusal' ? { type: 'refusal', refusal: text } : { type: 'output_text', text, annotations: [], logprobs: [] }

/** Reasoning: its text as one part of the summary, the one place where every client shows it. */
export class OpenReasoning {
  private text = ''
  private begun = false

  constructor(
    private readonly place: Place,
    private readonly emit: Emit,
  ) {
    added(emit, place, { id: place.id, type: 'reasoning', summary: [] })
  }

  say(piece: string): void {
    if (!this.begun) this.emit('reasoning_summary_part.added', { ...this.partFields(), part: summaryPart('') })
    this.begun = true
    this.text += piece
    this.emit('reasoning_summary_text.delta', { ...this.partFields(), delta: piece })
  }

  /** `hidden`: there is no text to show; otherwise an empty one is said to be empty. */
  close(encrypted: string | null, hidden: boolean): Closed {
    const part = summaryPart(this.text)
    if (this.begun) {
      this.emit('reasoning_summary_text.done', { ...this.partFields(), text: this.text })
      this.emit('reasoning_summary_part.done', { ...this.partFields(), part })
    }
    const summary = this.begun || (encrypted !== null && !hidden) ? [part] : []
    const secret = encrypted === null ? {} : { encrypted_content: encrypted }
    return done(this.emit, this.place, { id: this.place.id, type: 'reasoning', summary, ...secret })
  }

  private partFields(): JsonObject {
    return { ...itemFields(this.place), summary_index: 0 }
  }
}

const summaryPart = (text: string): JsonObject => ({ type: 'summary_text', text })

export interface OpenCall {
  say(piece: string): void
  close(status: ItemStatus): Closed
}

/** What the client calls the tool. */
export interface CallName {
  readonly call_id: string
  readonly name: string
  readonly namespace: string | null
}

/** A call whose arguments stream: JSON of a function, plain text of a custom tool. */
export class StreamedCall implements OpenCall {
  private text = ''

  constructor(
    private readonly place: Place,
    private readonly called: CallName,
    private readonly freeForm: boolean,
    private readonly emit: Emit,
  ) {
    added(emit, place, this.item('in_progress'))
  }

  say(piece: string): void {
    this.text += piece
    const delta = { ...itemFields(this.place), delta: piece }
    this.emit(this.freeForm ? 'custom_tool_call_input.delta' : 'function_call_arguments.delta', delta)
  }

  close(status: ItemStatus): Closed {
    if (this.text === '' && !this.freeForm) this.say('{}')
    const at = itemFields(this.place)
    if (this.freeForm) this.emit('custom_tool_call_input.done', { ...at, input: this.text })
    else this.emit('function_call_arguments.done', { ...at, name: this.called.name, arguments: this.text })
    return done(this.emit, this.place, this.item(status))
  }

  private item(status: ItemStatus | 'in_progress'): JsonObject {
    const { call_id, name, namespace } = this.called
    return {
      id: this.place.id,
      type: this.freeForm ? 'custom_tool_call' : 'function_call',
      status,
      call_id,
      name,
      ...(namespace === null ? {} : { namespace }),
      ...(this.freeForm ? { input: this.text } : { arguments: this.text }),
    }
  }
}

/** A custom tool whose text came wrapped in JSON, from a model that knows only functions. */
export class WrappedCall implements OpenCall {
  private readonly call: StreamedCall
  private text = ''

  constructor(place: Place, called: CallName, emit: Emit) {
    this.call = new StreamedCall(place, called, true, emit)
  }

  say(piece: string): void {
    this.text += piece
  }

  close(status: ItemStatus): Closed {
    const input = unwrapped(this.text)
    if (input !== '') this.call.say(input)
    return this.call.close(status)
  }
}

function unwrapped(json: string): string {
  const args = parseJson(json)
  if (!isObject(args)) return json
  if (typeof args.input === 'string') return args.input
  const texts = Object.values(args)
  return texts.length === 1 && typeof texts[0] === 'string' ? texts[0] : json
}

/** A call of a built-in tool: its item is only known when the arguments are complete. */
export class BuiltInCall implements OpenCall {
  private text = ''

  constructor(
    private readonly kind: BuiltIn,
    private readonly called: CallName,
    private readonly newPlace: (prefix: string) => Place,
    private readonly emit: Emit,
  ) {}

  say(piece: string): void {
    this.text += piece
  }

  close(status: ItemStatus): Closed {
    const args = this.text === '' ? {} : parseJson(this.text)
    if (!isObject(args)) return this.asFunction(status)
    const place = this.newPlace(builtInIdPrefix(this.kind))
    const item = (now: string): JsonObject => builtInItem(this.kind, place.id, this.called.call_id, args, now)
    added(this.emit, place, item('in_progress'))
    return done(this.emit, place, item(status))
  }

  /** Arguments that are no JSON fit no such item: the client is told what the model really said. */
  private asFunction(status: ItemStatus): Closed {
    const call = new StreamedCall(this.newPlace('fc'), this.called, false, this.emit)
    call.say(this.text)
    return call.close(status)
  }
}

/** An image the model made. */
export function writeImage(place: Place, mediaType: string, data: string, emit: Emit): Closed {
  const item = { id: place.id, type: 'image_generation_call', output_format: mediaType.replace(/^image\//, '') }
  added(emit, place, { ...item, status: 'in_progress', result: null })
  emit('image_generation_call.completed', itemFields(place))
  return done(emit, place, { ...item, status: 'completed', result: data })
}
