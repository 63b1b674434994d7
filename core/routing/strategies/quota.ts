// What a reported quota says now. A window whose reset has passed is renewed: what was read of it says nothing any more.
import { LONGEST_REST_MS } from '../../resilience/rest'
import type { QuotaView, QuotaWindow } from '../target-view'
import { clamp01 } from './ranking'
import type { Candidate } from './strategy'

export type KnownQuota = Extract<QuotaView, { readonly kind: 'known' }>

export const SESSION_MS = 5 * 3_600_000
export const WEEK_MS = 7 * 86_400_000

const isRenewed = (resetAt: number | null, now: number): boolean => resetAt !== null && resetAt <= now

/** As it is now; null: not reported, or nothing is known of it. */
export function windowOf(quota: KnownQuota, name: QuotaWindow['name'], now: number): QuotaWindow | null {
  const found = quota.windows.find((window) => window.name === name)
  if (found === undefined) return null
  if (isRenewed(found.resetAt, now)) return { name, usedPercent: 0, resetAt: null }
  return found
}

/** Share left of what is used so much; null: unknown. */
export const shareLeft = (usedPercent: number | null): number | null =>
  usedPercent === null ? null : clamp01((100 - usedPercent) / 100)

/** Share left over all; null: unknown. */
export const leftOverAll = (quota: KnownQuota, now: number): number | null =>
  isRenewed(quota.resetAt, now) ? 1 : shareLeft(quota.usedPercent)

/** Whether a window counts for the target's model. Names of models may hold colons themselves. */
function concerns({ name }: QuotaWindow, model: string): boolean {
  const colon = name.indexOf(':')
  return colon < 0 || name.slice(colon + 1) === model
}

/** Share left of the window that binds most; over all where no window is known. null: unknown. */
export function shareLeftOf({ view, target }: Pick<Candidate, 'view' | 'target'>, now: number): number | null {
  const { quota } = view
  if (quota.kind === 'unlimited') return 1
  if (quota.kind !== 'known') return null
  if (quota.limitReached && !isRenewed(quota.resetAt, now)) return 0
  let least: number | null = null
  for (const window of quota.windows) {
    if (!concerns(window, target.model)) continue
    const left = isRenewed(window.resetAt, now) ? 1 : shareLeft(window.usedPercent)
    if (left !== null && (least === null || left < least)) least = left
  }
  return least ?? leftOverAll(quota, now)
}

/** The provider said that nothing is left, and the reset has not passed. */
export function isLimitReached(quota: QuotaView, now: number): boolean {
  return quota.kind === 'known' && quota.limitReached && !isRenewed(quota.resetAt, now)
}

/** The earliest moment at which something is renewed; null: unknown. */
export function earliestReset(quota: KnownQuota, now: number): number | null {
  let earliest: number | null = null
  for (const { resetAt } of quota.windows) {
    if (resetAt !== null && resetAt > now && (earliest === null || resetAt < earliest)) earliest = resetAt
  }
  return earliest
}

/** When the last of the spent windows is renewed; null: unknown. */
export function spentUntil({ view, target }: Candidate, now: number): number | null {
  const { quota } = view
  if (quota.kind !== 'known') return null
  const spent = quota.windows.filter(
    (w) => concerns(w, target.model) && !isRenewed(w.resetAt, now) && shareLeft(w.usedPercent) === 0,
  )
  const resets = spent.flatMap(({ resetAt }) => resetAt ?? [])
  if (resets.length === 0) return quota.resetAt !== null && quota.resetAt > now ? quota.resetAt : null
  return Math.min(Math.max(...resets), now + LONGEST_REST_MS)
}

/** 1 just before the reset, 0 a whole window away, a half where nobody knows. */
export const urgency = (resetAt: number | null, windowMs: number, now: number): number =>
  resetAt === null ? 0.5 : clamp01(1 - (resetAt - now) / windowMs)
