// What is written down survives the end of the process, on real files; the rest begins anew.
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabases } from '../../../core/store/open-databases'
import { ManualClock } from '../../support/manual-clock'
import { folderForTest, MIGRATIONS } from '../../support/memory-databases'
import { BANNED, DOWN, failure, LIMITED, limitedFor, lockedBy, openHealth, REFUSED, REJECTED } from './health-world'

const MINUTE = 60_000

/** A data folder that can be closed and opened again; `later` passes in between. */
function folder() {
  const dataDir = folderForTest()
  const clock = new ManualClock()
  let close = (): void => {}
  onTestFinished(() => close())
  const open = () => {
    const databases = openDatabases(dataDir, MIGRATIONS, clock.now())
    // Terminal states are kept of connections that exist.
    const connect = databases.config.prepare(
      `INSERT OR IGNORE INTO connections (id, provider, name, priority, enabled, created_at) VALUES (?, 'openai', ?, 1, 1, 0)`,
    )
    for (const id of ['a', 'b']) connect.run(id, id)
    const world = openHealth({ clock, config: databases.config, state: databases.state })
    close = () => {
      world.health.close()
      databases.close()
    }
    return { ...world, databases }
  }
  const restart = (later = 0) => {
    close()
    clock.advance(later)
    return open()
  }
  return { open, restart, clock }
}

describe('after a restart', () => {
  it('an open breaker is still open, for as long as it would have been', () => {
    const { open, restart, clock } = folder()
    const before = open()
    before.openBreaker()
    const until = before.ask.provider()?.until
    const { ask } = restart(10_000)
    expect(ask.provider()?.until).toBe(until)
    expect(ask.breaker()).toMatchObject({ failureCount: 12, lastFailureKind: 'transient' })
    clock.advance(20_000)
    expect(ask.provider()).toBeNull()
  })

  it('failed probes are remembered', () => {
    const { open, restart, clock } = folder()
    const before = open()
    before.openBreaker()
    for (let i = 0; i < 4; i++) {
      clock.advance((before.ask.provider()?.until ?? 0) - clock.now())
      before.health.failed(before.admit({ connectionId: `p${i}` }), DOWN)
    }
    expect(restart().ask.breaker()).toMatchObject({ openCycleCount: 4, effectiveResetTimeout: 60_000 })
  })

  it('a half-open breaker without its probe is tried again at once', () => {
    const { open, restart, clock } = folder()
    const before = open()
    before.openBreaker()
    clock.advance(30_000)
    before.admit()
    expect(before.ask.breaker()?.state).toBe('HALF_OPEN')
    const after = restart()
    expect(after.ask.provider()).toBeNull()
    expect(after.admit().ticket.probe).toBeGreaterThan(0)
  })

  it('a strained breaker is strained, until its quiet window is over', () => {
    const { open, restart } = folder()
    open().openBreaker('openai', 8)
    expect(restart(MINUTE).ask.breaker()?.state).toBe('DEGRADED')
    expect(restart(MINUTE).ask.breaker()?.state).toBe('CLOSED')
  })

  it('rests, levels and last errors are as they were', () => {
    const { open, restart, clock } = folder()
    const before = open()
    before.health.failed(before.admit(), LIMITED)
    clock.advance(3_000)
    before.health.failed(before.admit(), LIMITED)
    const entry = before.ask.entry()
    expect(entry?.cooldown.backoffLevel).toBe(2)
    const after = restart(1_000)
    expect(after.ask.entry()).toMatchObject({ cooldown: entry?.cooldown, lastError: entry?.lastError })
    expect(after.ask.connection()?.until).toBe(clock.now() + 5_000)
  })

  it('a terminal state is still there, and ends only by a person', () => {
    const { open, restart } = folder()
    const before = open()
    before.health.failed(before.admit(), BANNED)
    const after = restart(400 * 24 * 60 * MINUTE)
    expect(after.ask.connection()).toMatchObject({ gate: 'terminal', reason: 'banned', why: 'the words' })
    after.health.clearConnection('a')
    expect(restart().ask.connection()).toBeNull()
  })

  it('a refused sign-in goes on with its retries', () => {
    const { open, restart, clock } = folder()
    const before = open()
    before.health.failed(before.admit(), REFUSED)
    clock.advance(5 * MINUTE)
    before.health.retried('a', 'refused')
    const after = restart(10 * MINUTE)
    expect(after.health.dueRetries()).toEqual(['a'])
    after.health.retried('a', 'refused')
    expect(after.ask.entry()).toMatchObject({ account: { kind: 'retrying', retries: 2 } })
  })

  it('a refusal that was the last error begins the streak', () => {
    const { open, restart, clock } = folder()
    const before = open()
    before.health.failed(before.admit(), REJECTED)
    const after = restart(6 * MINUTE)
    after.health.failed(after.admit(), REJECTED)
    expect(after.ask.connection()?.until).toBe(clock.now() + 15 * MINUTE)
  })

  it('locks, and what was counted of one fault, are gone', () => {
    const { open, restart } = folder()
    const before = open()
    before.health.failed(before.admit(), lockedBy(429, 'quota'))
    before.health.failed(before.admit({ connectionId: 'b' }), { ...DOWN, rest: null })
    const after = restart()
    expect(after.ask.model()).toBeNull()
    after.health.failed(after.admit({ connectionId: 'b' }), { ...DOWN, rest: null })
    expect(after.ask.breaker()?.failureCount).toBe(2)
  })

  it('what has become well again is not remembered', () => {
    const { open, restart, clock } = folder()
    const before = open()
    before.health.failed(before.admit(), { ...LIMITED, evidence: { kind: 'against', network: false } })
    clock.advance(3_000)
    before.health.succeeded(before.admit())
    const { databases } = restart()
    for (const table of ['domain_circuit_breakers', 'cooldowns', 'expired_retries'])
      expect(databases.state.prepare(`SELECT count(*) FROM ${table}`).pluck().get()).toBe(0)
  })

  it('what was held against connections that are gone is forgotten', () => {
    const { open, restart } = folder()
    const before = open()
    before.health.failed(before.admit(), REFUSED)
    before.health.failed(before.admit({ connectionId: 'b' }), LIMITED)
    before.health.failed(before.admit({ connectionId: 'gone' }), BANNED)
    restart(5 * MINUTE).health.keepOnly(new Set(['b']))
    const after = restart()
    expect(after.health.dueRetries()).toEqual([])
    expect(['a', 'b', 'gone'].map((id) => after.ask.entry(id) === undefined)).toEqual([true, false, true])
    for (const [database, table] of [
      [after.databases.state, 'expired_retries'],
      [after.databases.config, 'terminal_states'],
    ] as const)
      expect(database.prepare(`SELECT count(*) FROM ${table}`).pluck().get()).toBe(0)
  })

  it('nothing rests longer than it was meant to, though the clock was wrong before', () => {
    const { open } = folder()
    const future = open()
    future.health.failed(future.admit(), limitedFor(20 * MINUTE))
    future.openBreaker('claude', 8)
    future.health.close()
    const clock = new ManualClock(future.clock.now() - 1e10)
    const { ask } = openHealth({ clock, config: future.config, state: future.state })
    expect([ask.connection()?.until, ask.provider('claude')?.until].map((at) => (at ?? 0) - clock.now())).toEqual([
      ...[20 * MINUTE, MINUTE],
    ])
  })
})

describe('writing down', () => {
  it('waits a moment and does many at once; a person’s word is written at once', () => {
    const { open, clock } = folder()
    const { health, admit, databases } = open()
    const rows = (): unknown => databases.state.prepare('SELECT count(*) FROM cooldowns').pluck().get()
    for (let i = 0; i < 10; i++) health.failed(admit({ connectionId: `c${i}` }), LIMITED)
    expect(rows()).toBe(0)
    clock.advance(500)
    expect(rows()).toBe(10)
    health.clearCooldowns(['c0'])
    const left = databases.state.prepare("SELECT backoff_level FROM cooldowns WHERE connection_id = 'c0'").pluck()
    expect(left.get()).toBe(0)
  })

  it('is tried again when it fails, and nothing is lost', () => {
    const { health, clock, state, admit } = openHealth()
    const rows = (): unknown => state.prepare('SELECT count(*) FROM cooldowns').pluck().get()
    state.pragma('query_only = ON')
    health.failed(admit(), LIMITED)
    clock.advance(1_000)
    expect(rows()).toBe(0)
    state.pragma('query_only = OFF')
    clock.advance(5_000)
    expect(rows()).toBe(1)
  })

  it('shortens the words of an error', () => {
    const { health, state, admit } = openHealth()
    health.failed(admit(), failure({ message: 'x'.repeat(5_000), rest: { kind: 'flat', ms: 1_000 } }))
    health.close()
    const length = state.prepare('SELECT length(last_error) FROM cooldowns').pluck()
    expect(length.get()).toBe(100)
  })

  it('keeps the row of a breaker in the form that other programs know', () => {
    const { health, clock, state, openBreaker } = openHealth()
    openBreaker()
    health.close()
    const row = state.prepare('SELECT * FROM domain_circuit_breakers').get() as Record<string, string>
    expect({ ...row, options: JSON.parse(row.options as string) }).toEqual({
      ...{ name: 'openai', state: 'OPEN', failure_count: 12, last_failure_time: clock.now() },
      options: {
        ...{ failureThreshold: 12, resetTimeout: 30_000, halfOpenRequests: 1, lastFailureKind: 'transient' },
        ...{ openCycleCount: 0, kindFailureCounts: { transient: 12 } },
      },
    })
  })
})

it('stops its timers when it is closed', () => {
  const clock = new ManualClock()
  const { health } = openHealth({ clock })
  expect(clock.waiting).toBeGreaterThan(0)
  health.close()
  expect(clock.waiting).toBe(0)
})

it('forgets breakers that have nothing to remember and are not used', () => {
  const { health, clock, admit, ask, openBreaker } = openHealth()
  health.succeeded(admit())
  openBreaker('claude', 1)
  expect(health.breakerStatuses(clock.now())).toHaveLength(2)
  clock.advance(40 * MINUTE)
  // Strained ones become whole; a count that is left is kept.
  expect(ask.breaker()).toBeNull()
  expect(ask.breaker('claude')?.failureCount).toBe(1)
})
