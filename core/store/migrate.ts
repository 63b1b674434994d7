// Numbered SQL files bring a database to this version's schema, each in one transaction with its number.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'

export class NewerDatabaseError extends Error {
  constructor(
    readonly found: number,
    readonly known: number,
  ) {
    super(`schema ${found} is newer than ${known}, the newest this version knows`)
    this.name = 'NewerDatabaseError'
  }
}

/**
 * The files still to run, in order. Pure.
 * @throws NewerDatabaseError; Error when the numbers have a gap, which is a fault of the build
 */
export function pendingMigrations(files: readonly string[], current: number): readonly string[] {
  const sorted = [...files].sort()
  sorted.forEach((file, i) => {
    if (Number(file.slice(0, 4)) !== i + 1) throw new Error(`migrations: expected number ${i + 1}, found ${file}`)
  })
  if (current > sorted.length) throw new NewerDatabaseError(current, sorted.length)
  return sorted.slice(current)
}

export const migrationFiles = (folder: string): string[] => readdirSync(folder).filter((file) => file.endsWith('.sql'))

export const schemaVersion = (database: Database): number => database.pragma('user_version', { simple: true }) as number

/** Runs what is pending; a crash in between leaves the version before the file that was running. */
export function migrate(database: Database, folder: string): void {
  for (const file of pendingMigrations(migrationFiles(folder), schemaVersion(database))) {
    const sql = readFileSync(join(folder, file), 'utf8')
    database.transaction(() => {
      database.exec(sql)
      database.pragma(`user_version = ${Number(file.slice(0, 4))}`)
    })()
  }
}
