// The request log and the sums of its minutes. A row holds the requests that were written together
// (migrations/history/0002-requests-in-blocks.sql); what is asked of single ones is found out here.
import type { Database } from 'better-sqlite3'
import type { RequestView } from '../contract/views'
import { fromStored, type StoredRequest, toStored } from './stored-request'

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

/** So many requests stand in one row at most: what is read or cut is never much more than what is wanted. */
const BLOCK = 50
const SEARCH_WINDOW = 5_000
const MINUTE_MS = 60_000
/** Ends of pages that are remembered, so that the next page is found without reading all above it. */
const REMEMBERED_PAGES = 200
/** Free pages that new rows will take; what is beyond is given back to the disk, a little with each slice. */
const SPARE_PAGES = 1_000
const RETURNED_PAGES = 256

interface Block {
  readonly seq: number
  readonly count: number
  readonly newest: number
  readonly entries: string
}

const entriesOf = ({ entries }: Block): StoredRequest[] => JSON.parse(entries) as StoredRequest[]
const newestOf = (entries: readonly StoredRequest[]): number => Math.max(...entries.map(([, at]) => at))

interface Minute {
  requests: number
  failed: number
  failedOver: number
}

export function openRequestsTable(database: Database): RequestsTable {
  const insert = database.prepare('INSERT INTO request_blocks VALUES (?, ?, ?, ?)')
  const remove = database.prepare('DELETE FROM request_blocks WHERE seq = ?')
  const newestFirst = database.prepare<[number], Block>('SELECT * FROM request_blocks WHERE seq < ? ORDER BY seq DESC')
  const oldest = database.prepare<[number], Pick<Block, 'seq' | 'count' | 'newest'>>(
    'SELECT seq, count, newest FROM request_blocks ORDER BY seq LIMIT ?',
  )
  const one = database.prepare<[number], Block>('SELECT * FROM request_blocks WHERE seq = ?')
  const holding = database.prepare<[string], Block>(
    'SELECT * FROM request_blocks WHERE instr(entries, ?) > 0 ORDER BY seq DESC',
  )
  const ends = database.prepare<[], { first: number | null; next: number | null }>(
    `SELECT (SELECT min(seq) FROM request_blocks) AS first,
            (SELECT seq + count FROM request_blocks ORDER BY seq DESC LIMIT 1) AS next`,
  )
  const addMinute = database.prepare(
    `INSERT INTO minutes VALUES (?, ?, ?, ?) ON CONFLICT (minute) DO UPDATE SET requests = requests + excluded.requests,
     failed = failed + excluded.failed, failed_over = failed_over + excluded.failed_over`,
  )
  const totals = database.prepare<
    [number],
    { requests: number | null; failed: number | null; failedOver: number | null }
  >(
    'SELECT sum(requests) AS requests, sum(failed) AS failed, sum(failed_over) AS failedOver FROM minutes WHERE minute >= ?',
  )
  const removeMinutes = database.prepare('DELETE FROM minutes WHERE minute < ?')

  /** Of the next request. Not begun anew when all were trimmed: remembered pages stay right. */
  let nextSeq = ends.get()?.next ?? 1
  const pageEnds = new Map<string, number>()

  const put = (seq: number, entries: readonly StoredRequest[]): void => {
    insert.run(seq, entries.length, newestOf(entries), JSON.stringify(entries))
  }

  const insertAll = database.transaction((records: readonly RequestView[]) => {
    for (let at = 0; at < records.length; at += BLOCK) put(nextSeq + at, records.slice(at, at + BLOCK).map(toStored))
    for (const [minute, sum] of minutesOf(records)) addMinute.run(minute, sum.requests, sum.failed, sum.failedOver)
  })

  const seqOf = (at: number, id: string): number => {
    const remembered = pageEnds.get(`${at} ${id}`)
    if (remembered !== undefined) return remembered
    for (const block of holding.all(JSON.stringify(id))) {
      const place = entriesOf(block).findLastIndex((entry) => entry[0] === id && entry[1] === at)
      if (place >= 0) return block.seq + place
    }
    return 0
  }

  const remember = ({ at, id }: RequestView, seq: number): void => {
    pageEnds.set(`${at} ${id}`, seq)
    for (const oldest of pageEnds.keys()) if (pageEnds.size > REMEMBERED_PAGES) pageEnds.delete(oldest)
  }

  const removeSlice = database.transaction((before: number, maxRows: number, slice: number): number => {
    removeMinutes.run(Math.floor(before / MINUTE_MS))
    const upTo = nextSeq - 1 - maxRows
    let removed = 0
    for (const { seq, count, newest } of oldest.all(slice)) {
      const room = slice - removed
      const isWhole = count <= room && (newest < before || seq + count - 1 <= upTo)
      const entries = isWhole ? [] : entriesOf(one.get(seq) as Block)
      const stays = entries.findIndex(([, at], i) => i === room || (at >= before && seq + i > upTo))
      if (stays === 0) break
      remove.run(seq)
      removed += stays < 0 ? count : stays
      if (stays < 0) continue
      put(seq + stays, entries.slice(stays))
      break
    }
    return removed
  })

  return {
    insertBatch(records) {
      insertAll(records)
      nextSeq += records.length
    },
    list({ limit, before, search, outcome }) {
      const from = before === undefined ? Number.MAX_SAFE_INTEGER : seqOf(before.at, before.id)
      const text = search?.trim().toLowerCase() ?? ''
      const isFiltered = text !== '' || outcome !== undefined
      const found: RequestView[] = []
      let left = isFiltered ? SEARCH_WINDOW : Number.POSITIVE_INFINITY
      for (const block of newestFirst.iterate(from)) {
        const entries = entriesOf(block)
        for (let i = Math.min(block.count, from - block.seq) - 1; i >= 0 && left > 0; i--, left--) {
          const request = fromStored(entries[i] as StoredRequest)
          if ((outcome !== undefined && request.outcome !== outcome) || !holds(request, text)) continue
          found.push(request)
          if (found.length < limit) continue
          remember(request, block.seq + i)
          return found
        }
        if (left <= 0) break
      }
      return found
    },
    // They are counted on without a gap: their number is the distance.
    count() {
      const { first = null, next = null } = ends.get() ?? {}
      return first === null || next === null ? 0 : next - first
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

function minutesOf(records: readonly RequestView[]): Map<number, Minute> {
  const minutes = new Map<number, Minute>()
  for (const { at, outcome, attempts } of records) {
    const minute = Math.floor(at / MINUTE_MS)
    const sum = minutes.get(minute) ?? { requests: 0, failed: 0, failedOver: 0 }
    minutes.set(minute, sum)
    sum.requests++
    if (outcome === 'failed' || outcome === 'truncated') sum.failed++
    if (outcome === 'ok' && attempts.some((attempt) => attempt.outcome === 'failed')) sum.failedOver++
  }
  return minutes
}

/** @param text in lower case; empty: everything does */
function holds({ id, model, target, clientKey, tool, code, message, status }: RequestView, text: string): boolean {
  if (text === '') return true
  return `${id} ${model} ${target ?? ''} ${clientKey} ${tool} ${code ?? ''} ${message} ${status}`
    .toLowerCase()
    .includes(text)
}
