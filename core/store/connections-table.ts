import type { Database } from 'better-sqlite3'
import { type ConnectionSettings, readConnectionSettings } from '../contract/connection-settings'
import type { SealedSecret } from '../host'
import { newId } from './ids'

export interface StoredConnection {
  readonly id: string
  readonly provider: string
  readonly name: string
  readonly baseUrl: string | null
  /** What the provider's address needs beside the key, by option. */
  readonly options: Readonly<Record<string, string>>
  readonly secret: SealedSecret | null
  /** The visible end of the key. */
  readonly keyTail: string | null
  /** null: as settings and environment say. */
  readonly proxy: StoredProxy | null
  readonly settings: ConnectionSettings
  /** Lower is tried first. */
  readonly priority: number
  readonly enabled: boolean
  readonly createdAt: number
}

export interface StoredProxy {
  /** Its address, with user name and password. */
  readonly secret: SealedSecret
  /** `scheme://host:port` */
  readonly label: string
}

export type NewConnection = Omit<StoredConnection, 'id' | 'proxy' | 'settings'> &
  Partial<Pick<StoredConnection, 'proxy' | 'settings'>>
export type ConnectionPatch = Partial<Omit<StoredConnection, 'id' | 'provider' | 'createdAt'>>

export interface ConnectionsTable {
  /** Without the removed ones, oldest first. */
  list(): readonly StoredConnection[]
  insert(connection: NewConnection): StoredConnection
  update(id: string, patch: ConnectionPatch): void
  softRemove(id: string, now: number): void
  /** False when there is nothing to restore, or its name is taken again. */
  restore(id: string): boolean
  purgeRemoved(): void
  /** Reads anew what is kept in memory: after a transaction that may have been rolled back. */
  refresh(): void
}

interface Row {
  id: string
  provider: string
  name: string
  base_url: string | null
  options: string
  secret_vault: string | null
  secret: Buffer | null
  key_tail: string | null
  proxy_vault: string | null
  proxy: Buffer | null
  proxy_label: string | null
  settings: string
  priority: number
  enabled: number
  created_at: number
}

const COLUMNS = `id, provider, name, base_url, options, secret_vault, secret, key_tail, proxy_vault, proxy, proxy_label,
  settings, priority, enabled, created_at`

export function openConnectionsTable(database: Database): ConnectionsTable {
  const list = database.prepare<[], Row>(
    `SELECT ${COLUMNS} FROM connections WHERE removed_at IS NULL ORDER BY created_at, id`,
  )
  const insert = database.prepare(
    `INSERT INTO connections (${COLUMNS}) VALUES
     (@id, @provider, @name, @baseUrl, @options, @vault, @secret, @keyTail, @proxyVault, @proxy, @proxyLabel, @settings,
     @priority, @enabled, @createdAt)`,
  )
  const update = database.prepare(
    `UPDATE connections SET name = @name, base_url = @baseUrl, options = @options, secret_vault = @vault,
     secret = @secret, key_tail = @keyTail, proxy_vault = @proxyVault, proxy = @proxy, proxy_label = @proxyLabel,
     settings = @settings, priority = @priority, enabled = @enabled WHERE id = @id`,
  )
  const softRemove = database.prepare('UPDATE connections SET removed_at = ? WHERE id = ?')
  const restore = database.prepare(
    'UPDATE OR IGNORE connections SET removed_at = NULL WHERE id = ? AND removed_at IS NOT NULL',
  )
  const purge = database.prepare('DELETE FROM connections WHERE removed_at IS NOT NULL')
  let cache: readonly StoredConnection[] | null = null
  const read = (): readonly StoredConnection[] => {
    // What a transaction has written may still be rolled back.
    if (database.inTransaction) return list.all().map(toConnection)
    cache ??= list.all().map(toConnection)
    return cache
  }
  const values = ({ secret, enabled, options, proxy, settings, ...rest }: StoredConnection) => ({
    ...rest,
    options: JSON.stringify(options),
    settings: JSON.stringify(settings),
    proxyVault: proxy?.secret.vault ?? null,
    proxy: proxy?.secret.data ?? null,
    proxyLabel: proxy?.label ?? null,
    vault: secret?.vault ?? null,
    secret: secret?.data ?? null,
    enabled: enabled ? 1 : 0,
  })
  return {
    list: read,
    insert(connection) {
      const stored = { proxy: null, settings: {}, ...connection, id: newId('con') }
      insert.run(values(stored))
      cache = null
      return stored
    },
    update(id, patch) {
      const stored = read().find((known) => known.id === id)
      if (stored === undefined) return
      update.run(values({ ...stored, ...patch }))
      cache = null
    },
    softRemove(id, now) {
      softRemove.run(now, id)
      cache = null
    },
    restore(id) {
      cache = null
      return restore.run(id).changes === 1
    },
    purgeRemoved: () => void purge.run(),
    refresh() {
      cache = null
    },
  }
}

const toConnection = (row: Row): StoredConnection => ({
  id: row.id,
  provider: row.provider,
  name: row.name,
  baseUrl: row.base_url,
  options: toOptions(row.options),
  secret: row.secret_vault === null || row.secret === null ? null : { vault: row.secret_vault, data: row.secret },
  keyTail: row.key_tail,
  proxy: toProxy(row),
  settings: readConnectionSettings(toJson(row.settings)),
  priority: row.priority,
  enabled: row.enabled === 1,
  createdAt: row.created_at,
})

const toProxy = ({ proxy_vault: vault, proxy, proxy_label: label }: Row): StoredProxy | null =>
  vault === null || proxy === null ? null : { secret: { vault, data: proxy }, label: label ?? '' }

function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** What is no object of strings is none: the connection then says which option it needs. */
function toOptions(text: string): Readonly<Record<string, string>> {
  try {
    const entries = Object.entries(JSON.parse(text) as object)
    return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string'))
  } catch {
    return {}
  }
}
