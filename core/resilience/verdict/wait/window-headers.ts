// Headers that tell of limits and when each is full again: x-ratelimit-*, anthropic-ratelimit-*, x-codex-*, RateLimit.
// Only a window that is spent says anything about this refusal (docs/resilience.md, "Stated waits").
import type { Headers } from './retry-headers'
import { type ReadContext, type Unit, waitOf } from './values'

export interface LimitWindow {
  /** What its headers have in common: "requests-day", "anthropic-unified-5h"; "" for a provider's only one. */
  readonly key: string
  /** Milliseconds until it is full again. */
  readonly resetMs: number | null
  /** null: not said. */
  readonly spent: boolean | null
}

const FAMILY = /rate-?limit|^x-codex-|quota/
/** Allowances beside the plan's: that they are used up, or closed, is not why the plan's window refused. */
const BESIDE = /overage|fallback|slow|grace|representative|-over-/
/** Words of a header's name that say which fact it gives, or nothing. */
const ROLE_WORDS = new Set(
  'x ratelimit rate limit reset remaining status utilization used percent after seconds at ms time timestamp in'.split(
    ' ',
  ),
)

export function limitWindows(headers: Headers, context: ReadContext): readonly LimitWindow[] {
  const windows = new Map<string, { resetMs: number | null; spent: boolean | null }>()
  for (const [name, value] of Object.entries(headers)) {
    if (!FAMILY.test(name) || BESIDE.test(name)) continue
    if (/^(?:x-)?ratelimit(?:-policy)?$/.test(name)) {
      for (const window of structuredWindows(value)) windows.set(window.key, { ...window })
      continue
    }
    const words = name.split('-')
    const key = words.filter((word) => !ROLE_WORDS.has(word)).join('-')
    const window = windows.get(key) ?? { resetMs: null, spent: null }
    if (words.includes('reset')) {
      const unit: Unit = words.includes('ms') ? 'ms' : 's'
      const resetMs = waitOf(value, context, unit)
      if (resetMs !== null) window.resetMs = Math.max(window.resetMs ?? 0, resetMs)
    } else {
      window.spent = spentBy(words, value.trim().toLowerCase()) ?? window.spent
    }
    windows.set(key, window)
  }
  return [...windows].map(([key, window]) => ({ key, ...window }))
}

/** Status before utilization: a window may be used up and still let requests pass. */
function spentBy(words: readonly string[], value: string): boolean | null {
  if (words.includes('status')) {
    if (/^(?:rejected|exceeded|exhausted)/.test(value)) return true
    return value.startsWith('allowed') ? false : null
  }
  const number = value === '' ? Number.NaN : Number(value)
  if (Number.isNaN(number)) return null
  if (words.includes('remaining')) return number <= 0
  if (words.includes('percent')) return number >= 100
  if (words.includes('utilization')) return number >= 1
  return null
}

/** `RateLimit: "default";r=0;t=30`, and the older `limit=100, remaining=0, reset=50`. */
function structuredWindows(value: string): readonly LimitWindow[] {
  if (/\bremaining=/.test(value)) return [structuredWindow('', value, /\bremaining=(\d+)/, /\breset=(\d+)/)]
  return value
    .split(',')
    .filter((item) => /;\s*r=/.test(item))
    .map((item) => structuredWindow(item.split(';')[0]?.trim() ?? '', item, /;\s*r=(\d+)/, /;\s*t=(\d+)/))
}

function structuredWindow(key: string, item: string, remaining: RegExp, reset: RegExp): LimitWindow {
  const left = remaining.exec(item)?.[1]
  const seconds = reset.exec(item)?.[1]
  const resetMs = seconds === undefined || seconds.length > 9 ? null : Number(seconds) * 1_000
  return { key, resetMs, spent: left === undefined ? null : Number(left) === 0 }
}

const UNIFIED = 'anthropic-unified'

/** The windows that are why the request was refused. */
export function spentWindows(windows: readonly LimitWindow[]): readonly LimitWindow[] {
  const spent = windows.filter(({ spent }) => spent === true)
  // The sum of all of them says nothing once one is known to be spent.
  const parts = spent.filter(({ key }) => key.startsWith(`${UNIFIED}-`))
  return parts.length === 0 ? spent : spent.filter(({ key }) => key !== UNIFIED)
}

/** Several are spent: the latest. A provider's only window needs no word that it is spent, for it refused. */
export function windowWait(windows: readonly LimitWindow[], refusedByLimit: boolean): number | null {
  const spent = spentWindows(windows).flatMap(({ resetMs }) => (resetMs === null ? [] : [resetMs]))
  if (spent.length > 0) return Math.max(...spent)
  const [only, ...more] = windows.filter(({ resetMs }) => resetMs !== null)
  const unsaid = windows.every(({ spent }) => spent === null)
  return refusedByLimit && unsaid && more.length === 0 ? (only?.resetMs ?? null) : null
}
