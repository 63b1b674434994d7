import { describe, expect, it } from 'vitest'
import { ordering, resting } from './support'

describe.each(['priority', 'fill-first', 'context-relay', 'fusion', 'pipeline'] as const)('%s', (strategy) => {
  it('goes by the list, without those that are out', () => {
    expect(ordering(strategy, { a: {}, b: {}, c: {} })).toBe('a b c')
    expect(ordering(strategy, { a: { exclusion: resting }, b: {}, c: {} })).toBe('b c')
    expect(ordering(strategy, { a: { breaker: 'OPEN' }, b: { breaker: 'HALF_OPEN' } })).toBe('b')
  })
})
