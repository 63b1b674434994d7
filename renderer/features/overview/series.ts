// Turns the buckets main sends into the columns the charts draw.

import { METRICS_BUCKET_MS } from '../../../core/contract/kinds'
import type { MetricsBucket } from '../../../core/contract/views'
import { counted } from '../../ui/numbers'
import { duration } from '../../ui/time'

export interface Series {
  /** Start of each bucket, in seconds, without gaps. */
  readonly at: number[]
  readonly requests: number[]
  readonly failed: number[]
  readonly p50: (number | null)[]
  readonly p95: (number | null)[]
}

/** One column a bucket for the last `minutes`; a bucket nobody sent is one without traffic. */
export function toSeries(buckets: readonly MetricsBucket[], now: number, minutes: number): Series {
  const slots = Math.round((minutes * 60_000) / METRICS_BUCKET_MS)
  const last = Math.floor(now / METRICS_BUCKET_MS)
  const known = new Map(buckets.map((bucket) => [Math.floor(bucket.at / METRICS_BUCKET_MS), bucket]))
  const series: Series = { at: [], requests: [], failed: [], p50: [], p95: [] }
  for (let slot = last - slots + 1; slot <= last; slot += 1) {
    const bucket = known.get(slot)
    series.at.push((slot * METRICS_BUCKET_MS) / 1000)
    series.requests.push(bucket?.requests ?? 0)
    series.failed.push(bucket?.failed ?? 0)
    series.p50.push(bucket?.p50Ms ?? null)
    series.p95.push(bucket?.p95Ms ?? null)
  }
  return series
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const most = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>(
    (best, value) => (value !== null && (best === null || value > best) ? value : best),
    null,
  )

export const totals = (series: Series): { requests: number; failed: number } => ({
  requests: sum(series.requests),
  failed: sum(series.failed),
})

/** The newest bucket with a latency in it. */
export function latestLatency(series: Series): { p50: number; p95: number } | null {
  for (let index = series.at.length - 1; index >= 0; index -= 1) {
    const p50 = series.p50[index]
    const p95 = series.p95[index]
    if (p50 != null && p95 != null) return { p50, p95 }
  }
  return null
}

/** What the requests chart shows, in words. */
export function describeRequests(series: Series, minutes: number): string {
  const { requests, failed } = totals(series)
  if (requests === 0) return `No requests in the last ${minutes} minutes.`
  const peak = most(series.requests) ?? 0
  return `${counted(requests, 'request')} in the last ${minutes} minutes, ${failed === 0 ? 'none' : failed} failed; at most ${peak} in 10 seconds.`
}

/** What the latency chart shows, in words. */
export function describeLatency(series: Series, minutes: number): string {
  const latest = latestLatency(series)
  if (latest === null) return `No request ended in the last ${minutes} minutes.`
  const worst = most(series.p95) ?? latest.p95
  return `Half of the requests took at most ${duration(latest.p50)}, 95 of 100 at most ${duration(latest.p95)}; the slowest 10 seconds in ${minutes} minutes had ${duration(worst)}.`
}
