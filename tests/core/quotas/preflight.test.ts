import { describe, expect, it } from 'vitest'
import { mergeResilience } from '../../../core/contract/resilience-merge'
import { Account } from '../../../core/quotas/account'
import { preflightGate } from '../../../core/quotas/preflight'
import { quotaView } from '../../../core/quotas/quota-view'
import type { ReadWindow } from '../../../core/quotas/windows'

const NOW = 1_800_000_000_000
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const OFF = mergeResilience({ env: {}, stored: undefined }).settings.quotaPreflight
const ON = { ...OFF, enabled: true }

const week = (usedPercent: number | null, more: Partial<ReadWindow> = {}): ReadWindow => ({
  ...{ span: '7d', counts: null, model: null, usedPercent, resetAt: NOW + 48 * HOUR },
  ...more,
})
function accountWith(...windows: ReadWindow[]): Account {
  const account = new Account()
  account.read({ windows, money: null, refused: false }, NOW)
  return account
}
const gateOf = (windows: readonly ReadWindow[], own?: Record<string, number>, after = 0, model: string | null = 'm') =>
  preflightGate(accountWith(...windows), model, ON, own, NOW + after)

describe('the cutoff before a quota is spent', () => {
  it('is off by default', () => {
    expect(OFF).toEqual({ enabled: false, defaultThresholdPercent: 2, warn: 20 })
    expect(preflightGate(accountWith(week(100)), 'm', OFF, undefined, NOW)).toBeNull()
  })

  it('keeps an account out with the reason, since when and until when', () => {
    expect(gateOf([week(98)])).toEqual({
      ...{ kind: 'closed', gate: 'quota-preflight', reason: 'quota_exhausted', endsBy: 'time' },
      ...{ since: NOW, until: NOW + 48 * HOUR },
      why: '2 % of its quota (week) is left: it is not asked below 2 %.',
    })
  })

  it.each<[what: string, windows: ReadWindow[]]>([
    ['more than the threshold is left', [week(97.9)]],
    ['nobody says what is left', [week(null)]],
    ['only a minute’s rate is spent', [week(100, { span: 'minute' })]],
    ['it is another model’s', [week(100, { model: 'another' })]],
    ['it has been renewed', [week(100, { resetAt: NOW })]],
  ])('lets it be asked where %s', (_what, windows) => {
    expect(gateOf(windows)).toBeNull()
  })

  it('ends with the last of several windows', () => {
    const five = week(99, { span: '5h', resetAt: NOW + HOUR })
    expect(gateOf([week(99), five])?.until).toBe(NOW + 48 * HOUR)
    expect(gateOf([week(99), five], undefined, 49 * HOUR)).toBeNull()
  })

  it('a connection’s own figure for a window counts, under any of its names', () => {
    expect(gateOf([week(85)], { weekly: 20 })?.why).toContain('15 % of its quota (week)')
    expect(gateOf([week(85)], { '7d': 20 })).not.toBeNull()
    expect(gateOf([week(85)], { session: 20 })).toBeNull()
    expect(gateOf([week(99)], { weekly: 0 })).toBeNull()
  })

  it('believes a window without a reset only while it is fresh: else nobody would look again', () => {
    const rolling = week(100, { resetAt: null })
    expect(gateOf([rolling])?.until).toBe(NOW + 15 * MINUTE)
    expect(gateOf([rolling], undefined, 15 * MINUTE)).toBeNull()
  })

  it('speaks of the connection as a whole only where the account is spent', () => {
    expect(gateOf([week(100, { model: 'm' })], undefined, 0, null)).toBeNull()
    expect(gateOf([week(100)], undefined, 0, null)).not.toBeNull()
  })
})

describe('what is shown of an account', () => {
  const view = (settings: typeof ON, ...windows: ReadWindow[]) =>
    quotaView(accountWith(...windows), settings, undefined, NOW)

  it('is nothing where nothing is known', () => {
    expect(quotaView(null, ON, undefined, NOW)).toBeNull()
    expect(quotaView(new Account(), ON, undefined, NOW)).toBeNull()
    expect(view(ON)).toBeNull()
  })

  it('tells how near its end each window is', () => {
    const levels = (settings: typeof ON, ...used: number[]) =>
      used.map((percent) => view(settings, week(percent))?.windows[0]?.level)
    expect(levels(OFF, 79, 80, 99, 100)).toEqual(['ok', 'low', 'low', 'spent'])
    expect(levels(ON, 79, 97, 98)).toEqual(['ok', 'low', 'spent'])
    expect(levels({ ...OFF, warn: 0 }, 99)).toEqual(['ok'])
  })

  it('has quotas before rates, shorter ones first, the account’s before a model’s', () => {
    const shown = view(
      OFF,
      week(1, { span: 'minute' }),
      week(1),
      week(9, { span: 'daily', model: 'b' }),
      week(5, { span: 'daily' }),
      week(7, { span: '5h' }),
    )
    expect(shown?.windows.map(({ span, model }) => [span, model])).toEqual([
      ['5h', null],
      ['daily', null],
      ['daily', 'b'],
      ['7d', null],
      ['minute', null],
    ])
  })

  it('says from where it is known, and what went wrong with the page', () => {
    const account = accountWith(week(50))
    account.failed({ why: 'it answered 500', at: NOW + MINUTE, hidesQuota: true })
    expect(quotaView(account, OFF, undefined, NOW + MINUTE)).toMatchObject({
      windows: [{ from: 'provider', readAt: NOW }],
      page: { readAt: NOW, failure: { why: 'it answered 500', at: NOW + MINUTE } },
    })
    const broken = new Account()
    broken.failed({ why: 'it answered 500', at: NOW, hidesQuota: true })
    expect(quotaView(broken, OFF, undefined, NOW)).toMatchObject({ windows: [], page: { readAt: null } })
  })
})
