// Waits in words, English and Chinese: "try again in 7m12.5s", "resets at 3pm (America/Santiago)", "将在 … 重置". Only next
// to a word about waiting or coming back: the same numbers stand in limits and sizes too.
import { DURATION, durationMs, roundUp } from './durations'
import { ENGLISH_DATE, FULL_DATE, HOUR_OF_DAY, readEnglishDate, readFullDate, readHourOfDay } from './moments'
import { type ReadContext, waitOf, waitOfNumber } from './values'

const AGAIN = String.raw`try(?:ing)?(?:\s+(?:it|this|that|your request|the request))?\s+again|re-?try(?:ing)?|wait(?:ing)?`
const BACK = String.raw`resets?|resetting|renews?|refresh(?:es|ed)?|replenish(?:es|ed)?|restored?|(?:available|allowed)(?=\s+(?:in|after|at|on|again)\b)|resumes?|unlock(?:s|ed)?|lifted|come back|cool(?:ing)?[\s-]?down|regain access`
const VERB = String.raw`(?:\b(?:${AGAIN}|${BACK}))`
const BETWEEN_WORDS = `in|after|for|about|around|approximately|at least|another|again|is|are|will be|be|of|up to|within|your requests?|the requests?|time`
/** What may stand between the verb and the length of time. */
const FILLER = String.raw`(?:[\s_-]*(?:(?:${BETWEEN_WORDS})\b|[~≈:=("']|-(?!\d))){0,6}\s*`
const MOMENT_FILLER = String.raw`(?:[\s_-]*(?:(?:${BETWEEN_WORDS}|at|on|until|by|date)\b|[:=("']|-(?!\d))){0,6}\s*`

const CN_BACK = '重置|恢复|恢復|刷新|解除|解封|重试|重試|再试|再試|可用'

interface Form {
  readonly pattern: RegExp
  /** Milliseconds from now, out of the first group and what follows it. */
  readonly read: (said: string, context: ReadContext) => number | null
}

const duration = (said: string): number => roundUp(durationMs(said))
const until = (moment: number | null, now: number): number | null => (moment === null ? null : roundUp(moment - now))
const full = (said: string, { now, zones }: ReadContext) => until(readFullDate(said, zones), now)

const FORMS: readonly Form[] = [
  { pattern: re(`${VERB}${FILLER}(${DURATION})`), read: duration },
  {
    pattern: re(
      String.raw`(${DURATION})\s+(?:(?:remaining|left)\b|(?:before|until)\s+(?:you\s+)?(?:\w+\s+)?(?:retry|try|reset|request))`,
    ),
    read: duration,
  },
  // Azure: "replenished in 1.02:03:04".
  { pattern: re(String.raw`${VERB}\s+(?:in|after)\s+((?:\d{1,3}\.)?\d{1,3}:\d{2}:\d{2})(?!\d)`), read: countdown },
  { pattern: re(`${VERB}${MOMENT_FILLER}(${FULL_DATE})`), read: full },
  {
    pattern: re(`${VERB}${MOMENT_FILLER}(${ENGLISH_DATE})`),
    read: (said, { now, zones }) => until(readEnglishDate(said, now, zones), now),
  },
  {
    pattern: re(`${VERB}${MOMENT_FILLER}(${HOUR_OF_DAY})`),
    read: (said, { now, zones }) => until(readHourOfDay(said, now, zones), now),
  },
  // "retry-after: 26", "reset at 1796014800", "limit reached|1796014800".
  {
    pattern: re(String.raw`\bretry[-_ ]after\s*[:=]?\s*(\d+(?:\.\d+)?)(?![\d.:/-]*\d|\s*[a-z%])`),
    read: (said, context) => waitOf(said, context),
  },
  {
    pattern: re(String.raw`(?:${VERB}${MOMENT_FILLER}|reached\|)(\d{13}|\d{10})(?!\d)`),
    read: (said, { now }) => waitOfNumber(Number(said), now, 's'),
  },
  { pattern: re(String.raw`(${DURATION})\s*(?:之|以)?[后後]`), read: duration },
  {
    pattern: re(
      String.raw`(?:等待|等候|剩余|还需|還需|冷却|冷卻)\s*(?:时间|時間)?\s*[:：]?\s*(?:大?约|大?約)?\s*(${DURATION})`,
    ),
    read: duration,
  },
  { pattern: re(String.raw`(${FULL_DATE})\s*(?:之?[后後]|自动|自動|才|会|會|再)?\s*(?:${CN_BACK})`), read: full },
  {
    pattern: re(String.raw`(?:${CN_BACK})(?:时间|時間|日期)?\s*(?:为|為|是|于|於)?\s*[:：]?\s*(${FULL_DATE})`),
    read: full,
  },
]

function re(source: string): RegExp {
  return new RegExp(source, 'i')
}

function countdown(said: string): number {
  const [clock = '', days = '0'] = said.split('.').reverse()
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number)
  return (((Number(days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000
}

/** Every form holds one of these: most errors need no further look. */
const HAS_TIME = /\d|midnight/i

/** The wait that stands first in the text; null where it states none. */
export function waitInText(text: string, context: ReadContext): number | null {
  if (!HAS_TIME.test(text)) return null
  let first: { readonly at: number; readonly ms: number } | null = null
  for (const { pattern, read } of FORMS) {
    const match = pattern.exec(text)
    if (match === null || (first !== null && match.index >= first.at)) continue
    const said = match[1] ?? ''
    const ms = read(text.slice(match.index + match[0].indexOf(said), match.index + match[0].length), context)
    if (ms !== null && Number.isFinite(ms)) first = { at: match.index, ms }
  }
  return first?.ms ?? null
}
