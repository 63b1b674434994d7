// What the pages of single providers say, each as its public documentation has it. null: it is no such page.
import type { JsonObject } from '../dialects/canonical'
import { isObject } from '../dialects/json'
import type { AccountReading } from './account'
import type { MoneyPage, QuotaPage } from './quota-page'
import { type ReadWindow, usedOf } from './windows'

/** @param text of the answer */
export function readPage(page: QuotaPage, text: string, now: number): AccountReading | null {
  const json = parsed(text)
  if (json === null) return null
  if (page.kind === 'money') return money(page, json)
  const windows = READERS[page.reader](json, now)
  return windows === null ? null : { windows, money: null, refused: false }
}

function parsed(text: string): JsonObject | null {
  try {
    const json: unknown = JSON.parse(text)
    return isObject(json) ? json : null
  } catch {
    return null
  }
}

function money({ amount, unit, currency, usable, endsAtZero }: MoneyPage, json: JsonObject): AccountReading | null {
  const value = numberOf(at(json, amount))
  const name = currency.startsWith('.') ? at(json, currency.slice(1)) : currency
  if (value === null || typeof name !== 'string') return null
  const refused = (usable !== null && at(json, usable) === false) || (endsAtZero && value <= 0)
  return { windows: [], money: { amount: value / unit, currency: name }, refused }
}

function at(json: unknown, path: string): unknown {
  let value = json
  for (const name of path.split('.')) {
    if (Array.isArray(value)) value = value[Number(name)]
    else value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  }
  return value
}

/** Amounts come as numbers and as texts. */
function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

type Reader = (json: JsonObject, now: number) => ReadWindow[] | null

const account = (window: Omit<ReadWindow, 'model'>): ReadWindow => ({ ...window, model: null })

/** https://openrouter.ai/docs/limits: what the key may spend, and how often that begins anew; null: as it likes. */
const openRouter: Reader = ({ data }, now) => {
  if (!isObject(data) || !('limit' in data)) return null
  const usedPercent = usedOf(numberOf(data.limit), numberOf(data.limit_remaining))
  if (usedPercent === null) return []
  const counts = 'dollars'
  const day = new Date(now)
  const [year, month, date] = [day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate()]
  switch (data.limit_reset) {
    case 'daily':
      return [account({ span: 'daily', counts, usedPercent, resetAt: Date.UTC(year, month, date + 1) })]
    case 'weekly': {
      // Weeks begin on Mondays.
      const resetAt = Date.UTC(year, month, date + 7 - ((day.getUTCDay() + 6) % 7))
      return [account({ span: '7d', counts, usedPercent, resetAt })]
    }
    case 'monthly':
      return [account({ span: 'monthly', counts, usedPercent, resetAt: Date.UTC(year, month + 1) })]
    default:
      return [account({ span: 'total', counts, usedPercent, resetAt: null })]
  }
}

/** https://docs.nano-gpt.com/api-reference/endpoint/subscription-usage; without a subscription nothing is counted. */
const nanoGpt: Reader = (json) => {
  if (typeof json.active !== 'boolean') return null
  if (!json.active) return []
  return (['daily', 'monthly'] as const).flatMap((span) => {
    const window = json[span]
    const share = isObject(window) ? numberOf(window.percentUsed) : null
    if (!isObject(window) || share === null) return []
    return account({ span, counts: null, usedPercent: share * 100, resetAt: numberOf(window.resetAt) })
  })
}

/**
 * https://dev.synthetic.new/docs/synthetic/quotas: requests of five hours; newer accounts also a week's tokens. Both
 * newer ones come back bit by bit: no moment makes them whole.
 */
const synthetic: Reader = (json) => {
  const { subscription, rollingFiveHourLimit: five, weeklyTokenLimit: week } = json
  const windows: ReadWindow[] = []
  if (isObject(five)) {
    const usedPercent = usedOf(numberOf(five.max), numberOf(five.remaining))
    windows.push(account({ span: '5h', counts: 'requests', usedPercent, resetAt: null }))
  } else if (isObject(subscription)) {
    const [limit, used] = [numberOf(subscription.limit), numberOf(subscription.requests)]
    const usedPercent = limit === null || used === null ? null : usedOf(limit, limit - used)
    const resetAt = typeof subscription.renewsAt === 'string' ? Date.parse(subscription.renewsAt) : Number.NaN
    windows.push(
      account({ span: '5h', counts: 'requests', usedPercent, resetAt: Number.isNaN(resetAt) ? null : resetAt }),
    )
  }
  if (isObject(week)) {
    const left = numberOf(week.percentRemaining)
    windows.push(
      account({ span: '7d', counts: 'tokens', usedPercent: left === null ? null : 100 - left, resetAt: null }),
    )
  }
  const known = windows.filter(({ usedPercent }) => usedPercent !== null)
  return known.length === 0 ? null : known
}

const READERS = { openRouter, nanoGpt, synthetic } as const satisfies Record<string, Reader>
export type PageReader = keyof typeof READERS
