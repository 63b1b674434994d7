// One allowance as it was read, whoever told of it. Used shares are in per cent, 0 to 100 and beyond; times are
// wall-clock milliseconds; null is unknown.
import type { QuotaCount, QuotaSpan } from '../contract/quota-words'

export interface ReadWindow {
  readonly span: QuotaSpan
  /** null: nobody says. */
  readonly counts: QuotaCount | null
  /** It is that model's alone; null: the account's. */
  readonly model: string | null
  readonly usedPercent: number | null
  readonly resetAt: number | null
}

/** Older figures are shown, but no longer relied on. */
export const FRESH_MS = 15 * 60_000

/** A rate passes by itself within the hour: it is shown, but never taken for a quota. */
export const isRate = (span: QuotaSpan): boolean => span === 'minute' || span === 'hour'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** The longest that each is, generously: providers count days that have a few hours more. */
const LONGEST: readonly (readonly [QuotaSpan, ms: number])[] = [
  ['minute', 15 * MINUTE_MS],
  ['hour', HOUR_MS],
  ['5h', 12 * HOUR_MS],
  ['daily', 36 * HOUR_MS],
  ['7d', 8 * DAY_MS],
]

/** Of a window that is so long. */
export const spanOfLength = (ms: number): QuotaSpan => LONGEST.find(([, longest]) => ms <= longest)?.[0] ?? 'monthly'

/** Of one that begins anew so far from now, and of which nothing else is said: at least that long, and no session's. */
export function spanOfDistance(ms: number): QuotaSpan {
  const span = spanOfLength(ms)
  return span === '5h' ? 'daily' : span
}

/** Of an allowance of so many; more left than there was, as after an upgrade, is none used. */
export const usedOf = (limit: number | null, left: number | null): number | null =>
  limit === null || left === null || limit <= 0 ? null : Math.max(0, 100 * (1 - left / limit))
