// Databases as a first start makes them, in memory; and folders that vanish with their test.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import BetterSqlite, { type Database } from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import { migrate } from '../../core/store/migrate'

export const MIGRATIONS = resolve(import.meta.dirname, '../../migrations')

export function memoryDatabase(kind: 'config' | 'state' | 'history'): Database {
  const database = new BetterSqlite(':memory:')
  database.pragma('foreign_keys = ON')
  migrate(database, join(MIGRATIONS, kind))
  return database
}

export function folderForTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'breakwater-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
