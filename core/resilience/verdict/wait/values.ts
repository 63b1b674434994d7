// One value that says when: a number, a length of time, a moment. The shape decides, not the name of its field, for
// providers use all shapes under nearly the same names (docs/resilience.md, "Stated waits").
import { roundUp, wholeDuration } from './durations'
import { parseHttpDate, readEnglishDate, readFullDate, type Zones } from './moments'

/** What bare small numbers count. */
export type Unit = 's' | 'ms'

export interface ReadContext {
  /** Epoch milliseconds at which the answer arrived. */
  readonly now: number
  readonly zones: Zones
}

const PLAIN_NUMBER = /^\d+(?:\.\d+)?$/

/**
 * A bare number: 13 digits are epoch milliseconds, 10 digits epoch seconds, fewer are a length from now. Milliseconds,
 * rounded up; null for what is none of them.
 */
export function waitOfNumber(value: number, now: number, unit: Unit): number | null {
  if (!Number.isFinite(value) || value < 0) return null
  if (value >= 1e13) return null
  if (value >= 1e12) return roundUp(value - now)
  if (unit === 'ms') return roundUp(value)
  if (value >= 1e10) return null
  return value >= 1e9 ? roundUp(value * 1_000 - now) : roundUp(value * 1_000)
}

/** Milliseconds from now, never negative; null where the value says nothing that can be read. */
export function waitOf(value: unknown, { now, zones }: ReadContext, unit: Unit = 's'): number | null {
  if (typeof value === 'number') return waitOfNumber(value, now, unit)
  if (typeof value === 'object' && value !== null) return waitOfGoogleDuration(value)
  if (typeof value !== 'string') return null
  const text = value.trim()
  if (PLAIN_NUMBER.test(text)) return waitOfNumber(Number(text), now, unit)
  const duration = wholeDuration(text)
  if (duration !== null) return roundUp(duration)
  const moment = parseHttpDate(text, now) ?? readFullDate(text, zones) ?? readEnglishDate(text, now, zones)
  return moment === null ? null : roundUp(moment - now)
}

/** google.protobuf.Duration as an object. */
function waitOfGoogleDuration(value: object): number | null {
  const { seconds, nanos } = value as { readonly seconds?: unknown; readonly nanos?: unknown }
  if (seconds === undefined && nanos === undefined) return null
  const ms = Number(seconds ?? 0) * 1_000 + Number(nanos ?? 0) / 1e6
  return Number.isFinite(ms) && ms >= 0 && ms < 1e12 ? roundUp(ms) : null
}
