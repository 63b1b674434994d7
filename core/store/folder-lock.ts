// One process per data folder. The lock is the system's own, held through an open transaction, so that it vanishes
// with the process however that ends.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'

export class DataFolderInUseError extends Error {
  constructor(
    readonly folder: string,
    readonly pid: number | null,
  ) {
    super(`The data folder ${folder} is used by another Breakwater${pid === null ? '' : ` (process ${pid})`}.`)
    this.name = 'DataFolderInUseError'
  }
}

/** @throws DataFolderInUseError */
export function lockFolder(folder: string): () => void {
  const holder = join(folder, 'instance.json')
  const database = new Database(join(folder, 'lock.db'), { timeout: 0 })
  try {
    database.pragma('journal_mode = DELETE')
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY'))
      throw new DataFolderInUseError(folder, readPid(holder))
    throw error
  }
  writeFileSync(holder, JSON.stringify({ pid: process.pid }), { mode: 0o600 })
  return () => {
    rmSync(holder, { force: true })
    database.close()
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
