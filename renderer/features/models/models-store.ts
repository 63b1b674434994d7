// What the models page shows: all models at once, so that a search answers at every key; lists and names as pushed.
import { create } from 'zustand'
import type { AliasView, ModelListState, ModelView } from '../../../core/contract/model-views'
import { call, onPush } from '../../app/client'
import { fromAnswer, type Loadable, loading, ready } from '../../app/loadable'
import { showToast } from '../../ui/toast-store'
import type { ModelFilter } from './model-rows'

/** As many as the core gives at once. */
export const MOST_MODELS = 5000
/** Lists that are fetched one after the other make one new picture. */
const PAUSE_MS = 400

export interface Models {
  readonly models: readonly ModelView[]
  /** More than are here: then the core searches. */
  readonly total: number
  readonly tableDate: string
}

export type ModelPanel =
  | { readonly kind: 'model'; readonly id: string }
  | { readonly kind: 'add-model' }
  | { readonly kind: 'name'; readonly id: string }
  | { readonly kind: 'add-name'; readonly target: string }

interface ModelsState {
  readonly tab: 'models' | 'names'
  readonly models: Loadable<Models>
  readonly lists: readonly ModelListState[]
  readonly aliases: Loadable<readonly AliasView[]>
  readonly filter: ModelFilter
  readonly panel: ModelPanel | null
  /** Providers whose lists are being fetched; empty text: all. */
  readonly refreshing: readonly string[]
}

export const useModels = create<ModelsState>()(() => ({
  tab: 'models',
  models: loading,
  lists: [],
  aliases: loading,
  filter: { search: '', provider: '', shown: 'all' },
  panel: null,
  refreshing: [],
}))

const { getState: get, setState: set } = useModels
let generation = 0
let timer: ReturnType<typeof setTimeout> | null = null

export async function loadModels(): Promise<void> {
  generation += 1
  const mine = generation
  const { search } = get().filter
  const known = get().models
  const tooMany = known.at === 'ready' && known.value.total > MOST_MODELS
  const answer = await call('models:list', { limit: MOST_MODELS, ...(tooMany && search !== '' ? { search } : {}) })
  if (mine !== generation) return
  if (!answer.ok) return set({ models: fromAnswer(answer) })
  const { models, total, lists, tableDate } = answer.value
  set({ models: ready({ models, total: Math.max(total, tooMany ? MOST_MODELS + 1 : 0), tableDate }), lists })
}

export async function loadAliases(): Promise<void> {
  set({ aliases: fromAnswer(await call('aliases:list')) })
}

function loadSoon(): void {
  if (timer !== null) return
  timer = setTimeout(() => {
    timer = null
    void loadModels()
  }, PAUSE_MS)
}

/** Asks for everything and follows what changes. Returns how it stops. */
export function followModels(): () => void {
  void loadModels()
  void loadAliases()
  const stops = [
    onPush('models:changed', ({ lists, aliases }) => {
      set({ lists, aliases: ready(aliases) })
      loadSoon()
    }),
    // A provider that can be used now, or no longer, brings or takes its models.
    onPush('providers:changed', loadSoonWhenUsersChanged()),
  ]
  return () => {
    for (const stop of stops) stop()
    if (timer !== null) clearTimeout(timer)
    timer = null
  }
}

/** Pushes of providers come with every request: only who has how many connections matters here. */
function loadSoonWhenUsersChanged() {
  let before: string | null = null
  return (providers: readonly { readonly id: string; readonly connections: readonly unknown[] }[]): void => {
    const now = providers.map(({ id, connections }) => `${id} ${connections.length}`).join()
    if (before !== null && before !== now) loadSoon()
    before = now
  }
}

export function setFilter(change: Partial<ModelFilter>): void {
  set({ filter: { ...get().filter, ...change } })
  const { models } = get()
  if (change.search !== undefined && models.at === 'ready' && models.value.total > MOST_MODELS) loadSoon()
}

export const openPanel = (panel: ModelPanel | null): void => set({ panel })

/** Before the push arrives. */
export function adoptModel(model: ModelView): void {
  const { models } = get()
  if (models.at !== 'ready') return
  const others = models.value.models
  const next = others.some(({ id }) => id === model.id)
    ? others.map((each) => (each.id === model.id ? model : each))
    : [...others, model]
  set({ models: ready({ ...models.value, models: next, total: models.value.total + next.length - others.length }) })
}

export function dropModel(id: string): void {
  const { models } = get()
  if (models.at !== 'ready') return
  set({ models: ready({ ...models.value, models: models.value.models.filter((each) => each.id !== id) }) })
}

export function adoptAlias(alias: AliasView): void {
  const { aliases } = get()
  if (aliases.at !== 'ready') return
  const others = aliases.value
  const known = others.some(({ id }) => id === alias.id)
  set({ aliases: ready(known ? others.map((each) => (each.id === alias.id ? alias : each)) : [...others, alias]) })
}

export function dropAlias(id: string): void {
  const { aliases } = get()
  if (aliases.at === 'ready') set({ aliases: ready(aliases.value.filter((each) => each.id !== id)) })
}

/** Fetches one provider's list, or all of them. */
export async function refresh(provider: string | null): Promise<void> {
  const mark = provider ?? ''
  if (get().refreshing.includes(mark)) return
  set({ refreshing: [...get().refreshing, mark] })
  const answer = await call('models:refresh', provider === null ? {} : { provider })
  set({ refreshing: get().refreshing.filter((each) => each !== mark) })
  if (!answer.ok) return showToast({ text: answer.error.message, bad: true })
  const fetched = new Set(answer.value.map((list) => `${list.provider} ${list.address}`))
  set({ lists: [...get().lists.filter((list) => !fetched.has(`${list.provider} ${list.address}`)), ...answer.value] })
  await loadModels()
}
