import { describe, expect, it } from 'vitest'
import { answered, Combo, drawn, failed, interval, ordering, resting, seeded, tally } from './support'

describe('weighted', () => {
  const pool = { a: { weight: 1 }, b: { weight: 3 }, c: { weight: 6 }, d: { weight: 0 } }

  it.each([
    [0, 'a c b d'],
    [0.0999, 'a c b d'],
    [0.1, 'b c a d'],
    [0.3999, 'b c a d'],
    [0.4, 'c b a d'],
    [0.9999, 'c b a d'],
  ])('a draw of %d gives %s: the others follow by weight', (draw, expected) => {
    expect(ordering('weighted', pool, { random: drawn(draw) })).toBe(expected)
  })

  it('draws as often as the weights say', () => {
    const counts = tally('weighted', pool, { random: seeded(1) })
    for (const [name, share] of [
      ['a', 0.1],
      ['b', 0.3],
      ['c', 0.6],
    ] as const) {
      const { least, most } = interval(share)
      expect(counts.get(name)).toBeGreaterThan(least)
      expect(counts.get(name)).toBeLessThan(most)
    }
    expect(counts.get('d')).toBeUndefined()
  })

  it('draws only among those that may be used', () => {
    const counts = tally('weighted', { ...pool, c: { weight: 6, exclusion: resting } }, { random: seeded(2) })
    const { least, most } = interval(0.25)
    expect(counts.get('a')).toBeGreaterThan(least)
    expect(counts.get('a')).toBeLessThan(most)
    expect(counts.get('c')).toBeUndefined()
  })

  it('draws each as often where all weigh nothing', () => {
    const counts = tally('weighted', { a: { weight: 0 }, b: { weight: 0 } }, { random: seeded(3) })
    const { least, most } = interval(0.5)
    expect(counts.get('a')).toBeGreaterThan(least)
    expect(counts.get('a')).toBeLessThan(most)
  })

  it('uses a weight of nothing when nobody else is left', () => {
    expect(ordering('weighted', { a: { weight: 5, exclusion: resting }, b: { weight: 0 } })).toBe('b')
  })

  it('keeps a draw for as many answers as are set, and longer where they fail', () => {
    const combo = new Combo('weighted', pool, { config: { stickyWeightedLimit: 3 } })
    expect(combo.lead({ random: drawn(0.5) })).toBe('c')
    combo.settle('c')
    combo.settle('c', failed)
    expect(combo.lead({ random: drawn() })).toBe('c')
    combo.settle('c')
    combo.settle('a', answered())
    expect(combo.lead({ random: drawn() })).toBe('c')
    combo.settle('c')
    expect(combo.lead({ random: drawn(0.2) })).toBe('b')
  })

  it('lets a kept draw go when it may not be used', () => {
    const combo = new Combo('weighted', pool, { config: { stickyWeightedLimit: 3 } })
    expect(combo.lead({ random: drawn(0.5) })).toBe('c')
    combo.pool = { ...pool, c: { weight: 6, exclusion: resting } }
    expect(combo.lead({ random: drawn(0) })).toBe('a')
    combo.pool = pool
    expect(combo.lead({ random: drawn() })).toBe('a')
  })

  it('draws for each request by default', () => {
    const combo = new Combo('weighted', pool)
    expect(combo.lead({ random: drawn(0) })).toBe('a')
    combo.settle('a')
    expect(combo.lead({ random: drawn(0.9) })).toBe('c')
  })
})
