// The optional cutoff: an account with hardly anything left of a quota is not asked any more until the quota is renewed
// (docs/resilience.md, "Allowances"). Pure.
import { type QuotaSpan, SPAN_WORDS, THRESHOLD_NAMES } from '../contract/quota-words'
import type { ResilienceSettings } from '../contract/resilience-settings'
import type { Gate } from '../resilience/health-events'
import { LONGEST_REST_MS } from '../resilience/rest'
import type { Account, KnownWindow } from './account'
import { FRESH_MS, isRate } from './windows'

/** Left unused of each window, in per cent, by its name. */
export type Thresholds = Readonly<Record<string, number>>

type Settings = ResilienceSettings['quotaPreflight']

/** How much of it is to stay. */
export function thresholdOf(
  span: QuotaSpan,
  { defaultThresholdPercent }: Settings,
  own: Thresholds | undefined,
): number {
  const name = own === undefined ? undefined : THRESHOLD_NAMES[span].find((known) => own[known] !== undefined)
  return name === undefined ? defaultThresholdPercent : (own?.[name] ?? defaultThresholdPercent)
}

/**
 * Of a window without a reset only fresh figures count: nobody would ask an account again whose figures never change.
 * @param model null: only what is the account's as a whole
 */
export function preflightGate(
  account: Account | null,
  model: string | null,
  settings: Settings,
  own: Thresholds | undefined,
  now: number,
): Gate | null {
  if (!settings.enabled || account === null) return null
  let last: Gate | null = null
  for (const window of account.windows(model, now)) {
    if (isRate(window.span) || (model === null && window.model !== null)) continue
    const gate = cutBy(window, thresholdOf(window.span, settings, own), now)
    if (gate !== null && (last === null || (gate.until ?? 0) > (last.until ?? 0))) last = gate
  }
  return last
}

function cutBy({ span, usedPercent, resetAt, readAt }: KnownWindow, threshold: number, now: number): Gate | null {
  if (usedPercent === null || 100 - usedPercent > threshold) return null
  const until = resetAt ?? readAt + FRESH_MS
  if (until <= now) return null
  const left = Math.max(0, Math.round((100 - usedPercent) * 10) / 10)
  return {
    kind: 'closed',
    gate: 'quota-preflight',
    reason: 'quota_exhausted',
    since: readAt,
    until: Math.min(until, now + LONGEST_REST_MS),
    why: `${left} % of its quota (${SPAN_WORDS[span].toLowerCase()}) is left: it is not asked below ${threshold} %.`,
    endsBy: 'time',
  }
}
