import { describe, expect, it, test } from 'vitest'
import { CATALOGUE } from '../../../core/providers/catalogue'
import { readPage } from '../../../core/quotas/page-readers'
import type { QuotaPage } from '../../../core/quotas/quota-page'

/** A Monday. */
const NOW = Date.parse('2026-11-30T10:00:00Z')

function pageOf(id: string): QuotaPage {
  const page = CATALOGUE.find((row) => row.id === id)?.quotaPage
  if (page === undefined || page === null) throw new Error(`${id} has no page`)
  return page
}
const read = (id: string, body: unknown) => readPage(pageOf(id), JSON.stringify(body), NOW)

/** What the providers' documentation shows as an answer. */
const MONEY: readonly (readonly [id: string, body: object, amount: number, currency: string])[] = [
  [
    'deepseek',
    { is_available: true, balance_infos: [{ currency: 'CNY', total_balance: '110.00', granted_balance: '10.00' }] },
    ...([110, 'CNY'] as const),
  ],
  ['moonshot', { code: 0, data: { available_balance: 49.5, voucher_balance: 46, cash_balance: 3.5 } }, 49.5, 'USD'],
  ['moonshot-cn', { code: 0, data: { available_balance: 49.5 } }, 49.5, 'CNY'],
  ['siliconflow', { code: 20000, status: true, data: { balance: '0.88', totalBalance: '88.88' } }, 88.88, 'USD'],
  ['vercel', { balance: '95.50', total_used: '4.50' }, 95.5, 'USD'],
  ['novita', { availableBalance: '1000000', cashBalance: '800000' }, 100, 'USD'],
  ['poe', { current_point_balance: 1500 }, 1500, 'points'],
  ['stepfun', { object: 'account', type: 'prepaid', balance: 12.5 }, 12.5, 'CNY'],
]

describe('a page about money', () => {
  test.each(MONEY)('%s', (id, body, amount, currency) => {
    expect(read(id, body)).toEqual({ windows: [], money: { amount, currency }, refused: false })
  })

  it('says that nothing can be asked for, by a word or by an empty purse where nothing is free', () => {
    const broke = { balance_infos: [{ currency: 'CNY', total_balance: '5.00' }], is_available: false }
    expect(read('deepseek', broke)?.refused).toBe(true)
    expect(read('moonshot', { data: { available_balance: -1 } })?.refused).toBe(true)
    expect(read('siliconflow', { data: { totalBalance: '0' } })?.refused).toBe(false)
  })

  test.each([[{}], [{ data: null }], [{ data: { available_balance: 'much' } }], [[1]], ['text']])(
    'in another form is none: %j',
    (body) => {
      expect(read('moonshot', body)).toBeNull()
    },
  )
})

describe('OpenRouter’s key', () => {
  const key = (limit_reset: string | null, limit: number | null = 100, limit_remaining: number | null = 74.5) =>
    read('openrouter', { data: { label: 'sk-or-v1-au7...890', limit, limit_remaining, limit_reset } })?.windows
  const window = { counts: 'dollars', model: null, usedPercent: expect.closeTo(25.5) }

  it.each([
    ['daily', 'daily', '2026-12-01T00:00:00Z'],
    ['weekly', '7d', '2026-12-07T00:00:00Z'],
    ['monthly', 'monthly', '2026-12-01T00:00:00Z'],
  ])('with a %s limit', (reset, span, at) => {
    expect(key(reset)).toEqual([{ ...window, span, resetAt: Date.parse(at) }])
  })

  it('weeks begin on Monday, so on a Sunday the next one is a day away', () => {
    const sunday = Date.parse('2026-11-29T23:00:00Z')
    const body = { data: { limit: 1, limit_remaining: 1, limit_reset: 'weekly' } }
    const reading = readPage(pageOf('openrouter'), JSON.stringify(body), sunday)
    expect(reading?.windows[0]?.resetAt).toBe(Date.parse('2026-11-30T00:00:00Z'))
  })

  it('with a limit for ever, and with none', () => {
    expect(key(null)).toEqual([{ ...window, span: 'total', resetAt: null }])
    expect(key(null, null, null)).toEqual([])
    expect(read('openrouter', { error: 'no' })).toBeNull()
  })
})

describe('NanoGPT’s subscription', () => {
  const body = {
    active: true,
    daily: { used: 5, remaining: 15, percentUsed: 0.25, resetAt: NOW + 3_600_000 },
    monthly: { used: 45, remaining: 55, percentUsed: 0.45, resetAt: NOW + 86_400_000 },
  }

  it('has a day and a month', () => {
    expect(read('nano-gpt', body)?.windows).toMatchObject([
      { span: 'daily', usedPercent: 25, resetAt: NOW + 3_600_000 },
      { span: 'monthly', usedPercent: 45, resetAt: NOW + 86_400_000 },
    ])
  })

  it('counts nothing where there is none', () => {
    expect(read('nano-gpt', { ...body, active: false })?.windows).toEqual([])
    expect(read('nano-gpt', { daily: {} })).toBeNull()
  })
})

describe('Synthetic’s quotas', () => {
  it('are requests of five hours', () => {
    const subscription = { limit: 135, requests: 27, renewsAt: '2026-11-30T12:00:00Z' }
    expect(read('synthetic', { subscription })?.windows).toEqual([
      {
        ...{ span: '5h', counts: 'requests', model: null, usedPercent: expect.closeTo(20) },
        resetAt: Date.parse('2026-11-30T12:00:00Z'),
      },
    ])
  })

  it('of newer accounts come back bit by bit', () => {
    const body = {
      subscription: { limit: 0, requests: 0, renewsAt: '' },
      rollingFiveHourLimit: { max: 200, remaining: 50, nextTickAt: '2026-11-30T10:05:00Z' },
      weeklyTokenLimit: { percentRemaining: 80, nextRegenAt: '2026-11-30T11:00:00Z' },
    }
    expect(read('synthetic', body)?.windows).toMatchObject([
      { span: '5h', usedPercent: 75, resetAt: null },
      { span: '7d', usedPercent: 20, resetAt: null },
    ])
    expect(read('synthetic', { subscription: {} })).toBeNull()
  })
})

it('a page that is no JSON is none', () => {
  expect(readPage(pageOf('openrouter'), '<html>', NOW)).toBeNull()
})
