// The models' parts, put together: lists, the user's words, names, and the work in the background.
import type { Clock } from '../clock'
import type { Logger } from '../host'
import type { Transport } from '../pipeline/transport'
import type { Registry } from '../providers/registry'
import type { ListedModelsTable } from '../store/listed-models-table'
import type { ModelAliasesTable } from '../store/model-aliases-table'
import type { ModelsTable } from '../store/models-table'
import type { CallOf } from './list-places'
import { ModelBook } from './model-book'
import type { ShownCombos } from './model-list'
import { ModelRefresher } from './model-refresher'
import { loadModelTable } from './model-table'

export interface Models {
  readonly book: ModelBook
  readonly userModels: ModelsTable
  readonly aliases: ModelAliasesTable
  /** Fetches the lists of one provider, or all, and waits for them. */
  refresh(provider?: string): Promise<void>
  /** After connections, keys or providers have changed. */
  connectionsChanged(): void
  close(): void
}

export interface ModelsDeps {
  readonly clock: Clock
  readonly random: () => number
  readonly log: Logger
  readonly redact: (text: string) => string
  readonly registry: () => Registry
  readonly callOf: CallOf
  readonly transport: () => Transport
  /** Hours between two fetches of a list. */
  readonly everyHours: () => number
  readonly lists: ListedModelsTable
  readonly userModels: ModelsTable
  readonly aliases: ModelAliasesTable
  readonly changed: () => void
  readonly combos?: () => ShownCombos
}

export function openModels(deps: ModelsDeps): Models {
  const { clock, log, registry, callOf, userModels, aliases, lists, changed } = deps
  const book = new ModelBook({
    registry,
    callOf,
    lists,
    userModels,
    aliases,
    loadTable: loadModelTable,
    startedAt: clock.now(),
    changed,
    ...(deps.combos === undefined ? {} : { combos: deps.combos }),
  })
  const refresher = new ModelRefresher({
    ...deps,
    fetchedAt: book.fetchedAt,
    fetched: (place, models) => {
      try {
        book.fetched(place, models, clock.now())
      } catch (error) {
        // A full disk is no reason to do without the list: it is in memory.
        log.warn({ error: String(error) }, 'a list of models cannot be written')
      }
    },
    failed: (place, why) => book.failed(place, why),
  })
  refresher.start()
  return {
    book,
    userModels,
    aliases,
    refresh: (provider) => refresher.refreshNow(provider),
    connectionsChanged() {
      changed()
      refresher.connectionsChanged()
    },
    close: () => refresher.stop(),
  }
}
