// Lengths of time as providers write them: "34.07s", "2h37m22.776060443s", "6 days 23 hours", "5 分钟".

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Longer spellings before shorter ones: the first that fits is taken. */
const UNITS: readonly (readonly [pattern: string, ms: number])[] = [
  ['milliseconds?|millis|msecs?|ms|毫秒', 1],
  ['seconds?|secs?|s|秒[钟鐘]?', SECOND],
  ['minutes?|mins?|m|分[钟鐘]?', MINUTE],
  ['hours?|hrs?|h|[个個]?小[时時]', HOUR],
  ['days?|d|天|日', DAY],
  ['weeks?|wks?|w|[周週]|星期', 7 * DAY],
  ['months?|[个個]月', 30 * DAY],
]

const NUMBER = String.raw`(?<![\d.])(?:\d{1,3}(?:,\d{3}){1,2}|\d{1,10})(?:\.\d{1,20})?`
const PART = String.raw`${NUMBER}\s*(?:${UNITS.map(([pattern]) => pattern).join('|')})(?![a-z])`

/** Source of a pattern that matches one length of time with at most six parts. To be used with the flag `i`. */
export const DURATION = String.raw`${PART}(?:\s*(?:,|and|、)?\s*${PART}){0,5}`

const PARTS = new RegExp(
  String.raw`(${NUMBER})\s*(?:${UNITS.map(([pattern]) => `(${pattern})`).join('|')})(?![a-z])`,
  'gi',
)
const WHOLE = new RegExp(String.raw`^\s*${DURATION}\s*$`, 'i')

/** Milliseconds of a text that `DURATION` matches, not rounded. */
export function durationMs(text: string): number {
  let total = 0
  for (const match of text.matchAll(PARTS)) {
    const unit = UNITS.findIndex((_unit, i) => match[i + 2] !== undefined)
    total += Number((match[1] ?? '').replaceAll(',', '')) * (UNITS[unit]?.[1] ?? 0)
  }
  return total
}

/** Milliseconds of a text that is one length of time and nothing else; null otherwise. */
export const wholeDuration = (text: string): number | null => (WHOLE.test(text) ? durationMs(text) : null)

/** Whole milliseconds, rounded up, but not because 34.07 · 1000 is a trillionth above 34070. */
export const roundUp = (ms: number): number => Math.max(0, Math.ceil(ms - 1e-6))
