import { describe, expect, it } from 'vitest'
import { Slots } from '../../../core/flow/slots'
import { TurnSlots } from '../../../core/pipeline/turn-slots'
import { resolveCombo } from '../../../core/routing/resolve-combo'
import { UNKNOWN_VIEW } from '../../../core/routing/target-view'
import { ManualClock } from '../../support/manual-clock'
import { combo, worldOf } from '../routing/combos'

function slotsOf(strategy: string, maxConcurrent: number | null) {
  const given = combo('c', ['x/a', 'x/b'], {
    strategy,
    ...(strategy === 'round-robin' && { config: { concurrencyPerModel: 1 } }),
  })
  const resolved = resolveCombo(given, worldOf([given]))
  const slots = new TurnSlots(resolved, () => ({ ...UNKNOWN_VIEW, maxConcurrent }), new Slots(new ManualClock()))
  const [a, b] = resolved.members
  if (a === undefined || b === undefined) throw new Error('two members')
  const isFree = (): boolean => typeof slots.take(a.target) === 'function'
  return { isFree, order: () => slots.freeFirst([a, b]).map(({ target }) => target.model) }
}

describe('a target of a combo that gives turns', () => {
  it('takes as many requests at once as the combo says, and gives way when it is full', () => {
    const { isFree, order } = slotsOf('round-robin', null)
    expect(order()).toEqual(['a', 'b'])
    expect([isFree(), isFree()]).toEqual([true, false])
    expect(order()).toEqual(['b', 'a'])
  })

  it('or as its connection says, where that has a limit', () => {
    const two = slotsOf('round-robin', 2)
    expect([two.isFree(), two.isFree(), two.isFree()]).toEqual([true, true, false])
    const none = slotsOf('round-robin', 0)
    expect([none.isFree(), none.isFree()]).toEqual([true, false])
  })
})

it('in other combos there is no limit', () => {
  const { isFree, order } = slotsOf('priority', 1)
  expect([isFree(), isFree(), isFree()]).toEqual([true, true, true])
  expect(order()).toEqual(['a', 'b'])
})
