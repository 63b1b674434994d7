// What the client asked, in the forms the way up needs: its bytes for an upstream of the same dialect, its parsed body
// for one of another. Each form is made once, and only when something needs it.
import type { JsonObject } from '../dialects/canonical'
import type { Asked, DialectModule } from '../dialects/dialect'
import { type Translated, translateRequest } from '../dialects/translate'
import type { BuildTarget } from '../dialects/translation'
import { GatewayError } from '../errors'
import type { RequestBody } from '../http/request-body'

export class ClientRequest {
  private parsed: JsonObject | null = null

  constructor(
    readonly call: DialectModule,
    readonly asked: Asked,
    private readonly body: RequestBody,
  ) {}

  /** The body as an object. */
  json(): JsonObject {
    this.parsed ??= JSON.parse(Buffer.concat(this.body.chunks).toString('utf8')) as JsonObject
    return this.parsed
  }

  /** Whether a top-level member is there and not null. Of the dialect's wanted fields only. */
  has(name: string): boolean {
    const kind = this.body.notes.fields.get(name)?.kind
    return kind !== undefined && kind !== 'null'
  }

  isFalse(name: string): boolean {
    return this.body.notes.fields.get(name)?.kind === 'false'
  }

  get bytes(): number {
    return this.body.length
  }

  /** Whether these bytes occur anywhere in the body. */
  mentions(text: string): boolean {
    return this.body.chunks.some((chunk) => chunk.includes(text))
  }

  /** Continues with another body: earlier turns put back, reasoning taken out. */
  withBody(json: JsonObject, asked: Asked = this.asked): ClientRequest {
    const text = Buffer.from(JSON.stringify(json))
    const replaced = new ClientRequest(this.call, asked, this.body.replacedBy(text, this.call.wantedFields))
    replaced.parsed = json
    return replaced
  }

  /** Without the reasoning of earlier turns; null when there is none. */
  withoutThinking(): ClientRequest | null {
    const body = this.call.translation?.withoutThinking(this.json()) ?? null
    return body === null ? null : this.withBody(body)
  }

  canAskForUsage(): boolean {
    return this.call.canAskForUsage(this.body)
  }

  /** The client's bytes with the bare model name in place of the one it wrote. */
  sameDialect(model: string, asksUsage: boolean): readonly Buffer[] {
    const rewritten = this.call.bodyFor?.(this.json(), model) ?? null
    if (rewritten !== null) return [Buffer.from(JSON.stringify(rewritten))]
    const field = this.body.notes.fields.get('model')
    if (field === undefined) return this.body.chunks
    const rename = { start: field.start, end: field.end, text: JSON.stringify(model) }
    if (!asksUsage) return this.body.edited([rename])
    const at = this.body.notes.firstMember
    return this.body.edited([{ start: at, end: at, text: '"stream_options":{"include_usage":true},' }, rename])
  }

  /** @throws GatewayError 400 naming what the other dialect cannot carry */
  translated(to: DialectModule, target: BuildTarget): Translated {
    const { translation } = this.call
    if (translation === null || to.translation === null) throw untranslatable()
    return translateRequest(this.json(), translation, { name: to.name, translation: to.translation }, target)
  }
}

const untranslatable = (): GatewayError =>
  new GatewayError('bad_request', 400, 'This call can only be passed on to a provider that speaks its format.')
