// All models the gateway knows of, kept in step with connections, fetched lists and the user's words. Names are at hand
// for every request; what else is known of the models is put together when somebody asks for it, and kept until
// something changes.
import { PRACTICE_MODELS } from '../practice/practice-models'
import { PRACTICE_ID } from '../providers/catalogue'
import type { Provider, Registry } from '../providers/registry'
import { indexAliases, indexNames, type ListedName, type ModelWorld } from '../routing/model-world'
import type { ListedModelsTable, StoredList } from '../store/listed-models-table'
import type { ModelAliasesTable, StoredAlias } from '../store/model-aliases-table'
import type { ModelsTable, UserModel } from '../store/models-table'
import type { FactsFrom, KnownFacts } from './known-facts'
import { type KnownModel, knownModel, type NamedModel, nameModels } from './known-models'
import { type CallOf, isUsable, type ListPlace, listPlaces, placeKey } from './list-places'
import { buildModelList, type ModelList, type ShownCombos } from './model-list'
import type { ModelTable } from './model-table'
import type { ListedModel } from './parse-model-list'

export interface ModelBookDeps {
  readonly registry: () => Registry
  readonly callOf: CallOf
  readonly lists: ListedModelsTable
  readonly userModels: ModelsTable
  readonly aliases: ModelAliasesTable
  readonly loadTable: () => Promise<ModelTable>
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** The lists have changed. */
  readonly changed: () => void
  /** Shown beside the models. */
  readonly combos?: () => ShownCombos
}

/** What became of the last fetch at a place. */
export interface PlaceState {
  readonly place: ListPlace
  readonly fetchedAt: number | null
  readonly count: number
  /** Why the last try failed, in words for a person; null when it did not. */
  readonly failure: string | null
}

const SLICE = 200
const KEPT_UNUSED_MS = 30 * 86_400_000

interface Built {
  readonly registry: Registry
  readonly named: readonly NamedModel[]
  readonly world: ModelWorld
  known: Promise<readonly KnownModel[]> | null
  learning: Promise<void> | null
  isLearned: boolean
  readonly listsByKey: Map<string, Promise<ModelList>>
  /** Names of the models of each provider that has a list, hidden ones too. */
  byProvider: ReadonlyMap<string, ReadonlySet<string>> | null
}

export class ModelBook {
  private readonly lists: Map<string, StoredList>
  private readonly failures = new Map<string, string>()
  private userModels: readonly UserModel[]
  private aliases: readonly StoredAlias[]
  private table: Promise<ModelTable> | null = null
  private built: Built | null = null
  private facts = new Map<string, KnownFacts>()
  private openedTable: ModelTable | null = null

  constructor(private readonly deps: ModelBookDeps) {
    this.lists = new Map(deps.lists.all().map((list) => [placeKey(list), list]))
    this.userModels = deps.userModels.list()
    this.aliases = deps.aliases.list()
  }

  /** For each request. */
  world = (): ModelWorld => this.current().world

  /** All models of usable providers, hidden ones too, by provider and name. */
  known(): Promise<readonly KnownModel[]> {
    const built = this.current()
    built.known ??= this.learn(built)
    return built.known
  }

  /** What is known of a model, listed or not; null: nothing. For choosing among targets, once `factsLearned`. */
  factsOf(provider: string, model: string): KnownFacts | null {
    void this.factsLearned()
    const id = `${provider}/${model}`
    const known = this.facts.get(id)
    if (known !== undefined) return known
    const unlisted = this.unlisted(provider, model)
    if (unlisted !== null) this.facts.set(id, unlisted)
    return unlisted
  }

  /** Most providers take the names of models that their lists do not have. */
  private unlisted(provider: string, model: string): KnownFacts | null {
    const found = this.current().registry.get(provider)
    if (found === undefined || this.openedTable === null) return null
    const sources = finderFor(found, this.openedTable)(model)
    return knownModel({ provider, model, listed: null, user: null }, sources).facts
  }

  /** When what is known of all models is at hand for `factsOf`; null: it is. Not so at the start and after changes. */
  factsLearned(): Promise<void> | null {
    const built = this.current()
    if (built.isLearned) return null
    built.learning ??= this.known().then(
      (models) => {
        this.facts = new Map(models.map(({ id, facts }) => [id, facts]))
        built.isLearned = true
      },
      // Whoever asks for the models is told why; a request can do without.
      () => {
        built.isLearned = true
      },
    )
    return built.learning
  }

  /** What the clients of a key are shown: models that are not hidden, and the names the user gave. */
  listFor(clientKeyId: string | null): Promise<ModelList> {
    const built = this.current()
    // Keys without names of their own are shown the same.
    const own = clientKeyId !== null && built.world.aliases.byKey.has(clientKeyId) ? clientKeyId : null
    const known = built.listsByKey.get(own ?? '')
    if (known !== undefined) return known
    const combos = this.deps.combos?.()
    const list = this.known().then((models) => buildModelList(models, built.world, own, this.deps.startedAt, combos))
    built.listsByKey.set(own ?? '', list)
    return list
  }

  /** Whether a provider has a model, hidden or not; null: its list is not known. */
  has(provider: string, model: string): boolean | null {
    const built = this.current()
    built.byProvider ??= namesByProvider(built.named)
    return built.byProvider.get(provider)?.has(model) ?? null
  }

  storedAliases(): readonly StoredAlias[] {
    return this.aliases
  }

  places(): PlaceState[] {
    return listPlaces(this.deps.registry(), this.deps.callOf).map((place) => {
      const list = this.lists.get(placeKey(place))
      return {
        place,
        fetchedAt: list?.fetchedAt ?? null,
        count: list?.models.length ?? 0,
        failure: this.failures.get(placeKey(place)) ?? null,
      }
    })
  }

  /** The day of the built-in prices. */
  async tableDate(): Promise<string> {
    return (await this.openTable()).date
  }

  fetchedAt = (place: ListPlace): number | null => this.lists.get(placeKey(place))?.fetchedAt ?? null

  fetched(place: ListPlace, models: readonly ListedModel[], now: number): void {
    const { provider, address } = place
    const list = { provider, address, fetchedAt: now, models }
    this.failures.delete(placeKey(place))
    this.lists.set(placeKey(place), list)
    this.renew()
    this.deps.lists.save(list)
    this.forgetOld(provider, now)
  }

  /** Addresses the provider has no more; a connection that is only switched off finds its list again. */
  private forgetOld(provider: string, now: number): void {
    const inUse = new Set(listPlaces(this.deps.registry(), this.deps.callOf).map(placeKey))
    for (const [key, old] of this.lists) {
      if (old.provider !== provider || inUse.has(key) || now - old.fetchedAt < KEPT_UNUSED_MS) continue
      this.lists.delete(key)
      this.deps.lists.remove(old.provider, old.address)
    }
  }

  /** The old list stays. */
  failed(place: ListPlace, why: string): void {
    this.failures.set(placeKey(place), why)
    this.deps.changed()
  }

  /** After the user's models, names or keys were written. */
  reload(): void {
    this.userModels = this.deps.userModels.list()
    this.aliases = this.deps.aliases.list()
    this.renew()
  }

  /** After combos were written: they stand in the lists that clients are shown. */
  combosChanged(): void {
    this.built?.listsByKey.clear()
    this.deps.changed()
  }

  private renew(): void {
    this.built = null
    this.deps.changed()
  }

  private current(): Built {
    const registry = this.deps.registry()
    if (this.built?.registry === registry) return this.built
    this.built = this.build(registry)
    return this.built
  }

  private build(registry: Registry): Built {
    const lists = new Map<string, StoredList[]>()
    for (const place of listPlaces(registry, this.deps.callOf)) {
      const list = this.lists.get(placeKey(place))
      if (list !== undefined) lists.set(list.provider, [...(lists.get(list.provider) ?? []), list])
    }
    const named = [...registry.values()].filter(isUsable).flatMap((provider) => {
      const { id } = provider.row
      const own = this.userModels.filter((model) => model.provider === id)
      return nameModels(id, lists.get(id) ?? [], builtInModels(provider), own)
    })
    const names = indexNames(named.filter(({ user }) => user?.hidden !== true).map(listedName))
    const world = { registry, names, aliases: indexAliases(this.aliases) }
    return {
      registry,
      named,
      world,
      known: null,
      learning: null,
      isLearned: false,
      listsByKey: new Map(),
      byProvider: null,
    }
  }

  /** In slices: thousands of models take longer than a request should wait. */
  private async learn({ registry, named }: Built): Promise<readonly KnownModel[]> {
    const table = await this.openTable()
    const known: KnownModel[] = []
    const finders = new Map<string, (model: string) => readonly FactsFrom[]>()
    for (const [i, model] of named.entries()) {
      if (i % SLICE === SLICE - 1) await new Promise(setImmediate)
      const find = finders.get(model.provider) ?? finderFor(registry.get(model.provider), table)
      finders.set(model.provider, find)
      known.push(knownModel(model, find(model.model)))
    }
    return known
  }

  private openTable(): Promise<ModelTable> {
    this.table ??= this.deps.loadTable().then((table) => {
      this.openedTable = table
      return table
    })
    return this.table
  }
}

/** What runs on the user's machine has sizes of its own, and no price. */
const finderFor = (provider: Provider | undefined, table: ModelTable): ((model: string) => readonly FactsFrom[]) =>
  provider === undefined || provider.row.class === 'local' ? () => [] : table.finder(addressesOf(provider))

const listedName = ({ provider, model, listed }: NamedModel): ListedName => ({
  ...{ provider, model },
  ...(listed?.entry.embeds === true ? { embeds: true } : {}),
})

function namesByProvider(named: readonly NamedModel[]): Map<string, Set<string>> {
  const names = new Map<string, Set<string>>()
  for (const { provider, listed } of named) if (listed !== null) names.set(provider, new Set())
  for (const { provider, model } of named) names.get(provider)?.add(model)
  return names
}

const builtInModels = ({ row }: Provider): readonly string[] =>
  row.id === PRACTICE_ID ? PRACTICE_MODELS.map(({ id }) => id) : row.models

const addressesOf = ({ row, connections }: Provider): string[] => [
  ...Object.values(row.endpoints).filter((base) => base !== ''),
  ...connections.flatMap(({ endpoints }) => endpoints.map(({ origin, basePath }) => origin + basePath)),
]
