// The three databases and what is done when one cannot be opened: config is never touched then, state and history can
// be begun anew beside the broken file.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { backUp, listBackups, moveAside, newestGood, restore } from './backups'
import {
  asBroken,
  BrokenFileError,
  checkContent,
  createFile,
  inspectFile,
  openFile,
  type Synchronous,
} from './database-file'
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

interface Place {
  readonly file: string
  readonly migrations: string
  readonly synchronous: Synchronous
  /** Kept beside the databases; null: the content may be lost. */
  readonly backups: string | null
}

const DAY_MS = 86_400_000

/** @throws DatabaseRefusedError, DataFolderInUseError */
export function openDatabases(dataDir: string, migrationsDir: string, now: number): Databases {
  const unlock = openFolder(dataDir)
  const place = (name: string, kind: string, synchronous: Synchronous, backups: string | null): Place => ({
    file: join(dataDir, name),
    migrations: join(migrationsDir, kind),
    synchronous,
    backups,
  })
  const backups = join(dataDir, 'backups')
  const places = {
    config: place('breakwater.db', 'config', 'FULL', backups),
    state: place('state.db', 'state', 'NORMAL', null),
    history: place('history.db', 'history', 'NORMAL', null),
  }
  const notices: string[] = []
  const opened: Database[] = []
  const close = (): void => {
    for (const database of opened) database.close()
    unlock()
  }
  const openNext = (next: Place): Database => {
    const database = openPlace(next, now, notices)
    opened.push(database)
    return database
  }
  try {
    // Before any is written: a newer one means that this program must leave all of them alone.
    for (const each of Object.values(places)) refuseNewer(each)
    const config = openNext(places.config)
    return {
      config,
      state: openNext(places.state),
      history: openNext(places.history),
      notices,
      backUpDaily(at) {
        const newest = listBackups(backups).at(-1)
        // A copy "from tomorrow" was made under a wrong clock, and does not count.
        if (newest !== undefined && Math.abs(at - newest.madeAt) < DAY_MS) return
        backUp(config, backups, at)
      },
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}

function openFolder(dataDir: string): () => void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    return lockFolder(dataDir)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new DatabaseRefusedError(
      dataDir,
      `The data folder ${dataDir} cannot be written (${code}).`,
      'Give your user the right to write there, or choose another folder with --data-dir.',
    )
  }
}

function refuseNewer({ file, migrations }: Place): void {
  try {
    pendingMigrations(migrationFiles(migrations), inspectFile(file) ?? 0)
  } catch (error) {
    // What is merely broken is looked at when its turn comes.
    if (!(error instanceof BrokenFileError)) throw refusal(file, error)
  }
}

function openPlace(place: Place, now: number, notices: string[]): Database {
  try {
    try {
      return openChecked(place, now)
    } catch (error) {
      if (!(error instanceof BrokenFileError)) throw error
      notices.push(mend(place, error, now))
      return openChecked(place, now)
    }
  } catch (error) {
    throw refusal(place.file, error)
  }
}

/** @throws BrokenFileError before anything is written; other errors with the schema as it was */
function openChecked({ file, migrations, synchronous, backups }: Place, now: number): Database {
  const version = inspectFile(file)
  if (version === null) createFile(file, migrations)
  else if (version < 1) throw new BrokenFileError('it holds no data of Breakwater')
  else checkContent(file)
  const database = openFile(file, synchronous)
  try {
    if (backups !== null && pendingMigrations(migrationFiles(migrations), schemaVersion(database)).length > 0) {
      backUp(database, backups, now)
    }
    migrate(database, migrations)
    return database
  } catch (error) {
    database.close()
    throw asBroken(error)
  }
}

/** What may be lost is begun anew; the rest is replaced only by a copy that can be read. Says what was done. */
function mend({ file, migrations, backups }: Place, cause: BrokenFileError, now: number): string {
  if (backups === null) {
    return `${file} could not be read and was begun anew; the old file is kept as ${moveAside(file, now)}.`
  }
  const good = newestGood(backups, migrationFiles(migrations).length)
  if (good === null) throw cause
  const aside = restore(join(backups, good.name), file, now)
  return `The settings could not be read. The copy ${good.name} is used; the unreadable file is kept as ${aside}.`
}

/** The error in words for the person, with what can be done about it. */
function refusal(file: string, error: unknown): DatabaseRefusedError {
  if (error instanceof NewerDatabaseError) {
    return new DatabaseRefusedError(
      file,
      `${file} was written by a newer Breakwater (schema ${error.found}; this version knows ${error.known}).`,
      'Update Breakwater, or put the copy made before the update from the folder "backups" in its place.',
    )
  }
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof BrokenFileError) {
    return new DatabaseRefusedError(
      file,
      `${file} cannot be read (${message}). It was left as it is.`,
      'Put a good copy in its place, or move the file away to begin with empty settings.',
    )
  }
  const code = (error as { code?: string }).code ?? ''
  if (/^(SQLITE_FULL|ENOSPC|EDQUOT)/.test(code)) {
    return new DatabaseRefusedError(
      file,
      `There is no space left for ${file}. It was left as it is.`,
      'Free some space on the disk, then try again.',
    )
  }
  if (/^(EACCES|EPERM|EROFS|EISDIR|SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM)/.test(code)) {
    return new DatabaseRefusedError(
      file,
      `${file} cannot be opened for reading and writing (${code}). It was left as it is.`,
      'Give your user account the right to read and write it, then try again.',
    )
  }
  if (code.startsWith('SQLITE_BUSY')) {
    return new DatabaseRefusedError(
      file,
      `${file} is held by another program.`,
      'Close the program that has it open, then try again.',
    )
  }
  return new DatabaseRefusedError(
    file,
    `${file} could not be opened (${message}). Its content is as it was.`,
    'Try again; if it stays, put the newest copy from the folder "backups" in its place.',
  )
}
