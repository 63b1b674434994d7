// Answer events → a Chat stream.
import type { AnswerEvent, CanonicalUsage, JsonObject } from '../canonical'
import type { StreamWriter, WriteContext } from '../translation'
import { CallExtras } from './call-extras'
import { finishReason } from './finish-reason'
import { readOpaque } from './opaque'
import { isLegacy } from './parse-tools'
import { writeUsage } from './write-usage'

const ROLE = { role: 'assistant', content: '' }

export class ChatStreamWriter implements StreamWriter {
  private readonly extras = new CallExtras()
  /** The client takes one call, in the form before tools. */
  private readonly legacy: boolean
  private readonly freeForm = new Set<number>()
  /** What each chunk begins with, up to the choices. */
  private head = ''
  private tail = '}\n\n'
  private hasRole = false
  private images = 0
  private usage: CanonicalUsage | null = null

  constructor(private readonly context: WriteContext) {
    this.legacy = isLegacy(context.body)
    this.begin(null)
    if (context.request.includeUsage) this.tail = `,"usage":null${this.tail}`
  }

  write(event: AnswerEvent): string {
    const extra = this.extras.note(event)
    switch (event.kind) {
      case 'start':
        this.begin(event.id)
        return ''
      case 'text':
        return this.delta({ content: event.text })
      case 'refusal':
        return this.delta({ refusal: event.text })
      case 'thinking':
        return this.delta({ reasoning_content: event.text })
      case 'thinking-signature':
        return this.signature(event.issuer === 'openai-chat' ? event.signature : null)
      case 'tool-call':
        return this.openCall(event, extra)
      case 'tool-arguments':
        return this.callArguments(event.index, event.piece)
      case 'image': {
        const url = `data:${event.mediaType};base64,${event.data}`
        return this.delta({ images: [{ index: this.images++, type: 'image_url', image_url: { url } }] })
      }
      case 'usage':
        this.usage = event.usage
        return ''
      case 'stop':
        return this.stop(finishReason(event.reason, this.legacy))
      case 'end':
        return 'data: [DONE]\n\n'
      default:
        return ''
    }
  }

  breakOff(): string {
    return ''
  }

  private begin(id: string | null): void {
    const { requestId, now, model } = this.context
    const chunk = {
      id: id ?? `chatcmpl-${requestId}`,
      object: 'chat.completion.chunk',
      created: Math.floor(now / 1000),
      model,
    }
    this.head = `data: ${JSON.stringify(chunk).slice(0, -1)},"choices":`
  }

  private delta(delta: JsonObject): string {
    return this.role() + this.chunk(delta, 'null')
  }

  private role(): string {
    if (this.hasRole) return ''
    this.hasRole = true
    return this.chunk(ROLE, 'null')
  }

  private chunk(delta: JsonObject, finish: string): string {
    return `${this.head}[{"index":0,"delta":${JSON.stringify(delta)},"finish_reason":${finish}}]${this.tail}`
  }

  /** OpenRouter's signed reasoning goes to the client as it came; of others, nothing goes here. */
  private signature(own: string | null): string {
    const opaque = own === null ? null : readOpaque(own)
    return opaque?.kind === 'detail' ? this.delta({ reasoning_details: [opaque.detail] }) : ''
  }

  private openCall(call: Extract<AnswerEvent, { kind: 'tool-call' }>, extra: JsonObject | null): string {
    const { index, id, name, freeForm } = call
    if (this.legacy) return index === 0 ? this.delta({ function_call: { name, arguments: '' } }) : ''
    if (freeForm) this.freeForm.add(index)
    const form = freeForm
      ? { type: 'custom', custom: { name, input: '' } }
      : { type: 'function', function: { name, arguments: '' } }
    return this.delta({ tool_calls: [{ index, id, ...form, ...(extra === null ? {} : { extra_content: extra }) }] })
  }

  private callArguments(index: number, piece: string): string {
    if (this.legacy) return index === 0 ? this.delta({ function_call: { arguments: piece } }) : ''
    const form = this.freeForm.has(index) ? { custom: { input: piece } } : { function: { arguments: piece } }
    return this.delta({ tool_calls: [{ index, ...form }] })
  }

  private stop(reason: string): string {
    const last = this.role() + this.chunk({}, JSON.stringify(reason))
    if (this.usage === null || !this.context.request.includeUsage) return last
    return `${last}${this.head}[],"usage":${JSON.stringify(writeUsage(this.usage))}}\n\n`
  }
}
