import type { Database } from 'better-sqlite3'

export interface SettingsTable {
  /** A value that is not JSON is given as undefined: a bad row must not keep the program from starting. */
  all(): ReadonlyMap<string, unknown>
  set(key: string, value: unknown): void
  remove(key: string): void
  /** All in one transaction; undefined removes a value. */
  save(changes: ReadonlyMap<string, unknown>): void
}

export function openSettingsTable(database: Database): SettingsTable {
  const all = database.prepare<[], { key: string; value: string }>('SELECT key, value FROM settings')
  const set = database.prepare(
    'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  )
  const remove = database.prepare('DELETE FROM settings WHERE key = ?')
  return {
    all: () => new Map(all.all().map(({ key, value }) => [key, parse(value)])),
    set: (key, value) => void set.run(key, JSON.stringify(value)),
    remove: (key) => void remove.run(key),
    save: database.transaction((changes: ReadonlyMap<string, unknown>) => {
      for (const [key, value] of changes) {
        if (value === undefined) remove.run(key)
        else set.run(key, JSON.stringify(value))
      }
    }),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
