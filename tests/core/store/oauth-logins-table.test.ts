import { describe, expect, it } from 'vitest'
import { openConnectionsTable } from '../../../core/store/connections-table'
import { type NewLogin, openOAuthLoginsTable } from '../../../core/store/oauth-logins-table'
import { memoryDatabase } from '../../support/memory-databases'

const LOGIN: NewLogin = {
  secret: { vault: 'file:1', data: Buffer.from('sealed') },
  authorizeUrl: 'https://id.example/authorize',
  deviceUrl: null,
  tokenUrl: 'https://id.example/token',
  clientId: 'app',
  clientAuth: 'body',
  tokenType: 'Bearer',
  scopes: ['a', 'b'],
  issuedAt: 1_000,
  expiresAt: 5_000,
  refreshedAt: null,
}

function begin() {
  const database = memoryDatabase('config')
  const connections = openConnectionsTable(database)
  const table = openOAuthLoginsTable(database)
  const connect = (): string =>
    connections.insert({
      ...{ provider: 'acme', name: `n${connections.list().length}`, baseUrl: null, options: {}, secret: null },
      ...{ keyTail: null, priority: 1, enabled: true, createdAt: 0 },
    }).id
  return { database, connections, table, connect }
}

describe('a stored login', () => {
  it('comes back as it was, with a version of its own', () => {
    const { table, connect } = begin()
    const one = table.put(connect, LOGIN)
    const two = table.put(connect, { ...LOGIN, scopes: [], expiresAt: null })
    expect(table.find(one.connectionId)).toEqual({
      ...LOGIN,
      connectionId: one.connectionId,
      version: one.version,
      signInAgain: null,
    })
    expect(table.find(two.connectionId)).toMatchObject({ scopes: [], expiresAt: null })
    expect(one.version).not.toBe(two.version)
    expect(table.list()).toHaveLength(2)
    expect(table.find('con_other')).toBeNull()
  })

  it('is stored together with its connection or not at all', () => {
    const { table, connect, connections } = begin()
    const broken = { ...LOGIN, clientId: null as unknown as string }
    expect(() => table.put(connect, broken)).toThrow()
    connections.refresh()
    expect(connections.list()).toEqual([])
    expect(() => table.put(() => 'con_other', LOGIN)).toThrow(/FOREIGN KEY/)
  })

  it('is changed only by who knows its last version', () => {
    const { table, connect } = begin()
    const first = table.put(connect, LOGIN)
    const second = table.renew(first.connectionId, first.version, { ...LOGIN, refreshedAt: 9 })
    expect(second).toMatchObject({ refreshedAt: 9, signInAgain: null })
    expect(second?.version).not.toBe(first.version)
    expect(table.renew(first.connectionId, first.version, LOGIN)).toBeNull()
    expect(table.markSignInAgain(first.connectionId, first.version, 'old news')).toBeNull()
    expect(table.find(first.connectionId)).toEqual(second)
  })

  it('that needs a person is healed by a new one', () => {
    const { table, connect } = begin()
    const { connectionId, version } = table.put(connect, LOGIN)
    expect(table.markSignInAgain(connectionId, version, 'revoked')?.signInAgain).toBe('revoked')
    expect(table.put(() => connectionId, LOGIN).signInAgain).toBeNull()
  })

  it('of a removed connection is not listed, and goes with it', () => {
    const { table, connect, connections } = begin()
    const { connectionId } = table.put(connect, LOGIN)
    connections.softRemove(connectionId, 1)
    expect(table.list()).toEqual([])
    connections.restore(connectionId)
    expect(table.list()).toHaveLength(1)
    connections.softRemove(connectionId, 1)
    connections.purgeRemoved()
    expect(table.find(connectionId)).toBeNull()
  })
})

describe('a claim', () => {
  it('is one process’s, until it lets go or the time is over', () => {
    const { table, connect } = begin()
    const { connectionId } = table.put(connect, LOGIN)
    const claim = (by: string, now: number) => table.claim(connectionId, by, now, now + 75)?.mine
    expect(claim('a', 0)).toBe(true)
    expect(claim('b', 10)).toBe(false)
    expect(claim('a', 20)).toBe(true)
    expect(claim('b', 94)).toBe(false)
    expect(claim('b', 95)).toBe(true)
    table.release(connectionId, 'a')
    expect(claim('a', 96)).toBe(false)
    table.release(connectionId, 'b')
    expect(claim('a', 97)).toBe(true)
  })

  it('made under a clock that was ahead holds nobody up', () => {
    const { table, connect } = begin()
    const { connectionId } = table.put(connect, LOGIN)
    table.claim(connectionId, 'a', 1_000_000, 1_000_075)
    expect(table.claim(connectionId, 'b', 0, 75)?.mine).toBe(true)
  })

  it('ends with every change, and says what is stored now', () => {
    const { table, connect } = begin()
    const { connectionId, version } = table.put(connect, LOGIN)
    table.claim(connectionId, 'a', 0, 75)
    const renewed = table.renew(connectionId, version, LOGIN)
    expect(table.claim(connectionId, 'b', 1, 76)).toEqual({ login: renewed, mine: true })
    expect(table.claim('con_other', 'b', 1, 76)).toBeNull()
  })
})
