// The tables of the settings and of what may be rebuilt: what goes in comes out, and nothing else.
import type { Database } from 'better-sqlite3'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Scope } from '../../../core/contract/kinds'
import { openClientKeysTable } from '../../../core/store/client-keys-table'
import { type NewConnection, openConnectionsTable } from '../../../core/store/connections-table'
import { openLastUseTable } from '../../../core/store/last-use-table'
import { openProvidersTable } from '../../../core/store/providers-table'
import { openSettingsTable } from '../../../core/store/settings-table'
import { memoryDatabase } from '../../support/memory-databases'

let database: Database
beforeEach(() => {
  database = memoryDatabase('config')
})

describe('settings', () => {
  it('keep any value that JSON knows', () => {
    const table = openSettingsTable(database)
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (key, value) => {
        table.set(key, value)
        expect(JSON.stringify(table.all().get(key))).toBe(JSON.stringify(value))
        table.remove(key)
        expect(table.all().has(key)).toBe(false)
      }),
    )
  })

  it('that are no JSON are there without a value, and the others can be read', () => {
    const table = openSettingsTable(database)
    table.set('good', 1)
    database.exec(`INSERT INTO settings VALUES ('bad', '{"half')`)
    expect([...table.all()]).toEqual([
      ['bad', undefined],
      ['good', 1],
    ])
  })
})

describe('user-defined providers', () => {
  const provider = {
    id: 'fake',
    label: 'Fake',
    class: 'apikey',
    dialect: 'openai-chat',
    baseUrl: 'http://127.0.0.1:1/v1',
    perModelQuota: true,
  } as const

  it('are added once, replaced by an upsert, and removed', () => {
    const table = openProvidersTable(database)
    table.insert(provider)
    expect(() => table.insert(provider)).toThrow()
    expect(table.list()).toEqual([provider])
    const other = { ...provider, label: 'Other', class: 'local', dialect: 'anthropic', perModelQuota: false } as const
    table.upsert(other)
    expect(table.list()).toEqual([other])
    table.remove('fake')
    expect(table.list()).toEqual([])
  })
})

const connection = (changed: Partial<NewConnection> = {}): NewConnection => ({
  provider: 'openai',
  name: 'work',
  baseUrl: null,
  options: { resource: 'my-models' },
  secret: { vault: 'file:abc', data: Buffer.from([0, 1, 2, 255]) },
  keyTail: '4f2a',
  priority: 1,
  enabled: true,
  createdAt: 1_000,
  ...changed,
})

describe('connections', () => {
  it('come out as they went in, the oldest first, with an id of their own', () => {
    const table = openConnectionsTable(database)
    const second = table.insert(
      connection({ name: 'b', createdAt: 2_000, secret: null, keyTail: null, enabled: false }),
    )
    const first = table.insert(connection())
    expect(first.id).toMatch(/^con_[0-9a-f]{16}$/)
    expect(table.list()).toEqual([first, second])
    expect(openConnectionsTable(database).list()).toEqual([first, second])
  })

  it('keep a proxy sealed, and settings; without them they have none', () => {
    const table = openConnectionsTable(database)
    expect(table.insert(connection())).toMatchObject({ proxy: null, settings: {} })
    const proxy = { secret: { vault: 'file:abc', data: Buffer.from([9, 8]) }, label: 'socks5://127.0.0.1:1080' }
    const settings = { maxConcurrent: 2, rateLimitOverrides: { rpm: 60, modelConcurrency: { 'glm-5': 1 } } }
    const { id } = table.insert(connection({ name: 'b', proxy, settings }))
    const stored = () =>
      openConnectionsTable(database)
        .list()
        .find((known) => known.id === id)
    expect(stored()).toMatchObject({ proxy, settings })
    table.update(id, { proxy: null, settings: {} })
    expect(stored()).toMatchObject({ proxy: null, settings: {} })
    database.exec(`UPDATE connections SET settings = '{"maxConcurrent":-1,"disableCooling":true' WHERE name = 'b'`)
    expect(stored()?.settings).toEqual({})
  })

  it('change only in what a patch names', () => {
    const table = openConnectionsTable(database)
    const { id } = table.insert(connection())
    fc.assert(
      fc.property(
        fc.record(
          {
            name: fc.string({ minLength: 1 }),
            baseUrl: fc.constantFrom(null, 'http://127.0.0.1:1/v1'),
            priority: fc.nat(1000),
            enabled: fc.boolean(),
          },
          { requiredKeys: [] },
        ),
        (patch) => {
          const [before] = table.list()
          table.update(id, patch)
          expect(openConnectionsTable(database).list()).toEqual([{ ...before, ...patch }])
        },
      ),
    )
  })

  it('have a name of their own within their provider', () => {
    const table = openConnectionsTable(database)
    table.insert(connection())
    expect(() => table.insert(connection())).toThrow()
    table.insert(connection({ provider: 'anthropic' }))
    expect(table.list()).toHaveLength(2)
  })

  it('that are removed come back with their secret, as long as nobody took their name', () => {
    const table = openConnectionsTable(database)
    const { id } = table.insert(connection())
    table.softRemove(id, 5_000)
    expect(table.list()).toEqual([])
    expect(table.restore(id)).toBe(true)
    expect(table.list()[0]).toMatchObject({ id, secret: { vault: 'file:abc' } })
    table.softRemove(id, 5_000)
    table.insert(connection())
    expect(table.restore(id)).toBe(false)
    expect(table.list()).toHaveLength(1)
  })

  it('that are removed are gone with their secret after the next start', () => {
    const table = openConnectionsTable(database)
    const { id } = table.insert(connection())
    table.softRemove(id, 5_000)
    table.purgeRemoved()
    expect(table.restore(id)).toBe(false)
    expect(database.prepare('SELECT count(*) FROM connections').pluck().get()).toBe(0)
  })

  it('of a transaction that was rolled back are not remembered', () => {
    const table = openConnectionsTable(database)
    const kept = table.insert(connection())
    const half = database.transaction(() => {
      table.insert(connection({ name: 'never' }))
      expect(table.list()).toHaveLength(2)
      throw new Error('in the middle')
    })
    expect(half).toThrow('in the middle')
    expect(table.list()).toEqual([kept])
  })
})

describe('client keys', () => {
  const key = (name: string, byte: number, scopes: readonly Scope[] = []) => ({
    name,
    hash: Buffer.alloc(32, byte),
    mask: 'bw-…0001',
    scopes,
    createdAt: 1_000,
  })

  it('are kept as their hash, with their scopes', () => {
    const table = openClientKeysTable(database)
    const stored = table.insert(key('main', 1, ['manage']))
    expect(table.list()).toEqual([{ ...key('main', 1, ['manage']), id: stored.id, lastUsedAt: null }])
    table.remove(stored.id)
    expect(table.list()).toEqual([])
  })

  it('of the same name are replaced by an upsert; the same key under two names is refused', () => {
    const table = openClientKeysTable(database)
    const { id } = table.insert(key('main', 1, ['manage']))
    table.upsert(key('main', 2))
    expect(table.list()).toMatchObject([{ id, hash: Buffer.alloc(32, 2), scopes: [] }])
    expect(() => table.upsert(key('other', 2))).toThrow()
  })

  it('note their last use many at a time', () => {
    const table = openClientKeysTable(database)
    const ids = [1, 2, 3].map((byte) => table.insert(key(`k${byte}`, byte)).id)
    table.touch([
      { id: ids[0] as string, at: 7 },
      { id: ids[2] as string, at: 9 },
      { id: 'gone meanwhile', at: 9 },
    ])
    const used = new Map(table.list().map(({ id, lastUsedAt }) => [id, lastUsedAt]))
    expect(ids.map((id) => used.get(id))).toEqual([7, null, 9])
  })
})

it('the last use of connections is replaced, many at a time', () => {
  const table = openLastUseTable(memoryDatabase('state'))
  table.save(
    new Map([
      ['a', 1],
      ['b', 2],
    ]),
  )
  table.save(new Map([['a', 3]]))
  expect([...table.all()].toSorted()).toEqual([
    ['a', 3],
    ['b', 2],
  ])
})
