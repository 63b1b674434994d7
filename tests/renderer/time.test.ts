import { describe, expect, it } from 'vitest'
import { compact, counted } from '../../renderer/ui/numbers'
import { countdown, duration, logTime, relativeTime } from '../../renderer/ui/time'

const noon = new Date(2026, 10, 30, 12, 0, 0).getTime()
const s = 1000
const min = 60 * s
const h = 60 * min

describe('relative time', () => {
  it.each([
    [noon + 48 * s, 'in 48 s'],
    [noon - 12 * s, '12 s ago'],
    [noon - s, 'now'],
    [noon + 1999, 'now'],
    [noon - 59_999, '59 s ago'],
    [noon - min, '1 min ago'],
    [noon + 59 * min + 59 * s, 'in 59 min'],
    [noon - h, '11:00'],
    [noon + 2 * h, '14:00'],
    [noon - 30 * h, '29 Nov, 06:00'],
  ])('%d is said %s', (at, words) => expect(relativeTime(at, noon)).toBe(words))

  it('shows the day in the log only where it is another one', () => {
    expect(logTime(noon - h, noon)).toBe('11:00:00')
    expect(logTime(noon - 30 * h, noon)).toBe('29 Nov 06:00')
  })
})

describe('a countdown', () => {
  it.each([
    [4 * min + 48 * s, 'in 4 min 48 s'],
    [48_900, 'in 48 s'],
    [9_100, 'in 10 s'],
    [1_000, 'in 1 s'],
    [999, 'any moment'],
    [-5 * s, 'any moment'],
    [2 * h, '14:00'],
    [30 * h, '1 Dec, 18:00'],
  ])('of %d ms is said %s', (left, words) => expect(countdown(noon + left, noon)).toBe(words))
})

describe('durations', () => {
  it.each([
    [0, '0 ms'],
    [340.4, '340 ms'],
    [999.4, '999 ms'],
    [1240, '1.2 s'],
    [9999, '9.9 s'],
    [12_400, '12 s'],
    [65_000, '1 min 5 s'],
    [120_000, '2 min'],
    [2 * h + 5 * min, '2 h 5 min'],
    [73 * h, '3 d'],
  ])('%d ms is %s', (ms, words) => expect(duration(ms)).toBe(words))
})

describe('counts', () => {
  it('agrees in number', () => {
    expect(counted(1, 'request')).toBe('1 request')
    expect(counted(1204, 'request')).toBe('1,204 requests')
  })
  it.each([
    [812, '812'],
    [4210, '4.2k'],
    [43_210, '43k'],
    [999_400, '999k'],
    [999_600, '1.0M'],
    [1_340_000, '1.3M'],
  ])('%d is %s in a narrow column', (value, words) => expect(compact(value)).toBe(words))
})
