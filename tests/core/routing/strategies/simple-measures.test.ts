import { describe, expect, it } from 'vitest'
import { ordering, type Pool, type Scenario } from './support'

describe('by one measure', () => {
  it.each<[Parameters<typeof ordering>[0], string, Pool, string, Scenario?]>([
    ['least-used', 'fewest requests first', { a: { useCount: 5 }, b: { useCount: 0 }, c: { useCount: 3 } }, 'b c a'],
    ['least-used', 'equals as listed', { a: { useCount: 1 }, b: { useCount: 1 }, c: {} }, 'c a b'],
    [
      'cost-optimized',
      'cheapest input first',
      { a: { inputPrice: 3 }, b: { inputPrice: 0 }, c: { inputPrice: 1 } },
      'b c a',
    ],
    ['cost-optimized', 'unknown last', { a: {}, b: { inputPrice: 75 }, c: {} }, 'b a c'],
    ['cost-optimized', 'output does not count', { a: { inputPrice: 1, outputPrice: 9 }, b: { inputPrice: 2 } }, 'a b'],
    [
      'context-optimized',
      'largest window first',
      { a: { contextWindow: 8_192 }, b: { contextWindow: 1_000_000 } },
      'b a',
    ],
    ['context-optimized', 'unknown last, as listed', { a: {}, b: { contextWindow: 4_096 }, c: {} }, 'b a c'],
  ])('%s: %s', (strategy, _what, pool, expected, scenario) => {
    expect(ordering(strategy, pool, scenario)).toBe(expected)
  })
})
