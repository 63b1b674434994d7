// Answers kept for a while so that a later request can continue them by id, whatever upstream it goes to. In memory
// only: conversations are never written to disk.
import type { Clock } from '../../clock'
import type { JsonObject } from '../canonical'
import { isObject, objectsOf, textOf } from '../json'

export interface StoredResponse {
  readonly id: string
  /** Every item of the conversation up to this answer's own; null where only the upstream has it. */
  readonly input: readonly JsonObject[] | null
  /** The response object as it was sent; null where only the upstream has it. */
  readonly response: JsonObject | null
  /** The connection whose upstream stored the answer itself: only there can it be continued by its id. */
  readonly connectionId: string | null
}

export interface StoreLimits {
  readonly count: number
  /** Of all conversations together, as JSON text in UTF-16 units. */
  readonly size: number
  readonly lifetimeMs: number
}

const LIMITS: StoreLimits = { count: 1000, size: 64 * 1_048_576, lifetimeMs: 24 * 3_600_000 }

interface Kept {
  readonly stored: StoredResponse
  readonly size: number
  readonly until: number
}

/** What continues a request needs of the store. */
export interface StoredAnswers {
  get(id: string): StoredResponse | null
  item(id: string): JsonObject | null
}

export class ResponseStore implements StoredAnswers {
  /** Oldest first. */
  private readonly kept = new Map<string, Kept>()
  private readonly itemOwners = new Map<string, string>()
  private total = 0

  constructor(
    private readonly clock: Clock,
    private readonly limits: StoreLimits = LIMITS,
  ) {}

  /** Keeps an answer of the gateway's own making. `input`: the complete list, earlier turns put back. */
  save(input: unknown, response: JsonObject): void {
    const id = textOf(response.id)
    if (id !== null) this.add({ id, input: inputItems(input), response, connectionId: null })
  }

  /** Remembers where an answer lies that its upstream stored itself. */
  saveHeld(id: string, connectionId: string): void {
    this.add({ id, input: null, response: null, connectionId })
  }

  /** null when it is unknown, or no longer kept. */
  get(id: string): StoredResponse | null {
    this.expire()
    return this.kept.get(id)?.stored ?? null
  }

  /** An item of a kept answer, for references to it. */
  item(id: string): JsonObject | null {
    const owner = this.itemOwners.get(id)
    const response = owner === undefined ? null : (this.get(owner)?.response ?? null)
    return response === null ? null : (outputOf(response).find((item) => item.id === id) ?? null)
  }

  /** Whether there was one. */
  delete(id: string): boolean {
    this.expire()
    const known = this.kept.has(id)
    this.drop(id)
    return known
  }

  private add(stored: StoredResponse): void {
    this.expire()
    this.drop(stored.id)
    const size = sizeOf(stored)
    if (size > this.limits.size) return
    this.kept.set(stored.id, { stored, size, until: this.clock.now() + this.limits.lifetimeMs })
    this.total += size
    for (const item of outputOf(stored.response)) {
      if (typeof item.id === 'string') this.itemOwners.set(item.id, stored.id)
    }
    for (const id of this.kept.keys()) {
      if (this.kept.size <= this.limits.count && this.total <= this.limits.size) break
      this.drop(id)
    }
  }

  /** The oldest fall due first. */
  private expire(): void {
    const now = this.clock.now()
    for (const [id, { until }] of this.kept) {
      if (until > now) return
      this.drop(id)
    }
  }

  private drop(id: string): void {
    const found = this.kept.get(id)
    if (found === undefined) return
    this.kept.delete(id)
    this.total -= found.size
    for (const item of outputOf(found.stored.response)) {
      if (typeof item.id === 'string' && this.itemOwners.get(item.id) === id) this.itemOwners.delete(item.id)
    }
  }
}

export const outputOf = (response: JsonObject | null): readonly JsonObject[] => objectsOf(response?.output)

/** A request's input as a list of items. */
export function inputItems(input: unknown): readonly JsonObject[] {
  if (typeof input === 'string')
    return [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: input }] }]
  return Array.isArray(input) ? input.filter(isObject) : []
}

/** What an entry takes beside its conversation. */
const ENTRY_SIZE = 256

const sizeOf = ({ input, response }: StoredResponse): number =>
  ENTRY_SIZE +
  (input === null ? 0 : JSON.stringify(input).length) +
  (response === null ? 0 : JSON.stringify(response).length)
