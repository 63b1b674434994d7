// A request body as it came: the list of chunks the socket gave, what the scanner noted of them, and the few
// edits made on the way up (the model's name). Nothing is parsed into objects and nothing is copied twice.
import { type JsonField, type JsonNotes, JsonScanner } from './json-scanner'

export interface BodyEdit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Below this a body travels as one buffer; above, as its chunks, so that it is never held twice. */
const JOIN_LIMIT = 1_048_576

export class RequestBody {
  readonly length: number

  constructor(
    readonly chunks: readonly Buffer[],
    readonly notes: JsonNotes,
  ) {
    let length = 0
    for (const chunk of chunks) length += chunk.length
    this.length = length
  }

  /** The bytes of a short field, as text. */
  slice(field: JsonField): string {
    return Buffer.concat(cut(this.chunks, field.start, field.end)).toString('utf8')
  }

  string(name: string): string | undefined {
    const field = this.notes.fields.get(name)
    return field?.kind === 'string' ? (JSON.parse(this.slice(field)) as string) : undefined
  }

  isTrue(name: string): boolean {
    return this.notes.fields.get(name)?.kind === 'true'
  }

  /** Another body in its place, which must be JSON. */
  replacedBy(bytes: Buffer, wanted: ReadonlySet<string>): RequestBody {
    const scanner = new JsonScanner(wanted)
    scanner.feed(bytes)
    return new RequestBody([bytes], scanner.end())
  }

  /** The body with `edits` applied (ascending, not overlapping); everything else byte for byte. */
  edited(edits: readonly BodyEdit[]): readonly Buffer[] {
    const parts: Buffer[] = []
    let at = 0
    for (const edit of edits) {
      parts.push(...cut(this.chunks, at, edit.start), Buffer.from(edit.text))
      at = edit.end
    }
    parts.push(...cut(this.chunks, at, this.length))
    return this.length <= JOIN_LIMIT && parts.length > 1 ? [Buffer.concat(parts)] : parts
  }
}

function cut(chunks: readonly Buffer[], start: number, end: number): Buffer[] {
  const parts: Buffer[] = []
  let at = 0
  for (const chunk of chunks) {
    const from = Math.max(start - at, 0)
    const to = Math.min(end - at, chunk.length)
    if (from < to) parts.push(chunk.subarray(from, to))
    at += chunk.length
    if (at >= end) break
  }
  return parts
}
