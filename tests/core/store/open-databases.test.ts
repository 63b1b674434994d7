import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { DataFolderInUseError } from '../../../core/store/folder-lock'
import { DatabaseRefusedError, type Databases, openDatabases } from '../../../core/store/open-databases'
import { openSettingsTable } from '../../../core/store/settings-table'
import { folderForTest, MIGRATIONS } from '../../support/memory-databases'

const NOW = 1_750_000_000_000
const DAY = 86_400_000
const FILES = ['breakwater.db', 'state.db', 'history.db']

function open(folder: string, { now = NOW, migrations = MIGRATIONS } = {}): Databases {
  const databases = openDatabases(folder, migrations, now)
  onTestFinished(() => databases.close())
  return databases
}

/** A folder that has been used: one setting stored, and a copy of it kept. */
function usedFolder({ withCopy = true } = {}): string {
  const folder = folderForTest()
  const databases = openDatabases(folder, MIGRATIONS, NOW)
  openSettingsTable(databases.config).set('historyDays', 7)
  if (withCopy) databases.backUpDaily(NOW)
  databases.close()
  return folder
}

const storedDays = ({ config }: Databases): unknown => openSettingsTable(config).all().get('historyDays')
const mode = (file: string): string => (statSync(file).mode & 0o777).toString(8)
const asideOf = (folder: string, name: string): string[] =>
  readdirSync(folder).filter((each) => each.startsWith(`${name}.unreadable-`) && !/-(wal|shm)$/.test(each))

function refusalOf(folder: string, migrations = MIGRATIONS): DatabaseRefusedError {
  try {
    openDatabases(folder, migrations, NOW).close()
  } catch (error) {
    if (error instanceof DatabaseRefusedError) return error
    throw error
  }
  throw new Error('was not refused')
}

/** This version's migrations and one more for the settings. */
function nextVersion(sql: string): string {
  const migrations = join(folderForTest(), 'migrations')
  cpSync(MIGRATIONS, migrations, { recursive: true })
  const next = readdirSync(join(migrations, 'config')).length + 1
  writeFileSync(join(migrations, 'config', `${String(next).padStart(4, '0')}-next.sql`), sql)
  return migrations
}

describe('a first start', () => {
  it('makes three databases that only this user may read', () => {
    const folder = join(folderForTest(), 'data')
    const { notices, config, state, history } = open(folder)
    expect(notices).toEqual([])
    expect(mode(folder)).toBe('700')
    for (const name of FILES) expect(mode(join(folder, name))).toBe('600')
    for (const [database, synchronous] of [
      [config, 2],
      [state, 1],
      [history, 1],
    ] as const) {
      expect(database.pragma('journal_mode', { simple: true })).toBe('wal')
      expect(database.pragma('foreign_keys', { simple: true })).toBe(1)
      expect(database.pragma('synchronous', { simple: true })).toBe(synchronous)
    }
  })

  it('leaves nothing unfinished behind', () => {
    const folder = folderForTest()
    open(folder).close()
    expect(readdirSync(folder).toSorted()).toEqual([...FILES, 'lock.db'].toSorted())
  })
})

describe('a folder', () => {
  it('is one process’s alone, and free again when that closes', () => {
    const folder = folderForTest()
    const first = openDatabases(folder, MIGRATIONS, NOW)
    expect(() => openDatabases(folder, MIGRATIONS, NOW)).toThrow(new DataFolderInUseError(folder, process.pid))
    first.close()
    open(folder)
  })

  it('is free again after a start that was refused', () => {
    const folder = usedFolder({ withCopy: false })
    const file = join(folder, 'breakwater.db')
    const content = readFileSync(file)
    writeFileSync(file, '')
    refusalOf(folder)
    writeFileSync(file, content)
    expect(storedDays(open(folder))).toBe(7)
  })

  it('can be used though its lock file holds something', () => {
    const folder = usedFolder()
    writeFileSync(join(folder, 'lock.db'), 'not a database, and longer than its header would be '.repeat(20))
    expect(storedDays(open(folder))).toBe(7)
  })

  it('that is a file is refused in words', () => {
    const file = join(folderForTest(), 'data')
    writeFileSync(file, '')
    expect(refusalOf(file)).toMatchObject({ file, wayOut: expect.stringContaining('--data-dir') })
  })
})

type Damage = (file: string) => void
const DAMAGES: readonly [string, Damage][] = [
  ['empty', (file) => writeFileSync(file, '')],
  ['full of NUL bytes', (file) => writeFileSync(file, Buffer.alloc(16_384))],
  ['half there', (file) => truncateSync(file, Math.floor(statSync(file).size / 2))],
  ['one byte long', (file) => truncateSync(file, 1)],
  ['something else', (file) => writeFileSync(file, '{"settings": {')],
  ['damaged inside', (file) => writeFileSync(file, readFileSync(file).fill(0xa5, 4_096))],
  ['another program’s database', anotherDatabase],
]

function anotherDatabase(file: string): void {
  rmSync(file)
  const database = new BetterSqlite(file)
  database.exec('CREATE TABLE settings (a, b, c)')
  database.close()
}

describe.each(DAMAGES)('a settings file that is %s', (_how, damage) => {
  it('is replaced by the last copy, kept aside, and the person is told', () => {
    const folder = usedFolder()
    const file = join(folder, 'breakwater.db')
    damage(file)
    const broken = readFileSync(file)
    const databases = open(folder)
    expect(storedDays(databases)).toBe(7)
    expect(mode(file)).toBe('600')
    const [aside, ...more] = asideOf(folder, 'breakwater.db')
    expect(more).toEqual([])
    expect(readFileSync(join(folder, String(aside))).equals(broken)).toBe(true)
    expect(databases.notices).toEqual([expect.stringContaining(String(aside))])
  })

  it('is refused without a copy, again and again, and not a byte of it is touched', () => {
    const folder = usedFolder({ withCopy: false })
    const file = join(folder, 'breakwater.db')
    damage(file)
    const broken = readFileSync(file)
    const listed = readdirSync(folder).toSorted()
    for (let start = 1; start <= 2; start++) {
      expect(refusalOf(folder)).toMatchObject({ file, message: expect.stringContaining('left as it is') })
      expect(readFileSync(file).equals(broken)).toBe(true)
      expect(readdirSync(folder).toSorted()).toEqual(listed)
    }
  })

  it('never becomes a copy, nor is a copy that is broken itself used', () => {
    const folder = usedFolder()
    const backups = join(folder, 'backups')
    const [name] = readdirSync(backups) as [string]
    const good = readFileSync(join(backups, name))
    const newer = join(backups, name.replace('2025', '2026'))
    writeFileSync(newer, good)
    damage(newer)
    damage(join(folder, 'breakwater.db'))
    expect(storedDays(open(folder))).toBe(7)
    expect(readFileSync(join(backups, name)).equals(good)).toBe(true)
  })
})

describe.each(['state.db', 'history.db'])('%s', (name) => {
  it.each(DAMAGES)('that is %s is begun anew and kept aside', (_how, damage) => {
    const folder = usedFolder()
    damage(join(folder, name))
    const databases = open(folder)
    expect(databases.notices).toEqual([expect.stringContaining('begun anew')])
    expect(asideOf(folder, name)).toHaveLength(1)
    expect(storedDays(databases)).toBe(7)
  })
})

describe('a newer version', () => {
  it.each(FILES)('of %s is refused, and nothing in the folder is written, not even what only its log holds', (name) => {
    const folder = usedFolder()
    const file = join(folder, name)
    const database = new BetterSqlite(file)
    const known = database.pragma('user_version', { simple: true }) as number
    database.pragma(`user_version = ${known + 2}`)
    // As after a crash: the log still holds what the file does not.
    const saved = ['', '-wal'].map((suffix) => readFileSync(file + suffix))
    database.close()
    for (const [i, suffix] of ['', '-wal'].entries()) writeFileSync(file + suffix, saved[i] as Buffer)
    const contents = () => FILES.flatMap((each) => ['', '-wal'].map((suffix) => digest(join(folder, each + suffix))))
    const before = contents()
    const { message, wayOut } = refusalOf(folder)
    expect(message).toContain(`(schema ${known + 2}; this version knows ${known})`)
    expect(wayOut).toContain('Update')
    expect(contents()).toEqual(before)
  })

  it('as the last copy is not taken: this one could not read it', () => {
    const folder = usedFolder()
    const backups = join(folder, 'backups')
    const [name] = readdirSync(backups) as [string]
    const newer = join(backups, name.replace('2025', '2026').replace(/-v\d+/, '-v9999'))
    cpSync(join(backups, name), newer)
    const database = new BetterSqlite(newer)
    database.pragma('user_version = 9999')
    database.close()
    writeFileSync(join(folder, 'breakwater.db'), '')
    expect(storedDays(open(folder))).toBe(7)
  })
})

const digest = (file: string): string | null => (existsSync(file) ? readFileSync(file).toString('base64') : null)

describe('an update', () => {
  it('keeps a copy of the version before, then goes on with all that was stored', () => {
    const folder = usedFolder({ withCopy: false })
    const databases = open(folder, { migrations: nextVersion('CREATE TABLE more (x) STRICT;'.replace('x', 'x TEXT')) })
    expect(storedDays(databases)).toBe(7)
    const copies = readdirSync(join(folder, 'backups'))
    const before = readdirSync(join(MIGRATIONS, 'config')).length
    expect(copies).toEqual([expect.stringContaining(`-v${before}.db`)])
    expect(mode(join(folder, 'backups', copies[0] as string))).toBe('600')
  })

  it('that fails leaves the settings as they were, says so, and the version before still runs', () => {
    const folder = usedFolder({ withCopy: false })
    const migrations = nextVersion('DELETE FROM settings; INSERT INTO nowhere VALUES (1);')
    expect(refusalOf(folder, migrations).message).toContain('as it was')
    expect(storedDays(open(folder))).toBe(7)
  })
})

describe('the daily copy', () => {
  it('is made once a day, and again when the clock has been wrong', () => {
    const folder = folderForTest()
    const databases = open(folder)
    const copies = (): number => readdirSync(join(folder, 'backups')).length
    databases.backUpDaily(NOW)
    databases.backUpDaily(NOW + DAY - 1)
    expect(copies()).toBe(1)
    databases.backUpDaily(NOW + DAY)
    expect(copies()).toBe(2)
    databases.backUpDaily(NOW - 5 * DAY)
    expect(copies()).toBe(3)
  })

  it('holds what only the log holds, and is not thrown off by one that was cut short', () => {
    const folder = folderForTest()
    const databases = open(folder)
    openSettingsTable(databases.config).set('historyDays', 9)
    mkdirSync(join(folder, 'backups'))
    writeFileSync(join(folder, 'backups', 'unfinished.db'), 'cut short')
    databases.backUpDaily(NOW)
    const [name, ...more] = readdirSync(join(folder, 'backups'))
    expect(more).toEqual([])
    const copy = new BetterSqlite(join(folder, 'backups', String(name)), { readonly: true })
    expect(openSettingsTable(copy).all().get('historyDays')).toBe(9)
    copy.close()
  })
})

it('a database that is a folder is refused in words, and stays', () => {
  const folder = usedFolder()
  const file = join(folder, 'breakwater.db')
  rmSync(file)
  mkdirSync(file)
  expect(refusalOf(folder)).toMatchObject({ file, wayOut: expect.stringContaining('right') })
  expect(statSync(file).isDirectory()).toBe(true)
})
