// A Chat stream → answer events. Forgiving, because "OpenAI-compatible" means many things: chunks without choices,
// usage in any chunk, reasoning under several names, errors inside a 200 answer.
import type { AnswerEvent, CanonicalUsage, JsonObject } from '../canonical'
import { isObject, objectsOf, parseJson, textOf } from '../json'
import type { StreamParser, WriteContext } from '../translation'
import { stopReason } from './finish-reason'
import { detailSignature, detailText, REASONING_IN_CONTENT, REASONING_MEMBERS } from './opaque'
import { mediaOf } from './parse-content'
import { readFault } from './read-fault'
import { readUsage } from './read-usage'
import { RepeatedChunk } from './repeated-chunk'
import { StreamCalls } from './stream-calls'

const NOTHING: readonly AnswerEvent[] = []

export class ChatStreamParser implements StreamParser {
  private readonly calls: StreamCalls
  private readonly repeated = new RepeatedChunk()
  private events: AnswerEvent[] = []
  private started = false
  private over = false
  private id: string | null = null
  private model: string | null = null
  private usage: CanonicalUsage | null = null
  private finish: string | null = null
  /** The one answer that is read, where a server gives several. */
  private choiceIndex: unknown = null
  /** Where the open reasoning came from: a member, or an element of reasoning_details. null when none is open. */
  private reasoningIn: string | JsonObject | null = null

  constructor(newId: WriteContext['newId']) {
    this.calls = new StreamCalls(newId)
  }

  event(name: string | undefined, data: string): readonly AnswerEvent[] {
    if (this.over) return NOTHING
    if (data === '[DONE]') return this.complete()
    const text = this.reasoningIn === null ? this.repeated.textOf(data) : null
    if (text !== null) return text === '' ? NOTHING : [{ kind: 'text', text }]
    const chunk = parseJson(data)
    if (!isObject(chunk)) return NOTHING
    const events = this.chunk(chunk, name)
    if (events.at(-1)?.kind === 'text') this.repeated.learn(data, chunk)
    return events
  }

  end(): readonly AnswerEvent[] {
    if (this.over) return NOTHING
    if (this.finish !== null) return this.complete()
    this.over = true
    return this.usage === null ? NOTHING : [{ kind: 'usage', usage: this.usage }]
  }

  /** One chunk as parsed. `name`: the event's. */
  chunk(chunk: JsonObject, name?: string): readonly AnswerEvent[] {
    const fault = readFault(name, chunk)
    if (fault !== null) {
      this.over = true
      return [{ kind: 'fault', ...fault }]
    }
    this.id ??= textOf(chunk.id) || null
    this.model ??= textOf(chunk.model) || null
    this.usage = readUsage(chunk) ?? this.usage
    for (const choice of objectsOf(chunk.choices)) this.choice(choice)
    return this.given()
  }

  /** The upstream said that the answer is complete. */
  complete(): readonly AnswerEvent[] {
    this.over = true
    if (this.calls.hasNameless) {
      const error = { message: 'The model called a tool without naming it.' }
      return [...this.given(), { kind: 'fault', status: 502, text: JSON.stringify({ error }) }]
    }
    this.start()
    this.endReasoning()
    this.events.push(...this.calls.end())
    if (this.usage !== null) this.events.push({ kind: 'usage', usage: this.usage })
    const reason = stopReason(this.finish, this.calls.any)
    this.events.push({ kind: 'stop', reason, sequence: null }, { kind: 'end' })
    return this.given()
  }

  private given(): readonly AnswerEvent[] {
    if (this.events.length === 0) return NOTHING
    const events = this.events
    this.events = []
    return events
  }

  private choice(choice: JsonObject): void {
    const index = choice.index ?? 0
    this.choiceIndex ??= index
    if (index !== this.choiceIndex) return
    this.start()
    const message = isObject(choice.delta) ? choice.delta : choice.message
    if (isObject(message)) this.message(message)
    const reason = textOf(choice.finish_reason)
    if (reason !== null && reason !== '') this.finish = reason
  }

  private message(message: JsonObject): void {
    this.reasoning(message)
    const { content } = message
    if (typeof content === 'string') this.text(content)
    else if (Array.isArray(content)) for (const part of objectsOf(content)) this.part(part)
    const refusal = textOf(message.refusal)
    if (refusal !== null && refusal !== '') this.content({ kind: 'refusal', text: refusal })
    if (message.images !== undefined) for (const image of objectsOf(message.images)) this.image(image)
    if (Array.isArray(message.tool_calls)) this.toolCalls(objectsOf(message.tool_calls))
    // The form before tools: one call, without id and index.
    else if (isObject(message.function_call)) this.toolCalls([{ index: 0, function: message.function_call }])
  }

  private reasoning(message: JsonObject): void {
    const details = message.reasoning_details === undefined ? [] : objectsOf(message.reasoning_details)
    const member = REASONING_MEMBERS.find((name) => typeof message[name] === 'string' && message[name] !== '')
    if (member !== undefined) this.thought(message[member] as string, member)
    for (const detail of details) {
      // OpenRouter says the same text in both.
      if (member === undefined) this.thought(detailText(detail), detail)
      else if (detailText(detail) !== '') this.reasoningIn = detail
      if (!isSigned(detail)) continue
      if (isHidden(detail)) this.endReasoning()
      this.sign(detailSignature(detail), isHidden(detail))
    }
  }

  private thought(text: string, from: string | JsonObject): void {
    if (text === '') return
    this.reasoningIn = from
    this.events.push({ kind: 'thinking', text })
  }

  /** Marks reasoning as this dialect's, with the place it came from, for servers that want it back. */
  private endReasoning(): void {
    const from = this.reasoningIn
    if (from !== null) this.sign(typeof from === 'string' ? from : detailSignature(from), false)
  }

  private sign(signature: string, redacted: boolean): void {
    this.reasoningIn = null
    this.events.push({ kind: 'thinking-signature', signature, issuer: 'openai-chat', redacted })
  }

  private content(event: AnswerEvent): void {
    this.endReasoning()
    this.events.push(event)
  }

  private text(text: string): void {
    if (text !== '') this.content({ kind: 'text', text })
  }

  /** Mistral gives content in parts, its reasoning among them. */
  private part(part: JsonObject): void {
    if (part.type === 'text') this.text(textOf(part.text) ?? '')
    else if (part.type === 'image_url') this.image(part)
    else if (part.type === 'thinking') {
      const pieces = typeof part.thinking === 'string' ? [{ text: part.thinking }] : objectsOf(part.thinking)
      for (const { text } of pieces) this.thought(textOf(text) ?? '', REASONING_IN_CONTENT)
    }
  }

  private image(image: JsonObject): void {
    const url = isObject(image.image_url) ? textOf(image.image_url.url) : textOf(image.image_url)
    if (url === null || url === '') return
    const media = readable(url)
    if (media?.kind === 'base64') {
      this.content({ kind: 'image', mediaType: media.mediaType, data: media.data })
    } else this.text(`![](${url})`)
  }

  private toolCalls(entries: readonly JsonObject[]): void {
    for (let i = 0; i < entries.length; i++) {
      const events = this.calls.take(entries[i] as JsonObject, i)
      if (events.length === 0) continue
      this.endReasoning()
      this.events.push(...events)
    }
  }

  private start(): void {
    if (this.started) return
    this.started = true
    this.events.push({ kind: 'start', id: this.id, model: this.model })
  }
}

const isHidden = (detail: JsonObject): boolean => (textOf(detail.data) ?? '') !== ''

const isSigned = (detail: JsonObject): boolean => isHidden(detail) || (textOf(detail.signature) ?? '') !== ''

/** An answer is never refused for an address that cannot be read. */
function readable(url: string) {
  try {
    return mediaOf(url, '')
  } catch {
    return null
  }
}
