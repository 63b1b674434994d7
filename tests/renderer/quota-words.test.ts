import { describe, expect, it } from 'vitest'
import type { ConnectionQuota, QuotaWindowView } from '../../core/contract/quota-views'
import { listed, moneyWords, presentWindows, usedWords, windowLabel } from '../../renderer/app/quota-words'

const NOW = 1_800_000_000_000
const HOUR = 3_600_000
const window = (part: Partial<QuotaWindowView> = {}): QuotaWindowView => ({
  ...{ span: '7d', counts: null, model: null, usedPercent: 40, resetAt: NOW + HOUR, from: 'headers' },
  ...{ readAt: NOW, level: 'ok', ...part },
})
const quota = (...windows: QuotaWindowView[]): ConnectionQuota => ({
  ...{ windows, money: null, refused: false, page: null },
})

describe('what is left, as it is looked at', () => {
  it('a quota that was renewed meanwhile is as good as unused', () => {
    const spent = window({ usedPercent: 100, level: 'spent' })
    expect(presentWindows([spent], NOW + HOUR - 1)).toEqual([spent])
    expect(presentWindows([spent], NOW + HOUR)).toEqual([{ ...spent, usedPercent: 0, resetAt: null, level: 'ok' }])
  })

  it('a rate that has passed is not known any more, with a reset or without', () => {
    const told = window({ span: 'minute', resetAt: NOW + 40_000 })
    const untold = window({ span: 'minute', resetAt: null })
    expect(presentWindows([told, untold], NOW + 39_999)).toHaveLength(2)
    expect(presentWindows([told, untold], NOW + 40_000)).toEqual([untold])
    expect(presentWindows([told, untold], NOW + 60_000)).toEqual([])
  })

  it('a list shows a few quotas, the account’s own first, and no rates', () => {
    const models = ['a', 'b', 'c'].map((model) => window({ span: 'daily', model }))
    const shown = listed(quota(window({ span: 'minute' }), ...models, window()), NOW)
    expect(shown.map(({ span, model }) => [span, model])).toEqual([
      ['7d', null],
      ['daily', 'a'],
      ['daily', 'b'],
    ])
    expect(listed(null, NOW)).toEqual([])
  })
})

it('windows are named in words, with what they count where that says something', () => {
  expect(windowLabel(window({ span: '5h' }))).toBe('Five hours')
  expect(windowLabel(window({ span: 'daily', counts: 'requests' }))).toBe('Day, requests')
  expect(windowLabel(window({ span: 'monthly', counts: 'dollars' }))).toBe('Month')
})

it('shares are whole per cents, or not told', () => {
  expect(usedWords(12.4)).toBe('12 % used')
  expect(usedWords(null)).toBe('use not told')
})

it('money has its currency, points are counted', () => {
  expect(moneyWords({ amount: 49.583, currency: 'USD' })).toBe('$49.58')
  expect(moneyWords({ amount: 110, currency: 'CNY' })).toBe('CN¥110.00')
  expect(moneyWords({ amount: 1500, currency: 'points' })).toBe('1,500 points')
})
