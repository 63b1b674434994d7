import { describe, expect, it } from 'vitest'
import type { ConnectionSettings } from '../../../core/contract/connection-settings'
import { parseProxy } from '../../../core/pipeline/proxy-address'
import { proxyRules } from '../../../core/pipeline/proxy-choice'
import { egresses, egressIdentity, proxiesInUse } from '../../../core/providers/egress'
import { providerRow } from '../../../core/providers/provider-row'
import { buildConnection, type Connection, type Registry } from '../../../core/providers/registry'
import { egressSiblings } from '../../../core/resilience/egress-lock'
import { quietLogger } from '../management/open-config'

const NONE = proxyRules({}, {}, quietLogger())
const row = (id: string, base = 'https://api.example.com/v1') =>
  providerRow({ id, label: id, endpoints: { 'openai-chat': base } })

function connection(id: string, proxy: string | null, settings: ConnectionSettings = {}, base?: string): Connection {
  const place = { id, name: id, priority: 1, enabled: true, baseUrl: null, settings }
  const built = buildConnection(row('p', base), place, 'k', false, null)
  return { ...built, proxy: proxy === null ? null : parseProxy(proxy) }
}
const doorOf = (proxy: string | null, rules = NONE, settings: ConnectionSettings = {}, base?: string) =>
  egressIdentity(connection('c', proxy, settings, base), rules)

describe('the door of a connection', () => {
  it('is direct, or its proxy with scheme, host and port', () => {
    expect(doorOf(null)).toBe('direct')
    expect(doorOf('http://proxy.example:3128')).toBe('http://proxy.example:3128')
    expect(doorOf('socks5://proxy.example')).toBe('socks5://proxy.example:1080')
  })

  it('differs by the user’s name, which it does not tell, and not by the password', () => {
    const door = doorOf('http://customer-7-session-1:secret-1@proxy.example:3128')
    expect(door).toMatch(/^http:\/\/[0-9a-f]{12}@proxy\.example:3128$/)
    expect(doorOf('http://customer-7-session-1:secret-2@proxy.example:3128')).toBe(door)
    expect(doorOf('http://customer-7-session-2:secret-1@proxy.example:3128')).not.toBe(door)
    expect(door).not.toMatch(/customer|secret/)
  })

  it('is that of settings and environment where it has no proxy of its own', () => {
    const rules = proxyRules({}, { HTTPS_PROXY: 'http://corp.example:8080', NO_PROXY: 'near.example' }, quietLogger())
    expect(doorOf(null, rules)).toBe('http://corp.example:8080')
    expect(doorOf(null, rules, {}, 'https://api.near.example/v1')).toBe('direct')
    expect(doorOf('http://own.example:1', rules, {}, 'http://127.0.0.1:11434/v1')).toBe('direct')
  })

  it('is unknown where the proxy changes its address, or cannot be opened', () => {
    expect(doorOf('http://proxy.example:3128', NONE, { egressRotating: true })).toBeNull()
    expect(egressIdentity({ ...connection('c', null), proxyLocked: true }, NONE)).toBeNull()
  })
})

const registryOf = (...all: Connection[]): Registry => new Map([['p', { row: row('p'), connections: all }]])

it('connections behind one door rest together, those behind a changing one alone', () => {
  const PROXY = 'http://me:secret@proxy.example:3128'
  const registry = registryOf(
    connection('a', PROXY),
    connection('b', PROXY),
    connection('other', 'http://you:secret@proxy.example:3128'),
    connection('direct', null),
    connection('free', PROXY, { disableCooling: true }),
    connection('changing', PROXY, { egressRotating: true }),
  )
  const siblings = (id: string, seen: Record<string, string> = {}) =>
    egressSiblings(
      id,
      egresses(registry, NONE, ({ id: which }) => (seen[which] === undefined ? null : { ip: seen[which], at: 0 })),
      new Set(['p']),
      1_000,
    )
  expect(siblings('a')).toEqual(['b'])
  expect(siblings('changing')).toEqual([])
  expect(siblings('direct')).toEqual([])
  // An address that was seen says more than the proxy.
  expect(siblings('a', { a: '192.0.2.1', b: '192.0.2.2', other: '192.0.2.1' })).toEqual(['other'])
})

it('the proxies of connections that are switched on are in use', () => {
  const off = { ...connection('off', 'http://off.example:1'), enabled: false }
  const inUse = proxiesInUse(registryOf(connection('a', 'http://me:pw@on.example:1'), connection('b', null), off))
  expect([...inUse]).toEqual(['http://me:pw@on.example:1'])
})
