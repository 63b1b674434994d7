// The headers made for it: `retry-after-ms` and its relatives, then `Retry-After`. Anything that is not a number from
// zero up or an HTTP date counts as absent (docs/resilience.md, "Stated waits").
import { parseHttpDate } from './moments'
import { waitOfNumber } from './values'

/** Names in lower case. */
export type Headers = Readonly<Record<string, string>>

const NUMBER = /^\d+(?:\.\d+)?$/

/** Milliseconds as `retry-after-ms` gives them. */
export function retryAfterMs(headers: Headers, now: number): number | null {
  for (const name of ['retry-after-ms', 'x-ms-retry-after-ms', 'x-retry-after-ms']) {
    const text = headers[name]?.trim()
    if (text !== undefined && NUMBER.test(text)) return waitOfNumber(Number(text), now, 'ms')
  }
  return null
}

/** Milliseconds from now; a date that is past is zero. */
export function retryAfter(headers: Headers, now: number): number | null {
  const text = headers['retry-after']?.trim()
  if (text === undefined) return null
  if (NUMBER.test(text)) return waitOfNumber(Number(text), now, 's')
  const moment = parseHttpDate(text, now)
  return moment === null ? null : Math.max(0, moment - now)
}
