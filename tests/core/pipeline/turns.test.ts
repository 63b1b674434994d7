import { describe, expect, it } from 'vitest'
import { Slots } from '../../../core/flow/slots'
import { freeFirst, hasPlace, takeTurn } from '../../../core/pipeline/turns'
import { resolveCombo } from '../../../core/routing/resolve-combo'
import { UNKNOWN_VIEW } from '../../../core/routing/target-view'
import { ManualClock } from '../../support/manual-clock'
import { combo, worldOf } from '../routing/combos'

type Place = Parameters<typeof hasPlace>[1]

function turnsOf(strategy: string, maxConcurrent: number | null) {
  const config = strategy === 'round-robin' ? { concurrencyPerModel: 1 } : {}
  const given = combo('c', ['x/a', 'x/b'], { strategy, config })
  const resolved = resolveCombo(given, worldOf([given]))
  const scene = { view: () => ({ ...UNKNOWN_VIEW, maxConcurrent }) }
  const place = { combo: resolved, scene, deps: { slots: new Slots(new ManualClock()) } } as unknown as Place
  const [a, b] = resolved.members
  if (a === undefined || b === undefined) throw new Error('two members')
  const run = { inLine: async () => null } as unknown as Parameters<typeof takeTurn>[1]
  return {
    take: () => takeTurn(a.target, run, place),
    isFree: () => hasPlace(a.target, place),
    order: () => freeFirst([a, b], place).map(({ target }) => target.model),
  }
}

describe('a target of a combo that gives turns', () => {
  it('takes as many requests at once as the combo says, and gives way when it is full', async () => {
    const { take, isFree, order } = turnsOf('round-robin', null)
    expect([isFree(), order()]).toEqual([true, ['a', 'b']])
    await take()
    expect([isFree(), order()]).toEqual([false, ['b', 'a']])
  })

  it.each([
    ['or as its connection says', 2, true],
    ['where that has a limit', 0, false],
  ])('%s: %s', async (_words, maxConcurrent, isFreeAfterOne) => {
    const { take, isFree } = turnsOf('round-robin', maxConcurrent)
    expect(isFree()).toBe(true)
    await take()
    expect(isFree()).toBe(isFreeAfterOne)
  })
})

it('in other combos there is no limit', () => {
  const { isFree, order } = turnsOf('priority', 1)
  expect([isFree(), order()]).toEqual([true, ['a', 'b']])
})
