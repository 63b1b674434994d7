import { describe, expect, it } from 'vitest'
import { QuotaBook } from '../../../core/routing/quota-book'

const NOW = 1_800_000_000_000
const MINUTE = 60_000
const HOUR = 3_600_000
type Headers = Readonly<Record<string, string | string[]>>

function viewOf(headers: Headers, after = 0) {
  const book = new QuotaBook()
  book.note('a', headers, NOW)
  return book.view('a', NOW + after)
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
    expect(new QuotaBook().view('a', NOW)).toEqual({ kind: 'none' })
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
    expect(known(weekly).windows.map(({ name }) => name)).toEqual(['7d', '7d'])
    const { 'x-codex-primary-window-minutes': _, 'x-codex-secondary-window-minutes': __, ...unnamed } = CODEX
    expect(known(unnamed).windows.map(({ name }) => name)).toEqual(['5h', '7d'])
  })

  it('is what can be read of it: a number that is none is unknown', () => {
    expect(known({ ...CLAUDE, 'anthropic-ratelimit-unified-5h-utilization': 'much' }).windows[0]).toEqual({
      ...{ name: '5h', usedPercent: null, resetAt: NOW + HOUR },
    })
    expect(known({ ...CODEX, 'x-codex-primary-reset-after-seconds': '' }).windows[0]?.resetAt).toBeNull()
    expect(known({ ...CODEX, 'x-codex-secondary-used-percent': ['1', '2'] }).windows).toHaveLength(1)
    expect(viewOf({ 'x-codex-primary-used-percent': 'NaN' })).toEqual({ kind: 'none' })
  })

  it('is the last answer’s word, and kept where a later one says nothing', () => {
    const book = new QuotaBook()
    book.note('a', CODEX, NOW)
    book.note('a', { ...CODEX, 'x-codex-primary-used-percent': '99' }, NOW)
    book.note('a', { 'content-type': 'application/json' }, NOW)
    expect(book.view('a', NOW)).toMatchObject({ usedPercent: 99 })
    expect(book.view('b', NOW)).toEqual({ kind: 'none' })
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
