// How sizes, prices and where they come from are said, and how they are read back. Pure.
import type { FactName, FactSource } from '../../../core/contract/model-facts'
import type { ModelListState, ModelView } from '../../../core/contract/model-views'
import { compact, counted } from '../../ui/numbers'

export const FACT_LABELS: Readonly<Record<FactName, string>> = {
  contextWindow: 'Context window',
  maxOutput: 'Longest answer',
  inputPrice: 'Input',
  outputPrice: 'Output',
  cacheReadPrice: 'Cached input',
  cacheWritePrice: 'Writing the cache',
  tools: 'Tools',
  images: 'Images',
  reasoning: 'Reasoning',
}

export const FACT_UNITS: Readonly<Record<FactName, 'tokens' | 'price' | 'ability'>> = {
  contextWindow: 'tokens',
  maxOutput: 'tokens',
  inputPrice: 'price',
  outputPrice: 'price',
  cacheReadPrice: 'price',
  cacheWritePrice: 'price',
  tools: 'ability',
  images: 'ability',
  reasoning: 'ability',
}

/** The contract's list, without the schemas that it is made of: they have no place in the window. */
export const FACT_NAMES = Object.keys(FACT_UNITS) as FactName[]

export const SOURCE_WORDS: Readonly<Record<FactSource, string>> = {
  user: 'you',
  provider: 'its list',
  table: 'table',
}

/** "From its list", for a value on its own. */
export const SOURCE_SENTENCES: Readonly<Record<FactSource, string>> = {
  user: 'From you',
  provider: "From the provider's list",
  table: 'From the built-in table',
}

const dollars = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 4 })

/** "$0.25", "free"; for a million tokens. */
export const priceWords = (price: number): string => (price === 0 ? 'free' : `$${dollars.format(price)}`)

/** "yes", "128k", "$0.25". */
export function factWords(name: FactName, value: number | boolean): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return FACT_UNITS[name] === 'price' ? priceWords(value) : compact(value)
}

/** What it is known to be able to do: "tools · images". */
export function abilityWords({ facts, embeds }: Pick<ModelView, 'facts' | 'embeds'>): string {
  const able = (['tools', 'images', 'reasoning'] as const).filter((name) => facts[name]?.value === true)
  return [...(embeds ? ['embeddings'] : []), ...able].join(' · ')
}

/** Where its values come from, strongest first: "you, table". */
export function sourcesWords({ facts }: Pick<ModelView, 'facts'>): string {
  const sources = new Set(FACT_NAMES.flatMap((name) => facts[name]?.source ?? []))
  return (['user', 'provider', 'table'] as const)
    .filter((source) => sources.has(source))
    .map((source) => SOURCE_WORDS[source])
    .join(', ')
}

export interface ListSummary {
  /** When the newest of them was fetched; null: none was. */
  readonly fetchedAt: number | null
  readonly count: number
  /** Why lists could not be fetched, each once. */
  readonly failures: readonly string[]
}

/** The lists of one provider, which may have several addresses; null where it has none to be fetched. */
export function summaryOf(provider: string, lists: readonly ModelListState[]): ListSummary | null {
  const own = lists.filter((list) => list.provider === provider)
  if (own.length === 0) return null
  const fetched = own.flatMap(({ fetchedAt }) => fetchedAt ?? [])
  return {
    fetchedAt: fetched.length === 0 ? null : Math.max(...fetched),
    count: own.reduce((sum, { count }) => sum + count, 0),
    failures: [...new Set(own.flatMap(({ why }) => (why === '' ? [] : [why])))],
  }
}

/** "12 models", "12 of 341 models", "no models". */
export const countWords = (shown: number, all: number): string =>
  all === 0 ? 'no models' : shown === all ? counted(all, 'model') : `${shown} of ${counted(all, 'model')}`

/** As the core has it, which checks again. */
export const MOST_TOKENS = 1_000_000_000
export const MOST_PRICE = 1_000_000

const THOUSANDS: Readonly<Record<string, number>> = { '': 1, k: 1000, m: 1_000_000 }

/** "131072", "131,072", "128k", "1M"; null where it is no whole number of tokens. */
export function parseTokens(text: string): number | null {
  const match = /^(\d[\d,_ ]*(?:\.\d+)?)\s*([km]?)$/i.exec(text.trim())
  if (match === null) return null
  const value = Number((match[1] ?? '').replace(/[,_ ]/g, '')) * (THOUSANDS[(match[2] ?? '').toLowerCase()] ?? 1)
  return Number.isSafeInteger(Math.round(value)) && Math.abs(value - Math.round(value)) < 1e-6
    ? Math.round(value)
    : null
}

/** "0.25", "$3", "0,25"; null where it is no price. */
export function parsePrice(text: string): number | null {
  const match = /^\$?\s*(\d+(?:[.,]\d+)?)$/.exec(text.trim())
  return match === null ? null : Number((match[1] ?? '').replace(',', '.'))
}
