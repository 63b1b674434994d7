import { describe, expect, it } from 'vitest'
import { ClientKeyView } from '../../../core/contract/views'
import { findKey } from '../../../core/http/client-keys'
import { ClientKeys, clientKeyMask, newClientKey } from '../../../core/management/client-keys'
import { openClientKeysTable } from '../../../core/store/client-keys-table'
import { ManualClock } from '../../support/manual-clock'
import { openConfig, quietLogger } from './open-config'

function begin() {
  const database = openConfig()
  const table = openClientKeysTable(database)
  const clock = new ManualClock()
  const log = quietLogger()
  return { database, table, clock, log, keys: new ClientKeys(table, clock, log) }
}

describe('a new client key', () => {
  it('is long, never the same, and shown by its end only', () => {
    const some = Array.from({ length: 50 }, newClientKey)
    expect(new Set(some).size).toBe(50)
    for (const key of some) {
      expect(key).toMatch(/^bw-[0-9a-f]{32}$/)
      expect(clientKeyMask(key)).toBe(`bw-…${key.slice(-4)}`)
    }
    expect(clientKeyMask('other-1234')).toBe('…1234')
  })

  it('opens the gateway at once, and is told apart from every other', () => {
    const { keys } = begin()
    const a = keys.create('laptop', [])
    const b = keys.create('server', ['manage'])
    expect(findKey(a.key, keys.all())).toMatchObject({ id: a.view.id, name: 'laptop', scopes: [] })
    expect(findKey(b.key, keys.all())).toMatchObject({ id: b.view.id, scopes: ['manage'] })
  })

  it('is in the database as its hash only, and the log masks it', () => {
    const { keys, database, log } = begin()
    const { key, view } = keys.create('laptop', [])
    const rows = database.prepare('SELECT * FROM client_keys').all()
    const stored = database.serialize()
    expect(rows).toHaveLength(1)
    expect(stored.includes(key) || stored.includes(key.slice(3))).toBe(false)
    expect(JSON.stringify([view, keys.list()])).not.toContain(key.slice(3, -4))
    expect(log.secrets.has(key)).toBe(true)
  })

  it('can be copied as long as this run knows it', () => {
    const { keys, table, clock, log } = begin()
    const { key, view } = keys.create('laptop', [])
    expect(ClientKeyView.parse(view)).toMatchObject({ copyable: true, lastUsedAt: null, createdAt: clock.now() })
    expect(keys.plainOf(view.id)).toBe(key)
    const later = new ClientKeys(table, clock, log)
    expect(later.list()).toMatchObject([{ id: view.id, mask: view.mask, copyable: false }])
    expect(later.plainOf(view.id)).toBeNull()
    expect(findKey(key, later.all())?.id).toBe(view.id)
  })

  it('needs a name of its own', () => {
    const { keys } = begin()
    keys.create('laptop', [])
    expect(() => keys.create('laptop', [])).toThrow('There is already a key "laptop".')
    expect(keys.list()).toHaveLength(1)
  })
})

describe('a client key that is removed', () => {
  it('opens nothing any more, and its name is free', () => {
    const { keys } = begin()
    const { key, view } = keys.create('laptop', [])
    keys.remove({ id: view.id })
    expect(findKey(key, keys.all())).toBeNull()
    expect(keys.plainOf(view.id)).toBeNull()
    expect(keys.list()).toEqual([])
    expect(keys.create('laptop', []).view.id).not.toBe(view.id)
  })

  it('cannot be removed again', () => {
    const { keys } = begin()
    expect(() => keys.remove({ id: 'key_gone' })).toThrow('There is no key "key_gone".')
  })
})

describe('the last use of a client key', () => {
  it('is seen at once, and written down soon, once for many uses', () => {
    const { keys, table, clock } = begin()
    const { view } = keys.create('laptop', [])
    const stored = (): number | null | undefined => table.list()[0]?.lastUsedAt
    clock.advance(1_000)
    keys.used(view.id)
    expect(keys.list()[0]?.lastUsedAt).toBe(clock.now())
    expect(stored()).toBeNull()
    clock.advance(1_000)
    keys.used(view.id)
    const last = clock.now()
    clock.advance(5_000)
    expect(stored()).toBe(last)
    expect(keys.list()[0]?.lastUsedAt).toBe(last)
  })

  it('that cannot be written now is written later, and ends nothing', () => {
    const { keys, table, clock, database } = begin()
    const { view } = keys.create('laptop', [])
    keys.used(view.id)
    const used = clock.now()
    database.pragma('query_only = 1')
    clock.advance(5_000)
    database.pragma('query_only = 0')
    clock.advance(5_000)
    expect(table.list()[0]?.lastUsedAt).toBe(used)
  })

  it('is written down before the end, and nothing runs on', () => {
    const { keys, table, clock } = begin()
    const { view } = keys.create('laptop', [])
    keys.used(view.id)
    keys.close()
    expect(table.list()[0]?.lastUsedAt).toBe(clock.now())
    expect(clock.waiting).toBe(0)
  })
})

describe('the program’s own key', () => {
  it('opens the gateway and is nowhere to be seen', () => {
    const { keys, table, log } = begin()
    const own = keys.internalKey('try')
    expect(findKey(own, keys.all())).toMatchObject({ name: 'try', scopes: [] })
    expect(keys.list()).toEqual([])
    expect(table.list()).toEqual([])
    expect(log.secrets.has(own)).toBe(true)
  })

  it('goes on when other keys come and go', () => {
    const { keys } = begin()
    const own = keys.internalKey('try')
    const { key, view } = keys.create('laptop', [])
    expect(findKey(key, keys.all())?.id).toBe(view.id)
    keys.remove({ id: view.id })
    expect(findKey(own, keys.all())?.name).toBe('try')
  })
})
