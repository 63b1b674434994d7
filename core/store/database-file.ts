// One SQLite file: what it is, found out without writing to it; how it is opened; how a new one comes to be. Knows
// nothing of what is in it.
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import BetterSqlite, { type Database } from 'better-sqlite3'
import { migrate, schemaVersion } from './migrate'

/** FULL: a commit is on the disk before it is acknowledged. NORMAL: the last ones may be lost with the power. */
export type Synchronous = 'FULL' | 'NORMAL'

/** The content cannot be used, whoever reads it. Other errors (rights, space, a busy file) may pass by themselves. */
export class BrokenFileError extends Error {
  constructor(why: string) {
    super(why)
    this.name = 'BrokenFileError'
  }
}

const MAGIC = 'SQLite format 3\0'
const HEADER_BYTES = 100
/** Reading more than this through would be felt when starting. */
const CHECKED_WHOLE_BYTES = 8 * 1_048_576

/**
 * The schema version of a file; null when there is none. Nothing is written, not even by SQLite: opening an empty file
 * would delete its write-ahead log, and closing one checkpoints it.
 * @throws BrokenFileError; the system's error when it may not be read
 */
export function inspectFile(file: string): number | null {
  const size = sizeOf(file)
  if (size === null) return null
  if (size === 0) throw new BrokenFileError('the file is empty')
  const header = readHeader(file)
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new BrokenFileError('the file is not a database')
  if ((sizeOf(`${file}-wal`) ?? 0) === 0 && header.length === HEADER_BYTES) return header.readInt32BE(60)
  // The newest state of the first page may still be in the write-ahead log.
  return readOnly(file, schemaVersion)
}

/**
 * Whether the content can be read: all of a small file, both ends of each table of a large one.
 * @throws BrokenFileError
 */
export function checkContent(file: string): void {
  readOnly(file, (database) => {
    if ((sizeOf(file) ?? 0) > CHECKED_WHOLE_BYTES) return readEnds(database)
    const found = database.pragma('quick_check(1)', { simple: true })
    if (found !== 'ok') throw new BrokenFileError(String(found))
  })
}

/** Opens a file that exists. Here and nowhere else are these set. */
export function openFile(file: string, synchronous: Synchronous): Database {
  // SQLite would open a file it may not write all the same, and fail at the first change.
  accessSync(file, constants.R_OK | constants.W_OK)
  const database = new BetterSqlite(file, { timeout: 2_000, fileMustExist: true })
  try {
    database.pragma('journal_mode = WAL')
    database.pragma(`synchronous = ${synchronous}`)
    database.pragma('foreign_keys = ON')
    // After a busy hour the log file shrinks again.
    database.pragma(`journal_size_limit = ${CHECKED_WHOLE_BYTES}`)
    return database
  } catch (error) {
    database.close()
    throw asBroken(error)
  }
}

/** A new database appears under its name only when it is complete: an empty file is never a first start cut short. */
export function createFile(file: string, migrations: string): void {
  const fresh = `${file}.new`
  removeFile(fresh)
  const database = new BetterSqlite(fresh)
  try {
    chmodSync(fresh, 0o600)
    // Lets the file give back what trimming frees, bit by bit. Can only be chosen before the first table.
    database.pragma('auto_vacuum = INCREMENTAL')
    migrate(database, migrations)
  } finally {
    database.close()
  }
  switchToLog(fresh)
  putInPlace(fresh, file)
}

/**
 * Before a file is put in its place. The switch itself is written with a rollback journal: cut short under the final
 * name, it would leave a file that nobody can read without writing to it.
 */
export function switchToLog(file: string): void {
  const database = new BetterSqlite(file, { fileMustExist: true })
  try {
    database.pragma('journal_mode = WAL')
  } finally {
    database.close()
  }
}

/** With all that SQLite may have left beside it: a journal of an earlier file must never be applied to the next one. */
export function removeFile(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true })
}

/** Makes a complete file visible under its name, at once and for good. */
export function putInPlace(fresh: string, file: string): void {
  flush(fresh, 'r+')
  renameSync(fresh, file)
  try {
    flush(dirname(file), 'r')
  } catch {
    // Windows does not open folders; there the rename is durable by itself.
  }
}

/** SQLite's own word that the content cannot be used, as ours; any other error as it is. */
export function asBroken(error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string }
  return code !== undefined && /^SQLITE_(NOTADB|CORRUPT)/.test(code) ? new BrokenFileError(message ?? code) : error
}

/** Reads with a connection that writes nothing, and leaves no files beside the database that were not there. */
export function readOnly<T>(file: string, read: (database: Database) => T): T {
  const hadLog = sizeOf(`${file}-wal`) !== null
  try {
    const database = new BetterSqlite(file, { readonly: true, fileMustExist: true, timeout: 2_000 })
    try {
      return read(database)
    } finally {
      database.close()
    }
  } catch (error) {
    throw asBroken(error)
  } finally {
    if (!hadLog) for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true })
  }
}

function readEnds(database: Database): void {
  const tables = database.prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  for (const { name } of tables) {
    for (const order of ['ASC', 'DESC']) database.prepare(`SELECT * FROM "${name}" ORDER BY 1 ${order} LIMIT 1`).get()
  }
}

function readHeader(file: string): Buffer {
  const handle = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(HEADER_BYTES)
    return bytes.subarray(0, readSync(handle, bytes, 0, HEADER_BYTES, 0))
  } finally {
    closeSync(handle)
  }
}

function sizeOf(file: string): number | null {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found === undefined) return null
  if (!found.isFile()) throw Object.assign(new Error('there is something else of that name'), { code: 'EISDIR' })
  return found.size
}

function flush(file: string, mode: string): void {
  const handle = openSync(file, mode)
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
