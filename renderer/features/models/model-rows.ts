// The rows of the models page: a head for each provider, and its models below it. Pure.
import type { ModelListState, ModelView } from '../../../core/contract/model-views'
import type { ProviderView } from '../../../core/contract/views'
import { type ListSummary, summaryOf } from './model-words'

export type Shown = 'all' | 'edited' | 'hidden'

export interface ModelFilter {
  readonly search: string
  /** A provider's id; empty: all. */
  readonly provider: string
  readonly shown: Shown
}

export type ModelRow =
  | {
      readonly kind: 'provider'
      readonly key: string
      readonly id: string
      readonly label: string
      readonly count: number
      readonly matching: number
      /** null: its models are not fetched from anywhere. */
      readonly list: ListSummary | null
    }
  | { readonly kind: 'model'; readonly key: string; readonly model: ModelView }

export function matchesFilter(model: ModelView, { search, provider, shown }: ModelFilter): boolean {
  if (provider !== '' && model.provider !== provider) return false
  if (shown === 'edited' && !model.edited) return false
  if (shown === 'hidden' && !model.hidden) return false
  const text = `${model.id}\n${model.label}`.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((part) => text.includes(part))
}

/** Its models are part of the program. */
const PRACTICE = 'practice'

interface Source {
  readonly models: readonly ModelView[]
  readonly lists: readonly ModelListState[]
  readonly providers: readonly ProviderView[]
}

/** Providers by label. One without a match is left out while something is searched for. */
export function modelRows({ models, lists, providers }: Source, filter: ModelFilter): readonly ModelRow[] {
  const byProvider = Map.groupBy(models, ({ provider }) => provider)
  const ids = new Set([...byProvider.keys(), ...lists.map(({ provider }) => provider)])
  const isFiltered = filter.search.trim() !== '' || filter.shown !== 'all'
  const labelOf = (id: string): string => providers.find((provider) => provider.id === id)?.label ?? id
  return [...ids]
    .filter((id) => filter.provider === '' || filter.provider === id)
    .map((id) => ({ id, label: labelOf(id) }))
    .sort((a, b) => a.label.localeCompare(b.label))
    .flatMap(({ id, label }): ModelRow[] => {
      const all = byProvider.get(id) ?? []
      const matching = all.filter((model) => matchesFilter(model, filter))
      if (isFiltered && matching.length === 0) return []
      const head: ModelRow = {
        ...{ kind: 'provider', key: `provider ${id}`, id, label },
        ...{ count: all.length, matching: matching.length, list: id === PRACTICE ? null : summaryOf(id, lists) },
      }
      return [head, ...matching.map((model): ModelRow => ({ kind: 'model', key: model.id, model }))]
    })
}
