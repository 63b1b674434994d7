// A connection's allowances in words, as they are at the moment they are looked at. Pure.
import type { ConnectionQuota, QuotaWindowView } from '../../core/contract/quota-views'
import { type QuotaLevel, SPAN_WORDS } from '../../core/contract/quota-words'

/** A rate passes by itself, and is no quota. */
export const isRate = ({ span }: Pick<QuotaWindowView, 'span'>): boolean => span === 'minute' || span === 'hour'

const RATE_MS = { minute: 60_000, hour: 3_600_000 } as const

/** What has begun anew since it was read is as good as unused; a rate that has passed is not known any more. */
export function presentWindows(windows: readonly QuotaWindowView[], now: number): QuotaWindowView[] {
  return windows.flatMap((window) => {
    const { span, resetAt, readAt } = window
    if (span === 'minute' || span === 'hour') return (resetAt ?? readAt + RATE_MS[span]) <= now ? [] : window
    return resetAt !== null && resetAt <= now ? { ...window, usedPercent: 0, resetAt: null, level: 'ok' } : window
  })
}

/** "Week", "Day, requests", "Minute, tokens". */
export const windowLabel = ({ span, counts }: Pick<QuotaWindowView, 'span' | 'counts'>): string =>
  counts === null || counts === 'dollars' ? SPAN_WORDS[span] : `${SPAN_WORDS[span]}, ${counts}`

export const usedWords = (usedPercent: number | null): string =>
  usedPercent === null ? 'use not told' : `${Math.round(usedPercent)} % used`

export const LEVEL_WORDS: Readonly<Record<QuotaLevel, string>> = { ok: '', low: 'Low', spent: 'Spent' }

export const sourceWords = ({ from }: Pick<QuotaWindowView, 'from'>): string =>
  from === 'headers' ? 'told by an answer' : 'read from the provider'

/** "$12.40", "CN¥110.00", "1,500 points". */
export function moneyWords({ amount, currency }: NonNullable<ConnectionQuota['money']>): string {
  if (!/^[A-Z]{3}$/.test(currency)) {
    return `${new Intl.NumberFormat('en-GB', { maximumFractionDigits: 2 }).format(amount)} ${currency}`
  }
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount)
}

/** In a list there is room for a few: quotas only, the account's own first. */
export const MOST_IN_LIST = 3

export function listed(quota: ConnectionQuota | null, now: number): readonly QuotaWindowView[] {
  if (quota === null) return []
  const quotas = presentWindows(quota.windows, now).filter((window) => !isRate(window))
  const own = quotas.filter(({ model }) => model === null)
  return [...own, ...quotas.filter(({ model }) => model !== null)].slice(0, MOST_IN_LIST)
}
