import type { Database } from 'better-sqlite3'

export interface LastUseTable {
  all(): ReadonlyMap<string, number>
  save(uses: ReadonlyMap<string, number>): void
}

export function openLastUseTable(database: Database): LastUseTable {
  const all = database.prepare<[], { connection_id: string; at: number }>('SELECT connection_id, at FROM last_use')
  const save = database.prepare(
    'INSERT INTO last_use (connection_id, at) VALUES (?, ?) ON CONFLICT (connection_id) DO UPDATE SET at = excluded.at',
  )
  return {
    all: () => new Map(all.all().map(({ connection_id, at }) => [connection_id, at])),
    save: database.transaction((uses: ReadonlyMap<string, number>) => {
      for (const [id, at] of uses) save.run(id, at)
    }),
  }
}
