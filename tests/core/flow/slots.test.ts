import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Release, Slots, type Waiting } from '../../../core/flow/slots'
import { ManualClock } from '../../support/manual-clock'

const LIMITS = { atOnce: 1, inLine: 2, timeoutMs: 1_000 }
const held = (taken: unknown): Release => {
  if (typeof taken !== 'function') throw new Error(`not a slot: ${String(taken)}`)
  return taken as Release
}
const waiting = (taken: unknown): Waiting => taken as Waiting

describe('slots of a key', () => {
  test('are given at once while there are some, then to whoever has waited longest', async () => {
    const slots = new Slots(new ManualClock())
    const first = held(slots.take('k', LIMITS))
    const second = waiting(slots.take('k', LIMITS))
    const third = waiting(slots.take('k', LIMITS))
    expect(slots.take('k', LIMITS)).toBe('full')
    first()
    held(await second.slot)()
    held(await third.slot)()
    expect(slots.isFree('k', 1)).toBe(true)
  })

  test('are not those of another key', () => {
    const slots = new Slots(new ManualClock())
    held(slots.take('k', LIMITS))
    held(slots.take('other', LIMITS))
  })

  test('are given back once, however often it is said', async () => {
    const slots = new Slots(new ManualClock())
    const release = held(slots.take('k', LIMITS))
    const next = waiting(slots.take('k', LIMITS))
    release()
    release()
    await next.slot
    expect(slots.isFree('k', 1)).toBe(false)
  })

  test('are no longer waited for after a while, and whoever left is passed over', async () => {
    const clock = new ManualClock()
    const slots = new Slots(clock)
    const release = held(slots.take('k', LIMITS))
    const late = waiting(slots.take('k', LIMITS))
    const gone = waiting(slots.take('k', { ...LIMITS, timeoutMs: 5_000 }))
    clock.advance(1_000)
    expect(await late.slot).toBe('timeout')
    gone.giveUp()
    expect(await gone.slot).toBeNull()
    release()
    expect(slots.isFree('k', 1)).toBe(true)
  })

  test('never are more than there may be, and none is lost', async () => {
    const step = fc.oneof(fc.constant('take'), fc.constant('release'), fc.constant('leave'), fc.constant('time'))
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 3 }), async (steps, atOnce) => {
        const clock = new ManualClock()
        const slots = new Slots(clock)
        const holders: Release[] = []
        const line: Waiting[] = []
        for (const what of steps) {
          if (what === 'release') holders.shift()?.()
          else if (what === 'leave') line.shift()?.giveUp()
          else if (what === 'time') clock.advance(600)
          else {
            const taken = slots.take('k', { ...LIMITS, atOnce })
            if (typeof taken === 'function') holders.push(taken)
            else if (typeof taken === 'object') {
              line.push(taken)
              void taken.slot.then((slot) => typeof slot === 'function' && holders.push(slot))
            }
          }
          await Promise.resolve()
          await Promise.resolve()
          expect(holders.length).toBeLessThanOrEqual(atOnce)
        }
        for (const { giveUp } of line) giveUp()
        while (holders.length > 0) holders.shift()?.()
        expect(slots.isFree('k', 1)).toBe(true)
      }),
    )
  })
})
