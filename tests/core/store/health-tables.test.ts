// The rows of breakers, cooldowns and terminal states: what is saved is read, and a bad row stops nobody.
import type { Database } from 'better-sqlite3'
import { beforeEach, describe, expect, it } from 'vitest'
import { openBreakersTable, type StoredBreaker } from '../../../core/store/breakers-table'
import { openCooldownsTable, type StoredCooldown, type StoredRetry } from '../../../core/store/cooldowns-table'
import { openTerminalStatesTable, type StoredTerminal } from '../../../core/store/terminal-states-table'
import { memoryDatabase } from '../../support/memory-databases'

let state: Database
let config: Database
beforeEach(() => {
  state = memoryDatabase('state')
  config = memoryDatabase('config')
})

describe('breakers', () => {
  const breaker = (name: string, part: Partial<StoredBreaker> = {}): StoredBreaker => ({
    ...{ name, state: 'OPEN', failureCount: 3, lastFailureTime: 1_700_000_000_000 },
    options: {
      ...{ failureThreshold: 12, resetTimeout: 30_000, halfOpenRequests: 1, lastFailureKind: 'transient' },
      ...{ openCycleCount: 2, kindFailureCounts: { transient: 3, rate_limit: 1 } },
    },
    ...part,
  })

  it('are replaced and removed', () => {
    const table = openBreakersTable(state)
    table.save([breaker('a'), breaker('b')], [])
    table.save([breaker('a', { state: 'DEGRADED', lastFailureTime: null })], ['b', 'never there'])
    expect(table.all()).toEqual([breaker('a', { state: 'DEGRADED', lastFailureTime: null })])
  })

  it.each<[string, string, string]>([
    ['a state nobody knows', 'AJAR', '{}'],
    ['options that are no JSON', 'OPEN', '{'],
    ['options that are no object', 'OPEN', '7'],
  ])('with %s are left out', (_what, name, options) => {
    state.prepare('INSERT INTO domain_circuit_breakers VALUES (?, ?, 1, 1, ?)').run('a', name, options)
    expect(openBreakersTable(state).all()).toEqual([])
  })

  it('with numbers that make no sense begin with none', () => {
    const options = JSON.stringify({
      openCycleCount: -1,
      lastFailureKind: 'odd',
      kindFailureCounts: { transient: 'x' },
    })
    state.prepare('INSERT INTO domain_circuit_breakers VALUES (?, ?, 1, 1, ?)').run('a', 'OPEN', options)
    expect(openBreakersTable(state).all()[0]?.options).toMatchObject({
      ...{ openCycleCount: 0, lastFailureKind: null, kindFailureCounts: { transient: 0 } },
    })
  })
})

describe('cooldowns', () => {
  const full: StoredCooldown = {
    ...{ connectionId: 'a', backoffLevel: 2 },
    rest: { since: 1, until: 9, reason: 'rate_limit_exceeded', message: 'slow down' },
    lastError: { message: 'slow down', reason: 'rate_limit_exceeded', at: 1, status: 429 },
  }
  const bare: StoredCooldown = { connectionId: 'b', backoffLevel: 0, rest: null, lastError: null }
  const retry: StoredRetry = {
    ...{ connectionId: 'b', firstAt: 1, retries: 1, since: 5, retryAt: 8, why: 'no', status: 401 },
  }

  it('are saved with the pending retries, and replaced together', () => {
    const table = openCooldownsTable(state)
    table.save(['a', 'b'], [full, bare], [retry])
    expect([table.cooldowns(), table.retries()]).toEqual([[full, bare], [retry]])
    table.save(['a', 'b', 'c'], [bare], [])
    expect([table.cooldowns(), table.retries()]).toEqual([[bare], []])
  })

  it('with a reason nobody knows are read as a fault of the server', () => {
    state
      .prepare('INSERT INTO cooldowns (connection_id, backoff_level, since, until, reason) VALUES (?, 1, 1, 2, ?)')
      .run('a', 'phase of the moon')
    expect(openCooldownsTable(state).cooldowns()[0]?.rest).toMatchObject({ reason: 'server_error', message: '' })
  })
})

describe('terminal states', () => {
  const terminal = (connectionId: string): StoredTerminal => ({
    ...{ connectionId, state: 'credits_exhausted', since: 5, why: 'pay', status: 402 },
  })
  const connect = (id: string, removedAt: number | null): void =>
    void config
      .prepare(
        'INSERT INTO connections (id, provider, name, priority, enabled, created_at, removed_at) VALUES (?, ?, ?, 1, 1, 0, ?)',
      )
      .run(id, 'openai', id, removedAt)

  it('are kept of connections that exist', () => {
    for (const id of ['a', 'b']) connect(id, null)
    connect('removed', 9)
    const table = openTerminalStatesTable(config)
    table.save(['a', 'b', 'removed', 'gone'], ['a', 'b', 'removed', 'gone'].map(terminal))
    expect(table.all()).toEqual([terminal('a'), terminal('b')])
    table.save(['a'], [])
    expect(table.all()).toEqual([terminal('b')])
    table.purge()
    expect(config.prepare('SELECT connection_id FROM terminal_states ORDER BY 1').pluck().all()).toEqual([
      'b',
      'removed',
    ])
  })

  it('that nobody knows are left out', () => {
    connect('a', null)
    config.prepare("INSERT INTO terminal_states VALUES ('a', 'bored', 1, '', NULL)").run()
    expect(openTerminalStatesTable(config).all()).toEqual([])
  })
})
