import type { Database } from 'better-sqlite3'
import type { Alias } from '../routing/model-world'
import { newId } from './ids'

export interface StoredAlias extends Alias {
  readonly createdAt: number
}

export interface ModelAliasesTable {
  /** In the order of their making. */
  list(): StoredAlias[]
  insert(alias: Omit<StoredAlias, 'id'>): StoredAlias
  update(alias: Alias): void
  /** Inserts, or replaces the target of the one with the same pattern for the same key. */
  upsert(alias: Omit<StoredAlias, 'id'>): void
  remove(id: string): void
}

interface Row {
  id: string
  pattern: string
  client_key_id: string | null
  target: string
  created_at: number
}

export function openModelAliasesTable(database: Database): ModelAliasesTable {
  const list = database.prepare<[], Row>('SELECT * FROM model_aliases ORDER BY created_at, pattern, id')
  const insert = database.prepare(
    'INSERT INTO model_aliases (id, pattern, client_key_id, target, created_at) VALUES (@id, @pattern, @clientKeyId, @target, @createdAt)',
  )
  const update = database.prepare(
    'UPDATE model_aliases SET pattern = @pattern, client_key_id = @clientKeyId, target = @target WHERE id = @id',
  )
  const retarget = database.prepare(
    'UPDATE model_aliases SET target = @target WHERE pattern = @pattern AND client_key_id IS @clientKeyId',
  )
  const remove = database.prepare('DELETE FROM model_aliases WHERE id = ?')
  const insertNew = (alias: Omit<StoredAlias, 'id'>): StoredAlias => {
    const stored = { ...alias, id: newId('alias') }
    insert.run(stored)
    return stored
  }
  return {
    list: () => list.all().map(toAlias),
    insert: insertNew,
    update: ({ id, pattern, clientKeyId, target }) => void update.run({ id, pattern, clientKeyId, target }),
    upsert(alias) {
      const { pattern, clientKeyId, target } = alias
      if (retarget.run({ pattern, clientKeyId, target }).changes === 0) insertNew(alias)
    },
    remove: (id) => void remove.run(id),
  }
}

const toAlias = (row: Row): StoredAlias => ({
  id: row.id,
  pattern: row.pattern,
  clientKeyId: row.client_key_id,
  target: row.target,
  createdAt: row.created_at,
})
