// Members of a JSON error that say when: Google's RetryInfo, `resets_in_seconds`, `retry_after`, the headers of an
// upstream that a relay passes on. Several of them: the longest, unless a window among them is not spent.
import { isObject } from '../../../dialects/json'
import { retryAfter, retryAfterMs } from './retry-headers'
import { type ReadContext, type Unit, waitOf } from './values'
import { limitWindows, windowWait } from './window-headers'

export interface FieldWait {
  readonly ms: number
  /** Google's typed RetryInfo, which speaks of exactly this call. */
  readonly typed: boolean
}

/** Names without "_" and "-", in lower case. */
const FIELDS: Readonly<Record<string, Unit>> = {
  retryafter: 's',
  retryafterseconds: 's',
  retryafterms: 'ms',
  retryaftermillis: 'ms',
  retrydelay: 's',
  retryin: 's',
  retryinseconds: 's',
  retryinms: 'ms',
  retryat: 's',
  quotaresetdelay: 's',
  quotaresettimestamp: 's',
  resetsat: 's',
  resetat: 's',
  resettime: 's',
  resetsin: 's',
  resetin: 's',
  resetsinseconds: 's',
  resetinseconds: 's',
  resetinms: 'ms',
  resetafter: 's',
  resetafterseconds: 's',
  resetseconds: 's',
  waitseconds: 's',
  waitms: 'ms',
  // Hugging Face, of a model that is loading.
  estimatedtime: 's',
  availableat: 's',
  nextavailableat: 's',
}
const MAX_DEPTH = 8

export function fieldWait(json: unknown, context: ReadContext): FieldWait | null {
  const found: FieldWait[] = []
  collect(json, context, 0, found)
  return found.reduce<FieldWait | null>((longest, next) => (next.ms > (longest?.ms ?? -1) ? next : longest), null)
}

function collect(value: unknown, context: ReadContext, depth: number, found: FieldWait[]): void {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const item of value) collect(item, context, depth + 1, found)
    return
  }
  const members = Object.entries(value)
  const open = hasRoom(members)
  for (const [name, member] of members) {
    const key = name.toLowerCase().replace(/[_-]/g, '')
    const unit = Object.hasOwn(FIELDS, key) ? FIELDS[key] : undefined
    if (key === 'headers' && isObject(member)) {
      const ms = headersWait(member, context)
      if (ms !== null) found.push({ ms, typed: false })
    } else if (unit !== undefined) {
      const ms = open ? null : waitOf(member, context, unit)
      if (ms !== null)
        found.push({ ms, typed: /RetryInfo$/.test(String(Object.getOwnPropertyDescriptor(value, '@type')?.value)) })
    } else {
      collect(member, context, depth + 1, found)
    }
  }
}

/** An object that tells of a window which is not spent. */
function hasRoom(members: readonly (readonly [string, unknown])[]): boolean {
  return members.some(([name, value]) => {
    if (/^used_?percent(age)?$|^utilization$/i.test(name))
      return Number(value) < (name.startsWith('u') && /util/i.test(name) ? 1 : 100)
    return /^remaining/i.test(name) && Number(value) > 0
  })
}

/** Headers as a relay repeats them in the body. */
function headersWait(given: object, context: ReadContext): number | null {
  const headers = Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name.toLowerCase(), String(value)]] : [],
    ),
  )
  return (
    retryAfterMs(headers, context.now) ??
    retryAfter(headers, context.now) ??
    windowWait(limitWindows(headers, context), true)
  )
}
