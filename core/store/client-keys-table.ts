import type { Database } from 'better-sqlite3'
import type { Scope } from '../contract/kinds'
import { newId } from './ids'

export interface StoredClientKey {
  readonly id: string
  readonly name: string
  /** SHA-256 of the key: all that is kept of it. */
  readonly hash: Buffer
  readonly mask: string
  readonly scopes: readonly Scope[]
  readonly createdAt: number
  readonly lastUsedAt: number | null
}

export type NewClientKey = Omit<StoredClientKey, 'id' | 'lastUsedAt'>

export interface ClientKeysTable {
  list(): StoredClientKey[]
  insert(key: NewClientKey): StoredClientKey
  /** Inserts, or replaces key and scopes of the one of the same name. */
  upsert(key: NewClientKey): void
  remove(id: string): void
  touch(uses: readonly { readonly id: string; readonly at: number }[]): void
}

interface Row {
  id: string
  name: string
  hash: Buffer
  mask: string
  scopes: string
  created_at: number
  last_used_at: number | null
}

export function openClientKeysTable(database: Database): ClientKeysTable {
  const list = database.prepare<[], Row>('SELECT * FROM client_keys ORDER BY created_at, id')
  const sql =
    'INSERT INTO client_keys (id, name, hash, mask, scopes, created_at) VALUES (@id, @name, @hash, @mask, @scopes, @createdAt)'
  const insert = database.prepare(sql)
  const upsert = database.prepare(
    `${sql} ON CONFLICT (name) DO UPDATE SET hash = excluded.hash, mask = excluded.mask, scopes = excluded.scopes`,
  )
  const remove = database.prepare('DELETE FROM client_keys WHERE id = ?')
  const touch = database.prepare('UPDATE client_keys SET last_used_at = ? WHERE id = ?')
  const values = (key: NewClientKey) => ({ ...key, id: newId('key'), scopes: key.scopes.join(' ') })
  const touchAll = database.transaction((uses: readonly { readonly id: string; readonly at: number }[]) => {
    for (const { id, at } of uses) touch.run(at, id)
  })
  return {
    list: () => list.all().map(toKey),
    insert(key) {
      const row = values(key)
      insert.run(row)
      return { ...key, id: row.id, lastUsedAt: null }
    },
    upsert: (key) => void upsert.run(values(key)),
    remove: (id) => void remove.run(id),
    touch: touchAll,
  }
}

const toKey = (row: Row): StoredClientKey => ({
  id: row.id,
  name: row.name,
  hash: row.hash,
  mask: row.mask,
  scopes: row.scopes === '' ? [] : (row.scopes.split(' ') as Scope[]),
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
})
