import type { Database } from 'better-sqlite3'
import type { Dialect, ProviderClass } from '../contract/kinds'
import type { CustomProvider } from '../providers/catalogue'

export interface ProvidersTable {
  list(): CustomProvider[]
  insert(provider: CustomProvider): void
  /** Inserts, or replaces the one of the same id. */
  upsert(provider: CustomProvider): void
  remove(id: string): void
}

interface Row {
  id: string
  label: string
  class: string
  dialect: string
  base_url: string
  per_model_quota: number
}

export function openProvidersTable(database: Database): ProvidersTable {
  const list = database.prepare<[], Row>('SELECT * FROM providers ORDER BY label, id')
  const sql =
    'INSERT INTO providers (id, label, class, dialect, base_url, per_model_quota) VALUES (@id, @label, @class, @dialect, @baseUrl, @perModelQuota)'
  const insert = database.prepare(sql)
  const upsert = database.prepare(
    `${sql} ON CONFLICT (id) DO UPDATE SET label = excluded.label, class = excluded.class, dialect = excluded.dialect,
     base_url = excluded.base_url, per_model_quota = excluded.per_model_quota`,
  )
  const remove = database.prepare('DELETE FROM providers WHERE id = ?')
  const values = (provider: CustomProvider) => ({ ...provider, perModelQuota: provider.perModelQuota ? 1 : 0 })
  return {
    list: () => list.all().map(toProvider),
    insert: (provider) => void insert.run(values(provider)),
    upsert: (provider) => void upsert.run(values(provider)),
    remove: (id) => void remove.run(id),
  }
}

const toProvider = (row: Row): CustomProvider => ({
  id: row.id,
  label: row.label,
  class: row.class as ProviderClass,
  dialect: row.dialect as Dialect,
  baseUrl: row.base_url,
  perModelQuota: row.per_model_quota === 1,
})
