// How moments and durations are said: relative under an hour, clock time otherwise, exact on hover.
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const LOCALE = 'en-GB'
const clockFormat = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit' })
const clockSecondsFormat = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const dayFormat = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' })
const exactFormat = new Intl.DateTimeFormat(LOCALE, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

export const clockTime = (at: number): string => clockFormat.format(at)
export const clockTimeWithSeconds = (at: number): string => clockSecondsFormat.format(at)
export const exactTime = (at: number): string => exactFormat.format(at)

/** "in 48 s", "12 s ago", "14:03", "28 Nov, 14:03". */
export function relativeTime(at: number, now: number): string {
  const distance = at - now
  const size = Math.abs(distance)
  if (size >= HOUR) return sameDay(at, now) ? clockTime(at) : `${dayFormat.format(at)}, ${clockTime(at)}`
  if (size < 2 * SECOND) return 'now'
  const words = size < MINUTE ? `${Math.floor(size / SECOND)} s` : `${Math.floor(size / MINUTE)} min`
  return distance > 0 ? `in ${words}` : `${words} ago`
}

/** What is left until a moment, to the second under an hour: "in 4 min 48 s", "14:03", "any moment". */
export function countdown(until: number, now: number): string {
  const left = until - now
  if (left < SECOND) return 'any moment'
  return left < HOUR
    ? `in ${left < 10 * SECOND ? `${Math.ceil(left / SECOND)} s` : duration(left)}`
    : relativeTime(until, now)
}

/** The log's time column: clock time today, with the day before it otherwise. */
export const logTime = (at: number, now: number): string =>
  sameDay(at, now) ? clockTimeWithSeconds(at) : `${dayFormat.format(at)} ${clockTime(at)}`

/** "340 ms", "1.2 s", "12 s", "1 min 5 s", "2 h 5 min", "3 d". */
export function duration(ms: number): string {
  if (ms < SECOND) return `${Math.round(ms)} ms`
  if (ms < 10 * SECOND) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`
  if (ms < HOUR) return pair(ms, MINUTE, 'min', SECOND, 's')
  if (ms < DAY) return pair(ms, HOUR, 'h', MINUTE, 'min')
  return `${Math.floor(ms / DAY)} d`
}

function pair(ms: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((ms % large) / small)
  const whole = `${Math.floor(ms / large)} ${largeUnit}`
  return rest === 0 ? whole : `${whole} ${rest} ${smallUnit}`
}

function sameDay(a: number, b: number): boolean {
  const first = new Date(a)
  const second = new Date(b)
  return first.toDateString() === second.toDateString()
}
