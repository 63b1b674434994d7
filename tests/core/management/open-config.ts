import { resolve } from 'node:path'
import Database from 'better-sqlite3'
import type { Logger } from '../../../core/host'
import { migrate } from '../../../core/store/migrate'

/** A configuration database as a first start makes it, in memory. */
export function openConfig(): Database.Database {
  const database = new Database(':memory:')
  migrate(database, resolve(import.meta.dirname, '../../../migrations/config'))
  return database
}

/** Notes which values it was told to keep to itself. */
export function quietLogger(): Logger & { readonly secrets: Set<string> } {
  const nothing = (): void => {}
  const secrets = new Set<string>()
  return {
    secrets,
    debug: nothing,
    info: nothing,
    warn: nothing,
    error: nothing,
    setLevel: nothing,
    addSecret: (value) => void secrets.add(value),
  }
}
