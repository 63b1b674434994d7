import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SilenceWatch, type Watched } from '../../../core/pipeline/silence-watch'
import { ManualClock } from '../../support/manual-clock'

/** Leaves as soon as it is told. */
function begin(mayBeSilentMs: number) {
  const clock = new ManualClock()
  const watch = new SilenceWatch(clock)
  const told: number[] = []
  const one: Watched = {
    ...{ place: null, heardAt: 0, mayBeSilentMs },
    silent() {
      told.push(clock.elapsed())
      watch.remove(one)
    },
  }
  return { clock, watch, told, one }
}

it('tells of a silence never early, and a tenth of a second late at most, however often it was broken before', () => {
  const pauses = fc.array(fc.nat(999), { maxLength: 12 })
  fc.assert(
    fc.property(fc.integer({ min: 1_000, max: 5_000 }), fc.nat(300), pauses, (limit, startsAt, all) => {
      const { clock, watch, told, one } = begin(limit)
      // Somebody else has been watched for a while.
      watch.add({ place: null, heardAt: 0, mayBeSilentMs: 1e9, silent() {} })
      clock.advance(startsAt)
      watch.add(one)
      for (const pause of all) {
        clock.advance(pause)
        watch.heard(one)
      }
      const last = clock.elapsed()
      clock.advance(limit + 100)
      expect(told).toHaveLength(1)
      expect(told[0]).toBeGreaterThanOrEqual(last + limit)
    }),
  )
})

it('says nothing of who has left, and stops looking when nobody is there', () => {
  const { clock, watch, told, one } = begin(1_000)
  watch.add(one)
  clock.advance(500)
  watch.remove(one)
  clock.advance(100)
  expect([told, clock.waiting]).toEqual([[], 0])
  watch.add(one)
  expect(clock.waiting).toBe(1)
  clock.advance(10_000)
  expect([told.length, clock.waiting]).toEqual([1, 0])
})

it('lets one that is told make others leave', () => {
  const { clock, watch, told, one } = begin(1_000)
  const another: Watched = { ...one, place: null, silent: () => void told.push(-1) }
  const leave = (): void => {
    for (const each of [first, another]) watch.remove(each)
  }
  const first: Watched = { ...one, place: null, silent: leave }
  watch.add(first)
  watch.add(another)
  clock.advance(2_000)
  expect(told.filter((at) => at === -1).length).toBeLessThanOrEqual(1)
})
