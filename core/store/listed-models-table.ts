import type { Database } from 'better-sqlite3'
import type { ListedModel } from '../models/parse-model-list'

/** One answer to "which models are there?". */
export interface StoredList {
  readonly provider: string
  /** Where it was fetched: connections of one provider may lead to different machines. */
  readonly address: string
  readonly fetchedAt: number
  readonly models: readonly ListedModel[]
}

export interface ListedModelsTable {
  all(): StoredList[]
  save(list: StoredList): void
  remove(provider: string, address: string): void
}

interface Row {
  provider: string
  address: string
  fetched_at: number
  models: string
}

export function openListedModelsTable(database: Database): ListedModelsTable {
  const all = database.prepare<[], Row>('SELECT * FROM listed_models ORDER BY provider, address')
  const save = database.prepare(
    `INSERT INTO listed_models (provider, address, fetched_at, models) VALUES (?, ?, ?, ?)
     ON CONFLICT (provider, address) DO UPDATE SET fetched_at = excluded.fetched_at, models = excluded.models`,
  )
  const remove = database.prepare('DELETE FROM listed_models WHERE provider = ? AND address = ?')
  return {
    all: () =>
      all.all().map((row) => ({
        provider: row.provider,
        address: row.address,
        fetchedAt: row.fetched_at,
        models: JSON.parse(row.models) as ListedModel[],
      })),
    save: ({ provider, address, fetchedAt, models }) =>
      void save.run(provider, address, fetchedAt, JSON.stringify(models)),
    remove: (provider, address) => void remove.run(provider, address),
  }
}
