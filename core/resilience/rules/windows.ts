// Which allowance a text speaks of: the minute's, the session's, the day's, the week's or the month's.

/** `minute`: anything up to some minutes, which is a rate and no quota. */
export type NamedWindow = 'minute' | 'hour' | 'session' | 'day' | 'week' | 'month'

const PER = String.raw`(?:\b(?:per|each|every|an?)|/)[\s_-]*`
const NAMES: readonly (readonly [NamedWindow, RegExp])[] = [
  [
    'minute',
    /(?:per|\/)[\s_-]*(?:\d+[\s_-]*)?(?:minutes?|mins?|seconds?|secs?)(?![a-z])|perminute|persecond|byminute|bysecond|\b[rt]p[ms]\b|每分钟|每秒|分钟内|秒内/,
  ],
  [
    'session',
    /\b(?:5|five|[1-9]|1\d)[\s_-]?(?:h|hours?|hr)\b[\s_-]*(?:\w+[\s_-]+){0,2}(?:window|limit|quota|usage|allowance)|five_hour|\bsession[\s_-](?:usage[\s_-])?(?:limit|quota)|\d\s*小时的?(?:使用|用量|限额|额度|上限)/,
  ],
  ['hour', new RegExp(String.raw`\bhourly\b|${PER}hour(?![a-z])|perhour|每小时`)],
  [
    'day',
    new RegExp(
      String.raw`\bdaily\b|${PER}(?:day|86400s)(?![a-z])|per[\s_-]?day|\bbyday\b|bymodelbyday|\b[rt]pd\b|\btoday(?:'s)?\b|每[日天]|今[日天]|当[日天]|單日|单日`,
    ),
  ],
  ['week', new RegExp(String.raw`\bweekly\b|${PER}week\b|perweek|\b7[\s-]day|seven_day|每[周週]|[本当][周週]|周限额`)],
  ['month', new RegExp(String.raw`\bmonthly\b|${PER}month\b|permonth|每月|[本当]月|月限额`)],
]

/** The one that is named first; null: none is. Lower case. */
export function windowNamed(text: string): NamedWindow | null {
  let first: { readonly name: NamedWindow; readonly at: number } | null = null
  for (const [name, pattern] of NAMES) {
    const at = text.search(pattern)
    if (at >= 0 && (first === null || at < first.at)) first = { name, at }
  }
  return first?.name ?? null
}

const ORDER: readonly NamedWindow[] = ['minute', 'hour', 'session', 'day', 'week', 'month']

/** The longest of several limits that were hit together. */
export function longestWindow(names: readonly string[]): NamedWindow | null {
  const found = names.flatMap((name) => windowNamed(name) ?? [])
  return found.reduce<NamedWindow | null>(
    (longest, next) => (longest === null || ORDER.indexOf(next) > ORDER.indexOf(longest) ? next : longest),
    null,
  )
}
