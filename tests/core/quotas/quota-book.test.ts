import { describe, expect, it } from 'vitest'
import { QuotaBook } from '../../../core/quotas/quota-book'

const NOW = 1_800_000_000_000
const MINUTE = 60_000
const HOUR = 3_600_000
type Headers = Readonly<Record<string, string | string[]>>

const asked = (model: string) => ({ model, provider: { row: { requestLimitSpan: 'minute' as const } } })

function viewOf(headers: Headers, after = 0) {
  const book = new QuotaBook()
  book.note('a', asked('m'), headers, NOW)
  return book.view('a', 'm', NOW + after)
}
function known(headers: Headers, after = 0) {
  const view = viewOf(headers, after)
  if (view.kind !== 'known') throw new Error(view.kind)
  return view
}
const unified = (windows: Readonly<Record<'5h' | '7d', readonly [utilization: string, resetInMs: number]>>): Headers =>
  Object.fromEntries([
    ['anthropic-ratelimit-unified-status', 'allowed'],
    ...Object.entries(windows).flatMap(([name, [utilization, ms]]) => [
      [`anthropic-ratelimit-unified-${name}-utilization`, utilization],
      [`anthropic-ratelimit-unified-${name}-reset`, String((NOW + ms) / 1000)],
    ]),
  ])
const CLAUDE = unified({ '5h': ['0.25', HOUR], '7d': ['0.5', 48 * HOUR] })
const CODEX: Headers = {
  'x-codex-primary-used-percent': '12.5',
  'x-codex-primary-window-minutes': '300',
  'x-codex-primary-reset-after-seconds': '3600',
  'x-codex-secondary-used-percent': '40',
  'x-codex-secondary-window-minutes': '10080',
  'x-codex-secondary-reset-after-seconds': '7200',
}

describe('what an account has used', () => {
  it('is unknown where no answer has told', () => {
    expect(new QuotaBook().view('a', 'm', NOW)).toEqual({ kind: 'none' })
    for (const headers of [
      {},
      { 'x-ratelimit-remaining-requests': '3' },
      { 'anthropic-ratelimit-unified-status': 'allowed' },
    ])
      expect(viewOf(headers)).toEqual({ kind: 'none' })
  })

  it('is Claude’s two windows, in percent', () => {
    expect(known(CLAUDE)).toEqual({
      kind: 'known',
      windows: [
        { name: '5h', usedPercent: 25, resetAt: NOW + HOUR },
        { name: '7d', usedPercent: 50, resetAt: NOW + 48 * HOUR },
      ],
      ...{ usedPercent: 50, resetAt: NOW + HOUR, limitReached: false, fresh: true },
    })
  })

  it('is Codex’s two windows, by their length', () => {
    expect(known(CODEX)).toMatchObject({
      windows: [
        { name: '5h', usedPercent: 12.5, resetAt: NOW + HOUR },
        { name: '7d', usedPercent: 40, resetAt: NOW + 2 * HOUR },
      ],
      ...{ usedPercent: 40, resetAt: NOW + HOUR },
    })
    const weekly = { ...CODEX, 'x-codex-primary-window-minutes': '10080' }
    expect(known(weekly).windows).toEqual([{ name: '7d', usedPercent: 40, resetAt: NOW + 2 * HOUR }])
    const { 'x-codex-primary-window-minutes': _, 'x-codex-secondary-window-minutes': __, ...unnamed } = CODEX
    expect(known(unnamed).windows.map(({ name }) => name)).toEqual(['5h', '7d'])
  })

  it('is what can be read of it: a number that is none is unknown', () => {
    expect(known({ ...CLAUDE, 'anthropic-ratelimit-unified-5h-utilization': 'much' }).windows[0]).toEqual({
      ...{ name: '5h', usedPercent: null, resetAt: NOW + HOUR },
    })
    expect(known({ ...CODEX, 'x-codex-primary-reset-after-seconds': '' }).windows[0]?.resetAt).toBeNull()
    expect(known({ ...CODEX, 'x-codex-secondary-used-percent': ['1', '2'] }).windows[1]?.usedPercent).toBeNull()
    expect(viewOf({ 'x-codex-primary-used-percent': 'NaN' })).toEqual({ kind: 'none' })
  })

  it('is the last answer’s word, and kept where a later one says nothing', () => {
    const book = new QuotaBook()
    book.note('a', asked('m'), CODEX, NOW)
    book.note('a', asked('n'), { ...CODEX, 'x-codex-primary-used-percent': '99' }, NOW)
    book.note('a', asked('m'), { 'content-type': 'application/json' }, NOW)
    expect(book.view('a', 'm', NOW)).toMatchObject({ usedPercent: 99 })
    expect(book.view('b', 'm', NOW)).toEqual({ kind: 'none' })
  })
})

describe('a spent allowance', () => {
  const spent = unified({ '5h': ['1.0', HOUR], '7d': ['0.5', 48 * HOUR] })

  it('is one of its windows at a hundred percent or beyond', () => {
    expect(known(spent)).toMatchObject({ limitReached: true, usedPercent: 100 })
    expect(known({ ...CODEX, 'x-codex-secondary-used-percent': '104' }).limitReached).toBe(true)
  })

  it('is there again when its window has begun anew', () => {
    expect(known(spent, HOUR - 1).limitReached).toBe(true)
    expect(known(spent, HOUR)).toMatchObject({
      windows: [
        { name: '5h', usedPercent: 0, resetAt: null },
        { name: '7d', usedPercent: 50 },
      ],
      ...{ limitReached: false, usedPercent: 50, resetAt: NOW + 48 * HOUR },
    })
  })
})

it('figures are fresh for a quarter of an hour, and shown beyond it', () => {
  expect(known(CLAUDE, 15 * MINUTE - 1).fresh).toBe(true)
  expect(known(CLAUDE, 15 * MINUTE)).toMatchObject({ fresh: false, usedPercent: 50 })
})

describe('what no moment renews', () => {
  const month: Headers = {
    'x-ratelimit-limit-tokens-month': '1000',
    'x-ratelimit-remaining-tokens-month': '0',
  }

  it('is believed only while it is fresh: a spent account that nobody asks would be spent for ever', () => {
    expect(known(month)).toMatchObject({ usedPercent: 100, limitReached: true })
    expect(known(month, 15 * MINUTE)).toMatchObject({
      windows: [{ name: 'monthly:m', usedPercent: null }],
      ...{ usedPercent: null, limitReached: false, fresh: false },
    })
  })

  it('a refusal neither', () => {
    const { 'anthropic-ratelimit-unified-status': _, ...rest } = CLAUDE
    const refused = { ...rest, 'anthropic-ratelimit-unified-status': 'rejected' }
    expect(known(refused, 15 * MINUTE - 1).limitReached).toBe(true)
    expect(known(refused, 15 * MINUTE).limitReached).toBe(false)
    const until = { ...refused, 'anthropic-ratelimit-unified-reset': String((NOW + HOUR) / 1000) }
    expect(known(until, HOUR - 1).limitReached).toBe(true)
    expect(known(until, HOUR).limitReached).toBe(false)
  })
})

describe('what is one model’s alone', () => {
  const day = (left: string): Headers => ({
    'x-ratelimit-limit-requests-day': '1000',
    'x-ratelimit-remaining-requests-day': left,
    'x-ratelimit-reset-requests-day': '3600',
  })
  const book = new QuotaBook()
  book.note('a', asked('spent:free'), day('0'), NOW)
  book.note('a', asked('full'), day('900'), NOW)

  it('is told of that model, and of no other', () => {
    expect(book.view('a', 'spent:free', NOW)).toMatchObject({
      windows: [{ name: 'daily:spent:free', usedPercent: 100, resetAt: NOW + HOUR }],
      ...{ usedPercent: 100, limitReached: true },
    })
    expect(book.view('a', 'full', NOW)).toMatchObject({ usedPercent: expect.closeTo(10), limitReached: false })
    expect(book.view('a', 'never asked', NOW)).toEqual({ kind: 'none' })
  })

  it('is kept for a bounded number of models', () => {
    for (let i = 0; i < 100; i++) book.note('a', asked(`m${i}`), day('900'), NOW)
    expect(book.view('a', 'full', NOW)).toEqual({ kind: 'none' })
    expect(book.view('a', 'm99', NOW).kind).toBe('known')
  })
})

describe('a rate', () => {
  const minute: Headers = {
    'x-ratelimit-limit-requests': '60',
    'x-ratelimit-remaining-requests': '0',
    'x-ratelimit-reset-requests': '59s',
  }

  it('of a minute is no quota, however spent it is', () => {
    expect(viewOf(minute)).toEqual({ kind: 'none' })
  })

  it('is shown until it has passed', () => {
    const book = new QuotaBook()
    book.note('a', asked('m'), minute, NOW)
    const shown = (after: number) => book.find('a')?.windows(null, NOW + after)
    expect(shown(0)).toMatchObject([{ span: 'minute', counts: 'requests', model: 'm', usedPercent: 100 }])
    expect(shown(59_000)).toEqual([])
  })
})

describe('what a provider’s page says', () => {
  const page = (usedPercent: number) => ({
    windows: [{ span: 'monthly' as const, counts: 'dollars' as const, model: null, usedPercent, resetAt: null }],
    money: null,
    refused: false,
  })

  it('stands beside what headers say', () => {
    const book = new QuotaBook()
    book.note('a', asked('m'), CLAUDE, NOW)
    book.read('a', page(90), NOW)
    expect(book.view('a', 'm', NOW)).toMatchObject({ usedPercent: 90, windows: [{}, {}, { name: 'monthly' }] })
  })

  it('is unreadable only where it tells of quotas and was never read', () => {
    const failure = { why: 'it answered 500', at: NOW, hidesQuota: true }
    const book = new QuotaBook()
    book.failed('money', { ...failure, hidesQuota: false })
    expect(book.view('money', 'm', NOW)).toEqual({ kind: 'none' })
    book.failed('quota', failure)
    expect(book.view('quota', 'm', NOW)).toEqual({ kind: 'unreadable' })
    book.read('quota', page(10), NOW)
    book.failed('quota', failure)
    expect(book.view('quota', 'm', NOW)).toMatchObject({ kind: 'known', usedPercent: 10 })
  })

  it('is spent where it says that nothing can be asked for; money that is there is no quota', () => {
    const book = new QuotaBook()
    const money = { amount: 12, currency: 'USD' }
    book.read('rich', { windows: [], money, refused: false }, NOW)
    expect(book.view('rich', 'm', NOW)).toEqual({ kind: 'none' })
    book.read('broke', { windows: [], money: { ...money, amount: 0 }, refused: true }, NOW)
    expect(book.view('broke', 'm', NOW)).toMatchObject({ kind: 'known', limitReached: true })
    expect(book.view('broke', 'm', NOW + 15 * MINUTE)).toEqual({ kind: 'none' })
  })

  it('is forgotten with the key', () => {
    const book = new QuotaBook()
    book.read('a', page(90), NOW)
    book.forget('a')
    expect(book.view('a', 'm', NOW)).toEqual({ kind: 'none' })
  })
})
