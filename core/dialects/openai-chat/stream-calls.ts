// Puts tool calls together from the pieces of a Chat answer. Compatible servers differ: pieces without an index or an
// id, the same id or index for several calls, names in pieces or said again with each piece, arguments all at once.
import type { AnswerEvent, JsonObject } from '../canonical'
import { isObject, textOf } from '../json'
import type { WriteContext } from '../translation'
import { extraSignature } from './opaque'

interface OpenCall {
  /** Counts this answer's calls from 0. */
  readonly index: number
  /** As the server wrote it; '' where it wrote none. */
  readonly wireId: string
  readonly id: string
  readonly freeForm: boolean
  name: string
  extra: JsonObject | null
  /** Arguments that came before the name was known. */
  held: string
  hasArguments: boolean
  /** Its event was given: the name is settled. */
  opened: boolean
}

interface Piece {
  readonly index: number | null
  readonly wireId: string
  readonly name: string
  readonly arguments: string
  readonly freeForm: boolean
  readonly extra: JsonObject | null
}

export class StreamCalls {
  private readonly calls: OpenCall[] = []
  private readonly byIndex = new Map<number, OpenCall>()
  private readonly ids = new Set<string>()

  constructor(private readonly newId: WriteContext['newId']) {}

  get any(): boolean {
    return this.calls.length > 0
  }

  /** One element of tool_calls, the one at `position` in its list. */
  take(entry: JsonObject, position: number): readonly AnswerEvent[] {
    const piece = readPiece(entry)
    const known = this.find(piece, position)
    if (known === undefined && piece.wireId === '' && piece.name === '' && piece.arguments === '') return []
    const call = known ?? this.begin(piece)
    if (!call.opened) call.name = joinName(call.name, piece.name)
    call.extra = piece.extra ?? call.extra
    if (piece.arguments === '') return []
    call.hasArguments = true
    if (call.opened) return [{ kind: 'tool-arguments', index: call.index, piece: piece.arguments }]
    call.held += piece.arguments
    if (call.name === '') return []
    // Those before it first: readers take calls in the order of their numbers.
    const waiting = this.calls.slice(0, call.index + 1).filter(({ opened, name }) => !opened && name !== '')
    return waiting.flatMap((earlier) => this.open(earlier))
  }

  /** The answer is complete: opens what has waited for arguments, and ends all. */
  end(): readonly AnswerEvent[] {
    const events: AnswerEvent[] = []
    for (const call of this.calls) {
      if (!call.hasArguments && !call.freeForm) call.held = '{}'
      if (!call.opened) events.push(...this.open(call))
      events.push({ kind: 'tool-end', index: call.index })
    }
    return events
  }

  /** A call nobody can carry out. */
  get hasNameless(): boolean {
    return this.calls.some(({ name }) => name === '')
  }

  private open(call: OpenCall): readonly AnswerEvent[] {
    const { index, id, name, freeForm, extra, held } = call
    call.opened = true
    call.held = ''
    const events: AnswerEvent[] = [{ kind: 'tool-call', index, id, name, freeForm }]
    if (held !== '') events.push({ kind: 'tool-arguments', index, piece: held })
    if (extra === null) return events
    const signature = extraSignature(extra)
    return [{ kind: 'thinking-signature', signature, issuer: 'openai-chat', redacted: true }, ...events]
  }

  private find(piece: Piece, position: number): OpenCall | undefined {
    const { index, wireId, name } = piece
    const byId = wireId === '' ? undefined : this.calls.findLast((call) => call.wireId === wireId)
    if (index !== null) {
      const call = this.byIndex.get(index)
      // The piece of a known call under another number.
      if (call === undefined) return name === '' ? byId : undefined
      if (wireId === '' || call.wireId === '' || wireId === call.wireId) return call
      // Another call under the same number, unless it is the same one under an id made up for each piece.
      return byId ?? (name === '' ? call : undefined)
    }
    if (wireId !== '') return byId
    const last = this.calls.at(-1)
    const isNew = name !== '' && (position > 0 || last?.hasArguments === true)
    return isNew ? undefined : last
  }

  private begin({ index, wireId, freeForm }: Piece): OpenCall {
    const isFree = wireId !== '' && !this.ids.has(wireId)
    const id = isFree ? wireId : this.newId('call')
    const call: OpenCall = {
      index: this.calls.length,
      wireId,
      id,
      freeForm,
      name: '',
      extra: null,
      held: '',
      hasArguments: false,
      opened: false,
    }
    this.ids.add(id)
    this.calls.push(call)
    if (index !== null) this.byIndex.set(index, call)
    return call
  }
}

function readPiece(entry: JsonObject): Piece {
  const custom = isObject(entry.custom) ? entry.custom : null
  const call = custom ?? (isObject(entry.function) ? entry.function : {})
  const value = custom === null ? call.arguments : call.input
  return {
    index: typeof entry.index === 'number' ? entry.index : null,
    wireId: textOf(entry.id) ?? '',
    name: textOf(call.name) ?? '',
    arguments: isObject(value) ? JSON.stringify(value) : (textOf(value) ?? ''),
    freeForm: custom !== null || entry.type === 'custom',
    extra: isObject(entry.extra_content) ? entry.extra_content : null,
  }
}

/** A name comes whole, in pieces, again with each piece, or longer with each piece. */
function joinName(known: string, piece: string): string {
  if (piece === '' || piece === known) return known
  return piece.startsWith(known) ? piece : known + piece
}
