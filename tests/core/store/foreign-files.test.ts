// What lies in the data folder and was not put there, or not finished, by this program.
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { DatabaseRefusedError, type Databases, openDatabases } from '../../../core/store/open-databases'
import { openSettingsTable } from '../../../core/store/settings-table'
import { fingerprint, MIGRATIONS, rights, temporaryFolders } from './folder'

const NOW = Date.UTC(2026, 4, 6, 12)
const DAY = 86_400_000
const temporaryFolder = temporaryFolders()

function open(folder: string): Databases {
  const databases = openDatabases(folder, MIGRATIONS, NOW)
  onTestFinished(() => databases.close())
  return databases
}

function refusalOf(folder: string): DatabaseRefusedError {
  try {
    open(folder)
  } catch (error) {
    if (error instanceof DatabaseRefusedError) return error
    throw error
  }
  throw new Error('it was opened')
}

const aside = (folder: string): string[] => readdirSync(folder).filter((name) => name.includes('unreadable'))

it('settings of another program are refused, and not written to', () => {
  const folder = temporaryFolder()
  const file = join(folder, 'breakwater.db')
  const other = new Database(file)
  other.exec('CREATE TABLE recipes (name TEXT)')
  other.close()
  const before = fingerprint(file)
  expect(refusalOf(folder).message).toContain('no data of Breakwater')
  expect(fingerprint(file)).toBe(before)
  expect(aside(folder)).toEqual([])
})

it.each(['breakwater.db', 'state.db', 'history.db'])('a folder in the place of %s is refused, and stays', (name) => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, name, 'inside'), { recursive: true })
  expect(refusalOf(folder)).toMatchObject({ file: join(folder, name), message: expect.stringContaining('EISDIR') })
  expect(readdirSync(join(folder, name))).toEqual(['inside'])
})

it('what a first start cut short left behind is cleared away', () => {
  const folder = temporaryFolder()
  for (const suffix of ['', '-journal', '-wal']) writeFileSync(join(folder, `breakwater.db.new${suffix}`), 'half')
  expect(open(folder).notices).toEqual([])
  expect(readdirSync(folder).filter((name) => name.includes('.new'))).toEqual([])
})

it('of the copies three stay, and a file that is no copy is not touched', () => {
  const folder = temporaryFolder()
  const databases = open(folder)
  const backups = join(folder, 'backups')
  databases.backUpDaily(NOW)
  writeFileSync(join(backups, 'mine.db'), 'keep me')
  for (let day = 1; day < 9; day++) databases.backUpDaily(NOW + day * DAY)
  const version = readdirSync(join(MIGRATIONS, 'config')).length
  const copies = [12, 13, 14].map((day) => `breakwater-2026-05-${day}T12-00-00-000Z-v${version}.db`)
  expect(readdirSync(backups).sort()).toEqual([...copies, 'mine.db'])
  for (const name of copies) expect(rights(join(backups, name))).toBe(0o600)
})

it('newer and unreadable copies are passed over for an older good one', () => {
  const folder = temporaryFolder()
  const backups = join(folder, 'backups')
  const first = openDatabases(folder, MIGRATIONS, NOW)
  openSettingsTable(first.config).set('historyDays', 7)
  first.backUpDaily(NOW)
  first.close()
  const [good = ''] = readdirSync(backups)
  writeFileSync(join(backups, 'breakwater-2026-05-08T12-00-00-000Z-v1.db'), '')
  const newer = join(backups, 'breakwater-2026-05-07T12-00-00-000Z-v9999.db')
  cpSync(join(backups, good), newer)
  const database = new Database(newer)
  database.pragma('user_version = 9999')
  database.close()
  writeFileSync(join(folder, 'breakwater.db'), '')
  const databases = open(folder)
  expect(databases.notices).toEqual([expect.stringContaining(good)])
  expect(openSettingsTable(databases.config).all().get('historyDays')).toBe(7)
  expect(aside(folder)).toHaveLength(1)
})
