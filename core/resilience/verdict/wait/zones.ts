// Wall time in a named zone to epoch milliseconds and back. The zone is always given: nothing here asks the machine.

export interface WallTime {
  readonly year: number
  /** 1–12. */
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  /** 0–999. */
  readonly ms: number
}

/** Making one costs more than using it a thousand times. */
const formats = new Map<string, Intl.DateTimeFormat | null>()

function formatOf(zone: string): Intl.DateTimeFormat | null {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const made = makeFormat(zone)
  if (formats.size < 500) formats.set(zone, made)
  return made
}

function makeFormat(zone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US', {
      ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    })
  } catch {
    return null
  }
}

/** Whether `zone` is a name that this system's time zone data knows. */
export const isZone = (zone: string): boolean => formatOf(zone) !== null

/** What a clock in `zone` shows at `epoch`; UTC where the zone is unknown. */
export function wallTime(epoch: number, zone: string): WallTime {
  const parts = new Map(
    formatOf(zone)
      ?.formatToParts(epoch)
      .map(({ type, value }) => [type, Number(value)] as const),
  )
  const date = new Date(epoch)
  return {
    year: parts.get('year') ?? date.getUTCFullYear(),
    month: parts.get('month') ?? date.getUTCMonth() + 1,
    day: parts.get('day') ?? date.getUTCDate(),
    hour: parts.get('hour') ?? date.getUTCHours(),
    minute: parts.get('minute') ?? date.getUTCMinutes(),
    second: parts.get('second') ?? date.getUTCSeconds(),
    ms: date.getUTCMilliseconds(),
  }
}

const asUtc = ({ year, month, day, hour, minute, second, ms }: WallTime): number =>
  Date.UTC(year, month - 1, day, hour, minute, second, ms)

/** The moment a clock in `zone` shows this; null for a day or an hour that does not exist, such as 31 February. */
export function momentOf(wall: WallTime, zone: string): number | null {
  const utc = asUtc(wall)
  const back = new Date(utc)
  const exists = back.getUTCMonth() + 1 === wall.month && back.getUTCDate() === wall.day && wall.hour < 24
  if (!Number.isFinite(utc) || !exists || wall.minute > 59 || wall.second > 60) return null
  // The offset at the first guess may be the one before a change of the clocks: once more from there.
  const guess = utc - (asUtc(wallTime(utc, zone)) - utc)
  return utc - (asUtc(wallTime(guess, zone)) - guess)
}

/** The next time a clock in `zone` shows midnight. */
export function nextMidnight(now: number, zone: string): number {
  const today = wallTime(now, zone)
  const tomorrow = new Date(Date.UTC(today.year, today.month - 1, today.day + 1))
  const wall = { ...today, hour: 0, minute: 0, second: 0, ms: 0 }
  const day = { year: tomorrow.getUTCFullYear(), month: tomorrow.getUTCMonth() + 1, day: tomorrow.getUTCDate() }
  return Math.max(now + 1, momentOf({ ...wall, ...day }, zone) ?? now + 86_400_000)
}
