// Circuit breakers over a restart. Written in batches, never on the way of a request.
import type { Database } from 'better-sqlite3'
import { BREAKER_KINDS, BREAKER_STATES, type BreakerKind, type BreakerState } from '../contract/health-words'

export interface StoredBreaker {
  readonly name: string
  readonly state: BreakerState
  readonly failureCount: number
  readonly lastFailureTime: number | null
  readonly options: {
    readonly failureThreshold: number
    /** Milliseconds. */
    readonly resetTimeout: number
    readonly halfOpenRequests: number
    readonly lastFailureKind: BreakerKind | null
    readonly openCycleCount: number
    readonly kindFailureCounts: Readonly<Partial<Record<BreakerKind, number>>>
  }
}

export interface BreakersTable {
  /** Rows that make no sense are left out: a bad one must not keep the program from starting. */
  all(): StoredBreaker[]
  save(rows: readonly StoredBreaker[], removed: readonly string[]): void
}

interface Row {
  name: string
  state: string
  failure_count: number
  last_failure_time: number | null
  options: string
}

export function openBreakersTable(database: Database): BreakersTable {
  const all = database.prepare<[], Row>('SELECT * FROM domain_circuit_breakers ORDER BY name')
  const save = database.prepare(
    `INSERT INTO domain_circuit_breakers (name, state, failure_count, last_failure_time, options) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET state = excluded.state, failure_count = excluded.failure_count,
       last_failure_time = excluded.last_failure_time, options = excluded.options`,
  )
  const remove = database.prepare('DELETE FROM domain_circuit_breakers WHERE name = ?')
  return {
    all: () => all.all().flatMap(read),
    save: database.transaction((rows: readonly StoredBreaker[], removed: readonly string[]) => {
      for (const { name, state, failureCount, lastFailureTime, options } of rows)
        save.run(name, state, failureCount, lastFailureTime, JSON.stringify(options))
      for (const name of removed) remove.run(name)
    }),
  }
}

function read({ name, state, failure_count, last_failure_time, options }: Row): StoredBreaker[] {
  const known = BREAKER_STATES.find((each) => each === state)
  const parsed = parse(options)
  if (known === undefined || parsed === null) return []
  return [
    {
      name,
      state: known,
      failureCount: failure_count,
      lastFailureTime: last_failure_time,
      options: {
        failureThreshold: count(parsed.failureThreshold),
        resetTimeout: count(parsed.resetTimeout),
        halfOpenRequests: count(parsed.halfOpenRequests),
        lastFailureKind: BREAKER_KINDS.find((kind) => kind === parsed.lastFailureKind) ?? null,
        openCycleCount: count(parsed.openCycleCount),
        kindFailureCounts: kindCounts(parsed.kindFailureCounts),
      },
    },
  ]
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

const count = (value: unknown): number => (Number.isInteger(value) && (value as number) >= 0 ? (value as number) : 0)

function kindCounts(value: unknown): Partial<Record<BreakerKind, number>> {
  if (typeof value !== 'object' || value === null) return {}
  const given = value as Partial<Record<BreakerKind, unknown>>
  return Object.fromEntries(
    BREAKER_KINDS.filter((kind) => given[kind] !== undefined).map((kind) => [kind, count(given[kind])]),
  )
}
