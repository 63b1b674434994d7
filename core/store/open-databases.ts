// The three databases and what is done when one cannot be opened: config is never touched then, state and history can
// be begun anew beside the broken file.
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite, { type Database } from 'better-sqlite3'
import { lockFolder } from './folder-lock'
import { migrate, migrationFiles, NewerDatabaseError, pendingMigrations, schemaVersion } from './migrate'

export interface Databases {
  readonly config: Database
  readonly state: Database
  readonly history: Database
  /** What was mended while opening, in sentences for the person. */
  readonly notices: readonly string[]
  /** Keeps a copy of the configuration unless there is one of the last day. Some milliseconds: not during start-up. */
  backUpDaily(now: number): void
  close(): void
}

/** A database that must not be used as it is. Nothing was written to it. */
export class DatabaseRefusedError extends Error {
  constructor(
    readonly file: string,
    message: string,
    readonly wayOut: string,
  ) {
    super(message)
    this.name = 'DatabaseRefusedError'
  }
}

const KEEP_BACKUPS = 3
const DAY_MS = 86_400_000

/** @throws DatabaseRefusedError, DataFolderInUseError */
export function openDatabases(dataDir: string, migrationsDir: string, now: number): Databases {
  const unlock = openFolder(dataDir)
  const opened: Database[] = []
  const notices: string[] = []
  try {
    const config = openConfig(dataDir, join(migrationsDir, 'config'), now, notices)
    opened.push(config)
    const state = openReplaceable(join(dataDir, 'state.db'), join(migrationsDir, 'state'), now, notices)
    opened.push(state)
    const history = openReplaceable(join(dataDir, 'history.db'), join(migrationsDir, 'history'), now, notices)
    opened.push(history)
    return {
      config,
      state,
      history,
      notices,
      backUpDaily(at) {
        const backups = join(dataDir, 'backups')
        const newest = listBackups(backups).at(-1)
        if (newest !== undefined && at - statSync(join(backups, newest)).mtimeMs < DAY_MS) return
        backUp(config, backups, schemaVersion(config), at)
      },
      close() {
        for (const database of opened) database.close()
        unlock()
      },
    }
  } catch (error) {
    for (const database of opened) database.close()
    unlock()
    throw error
  }
}

function openFolder(dataDir: string): () => void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    return lockFolder(dataDir)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined || code.startsWith('SQLITE_NOTADB')) throw error
    throw new DatabaseRefusedError(
      dataDir,
      `The data folder ${dataDir} cannot be written (${code}).`,
      'Give your user the right to write there, or choose another folder with --data-dir.',
    )
  }
}

function openConfig(dataDir: string, migrations: string, now: number, notices: string[]): Database {
  const file = join(dataDir, 'breakwater.db')
  const backups = join(dataDir, 'backups')
  let database: Database
  try {
    // The history is created after the configuration: without it, an empty file is a first start that was cut short.
    database = open(file, 'FULL', !existsSync(join(dataDir, 'history.db')))
  } catch (error) {
    database = fromBackup(file, backups, now, error, notices)
  }
  try {
    const version = schemaVersion(database)
    const pending = pendingMigrations(migrationFiles(migrations), version)
    if (pending.length > 0 && version > 0) backUp(database, backups, version, now)
    migrate(database, migrations)
    return database
  } catch (error) {
    database.close()
    throw refusal(file, error)
  }
}

/** An unreadable config is replaced only by a copy that can be read, and is kept beside it. */
function fromBackup(file: string, backups: string, now: number, cause: unknown, notices: string[]): Database {
  if (cause instanceof DatabaseRefusedError) throw cause
  const good = listBackups(backups).findLast((name) => isReadable(join(backups, name)))
  if (good === undefined) throw refusal(file, cause)
  const aside = moveAside(file, now)
  const copy = new BetterSqlite(join(backups, good), { readonly: true })
  try {
    copy.prepare('VACUUM INTO ?').run(file)
  } finally {
    copy.close()
  }
  notices.push(`The settings could not be read. The copy ${good} is used; the unreadable file is kept as ${aside}.`)
  return open(file, 'FULL', false)
}

function openReplaceable(file: string, migrations: string, now: number, notices: string[]): Database {
  try {
    return openAndMigrate(file, migrations)
  } catch (error) {
    if (error instanceof NewerDatabaseError || error instanceof DatabaseRefusedError) throw refusal(file, error)
    const aside = moveAside(file, now)
    notices.push(`${file} could not be read and was begun anew; the old file is kept as ${aside}.`)
    return openAndMigrate(file, migrations)
  }
}

function openAndMigrate(file: string, migrations: string): Database {
  const database = open(file, 'NORMAL', true)
  try {
    migrate(database, migrations)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** @throws when the file is no database */
function open(file: string, synchronous: 'FULL' | 'NORMAL', mayBeEmpty: boolean): Database {
  const isNew = !existsSync(file)
  const database = new BetterSqlite(file, { timeout: 2_000 })
  try {
    // Reads the header first: nothing is written to a file that is no database.
    const version = schemaVersion(database)
    if (!isNew && !mayBeEmpty && version === 0 && !hasTables(database)) throw new Error('the file is empty')
    if (isNew) chmodSync(file, 0o600)
    database.pragma('journal_mode = WAL')
    database.pragma(`synchronous = ${synchronous}`)
    database.pragma('foreign_keys = ON')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

const hasTables = (database: Database): boolean =>
  database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined

/** A complete copy in one file, whatever the WAL holds. The newest few are kept. */
function backUp(database: Database, folder: string, version: number, now: number): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const stamp = new Date(now).toISOString().replace(/[:.]/g, '-')
  const file = join(folder, `breakwater-${stamp}-v${version}.db`)
  database.prepare('VACUUM INTO ?').run(file)
  chmodSync(file, 0o600)
  for (const old of listBackups(folder).slice(0, -KEEP_BACKUPS)) rmSync(join(folder, old), { force: true })
}

const listBackups = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.db'))
        .sort()
    : []

function isReadable(file: string): boolean {
  try {
    const database = new BetterSqlite(file, { readonly: true, fileMustExist: true })
    try {
      return schemaVersion(database) > 0 && database.pragma('quick_check', { simple: true }) === 'ok'
    } finally {
      database.close()
    }
  } catch {
    return false
  }
}

function moveAside(file: string, now: number): string {
  const aside = `${file}.unreadable-${new Date(now).toISOString().replace(/[:.]/g, '-')}`
  if (existsSync(file)) renameSync(file, aside)
  for (const suffix of ['-wal', '-shm']) if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix)
  return aside
}

function refusal(file: string, error: unknown): DatabaseRefusedError {
  if (error instanceof DatabaseRefusedError) return error
  if (error instanceof NewerDatabaseError) {
    return new DatabaseRefusedError(
      file,
      `${file} was written by a newer Breakwater (schema ${error.found}; this version knows ${error.known}).`,
      'Update Breakwater, or put the copy made before the update from the folder "backups" in its place.',
    )
  }
  return new DatabaseRefusedError(
    file,
    `${file} cannot be read (${error instanceof Error ? error.message : String(error)}). It was left as it is.`,
    'Put a good copy in its place, or move the file away to begin with empty settings.',
  )
}
