import { describe, expect, it } from 'vitest'
import { orderTargets } from '../../../../core/routing/strategies/order-targets'
import { Combo, DRAWS, inputOf, interval, ordering, resting, seeded } from './support'

describe('random', () => {
  it('gives every order as often', () => {
    const input = inputOf('random', { a: {}, b: {}, c: {} }, { random: seeded(6) })
    const counts = new Map<string, number>()
    for (let i = 0; i < DRAWS; i++) {
      const key = orderTargets('random', input)
        .ordered.map(({ executionKey }) => executionKey)
        .join(' ')
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    const { least, most } = interval(1 / 6)
    expect(counts.size).toBe(6)
    for (const count of counts.values()) {
      expect(count).toBeGreaterThan(least)
      expect(count).toBeLessThan(most)
    }
  })
})

describe('strict-random', () => {
  const pool = { a: {}, b: {}, c: {}, d: {} }

  it('lets everybody lead once before anybody leads twice', () => {
    const combo = new Combo('strict-random', pool, { random: seeded(7) })
    let last: string | null = null
    for (let deck = 0; deck < 500; deck++) {
      const cards = [combo.lead(), combo.lead(), combo.lead(), combo.lead()]
      expect(new Set(cards).size).toBe(4)
      expect(cards[0]).not.toBe(last)
      last = cards[3] ?? null
    }
  })

  it('lets everybody lead as often, and from every place of the deck', () => {
    const combo = new Combo('strict-random', pool, { random: seeded(8) })
    const atPlace = new Map<string, number>()
    for (let i = 0; i < DRAWS; i++) {
      const key = `${i % 4} ${combo.lead()}`
      atPlace.set(key, (atPlace.get(key) ?? 0) + 1)
    }
    // A quarter of a quarter each. Decks hang together a little, which makes the spread no wider than of free draws.
    const { least, most } = interval(1 / 16)
    expect(atPlace.size).toBe(16)
    for (const count of atPlace.values()) {
      expect(count).toBeGreaterThan(least)
      expect(count).toBeLessThan(most)
    }
  })

  it('keeps the card of one that is out, and plays it when it is back', () => {
    const combo = new Combo('strict-random', { ...pool, b: { exclusion: resting } }, { random: seeded(9) })
    const played = [combo.lead(), combo.lead()]
    combo.pool = pool
    const rest = [combo.lead(), combo.lead()]
    expect([...played, ...rest].sort()).toEqual(['a', 'b', 'c', 'd'])
    expect(rest).toContain('b')
  })

  it('begins a new deck where only those that are out are left in it', () => {
    const combo = new Combo('strict-random', { ...pool, d: { exclusion: resting } }, { random: seeded(10) })
    const led = Array.from({ length: 30 }, () => combo.lead())
    expect(led).not.toContain('d')
    for (let i = 1; i < led.length; i++) expect(led[i]).not.toBe(led[i - 1])
  })

  it('plays the only one again and again', () => {
    expect(new Combo('strict-random', { a: {}, b: { exclusion: resting } }, { random: seeded(11) }).run(3)).toBe(
      'a a a',
    )
  })

  it('mixes the others, and lists all of them', () => {
    expect(
      ordering('strict-random', pool, { random: seeded(12) })
        .split(' ')
        .sort(),
    ).toEqual(['a', 'b', 'c', 'd'])
  })
})
