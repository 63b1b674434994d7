import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  migrate,
  migrationFiles,
  NewerDatabaseError,
  pendingMigrations,
  schemaVersion,
} from '../../../core/store/migrate'
import { folderForTest, MIGRATIONS } from '../../support/memory-databases'

const name = (number: number): string => `${String(number).padStart(4, '0')}-x.sql`

describe('the migrations still to run', () => {
  it('are those above the version, in order, however the folder lists them', () => {
    const anyState = fc.integer({ min: 1, max: 30 }).chain((count) =>
      fc.record({
        files: fc.shuffledSubarray(
          Array.from({ length: count }, (_, i) => name(i + 1)),
          { minLength: count },
        ),
        current: fc.integer({ min: 0, max: count }),
      }),
    )
    fc.assert(
      fc.property(anyState, ({ files, current }) => {
        expect(pendingMigrations(files, current)).toEqual(files.toSorted().slice(current))
      }),
    )
  })

  it('are refused for a newer database, with both versions', () => {
    expect(() => pendingMigrations([name(1)], 3)).toThrow(new NewerDatabaseError(3, 1))
  })

  it('must have no gap and no number twice', () => {
    expect(() => pendingMigrations([name(1), name(3)], 0)).toThrow(/expected number 2/)
    expect(() => pendingMigrations([name(1), '0001-y.sql'], 0)).toThrow(/expected number 2/)
  })
})

describe('a migration', () => {
  function folderWith(...files: string[]): string {
    const folder = join(folderForTest(), 'migrations')
    mkdirSync(folder)
    for (const [i, sql] of files.entries()) writeFileSync(join(folder, name(i + 1)), sql)
    return folder
  }
  const CREATE = 'CREATE TABLE things (name TEXT) STRICT;'

  it('keeps what the version before has stored', () => {
    const database = new BetterSqlite(':memory:')
    migrate(database, folderWith(CREATE))
    database.exec("INSERT INTO things VALUES ('kept')")
    const later = folderWith(CREATE, 'ALTER TABLE things ADD COLUMN size INTEGER; UPDATE things SET size = 7;')
    migrate(database, later)
    expect(schemaVersion(database)).toBe(2)
    expect(database.prepare('SELECT * FROM things').all()).toEqual([{ name: 'kept', size: 7 }])
    migrate(database, later)
    expect(schemaVersion(database)).toBe(2)
  })

  it('that fails half way leaves the version and all of the content before it, and goes on when it is mended', () => {
    const database = new BetterSqlite(':memory:')
    const half = "INSERT INTO things VALUES ('half done'); CREATE TABLE others (x) STRICT;"
    expect(() => migrate(database, folderWith(CREATE, half))).toThrow()
    expect(schemaVersion(database)).toBe(1)
    expect(database.prepare('SELECT count(*) FROM things').pluck().get()).toBe(0)
    migrate(database, folderWith(CREATE, "INSERT INTO things VALUES ('done')"))
    expect(schemaVersion(database)).toBe(2)
    expect(database.prepare('SELECT name FROM things').pluck().all()).toEqual(['done'])
  })
})

it.each(readdirSync(MIGRATIONS))('the numbers of %s rise without a gap, and each one runs', (kind) => {
  const database = new BetterSqlite(':memory:')
  migrate(database, join(MIGRATIONS, kind))
  expect(schemaVersion(database)).toBe(migrationFiles(join(MIGRATIONS, kind)).length)
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
})
