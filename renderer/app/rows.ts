import type { MetricsBucket, RequestView } from '../../core/contract/views'

const newestFirst = (a: RequestView, b: RequestView): number => b.at - a.at || (a.id < b.id ? 1 : -1)

/** Puts rows together by id, newest first; what comes in wins. */
export function mergeRequests(
  rows: readonly RequestView[],
  incoming: readonly RequestView[],
  most: number,
): readonly RequestView[] {
  if (incoming.length === 0) return rows
  const byId = new Map(rows.map((row) => [row.id, row]))
  for (const row of incoming) byId.set(row.id, row)
  return [...byId.values()].sort(newestFirst).slice(0, most)
}

/** Puts buckets together by their moment, oldest first, and drops what is older than `oldest`. */
export function mergeBuckets(
  buckets: readonly MetricsBucket[],
  incoming: readonly MetricsBucket[],
  oldest: number,
): readonly MetricsBucket[] {
  const byMoment = new Map(buckets.map((bucket) => [bucket.at, bucket]))
  for (const bucket of incoming) byMoment.set(bucket.at, bucket)
  return [...byMoment.values()].filter(({ at }) => at >= oldest).sort((a, b) => a.at - b.at)
}
