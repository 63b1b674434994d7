// The model list in the words of those who ask: one body that OpenAI, Anthropic and Codex clients all accept, and
// Gemini's own. Written once for a list and kept, so that thousands of models cost nothing a second time.
import { badInput } from '../errors'
import type { ModelList, ModelListEntry } from './model-list'

export interface PageAsked {
  /** null: all of them. */
  readonly limit: number | null
  readonly afterId: string | null
  readonly beforeId: string | null
}

interface Written {
  /** An entry's JSON, in the order of the list. */
  readonly entries: readonly string[]
  readonly places: ReadonlyMap<string, number>
  whole: string | null
  geminiWhole: string | null
}

const writtenLists = new WeakMap<ModelList, Written>()

function writtenOf(list: ModelList): Written {
  const known = writtenLists.get(list)
  if (known !== undefined) return known
  const written = {
    entries: list.entries.map((entry) => entryJson(entry, list.at)),
    places: new Map(list.entries.map(({ id }, i) => [id, i])),
    whole: null,
    geminiWhole: null,
  }
  writtenLists.set(list, written)
  return written
}

/** One body for OpenAI (`data`), Anthropic (`data`, `has_more` …) and readers of Codex's `models`. */
export function wholeListJson(list: ModelList): string {
  const written = writtenOf(list)
  written.whole ??= listBody(list, written.entries, 0, list.entries.length, JSON.stringify(list.entries.map(slugEntry)))
  return written.whole
}

/**
 * For Codex itself, which takes each entry of `models` for a complete description, its own system prompt included: an
 * entry without a prompt spoils the whole list, and one with a prompt replaces Codex's. With none it keeps what it
 * brings (tried with 0.171).
 */
export const codexListJson = (list: ModelList): string =>
  listBody(list, writtenOf(list).entries, 0, list.entries.length, '[]')

/** Anthropic's pages. @throws GatewayError 400 for an id that is not in the list */
export function pagedListJson(list: ModelList, { limit, afterId, beforeId }: PageAsked): string {
  const { entries, places } = writtenOf(list)
  const placeOf = (field: string, id: string): number => {
    const place = places.get(id)
    if (place === undefined) throw badInput(field, `There is no model "${id}" in the list. Begin it anew.`)
    return place
  }
  const size = limit ?? entries.length
  if (beforeId !== null && afterId === null) {
    const end = placeOf('before_id', beforeId)
    const start = Math.max(0, end - size)
    return listBody(list, entries.slice(start, end), start, end, null, start > 0)
  }
  const start = afterId === null ? 0 : placeOf('after_id', afterId) + 1
  const end = Math.min(entries.length, start + size)
  return listBody(list, entries.slice(start, end), start, end, null, end < entries.length)
}

function listBody(
  { entries }: ModelList,
  shown: readonly string[],
  start: number,
  end: number,
  models: string | null,
  hasMore = false,
): string {
  const first = start < end ? (entries[start]?.id ?? null) : null
  const last = start < end ? (entries[end - 1]?.id ?? null) : null
  const ends = `"has_more":${hasMore},"first_id":${JSON.stringify(first)},"last_id":${JSON.stringify(last)}`
  return `{"object":"list","data":[${shown.join(',')}]${models === null ? '' : `,"models":${models}`},${ends}}`
}

export function entryJson(entry: ModelListEntry, at: number): string {
  const { id, label, owner, contextWindow, maxOutput } = entry
  return JSON.stringify({
    id,
    object: 'model',
    type: 'model',
    created: Math.floor(at / 1000),
    created_at: new Date(at - (at % 1000)).toISOString(),
    owned_by: owner,
    display_name: label,
    ...(contextWindow === null ? {} : { context_window: contextWindow, max_input_tokens: contextWindow }),
    ...(maxOutput === null ? {} : { max_output_tokens: maxOutput, max_tokens: maxOutput }),
  })
}

const slugEntry = ({ id, label, contextWindow }: ModelListEntry) => ({
  slug: id,
  display_name: label,
  ...(contextWindow === null ? {} : { context_window: contextWindow }),
})

const GENERATES = ['generateContent', 'streamGenerateContent', 'countTokens']

export const geminiEntry = ({ id, label, contextWindow, maxOutput, embeds }: ModelListEntry) => ({
  name: `models/${id}`,
  version: '1',
  displayName: label,
  description: label,
  ...(contextWindow === null ? {} : { inputTokenLimit: contextWindow }),
  ...(maxOutput === null ? {} : { outputTokenLimit: maxOutput }),
  supportedGenerationMethods: embeds ? ['embedContent'] : GENERATES,
})

/** `offset` counts entries; it is what the page token of the page before says. */
export function geminiListJson(list: ModelList, offset: number, size: number | null): string {
  const written = writtenOf(list)
  if (offset === 0 && (size === null || size >= list.entries.length)) {
    written.geminiWhole ??= JSON.stringify({ models: list.entries.map(geminiEntry) })
    return written.geminiWhole
  }
  const end = Math.min(list.entries.length, offset + (size ?? list.entries.length))
  return JSON.stringify({
    models: list.entries.slice(offset, end).map(geminiEntry),
    ...(end < list.entries.length ? { nextPageToken: String(end) } : {}),
  })
}
