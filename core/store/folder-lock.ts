// One process per data folder. The lock is the system's own, held through an open transaction, so that it vanishes
// with the process however that ends.
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite, { type Database } from 'better-sqlite3'

export class DataFolderInUseError extends Error {
  constructor(
    readonly folder: string,
    readonly pid: number | null,
  ) {
    super(`The data folder ${folder} is used by another Breakwater${pid === null ? '' : ` (process ${pid})`}.`)
    this.name = 'DataFolderInUseError'
  }
}

/** @throws DataFolderInUseError; the system's error when the folder cannot be written */
export function lockFolder(folder: string): () => void {
  const holder = join(folder, 'instance.json')
  const file = join(folder, 'lock.db')
  const database = hold(file, () => new DataFolderInUseError(folder, readPid(holder)))
  try {
    writeFileSync(holder, JSON.stringify({ pid: process.pid }), { mode: 0o600 })
  } catch {
    // Only says who it is. A full disk is told by what has to be stored.
  }
  return () => {
    rmSync(holder, { force: true })
    database.close()
  }
}

function hold(file: string, inUse: () => Error, mayEmpty = true): Database {
  const database = new BetterSqlite(file, { timeout: 0 })
  try {
    database.pragma('journal_mode = DELETE')
    database.exec('BEGIN EXCLUSIVE')
    return database
  } catch (error) {
    database.close()
    const { code = '' } = error as { code?: string }
    if (code.startsWith('SQLITE_BUSY')) throw inUse()
    if (!mayEmpty || code !== 'SQLITE_NOTADB') throw error
    // Nothing is ever written to it, so what is in it is nobody's. The file itself stays: another may hold its lock.
    truncateSync(file)
    return hold(file, inUse, false)
  }
}

function readPid(file: string): number | null {
  try {
    const { pid } = JSON.parse(readFileSync(file, 'utf8')) as { pid?: unknown }
    return typeof pid === 'number' ? pid : null
  } catch {
    return null
  }
}
