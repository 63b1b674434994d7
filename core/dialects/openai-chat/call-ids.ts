// Ids of tool calls in a Chat conversation. Some servers give none, or the same one again and again; other dialects
// need them to be there and unique, and results to name the call they belong to.
import type { Turn } from '../canonical'
import { freeName } from '../shortened'

interface OpenCall {
  readonly wireId: string
  readonly id: string
  readonly name: string
}

export class CallIds {
  private readonly used = new Set<string>()
  /** Calls without a result yet, in order. */
  private open: OpenCall[] = []

  /** Notes a call and gives the id it gets. `wireId`: as the client wrote it; '' where it wrote none. */
  call(wireId: string, name: string): string {
    const id = this.unique(wireId === '' ? 'call' : wireId)
    this.open.push({ wireId, id, name })
    return id
  }

  /** The call a result of this id answers; one of its own where there is no such call. */
  result(wireId: string): { readonly id: string; readonly name: string | null } {
    return (
      this.take((call) => call.wireId === wireId) ?? { id: wireId === '' ? this.unique('call') : wireId, name: null }
    )
  }

  /** The same for results of the older form, which name the function only. */
  resultOf(name: string): { readonly id: string; readonly name: string } {
    return this.take((call) => call.name === name) ?? { id: this.unique('call'), name }
  }

  private take(matches: (call: OpenCall) => boolean): OpenCall | undefined {
    const at = this.open.findIndex(matches)
    return at < 0 ? undefined : this.open.splice(at, 1)[0]
  }

  private unique(wanted: string): string {
    let id = wanted
    for (let n = 1; this.used.has(id); n++) id = `${wanted}_${n}`
    this.used.add(id)
    return id
  }
}

/** Characters; OpenAI refuses longer ids. */
const MAX_LENGTH = 40

/** The id under which a call of a conversation, and its result, go on the wire. */
export type WireIds = (id: string) => string

/** Ids that are too long for OpenAI become shorter ones that no other call of the conversation has. */
export function wireIds(turns: readonly Turn[]): WireIds {
  const ids = turns.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'tool-call' ? [part.id] : [])))
  const long = ids.filter((id) => id.length > MAX_LENGTH)
  if (long.length === 0) return (id) => id
  const used = new Set(ids)
  const shorter = new Map<string, string>()
  for (const id of long) {
    const short = freeName(id, MAX_LENGTH, (name) => used.has(name))
    used.add(short)
    shorter.set(id, short)
  }
  return (id) => shorter.get(id) ?? id
}
