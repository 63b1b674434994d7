// Cooldowns and pending retries of connections over a restart. Written in batches, never on the way of a request.
import type { Database } from 'better-sqlite3'
import { REASONS, type Reason } from '../contract/kinds'

export interface StoredCooldown {
  readonly connectionId: string
  readonly backoffLevel: number
  /** null: it does not rest. */
  readonly rest: {
    readonly since: number
    readonly until: number
    readonly reason: Reason
    readonly message: string
  } | null
  readonly lastError: {
    readonly message: string
    readonly reason: Reason
    readonly at: number
    /** HTTP status. */
    readonly status: number | null
  } | null
}

/** Refused with 401, and to be tried again at `retryAt`. */
export interface StoredRetry {
  readonly connectionId: string
  readonly firstAt: number
  readonly retries: number
  readonly since: number
  readonly retryAt: number
  readonly why: string
  readonly status: number | null
}

export interface CooldownsTable {
  cooldowns(): StoredCooldown[]
  retries(): StoredRetry[]
  /** Replaces what is known of these connections; one without a row has nothing to remember. */
  save(connectionIds: readonly string[], cooldowns: readonly StoredCooldown[], retries: readonly StoredRetry[]): void
}

interface Row {
  connection_id: string
  backoff_level: number
  since: number | null
  until: number | null
  reason: string | null
  message: string | null
  last_error: string | null
  last_error_type: string | null
  last_error_at: number | null
  error_code: number | null
}
interface RetryRow {
  connection_id: string
  first_at: number
  retries: number
  since: number
  retry_at: number
  why: string
  status: number | null
}

export function openCooldownsTable(database: Database): CooldownsTable {
  const cooldowns = database.prepare<[], Row>('SELECT * FROM cooldowns ORDER BY connection_id')
  const retries = database.prepare<[], RetryRow>('SELECT * FROM expired_retries ORDER BY connection_id')
  const removes = ['cooldowns', 'expired_retries'].map((table) =>
    database.prepare(`DELETE FROM ${table} WHERE connection_id = ?`),
  )
  const addCooldown = database.prepare(
    `INSERT INTO cooldowns (connection_id, backoff_level, since, until, reason, message, last_error, last_error_type,
       last_error_at, error_code) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const addRetry = database.prepare(
    `INSERT INTO expired_retries (connection_id, first_at, retries, since, retry_at, why, status)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  return {
    cooldowns: () => cooldowns.all().map(toCooldown),
    retries: () =>
      retries.all().map(({ connection_id, first_at, retry_at, ...row }) => ({
        connectionId: connection_id,
        firstAt: first_at,
        retryAt: retry_at,
        ...row,
      })),
    save: database.transaction(
      (ids: readonly string[], cooling: readonly StoredCooldown[], retrying: readonly StoredRetry[]) => {
        for (const id of ids) for (const remove of removes) remove.run(id)
        for (const { connectionId, backoffLevel, rest, lastError } of cooling) {
          addCooldown.run(
            ...[connectionId, backoffLevel],
            ...(rest === null ? [null, null, null, null] : [rest.since, rest.until, rest.reason, rest.message]),
            ...(lastError === null
              ? [null, null, null, null]
              : [lastError.message, lastError.reason, lastError.at, lastError.status]),
          )
        }
        for (const { connectionId, firstAt, retries, since, retryAt, why, status } of retrying)
          addRetry.run(connectionId, firstAt, retries, since, retryAt, why, status)
      },
    ),
  }
}

function toCooldown(row: Row): StoredCooldown {
  const { since, until, last_error, last_error_at } = row
  return {
    connectionId: row.connection_id,
    backoffLevel: Math.max(row.backoff_level, 0),
    rest:
      since === null || until === null
        ? null
        : { since, until, reason: reasonOf(row.reason), message: row.message ?? '' },
    lastError:
      last_error === null || last_error_at === null
        ? null
        : { message: last_error, reason: reasonOf(row.last_error_type), at: last_error_at, status: row.error_code },
  }
}

/** A word that this version does not know is a fault of the server. */
const reasonOf = (text: string | null): Reason => REASONS.find((reason) => reason === text) ?? 'server_error'
