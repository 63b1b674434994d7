import { describe, expect, it } from 'vitest'
import { METRICS_BUCKET_MS } from '../../core/contract/kinds'
import type { MetricsBucket } from '../../core/contract/views'
import { mergeBuckets } from '../../renderer/app/rows'
import {
  describeLatency,
  describeRequests,
  latestLatency,
  toSeries,
  totals,
} from '../../renderer/features/overview/series'

const now = 1_000_000 * METRICS_BUCKET_MS
const bucket = (slotsAgo: number, fields: Partial<MetricsBucket> = {}): MetricsBucket => ({
  at: now - slotsAgo * METRICS_BUCKET_MS,
  requests: 4,
  failed: 1,
  failedOver: 0,
  p50Ms: 1000,
  p95Ms: 3000,
  firstByteP50Ms: 200,
  ...fields,
})

describe('columns of the charts', () => {
  it('has one column a bucket, oldest first, also where nothing came', () => {
    const series = toSeries([bucket(0), bucket(3, { requests: 2 })], now, 15)
    expect(series.at).toHaveLength(90)
    expect(series.at.at(-1)).toBe(now / 1000)
    expect(series.requests.slice(-4)).toEqual([2, 0, 0, 4])
    expect(series.p50.slice(-4)).toEqual([1000, null, null, 1000])
  })

  it('drops what is older than it shows', () => {
    expect(totals(toSeries([bucket(90), bucket(89)], now, 15))).toEqual({ requests: 4, failed: 1 })
  })

  it('says what it shows', () => {
    const series = toSeries([bucket(0), bucket(1, { requests: 9, failed: 0, p95Ms: 8000 })], now, 15)
    expect(describeRequests(series, 15)).toBe('13 requests in the last 15 minutes, 1 failed; at most 9 in 10 seconds.')
    expect(describeLatency(series, 15)).toContain('at most 1.0 s')
    expect(describeLatency(series, 15)).toContain('had 8.0 s')
  })

  it('says so where there is nothing', () => {
    const series = toSeries([], now, 15)
    expect(describeRequests(series, 15)).toBe('No requests in the last 15 minutes.')
    expect(describeLatency(series, 15)).toBe('No request ended in the last 15 minutes.')
    expect(latestLatency(series)).toBeNull()
  })
})

describe('buckets that are pushed', () => {
  it('replace the same moment, keep the order and forget the old', () => {
    const merged = mergeBuckets(
      [bucket(5), bucket(1)],
      [bucket(1, { requests: 7 }), bucket(0)],
      now - 3 * METRICS_BUCKET_MS,
    )
    expect(merged.map(({ at }) => (now - at) / METRICS_BUCKET_MS)).toEqual([1, 0])
    expect(merged[0]?.requests).toBe(7)
  })
})
