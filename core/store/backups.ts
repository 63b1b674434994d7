// Copies of the configuration: made before a migration and once a day, used when the file itself cannot be read.
import { chmodSync, copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { checkContent, inspectFile, putInPlace, removeFile, switchToLog } from './database-file'
import { schemaVersion } from './migrate'

export interface Backup {
  readonly name: string
  readonly madeAt: number
  readonly version: number
}

const KEEP = 3
const NAME = /^breakwater-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z-v(\d+)\.db$/

export const backupName = (madeAt: number, version: number): string => `breakwater-${stamp(madeAt)}-v${version}.db`

/** What a name says; null for files that are none of ours. */
export function parseBackupName(name: string): Backup | null {
  const [, day, hours, minutes, seconds, ms, version] = NAME.exec(name) ?? []
  if (day === undefined) return null
  return { name, madeAt: Date.parse(`${day}T${hours}:${minutes}:${seconds}.${ms}Z`), version: Number(version) }
}

/**
 * Which copies go: all but the newest few. The newest of each former schema stays besides, for it is the way back after
 * an update; of those too only the newest few. Pure.
 */
export function backupsToRemove(backups: readonly Backup[]): readonly Backup[] {
  const newestFirst = [...backups].sort((a, b) => b.madeAt - a.madeAt)
  const ofVersion = new Map<number, Backup>()
  for (const backup of newestFirst) if (!ofVersion.has(backup.version)) ofVersion.set(backup.version, backup)
  const lastOfVersions = [...ofVersion.values()].sort((a, b) => b.version - a.version).slice(0, KEEP + 1)
  const kept = new Set([...newestFirst.slice(0, KEEP), ...lastOfVersions])
  return newestFirst.filter((backup) => !kept.has(backup))
}

/** Oldest first. */
export function listBackups(folder: string): Backup[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .map(parseBackupName)
    .filter((backup) => backup !== null)
    .sort((a, b) => a.madeAt - b.madeAt)
}

/** A complete copy in one file, whatever the write-ahead log holds. Older ones go only when this one is there. */
export function backUp(database: Database, folder: string, now: number): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const fresh = join(folder, 'unfinished.db')
  rmSync(fresh, { force: true })
  database.prepare('VACUUM INTO ?').run(fresh)
  chmodSync(fresh, 0o600)
  putInPlace(fresh, join(folder, backupName(now, schemaVersion(database))))
  for (const { name } of backupsToRemove(listBackups(folder))) rmSync(join(folder, name), { force: true })
}

/** The newest copy that can be read whole and that this version understands. */
export function newestGood(folder: string, knownVersion: number): Backup | null {
  return listBackups(folder).findLast(({ name }) => isGood(join(folder, name), knownVersion)) ?? null
}

function isGood(file: string, knownVersion: number): boolean {
  try {
    const version = inspectFile(file) ?? 0
    checkContent(file)
    return version > 0 && version <= knownVersion
  } catch {
    return false
  }
}

/** Puts a copy in the place of a file and keeps that beside it. A crash at any point leaves one or the other. */
export function restore(backup: string, file: string, now: number): string {
  const fresh = `${file}.new`
  removeFile(fresh)
  copyFileSync(backup, fresh)
  chmodSync(fresh, 0o600)
  switchToLog(fresh)
  // A log that belongs to the old file must never be applied to the new one.
  const aside = `${file}.unreadable-${stamp(now)}`
  moveLogs(file, aside)
  rmSync(aside, { force: true })
  try {
    linkSync(file, aside)
  } catch {
    copyFileSync(file, aside) // file systems without hard links
  }
  putInPlace(fresh, file)
  return aside
}

/** Takes a file out of the way without losing it. */
export function moveAside(file: string, now: number): string {
  const aside = `${file}.unreadable-${stamp(now)}`
  moveLogs(file, aside)
  if (existsSync(file)) renameSync(file, aside)
  return aside
}

function moveLogs(file: string, aside: string): void {
  for (const suffix of ['-wal', '-shm']) if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix)
}

const stamp = (at: number): string => new Date(at).toISOString().replace(/[:.]/g, '-')
