// A connection's allowances as they are shown. Pure.
import type { ConnectionQuota, QuotaWindowView } from '../contract/quota-views'
import { QUOTA_COUNTS, QUOTA_SPANS, type QuotaLevel } from '../contract/quota-words'
import type { ResilienceSettings } from '../contract/resilience-settings'
import type { Account, KnownWindow } from './account'
import { type Thresholds, thresholdOf } from './preflight'
import { isRate } from './windows'

/** More are not shown: a key may have limits for each of many models. */
const MOST_SHOWN = 24

type Settings = ResilienceSettings['quotaPreflight']

/** null: nothing is known. */
export function quotaView(
  account: Account | null,
  settings: Settings,
  own: Thresholds | undefined,
  now: number,
): ConnectionQuota | null {
  if (account === null) return null
  const { reading, lastFailure } = account
  const windows = account
    .windows(null, now)
    .toSorted(inOrder)
    .slice(0, MOST_SHOWN)
    .map((window): QuotaWindowView => ({ ...window, level: levelOf(window, settings, own) }))
  const money = reading?.reading.money ?? null
  const refused = account.isRefused(now)
  if (windows.length === 0 && money === null && !refused && lastFailure === null) return null
  const page = {
    readAt: reading?.at ?? null,
    failure: lastFailure === null ? null : { why: lastFailure.why, at: lastFailure.at },
  }
  return { windows, money, refused, page: reading === null && lastFailure === null ? null : page }
}

/** Of the same window the account's before the models', the most used first. */
const inOrder = (a: KnownWindow, b: KnownWindow): number =>
  Number(isRate(a.span)) - Number(isRate(b.span)) ||
  QUOTA_SPANS.indexOf(a.span) - QUOTA_SPANS.indexOf(b.span) ||
  Number(a.model !== null) - Number(b.model !== null) ||
  (b.usedPercent ?? -1) - (a.usedPercent ?? -1) ||
  placeOf(a) - placeOf(b)

const placeOf = ({ counts }: KnownWindow): number => (counts === null ? -1 : QUOTA_COUNTS.indexOf(counts))

function levelOf({ span, usedPercent }: KnownWindow, settings: Settings, own: Thresholds | undefined): QuotaLevel {
  if (usedPercent === null) return 'ok'
  const left = 100 - usedPercent
  const cut = settings.enabled && !isRate(span) ? thresholdOf(span, settings, own) : 0
  if (left <= cut) return 'spent'
  return left <= settings.warn ? 'low' : 'ok'
}
