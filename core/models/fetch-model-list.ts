// Asks one provider for its models, page by page, within bounds of number and time. What fails here is said and
// forgotten: it never counts against anyone's health.
import type { Clock } from '../clock'
import type { Transport } from '../pipeline/transport'
import { type GetCall, getText } from '../providers/get-text'
import { getWords } from '../providers/get-words'
import { type ListedModel, parseModelList } from './parse-model-list'

export type FetchedList =
  | { readonly ok: true; readonly models: readonly ListedModel[] }
  /** `why`: "it answered 401", in words for a person. */
  | { readonly ok: false; readonly why: string }

/** For all pages together. */
const LIMIT_MS = 30_000
const MAX_PAGES = 20
export const MAX_MODELS = 5_000

export async function fetchModelList(call: GetCall, transport: Transport, clock: Clock): Promise<FetchedList> {
  const endsAt = clock.elapsed() + LIMIT_MS
  const found = new Map<string, ListedModel>()
  let query: string | null = ''
  for (let page = 0; query !== null && page < MAX_PAGES && found.size < MAX_MODELS; page++) {
    const path = withQuery(call.path, query)
    const { text, outcome } = await getText(transport, { ...call, path }, clock, Math.max(endsAt - clock.elapsed(), 0))
    if (outcome !== null) return { ok: false, why: getWords(call.origin, outcome, 'list') }
    const list = parseModelList(text)
    if (list === null) return { ok: false, why: `${call.origin} answers, but not with a list of models` }
    const before = found.size
    for (const model of list.models) if (found.size < MAX_MODELS && !found.has(model.id)) found.set(model.id, model)
    // A server that ignores the page it is asked for gives the first one for ever.
    query = found.size === before ? null : list.next
  }
  return { ok: true, models: [...found.values()] }
}

const withQuery = (path: string, query: string): string =>
  query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`
