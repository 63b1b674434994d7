import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { momentOf, nextMidnight, wallTime } from '../../../../../core/resilience/verdict/wait/zones'

const at = Date.parse
const ZONES = ['UTC', 'Asia/Shanghai', 'America/Los_Angeles', 'Europe/Berlin', 'Pacific/Chatham', 'Asia/Kolkata']

describe('wall time in a zone', () => {
  it('is what a clock there shows', () => {
    expect(wallTime(at('2026-11-30T02:50:00Z'), 'Asia/Shanghai')).toMatchObject({ day: 30, hour: 10, minute: 50 })
    expect(wallTime(at('2026-11-30T02:50:00Z'), 'America/Los_Angeles')).toMatchObject({ day: 29, hour: 18 })
  })

  it('leads back to the same moment, away from changes of the clocks', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), fc.integer({ min: 0, max: 10_000 }), (zone, hours) => {
        const moment = at('2026-06-15T00:30:00Z') + (hours % 1_000) * 3_600_000
        expect(momentOf(wallTime(moment, zone), zone)).toBe(moment)
      }),
    )
  })

  it('that does not exist is null', () => {
    const wall = { year: 2026, month: 2, day: 31, hour: 0, minute: 0, second: 0, ms: 0 }
    expect(momentOf(wall, 'UTC')).toBeNull()
    expect(momentOf({ ...wall, day: 1, hour: 24 }, 'UTC')).toBeNull()
  })

  it('of an unknown zone is UTC', () => {
    expect(wallTime(at('2026-11-30T02:50:00Z'), 'Mars/Olympus')).toMatchObject({ hour: 2 })
  })
})

describe('the next midnight', () => {
  it.each([
    ['UTC', '2026-11-30T02:50:00Z', '2026-12-01T00:00:00Z'],
    ['America/Los_Angeles', '2026-11-30T02:50:00Z', '2026-11-30T08:00:00Z'],
    ['Asia/Shanghai', '2026-11-30T02:50:00Z', '2026-11-30T16:00:00Z'],
    // Exactly midnight: the next one.
    ['UTC', '2026-11-30T00:00:00Z', '2026-12-01T00:00:00Z'],
    // The day the clocks go back has 25 hours, the day they go forward 23.
    ['Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
    ['Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
  ])('in %s after %s is %s', (zone, now, midnight) => {
    expect(nextMidnight(at(now), zone)).toBe(at(midnight))
  })

  it('is at most 25 hours away, and never now', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.date({ min: new Date(at('2025-01-01')), max: new Date(at('2035-01-01')), noInvalidDate: true }),
        (zone, date) => {
          const wait = nextMidnight(date.getTime(), zone) - date.getTime()
          expect(wait).toBeGreaterThan(0)
          expect(wait).toBeLessThanOrEqual(25 * 3_600_000)
        },
      ),
    )
  })
})
