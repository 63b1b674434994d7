// Live figures in memory: ten-second buckets of the last hour, and today's totals. Percentiles come from histograms of
// fixed size, so that a busy hour costs no more than a quiet one.
import type { Clock } from '../clock'
import { METRICS_BUCKET_MS, type MetricsBucket, type RequestView } from '../contract/views'

const BUCKETS = 360
/** Latency classes grow by a quarter each: 0.5 ms … about 30 minutes. */
const CLASSES = 70
/** The day on which the clocks go forward. */
const SHORTEST_DAY_MS = 23 * 3_600_000
const GROWTH = Math.log(1.25)

export interface Totals {
  requests: number
  failed: number
  failedOver: number
}

export interface Metrics {
  finished(record: RequestView): void
  recent(minutes: number): MetricsBucket[]
  today(): Totals
}

interface Bucket extends Totals {
  at: number
  total: Uint32Array
  firstByte: Uint32Array
}

export function createMetrics(clock: Clock, totalsSince: (at: number) => Totals): Metrics {
  const ring: (Bucket | undefined)[] = new Array(BUCKETS)
  const slotOf = (at: number): number => (at / METRICS_BUCKET_MS) % BUCKETS
  let day = startOfDay(clock.now())
  let today = { ...totalsSince(day) }
  const bucketAt = (now: number): Bucket => {
    const at = Math.floor(now / METRICS_BUCKET_MS) * METRICS_BUCKET_MS
    // By its place, not behind the last one: a clock that jumped back must not find the future in its way.
    const known = ring[slotOf(at)]
    if (known?.at === at) return known
    const fresh = {
      at,
      requests: 0,
      failed: 0,
      failedOver: 0,
      total: new Uint32Array(CLASSES),
      firstByte: new Uint32Array(CLASSES),
    }
    ring[slotOf(at)] = fresh
    return fresh
  }
  const rollDay = (now: number): void => {
    // Asked on every request: a comparison, not a calendar.
    if (now >= day && now < day + SHORTEST_DAY_MS) return
    if (startOfDay(now) === day) return
    day = startOfDay(now)
    today = { requests: 0, failed: 0, failedOver: 0 }
  }
  return {
    finished(record) {
      const now = clock.now()
      rollDay(now)
      const bucket = bucketAt(now)
      for (const sum of [bucket, today]) {
        sum.requests++
        if (record.outcome === 'failed' || record.outcome === 'truncated') sum.failed++
        if (record.outcome === 'ok' && record.attempts.some(({ outcome }) => outcome === 'failed')) sum.failedOver++
      }
      if (record.outcome !== 'ok') return
      count(bucket.total, record.totalMs)
      if (record.firstByteMs !== null) count(bucket.firstByte, record.firstByteMs)
    },
    recent(minutes) {
      const end = Math.floor(clock.now() / METRICS_BUCKET_MS) * METRICS_BUCKET_MS
      const start = end - minutes * 60_000 + METRICS_BUCKET_MS
      const shown: MetricsBucket[] = []
      for (let at = start; at <= end; at += METRICS_BUCKET_MS) {
        const bucket = ring[slotOf(at)]
        shown.push(view(at, bucket?.at === at ? bucket : undefined))
      }
      return shown
    },
    today() {
      rollDay(clock.now())
      return { ...today }
    },
  }
}

function view(at: number, bucket: Bucket | undefined): MetricsBucket {
  if (bucket === undefined) {
    return { at, requests: 0, failed: 0, failedOver: 0, p50Ms: null, p95Ms: null, firstByteP50Ms: null }
  }
  const { requests, failed, failedOver, total, firstByte } = bucket
  return {
    at,
    requests,
    failed,
    failedOver,
    p50Ms: percentile(total, 0.5),
    p95Ms: percentile(total, 0.95),
    firstByteP50Ms: percentile(firstByte, 0.5),
  }
}

function count(histogram: Uint32Array, ms: number): void {
  const index = Math.min(CLASSES - 1, Math.max(0, Math.ceil(Math.log(Math.max(ms, 0.5) / 0.5) / GROWTH)))
  histogram[index] = (histogram[index] ?? 0) + 1
}

/** The upper bound of the class in which the share is reached; null without values. */
function percentile(histogram: Uint32Array, share: number): number | null {
  let sum = 0
  for (const n of histogram) sum += n
  if (sum === 0) return null
  let seen = 0
  for (let i = 0; i < CLASSES; i++) {
    seen += histogram[i] ?? 0
    if (seen >= sum * share) return Math.round(5 * 1.25 ** i) / 10
  }
  return null
}

function startOfDay(now: number): number {
  const date = new Date(now)
  date.setHours(0, 0, 0, 0)
  return date.getTime()
}
