import { describe, expect, it } from 'vitest'
import { orderConnections } from '../../../../core/routing/strategies/order-targets'
import { drawn, inputOf, interval, names, order, ordering, type Pool, resting, scoreOf, seeded, tally } from './support'

/** success, average ms */
const seen = (successRate: number, averageLatencyMs: number) => ({ successRate, averageLatencyMs })

describe('p2c', () => {
  const pool = { a: seen(1, 990), b: seen(1, 90), c: seen(0.5, 90) }

  it.each([
    ['a and b', [0, 0], 'b a c'],
    ['b and a', [0.4, 0], 'b a c'],
    ['a and c', [0, 0.9], 'a b c'],
    ['c and b', [0.9, 0.9], 'b a c'],
  ] as const)('of %s the better one leads, the others stay', (_pair, draws, expected) => {
    expect(ordering('p2c', pool, { random: drawn(...draws) })).toBe(expected)
  })

  it('multiplies success and speed', () => {
    const result = order('p2c', pool, { random: drawn(0, 0) })
    expect(scoreOf(result, 'a')).toBe(0.333333)
    expect(scoreOf(result, 'b')).toBe(0.5)
    expect(scoreOf(result, 'c')).toBeNull()
  })

  it('takes whoever was never tried to be as good as the best', () => {
    const unknown = { a: {}, b: seen(0.9, 90), c: seen(0.4, 990) }
    const result = order('p2c', unknown, { random: drawn(0, 0) })
    expect(scoreOf(result, 'a')).toBe(0.45)
    expect(names(result)).toBe('a b c')
    // As good, and not better: second, it does not win.
    expect(ordering('p2c', unknown, { random: drawn(0.4, 0) })).toBe('b a c')
    expect(ordering('p2c', unknown, { random: drawn(0.9, 0) })).toBe('a b c')
  })

  it('knows one that was tried and never answered', () => {
    expect(scoreOf(order('p2c', { a: { successRate: 0 }, b: seen(1, 90) }, { random: drawn(0, 0) }), 'a')).toBe(0)
  })

  it('takes a quarter from one whose provider is being tried', () => {
    const half = { a: { ...seen(1, 90), breaker: 'HALF_OPEN' as const }, b: seen(1, 990) }
    const result = order('p2c', half, { random: drawn(0, 0) })
    expect(scoreOf(result, 'a')).toBe(0.25)
    expect(names(result)).toBe('b a')
  })

  it('takes the first of equals, and the only one there is', () => {
    expect(ordering('p2c', { a: {}, b: {} }, { random: drawn(0.9, 0) })).toBe('b a')
    expect(ordering('p2c', { a: {}, b: { exclusion: resting } }, { random: drawn(0.9) })).toBe('a')
  })

  it('lets each lead as often as it is drawn with somebody worse', () => {
    const counts = tally('p2c', { ...pool, d: seen(0.1, 90) }, { random: seeded(4) })
    // Of the six pairs of four, b wins three, a two (against c and d), c one.
    for (const [name, share] of [
      ['b', 3 / 6],
      ['a', 2 / 6],
      ['c', 1 / 6],
    ] as const) {
      const { least, most } = interval(share)
      expect(counts.get(name)).toBeGreaterThan(least)
      expect(counts.get(name)).toBeLessThan(most)
    }
    expect(counts.get('d')).toBeUndefined()
  })

  it('draws pairs evenly where all are equal', () => {
    const counts = tally('p2c', { a: {}, b: {}, c: {}, d: {}, e: {} }, { random: seeded(5) })
    const { least, most } = interval(0.2)
    for (const count of counts.values()) {
      expect(count).toBeGreaterThan(least)
      expect(count).toBeLessThan(most)
    }
  })
})

describe('p2c among connections', () => {
  const ordered = (pool: Pool, ...draws: number[]): string =>
    names(orderConnections('p2c', inputOf('p2c', pool, { random: drawn(...draws) })))

  it.each<[string, Pool, string]>([
    ['fewer failures in a row', { a: { backoffLevel: 2 }, b: { backoffLevel: 1 } }, 'b a'],
    ['no last error', { a: { lastError: 'timeout' }, b: { backoffLevel: 1 } }, 'b a'],
    ['not resting lately', { a: { cooling: true }, b: { lastError: 'timeout' } }, 'b a'],
    ['the first of equals', { a: { backoffLevel: 2 }, b: { lastError: 'timeout' } }, 'a b'],
    ['no health below nothing', { a: { backoffLevel: 15, cooling: true }, b: { backoffLevel: 11 } }, 'a b'],
  ])('prefers %s', (_what, pool, expected) => {
    expect(ordered(pool, 0, 0)).toBe(expected)
  })

  it('does not look at metrics', () => {
    expect(ordered({ a: seen(0, 9_000), b: seen(1, 1) }, 0, 0)).toBe('a b')
  })
})
