import { cpSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, describe, expect, it } from 'vitest'
import {
  migrate,
  migrationFiles,
  NewerDatabaseError,
  pendingMigrations,
  schemaVersion,
} from '../../../core/store/migrate'
import { MIGRATIONS, temporaryFolders } from './folder'

const temporaryFolder = temporaryFolders()
const opened: Database.Database[] = []
afterEach(() => {
  for (const database of opened.splice(0)) database.close()
})

function memory(): Database.Database {
  const database = new Database(':memory:')
  opened.push(database)
  return database
}

function migrations(files: Record<string, string>): string {
  const folder = temporaryFolder()
  for (const [name, sql] of Object.entries(files)) writeFileSync(join(folder, name), sql)
  return folder
}

const tables = (database: Database.Database): string[] =>
  database
    .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .map(({ name }) => name)

describe('the files still to run', () => {
  const FILES = ['0002-b.sql', '0001-a.sql', '0003-c.sql']

  it('are those above the version, in order of their number', () => {
    expect(pendingMigrations(FILES, 0)).toEqual(['0001-a.sql', '0002-b.sql', '0003-c.sql'])
    expect(pendingMigrations(FILES, 2)).toEqual(['0003-c.sql'])
    expect(pendingMigrations(FILES, 3)).toEqual([])
    expect(pendingMigrations([], 0)).toEqual([])
  })

  it.each([
    ['a gap', ['0001-a.sql', '0003-c.sql'], 'expected number 2, found 0003-c.sql'],
    ['a number twice', ['0001-a.sql', '0001-b.sql'], 'expected number 2, found 0001-b.sql'],
    ['a beginning at two', ['0002-b.sql'], 'expected number 1, found 0002-b.sql'],
    ['a name without a number', ['first.sql'], 'expected number 1, found first.sql'],
  ])('%s in the numbers is a fault of the build', (_, files, message) => {
    expect(() => pendingMigrations(files, 0)).toThrow(message)
  })

  it('of a newer database there are none: both versions are told', () => {
    expect(() => pendingMigrations(FILES, 4)).toThrow(NewerDatabaseError)
    expect(() => pendingMigrations(FILES, 4)).toThrow(expect.objectContaining({ found: 4, known: 3 }))
  })
})

describe('bringing a database up to date', () => {
  const FIRST = { '0001-a.sql': 'CREATE TABLE a (x TEXT);', 'notes.txt': 'no SQL' }
  const SECOND = { ...FIRST, '0002-b.sql': 'ALTER TABLE a ADD COLUMN y TEXT; UPDATE a SET y = x;' }

  it('goes from the version before to this one and keeps the rows', () => {
    const database = memory()
    migrate(database, migrations(FIRST))
    expect(schemaVersion(database)).toBe(1)
    database.exec("INSERT INTO a VALUES ('kept')")
    migrate(database, migrations(SECOND))
    expect(schemaVersion(database)).toBe(2)
    expect(database.prepare('SELECT * FROM a').all()).toEqual([{ x: 'kept', y: 'kept' }])
  })

  it('runs nothing twice', () => {
    const database = memory()
    const folder = migrations(SECOND)
    migrate(database, folder)
    migrate(database, folder)
    expect(schemaVersion(database)).toBe(2)
  })

  it('cut short within a file leaves the version before it, and goes on from there later', () => {
    const database = memory()
    const rest = { '0003-c.sql': 'CREATE TABLE c (x TEXT); CREATE TABLE d (x TEXT); INSERT INTO nowhere VALUES (1);' }
    expect(() => migrate(database, migrations({ ...SECOND, ...rest }))).toThrow('nowhere')
    expect(schemaVersion(database)).toBe(2)
    expect(tables(database)).toEqual(['a'])
    migrate(database, migrations({ ...SECOND, '0003-c.sql': 'CREATE TABLE c (x TEXT);' }))
    expect(schemaVersion(database)).toBe(3)
    expect(tables(database)).toEqual(['a', 'c'])
  })

  it('touches nothing of a newer database', () => {
    const database = memory()
    database.pragma('user_version = 7')
    expect(() => migrate(database, migrations(FIRST))).toThrow(NewerDatabaseError)
    expect(tables(database)).toEqual([])
    expect(schemaVersion(database)).toBe(7)
  })
})

describe.each(['config', 'state', 'history'])('the migrations of %s', (kind) => {
  const folder = join(MIGRATIONS, kind)
  const files = migrationFiles(folder).sort()

  it('lead from nothing to the newest version, one number a file', () => {
    const database = memory()
    migrate(database, folder)
    expect(schemaVersion(database)).toBe(files.length)
    expect(readdirSync(folder).filter((name) => !/^\d{4}-[a-z0-9-]+\.sql$/.test(name))).toEqual([])
  })

  it('lead to the same schema when they come one by one', () => {
    const schema = (database: Database.Database): unknown[] =>
      database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all()
    const [atOnce, oneByOne] = [memory(), memory()]
    migrate(atOnce, folder)
    const growing = temporaryFolder()
    for (const file of files) {
      cpSync(join(folder, file), join(growing, file))
      migrate(oneByOne, growing)
    }
    expect(schema(oneByOne)).toEqual(schema(atOnce))
  })
})
