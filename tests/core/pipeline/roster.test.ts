import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Listed, Roster } from '../../../core/pipeline/roster'

const someone = (): Listed => ({ place: null })

it('holds exactly those that were added and not removed, whatever the order', () => {
  const steps = fc.array(fc.record({ adds: fc.boolean(), which: fc.nat({ max: 7 }) }), { maxLength: 60 })
  fc.assert(
    fc.property(steps, (all) => {
      const known = Array.from({ length: 8 }, someone)
      const roster = new Roster<Listed>()
      const expected = new Set<Listed>()
      for (const { adds, which } of all) {
        const one = known[which] as Listed
        if (adds && !expected.has(one)) roster.add(one)
        if (!adds) roster.remove(one)
        if (adds) expected.add(one)
        else expected.delete(one)
      }
      expect(roster.count).toBe(expected.size)
      expect(new Set(roster.all())).toEqual(expected)
    }),
  )
})

it('may be emptied while all are gone through', () => {
  const roster = new Roster<Listed>()
  for (let i = 0; i < 5; i++) roster.add(someone())
  const seen = roster.all()
  for (const one of seen) roster.remove(one)
  expect([seen.length, roster.count]).toEqual([5, 0])
})
