// A request that continues an earlier answer by its id → the same request with the whole conversation in it.
import { GatewayError } from '../../errors'
import type { JsonObject } from '../canonical'
import { inputItems, outputOf, type StoredAnswers } from './response-store'

export type Continued =
  /** Nothing to put back: the body is the client's own. */
  | { readonly kind: 'unchanged' }
  /** `body` has the whole conversation in its input and names no earlier answer. */
  | { readonly kind: 'expanded'; readonly body: JsonObject }
  /** Only this connection's upstream has the earlier answer: the client's own body goes there, and nowhere else. */
  | { readonly kind: 'held'; readonly connectionId: string }

/** Whether the client wants the answer kept: the API keeps it unless told otherwise. */
export const wantsStoring = (body: JsonObject): boolean => body.store !== false

/** The same request as one that is answered at once; null when it was one. What the gateway runs, it does not queue. */
export function withoutBackground(body: JsonObject): JsonObject | null {
  if (body.background !== true) return null
  const { background: _, background_options: __, ...rest } = body
  return rest
}

/**
 * References to items that are not known here stay as they are: an upstream that speaks Responses may know them, and a
 * translation refuses them.
 * @throws GatewayError 400 previous_response_not_found
 */
export function continueStored(body: JsonObject, store: StoredAnswers): Continued {
  const { previous_response_id: previous, ...rest } = body
  const own = withItems(body.input, store)
  if (typeof previous !== 'string') {
    return own === null ? { kind: 'unchanged' } : { kind: 'expanded', body: { ...rest, input: own } }
  }
  const stored = store.get(previous)
  if (stored === null) throw notFound(previous)
  if (stored.input === null) {
    if (stored.connectionId === null) throw notFound(previous)
    return { kind: 'held', connectionId: stored.connectionId }
  }
  const input = [...stored.input, ...outputOf(stored.response), ...(own ?? inputItems(body.input))]
  return { kind: 'expanded', body: { ...rest, input } }
}

/** The input with known references replaced; null where there is none. */
function withItems(input: unknown, store: StoredAnswers): readonly JsonObject[] | null {
  if (!Array.isArray(input)) return null
  let found = false
  const items = inputItems(input).map((item) => {
    const referred = isReference(item) && typeof item.id === 'string' ? store.item(item.id) : null
    if (referred !== null) found = true
    return referred ?? item
  })
  return found ? items : null
}

const isReference = (item: JsonObject): boolean =>
  item.type === 'item_reference' || ((item.type ?? null) === null && item.role === undefined)

const notFound = (id: string): GatewayError =>
  new GatewayError(
    'previous_response_not_found',
    400,
    `previous_response_id: the answer "${id}" is not kept here (answers are kept in memory for a while, unless the request said "store": false). Send the whole conversation in input instead.`,
    { field: 'previous_response_id' },
  )
