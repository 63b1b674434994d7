import type { Database } from 'better-sqlite3'
import type { Dialect, Reason } from '../contract/kinds'
import type { AttemptView, RequestView } from '../contract/views'

export interface LogQuery {
  readonly limit: number
  /** The last row already shown. */
  readonly before?: { readonly at: number; readonly id: string } | undefined
  readonly search?: string | undefined
  readonly outcome?: RequestView['outcome'] | undefined
}

export interface RequestsTable {
  /** One transaction, with the roll-up of the minutes. */
  insertBatch(records: readonly RequestView[]): void
  /** Newest first. A search looks at the newest 5,000 requests only, so that it never holds up the gateway. */
  list(query: LogQuery): RequestView[]
  count(): number
  totalsSince(at: number): { requests: number; failed: number; failedOver: number }
  /** Removes at most `slice` requests that are older than `before` or beyond `maxRows`; returns how many. */
  trim(before: number, maxRows: number, slice: number): number
}

const SEARCH_WINDOW = 5_000
/** Lower case is ASCII's only: other letters are found as they are written. */
const SEARCHED = `(id || ' ' || model || ' ' || coalesce(target, '') || ' ' || client_key || ' ' || tool || ' ' ||
  coalesce(code, '') || ' ' || message || ' ' || status)`
const MINUTE_MS = 60_000
/** Ends of pages that are remembered, so that the next page is found without reading all above it. */
const REMEMBERED_PAGES = 200
/** Free pages that new rows will take; what is beyond is given back to the disk, a little with each slice. */
const SPARE_PAGES = 1_000
const RETURNED_PAGES = 256

interface RequestRow {
  seq: number
  id: string
  at: number
  client_key: string
  tool: string
  endpoint: string
  dialect: string
  model: string
  target: string | null
  stream: number
  outcome: string
  status: number
  code: string | null
  message: string
  first_byte_ms: number | null
  total_ms: number
  input_tokens: number | null
  output_tokens: number | null
  attempts: string
}

/** As they stand in the column `attempts`; an attempt's place in the list is its index. */
type StoredAttempt = [
  provider: string,
  model: string,
  connectionId: string,
  connectionName: string,
  outcome: AttemptView['outcome'],
  status: number | null,
  reason: Reason | null,
  message: string,
  next: string,
  startedAt: number,
  firstByteMs: number | null,
  totalMs: number,
]

export function openRequestsTable(database: Database): RequestsTable {
  const insertRequest = database.prepare(
    `INSERT INTO requests (id, at, client_key, tool, endpoint, dialect, model, target, stream, outcome, status, code,
     message, first_byte_ms, total_ms, input_tokens, output_tokens, attempts)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const addMinute = database.prepare(
    `INSERT INTO minutes VALUES (?, ?, ?, ?) ON CONFLICT (minute) DO UPDATE SET requests = requests + excluded.requests,
     failed = failed + excluded.failed, failed_over = failed_over + excluded.failed_over`,
  )
  const newest = database.prepare<[], { seq: number | null }>('SELECT max(seq) AS seq FROM requests')
  const oldest = database.prepare<[], { seq: number | null }>('SELECT min(seq) AS seq FROM requests')
  const seqOf = database.prepare<[string, number], { seq: number }>(
    'SELECT seq FROM requests WHERE id = ? AND at = ? ORDER BY seq DESC LIMIT 1',
  )
  const list = database.prepare<[number, number], RequestRow>(
    'SELECT * FROM requests WHERE seq < ? ORDER BY seq DESC LIMIT ?',
  )
  const filtered = database.prepare<Record<string, unknown>, RequestRow>(
    `SELECT * FROM (SELECT * FROM requests WHERE seq < @before ORDER BY seq DESC LIMIT ${SEARCH_WINDOW})
     WHERE (@outcome IS NULL OR outcome = @outcome)
       AND (@lower IS NULL OR instr(lower(${SEARCHED}), @lower) > 0 OR instr(${SEARCHED}, @search) > 0)
     ORDER BY seq DESC LIMIT @limit`,
  )
  const totals = database.prepare<
    [number],
    { requests: number | null; failed: number | null; failedOver: number | null }
  >(
    'SELECT sum(requests) AS requests, sum(failed) AS failed, sum(failed_over) AS failedOver FROM minutes WHERE minute >= ?',
  )
  // Only the oldest rows are looked at: the rest of a large table is never read to find that it may stay.
  const trimmable =
    'SELECT seq FROM (SELECT seq, at FROM requests ORDER BY seq LIMIT @slice) WHERE at < @before OR seq <= @upTo'
  const removeRequests = database.prepare(`DELETE FROM requests WHERE seq IN (${trimmable})`)
  const removeMinutes = database.prepare('DELETE FROM minutes WHERE minute < ?')

  const pageEnds = new Map<string, number>()
  const remember = (row: RequestRow | undefined): void => {
    if (row === undefined) return
    pageEnds.set(`${row.at} ${row.id}`, row.seq)
    for (const oldest of pageEnds.keys()) if (pageEnds.size > REMEMBERED_PAGES) pageEnds.delete(oldest)
  }
  const seqBefore = (at: number, id: string): number => pageEnds.get(`${at} ${id}`) ?? seqOf.get(id, at)?.seq ?? 0

  const insertAll = database.transaction((records: readonly RequestView[]) => {
    const minutes = new Map<number, { requests: number; failed: number; failedOver: number }>()
    for (const r of records) {
      insertRequest.run(
        r.id,
        r.at,
        r.clientKey,
        r.tool,
        r.endpoint,
        r.dialect,
        r.model,
        r.target,
        r.stream ? 1 : 0,
        r.outcome,
        r.status,
        r.code,
        r.message,
        r.firstByteMs,
        r.totalMs,
        r.inputTokens,
        r.outputTokens,
        JSON.stringify(r.attempts.map(toStored)),
      )
      const minute = Math.floor(r.at / MINUTE_MS)
      const sum = minutes.get(minute) ?? { requests: 0, failed: 0, failedOver: 0 }
      minutes.set(minute, sum)
      sum.requests++
      if (r.outcome === 'failed' || r.outcome === 'truncated') sum.failed++
      if (r.outcome === 'ok' && r.attempts.some(({ outcome }) => outcome === 'failed')) sum.failedOver++
    }
    for (const [minute, sum] of minutes) addMinute.run(minute, sum.requests, sum.failed, sum.failedOver)
  })

  const removeSlice = database.transaction((before: number, maxRows: number, slice: number): number => {
    removeMinutes.run(Math.floor(before / MINUTE_MS))
    const range = { before, slice, upTo: (newest.get()?.seq ?? 0) - maxRows }
    return removeRequests.run(range).changes
  })

  return {
    insertBatch: (records) => insertAll(records),
    list({ limit, before, search, outcome }) {
      const top = (newest.get()?.seq ?? 0) + 1
      const from = before === undefined ? top : seqBefore(before.at, before.id)
      const text = search?.trim() ?? ''
      const lower = text === '' ? null : text.toLowerCase()
      const rows =
        text === '' && outcome === undefined
          ? list.all(from, limit)
          : filtered.all({ before: from, limit, search: text, lower, outcome: outcome ?? null })
      remember(rows.at(-1))
      return rows.map(toRequest)
    },
    // Rows are added at one end and removed at the other: their number is the distance.
    count() {
      const first = oldest.get()?.seq
      return first == null ? 0 : (newest.get()?.seq ?? 0) - first + 1
    },
    totalsSince(at) {
      const sum = totals.get(Math.floor(at / MINUTE_MS))
      return { requests: sum?.requests ?? 0, failed: sum?.failed ?? 0, failedOver: sum?.failedOver ?? 0 }
    },
    trim(before, maxRows, slice) {
      const removed = removeSlice(before, maxRows, slice)
      const free = database.pragma('freelist_count', { simple: true }) as number
      if (free > SPARE_PAGES) database.pragma(`incremental_vacuum(${RETURNED_PAGES})`)
      return removed
    },
  }
}

const toRequest = (row: RequestRow): RequestView => ({
  id: row.id,
  at: row.at,
  clientKey: row.client_key,
  tool: row.tool,
  endpoint: row.endpoint,
  dialect: row.dialect as Dialect,
  model: row.model,
  target: row.target,
  stream: row.stream === 1,
  outcome: row.outcome as RequestView['outcome'],
  status: row.status,
  code: row.code,
  message: row.message,
  firstByteMs: row.first_byte_ms,
  totalMs: row.total_ms,
  inputTokens: row.input_tokens,
  outputTokens: row.output_tokens,
  attempts: (JSON.parse(row.attempts) as StoredAttempt[]).map(toAttempt),
})

const toStored = (a: AttemptView): StoredAttempt => [
  a.provider,
  a.model,
  a.connectionId,
  a.connectionName,
  a.outcome,
  a.status,
  a.reason,
  a.message,
  a.next,
  a.startedAt,
  a.firstByteMs,
  a.totalMs,
]

const toAttempt = (stored: StoredAttempt, index: number): AttemptView => {
  const [provider, model, connectionId, connectionName, outcome, status, reason, message, next, ...times] = stored
  const [startedAt, firstByteMs, totalMs] = times
  return {
    ...{ index, provider, model, connectionId, connectionName, outcome, status, reason, message, next },
    ...{ startedAt, firstByteMs, totalMs },
  }
}
