// What one answer's headers say of allowances, by the table of families.
import type { QuotaSpan } from '../contract/quota-words'
import { HEADER_FAMILIES, type HeaderFamily, type SpanRule, type WindowRow } from './header-families'
import { type Headers, momentOf, numberOf } from './header-values'
import { FRESH_MS, type ReadWindow, spanOfDistance, spanOfLength, usedOf } from './windows'

/** Of the call whose answer it is. */
export interface AnsweredCall {
  readonly model: string
  /** What `x-ratelimit-limit-requests` counts over at its provider. */
  readonly requestLimitSpan: 'minute' | 'daily'
}

/** The families that are there. With every answer: a dozen look-ups, and nothing else where there is none. */
export function familiesIn(headers: Headers): readonly HeaderFamily[] {
  let found: HeaderFamily[] | null = null
  for (const family of HEADER_FAMILIES) {
    for (const sign of family.signs) {
      if (headers[sign] === undefined) continue
      found ??= []
      found.push(family)
      break
    }
  }
  return found ?? NONE
}
const NONE: readonly HeaderFamily[] = []

/** @param at when the answer arrived */
export function windowsIn(family: HeaderFamily, headers: Headers, call: AnsweredCall, at: number): ReadWindow[] {
  const { windows } = family
  const model = family.perModel ? call.model : null
  if (typeof windows === 'function') return windows(headers, at).map((window) => ({ ...window, model }))
  return windows.flatMap((row) => windowIn(row, headers, call, at) ?? []).map((window) => ({ ...window, model }))
}

function windowIn(row: WindowRow, headers: Headers, call: AnsweredCall, at: number): Omit<ReadWindow, 'model'> | null {
  const usedPercent = usedIn(row, headers)
  const resetAt = resetIn(row, headers, at)
  // A subscription's reset is worth knowing even where its share is not.
  if (usedPercent === null && (resetAt === null || row.used === undefined)) return null
  const span = spanIn(row.span, headers, call, resetAt, at)
  return span === null ? null : { span, counts: row.counts, usedPercent, resetAt }
}

function usedIn({ used, limit, remaining }: WindowRow, headers: Headers): number | null {
  if (used !== undefined) {
    const share = numberOf(headers, used.header)
    return share === null ? null : (share * 100) / used.of
  }
  if (limit === undefined || remaining === undefined) return null
  return usedOf(numberOf(headers, limit), numberOf(headers, remaining))
}

function resetIn({ reset }: WindowRow, headers: Headers, at: number): number | null {
  for (const name of reset) {
    const moment = momentOf(headers, name, at)
    if (moment !== null) return moment
  }
  return null
}

/** null: nobody can tell; it is left out, for a minute's must not be taken for more. */
function spanIn(
  rule: SpanRule,
  headers: Headers,
  { requestLimitSpan }: AnsweredCall,
  resetAt: number | null,
  at: number,
): QuotaSpan | null {
  if (typeof rule === 'object') {
    const minutes = numberOf(headers, rule.minutes)
    return minutes === null ? rule.otherwise : spanOfLength(minutes * 60_000)
  }
  if (rule === 'of the provider') return requestLimitSpan
  if (rule === 'by its reset') return resetAt === null ? null : spanOfDistance(resetAt - at)
  return rule
}

/** Until when the provider refuses; where it does not say, as long as its word is fresh. null: it does not. */
export function refusedUntil({ refusal }: HeaderFamily, headers: Headers, at: number): number | null {
  if (refusal === undefined || headers[refusal.header] !== refusal.word) return null
  return momentOf(headers, refusal.until, at) ?? at + FRESH_MS
}
