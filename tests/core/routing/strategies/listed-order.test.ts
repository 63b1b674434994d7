import { describe, expect, it } from 'vitest'
import { isHeldBack, nextTarget } from '../../../../core/routing/strategies/priority'
import { ordering, resting, target } from './support'

describe.each(['priority', 'fill-first', 'context-relay', 'fusion', 'pipeline'] as const)('%s', (strategy) => {
  it('goes by the list, without those that are out', () => {
    expect(ordering(strategy, { a: {}, b: {}, c: {} })).toBe('a b c')
    expect(ordering(strategy, { a: { exclusion: resting }, b: {}, c: {} })).toBe('b c')
    expect(ordering(strategy, { a: { breaker: 'OPEN' }, b: { breaker: 'HALF_OPEN' } })).toBe('b')
  })
})

describe('a step that waits for a spent quota', () => {
  const [plain, paid, other] = [target('plain'), target('paid', { onlyAfterQuota: true }), target('other')]
  const list = [plain, paid, other]

  it.each([
    ['at first', [], 'plain'],
    ['after a fault', ['server_error'], 'other'],
    ['after a rate limit', ['rate_limit_exceeded'], 'other'],
    ['after a spent quota', ['quota_exhausted'], 'paid'],
    ['after spent money', ['credits_exhausted'], 'paid'],
  ] as const)('%s', (_when, failures, next) => {
    const tried = new Set(failures.length === 0 ? [] : [plain])
    expect(nextTarget(list, tried, failures)?.executionKey).toBe(next)
  })

  it('is asked later, once another quota was found spent', () => {
    const failures = ['server_error', 'quota_exhausted'] as const
    expect(nextTarget(list, new Set([plain, other]), failures)).toBe(paid)
    expect(nextTarget(list, new Set([plain, other]), ['server_error', 'timeout'])).toBeNull()
  })

  it('holds back nobody else', () => {
    expect(isHeldBack(plain, [])).toBe(false)
    expect(isHeldBack(paid, [])).toBe(true)
  })
})
