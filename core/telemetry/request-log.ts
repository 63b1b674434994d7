// The request log: entries are queued after the answer and written in batches, so that no request waits for a disk.
import type { Clock, Timer } from '../clock'
import type { RequestView } from '../contract/views'
import type { Logger } from '../host'
import type { RequestsTable } from '../store/requests-table'

export const FLUSH_MS = 250
/** A queue of this length is written at once: many small transactions hold up running streams less than a long one. */
export const BATCH = 200
/** When the disk cannot keep up, the oldest entries are given up and counted: memory is bounded, requests go on. */
export const MAX_QUEUED = 20_000
const TRIM_EVERY_MS = 60_000
const TRIM_SLICE = 500
/** Between slices, while there is more to remove: running streams come in between. */
const TRIM_PAUSE_MS = 50
const DAY_MS = 86_400_000

export interface Retention {
  readonly historyDays: number
  readonly historyMaxRequests: number
}

export interface RequestLog {
  add(record: RequestView): void
  flush(): void
  close(): void
  /** Entries that could not be written. */
  readonly lost: number
}

export function createRequestLog(
  table: RequestsTable,
  clock: Clock,
  log: Logger,
  retention: () => Retention,
  onWritten: (records: readonly RequestView[]) => void,
): RequestLog {
  let queue: RequestView[] = []
  let lost = 0
  let failing = false
  let waiting: Timer | null = null
  let trimmingOn: Timer | null = null
  const flush = (): void => {
    waiting?.cancel()
    waiting = null
    if (queue.length === 0) return
    const batch = queue
    queue = []
    try {
      table.insertBatch(batch)
      failing = false
    } catch (error) {
      lost += batch.length
      if (!failing) log.error({ error: String(error) }, 'the request log cannot be written; requests go on without it')
      failing = true
    }
    onWritten(batch)
  }
  const trim = (): void => {
    const { historyDays, historyMaxRequests } = retention()
    try {
      const removed = table.trim(clock.now() - historyDays * DAY_MS, historyMaxRequests, TRIM_SLICE)
      // More to remove: go on soon, in small slices, instead of holding up the gateway with one long one.
      if (removed === TRIM_SLICE) trimmingOn = clock.after(TRIM_PAUSE_MS, trim)
    } catch (error) {
      log.warn({ error: String(error) }, 'the request log cannot be trimmed')
    }
  }
  const trimming = clock.every(TRIM_EVERY_MS, trim)
  return {
    add(record) {
      queue.push(record)
      if (queue.length > MAX_QUEUED) {
        queue.shift()
        lost++
      }
      if (queue.length === BATCH) {
        waiting?.cancel()
        waiting = clock.after(0, flush)
      }
      waiting ??= clock.after(FLUSH_MS, flush)
    },
    flush,
    close() {
      trimming.cancel()
      trimmingOn?.cancel()
      flush()
    },
    get lost() {
      return lost
    },
  }
}
