// Moments as providers write them: ISO and its relatives, HTTP dates, English dates, hours of a day. To epoch
// milliseconds. `zones` says how a time without a zone is read.
import { isZone, momentOf, type WallTime, wallTime } from './zones'

export interface Zones {
  /** Of full dates without a zone, as servers write them: the provider's, else UTC. */
  readonly server: string
  /** Of hours of a day and English dates, as they are written for people: the provider's, else the user's. */
  readonly person: string
}

const BEIJING = 'Asia/Shanghai'
const PACIFIC = 'America/Los_Angeles'

const ZONE_NAMES: Readonly<Record<string, string>> = {
  z: 'UTC',
  utc: 'UTC',
  gmt: 'UTC',
  pt: PACIFIC,
  pst: PACIFIC,
  pdt: PACIFIC,
  pacific: PACIFIC,
  北京时间: BEIJING,
  北京時間: BEIJING,
}

const OFFSET = String.raw`(?:UTC|GMT)?\s?([+-])(\d{1,2})(?::?(\d{2}))?(?!\d)`
const NAMED = String.raw`(Z\b|UTC|GMT|PST|PDT|PT\b|Pacific|北京时间|北京時間|[A-Z][A-Za-z]+(?:\/[A-Z][A-Za-z_]+){1,2})`
const ZONE = String.raw`(?:\s*\(?(?:${OFFSET}|${NAMED})\)?)?`

const DATE = String.raw`(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?`
const TIME = String.raw`(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?`
/** Source of a full date with or without a time. 10 groups: date 3, time 4, zone 4. */
export const FULL_DATE = String.raw`${DATE}(?:(?:T|[\s,]*(?:at\s+)?)${TIME})?${ZONE}`

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const CLOCK = String.raw`(\d{1,2})(?::(\d{2}))?(?::\d{2})?\s*([ap])\.?m\b\.?`
const CLOCK_24 = String.raw`(\d{1,2}):(\d{2})(?::\d{2})?`
const HOURS = `(?:${CLOCK}|${CLOCK_24})`
/** Source of "Dec 5th, 2026 3:04 PM". */
export const ENGLISH_DATE = String.raw`(${MONTHS.join('|')})[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?\b(?:,?\s+(\d{4}))?(?:,?\s+(?:at\s+)?${HOURS})?${ZONE}`
/** Source of "3pm (America/Santiago)", "13:20 UTC", "midnight UTC". */
export const HOUR_OF_DAY = `(?:${HOURS}|(midnight))${ZONE}`

const fullDate = new RegExp(`^${FULL_DATE}`, 'i')
const englishDate = new RegExp(`^${ENGLISH_DATE}`, 'i')
const hourOfDay = new RegExp(`^${HOUR_OF_DAY}`, 'i')

type Groups = readonly (string | undefined)[]

/** Reads the moment at the beginning of `text`; null where there is none, or no such day. */
export const readFullDate = (text: string, zones: Zones): number | null => {
  const match = fullDate.exec(text)
  if (match === null) return null
  const [, year, month, day, hour, minute, second, fraction, ...zone] = match
  const wall: WallTime = {
    ...{ year: Number(year), month: Number(month), day: Number(day) },
    ...{ hour: Number(hour ?? 0), minute: Number(minute ?? 0), second: Number(second ?? 0) },
    ms: Math.ceil(Number(`0.${fraction ?? 0}`) * 1_000),
  }
  return at(wall, zone, zones.server)
}

/** Like `readFullDate`, of English dates. A year that is not said is the one that makes the moment the next to come. */
export function readEnglishDate(text: string, now: number, zones: Zones): number | null {
  const match = englishDate.exec(text)
  if (match === null) return null
  const [, name = '', day, year, ...rest] = match
  const clock = hoursOf(rest)
  const wall = {
    ...{ year: Number(year ?? wallTime(now, zones.person).year), month: MONTHS.indexOf(name.toLowerCase()) + 1 },
    ...{ day: Number(day), hour: clock?.hour ?? 0, minute: clock?.minute ?? 0, second: 0, ms: 0 },
  }
  const moment = at(wall, rest.slice(5), zones.person)
  if (moment === null || year !== undefined || moment > now - 86_400_000) return moment
  return at({ ...wall, year: wall.year + 1 }, rest.slice(5), zones.person)
}

/** The next time it is that hour. */
export function readHourOfDay(text: string, now: number, zones: Zones): number | null {
  const match = hourOfDay.exec(text)
  if (match === null) return null
  const groups: Groups = match.slice(1)
  const clock = groups[5] === undefined ? hoursOf(groups) : { hour: 0, minute: 0 }
  if (clock === null) return null
  const zone = groups.slice(6)
  const today = { ...wallTime(now, zoneName(zone) ?? zones.person), ...clock, second: 0, ms: 0 }
  const moment = at(today, zone, zones.person)
  return moment === null || moment > now ? moment : moment + 86_400_000
}

function hoursOf([h12, m12, half, h24, m24]: Groups): { readonly hour: number; readonly minute: number } | null {
  if (h24 !== undefined) return { hour: Number(h24), minute: Number(m24) }
  const hour = Number(h12)
  if (h12 === undefined || hour < 1 || hour > 12) return null
  return { hour: (hour % 12) + (half?.toLowerCase() === 'p' ? 12 : 0), minute: Number(m12 ?? 0) }
}

function at(wall: WallTime, [sign, hours, minutes, name]: Groups, otherwise: string): number | null {
  if (sign === undefined) return momentOf(wall, zoneName([sign, hours, minutes, name]) ?? otherwise)
  const utc = momentOf(wall, 'UTC')
  const offset = (Number(hours) * 60 + Number(minutes ?? 0)) * 60_000
  return utc === null ? null : utc - (sign === '-' ? -offset : offset)
}

function zoneName([, , , name]: Groups): string | null {
  if (name === undefined) return null
  const known = ZONE_NAMES[name.toLowerCase()]
  if (known !== undefined) return known
  return isZone(name) ? name : null
}

const LONG_MONTH = `(${MONTHS.join('|')})[a-z]*`
const HTTP_DATES: readonly RegExp[] = [
  // Mon, 30 Nov 2026 02:50:45 GMT, and the older Monday, 30-Nov-26 02:52:00 GMT
  new RegExp(
    String.raw`^[a-z]+,?\s+(?<day>\d{1,2})[\s-](?<month>${LONG_MONTH})[\s-](?<year>\d{4}|\d{2})\s+(?<time>\d{2}:\d{2}:\d{2})\s+(?:GMT|UTC)$`,
    'i',
  ),
  // asctime: Mon Nov 30 02:51:00 2026
  new RegExp(
    String.raw`^[a-z]+\s+(?<month>${LONG_MONTH})\s+(?<day>\d{1,2})\s+(?<time>\d{2}:\d{2}:\d{2})\s+(?<year>\d{4})$`,
    'i',
  ),
]

/** The three forms of RFC 9110, 5.6.7, all of them UTC; null for anything else. */
export function parseHttpDate(text: string, now: number): number | null {
  for (const form of HTTP_DATES) {
    const groups = form.exec(text)?.groups
    if (groups === undefined) continue
    const [hour, minute, second] = (groups.time ?? '').split(':').map(Number)
    const month = MONTHS.indexOf((groups.month ?? '').slice(0, 3).toLowerCase()) + 1
    const wall = { month, day: Number(groups.day), hour: hour ?? 0, minute: minute ?? 0, second: second ?? 0, ms: 0 }
    return momentOf({ ...wall, year: fullYear(groups.year ?? '', now) }, 'UTC')
  }
  return null
}

/** Two digits mean the year that is not more than fifty years ahead. */
function fullYear(year: string, now: number): number {
  if (year.length === 4) return Number(year)
  const current = new Date(now).getUTCFullYear()
  const guess = Math.floor(current / 100) * 100 + Number(year)
  return guess > current + 50 ? guess - 100 : guess
}
