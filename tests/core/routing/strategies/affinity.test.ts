import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cacheKeyOf, rendezvous } from '../../../../core/routing/strategies/cache-key'
import { indexOfLastGood } from '../../../../core/routing/strategies/last-good'
import { UNKNOWN_VIEW } from '../../../../core/routing/target-view'
import { answered, Combo, failed, order, ordering, resting, scoreOf, target } from './support'

describe('lkgp', () => {
  const pool = { a: {}, b: {}, c: {} }

  it('puts whoever answered last first, the others as listed', () => {
    const combo = new Combo('lkgp', pool)
    expect(combo.lead()).toBe('a')
    combo.settle('a', failed)
    combo.settle('c')
    expect(ordering('lkgp', pool, { state: combo.state })).toBe('c a b')
  })

  it('forgets nobody for a failure, and comes back after a rest', () => {
    const combo = new Combo('lkgp', pool)
    combo.settle('b')
    combo.settle('b', failed)
    expect(combo.lead()).toBe('b')
    combo.pool = { ...pool, b: { exclusion: resting } }
    expect(combo.lead()).toBe('a')
    combo.pool = pool
    expect(combo.lead()).toBe('b')
  })

  it('goes by target, then connection, then provider', () => {
    const seen = (...targets: ReturnType<typeof target>[]) =>
      targets.map((one, index) => ({ target: one, view: UNKNOWN_VIEW, index }))
    const good = { key: 'x', provider: 'openai', connectionId: 'c2' }
    const openai = (key: string, connectionId: string | null, allowedConnections: string[] | null = null) =>
      target(key, { provider: 'openai', connectionId, allowedConnections })
    expect(indexOfLastGood(seen(openai('a', 'c2'), openai('x', 'c9')), good)).toBe(1)
    expect(indexOfLastGood(seen(openai('a', 'c1'), openai('b', 'c2')), good)).toBe(1)
    expect(indexOfLastGood(seen(openai('a', null, ['c1']), openai('b', null, ['c2'])), good)).toBe(1)
    expect(indexOfLastGood(seen(target('a'), openai('b', 'c1')), good)).toBe(1)
    expect(indexOfLastGood(seen(target('a')), good)).toBe(-1)
  })
})

describe('cache-optimized', () => {
  const pool = { a: {}, b: {}, c: {}, d: {} }

  it('sends the same beginning to the same connection', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (cacheKey) => {
        const scenario = { request: { cacheKey } }
        expect(ordering('cache-optimized', pool, scenario)).toBe(ordering('cache-optimized', pool, scenario))
      }),
    )
  })

  it('moves only the beginnings of a connection that leaves', () => {
    const { d: _gone, ...fewer } = pool
    for (let i = 0; i < 500; i++) {
      const scenario = { request: { cacheKey: `key ${i}` } }
      const [before] = ordering('cache-optimized', pool, scenario).split(' ')
      const [after] = ordering('cache-optimized', fewer, scenario).split(' ')
      if (before !== 'd') expect(after).toBe(before)
    }
  })

  it('spreads beginnings evenly', () => {
    const counts = new Map<string, number>()
    for (let i = 0; i < 20_000; i++) {
      const [leader = ''] = ordering('cache-optimized', pool, { request: { cacheKey: `conversation-${i}` } }).split(' ')
      counts.set(leader, (counts.get(leader) ?? 0) + 1)
    }
    for (const name of Object.keys(pool)) expect(Math.abs((counts.get(name) ?? 0) - 5_000)).toBeLessThan(400)
  })

  it('weighs where the cache is against how busy a signed-in account is', () => {
    const result = order('cache-optimized', { a: { signsIn: true, otherSessions: 4 } }, { request: { cacheKey: 'k' } })
    expect(scoreOf(result, 'a')).toBe(Number((0.75 * rendezvous('k')('ca') + 0.25 * 0.2).toFixed(6)))
  })

  it('goes by sessions alone where a request has no beginning to tell it by', () => {
    const busy = { a: { signsIn: true, otherSessions: 2 }, b: { signsIn: true, otherSessions: 1 }, c: {} }
    expect(ordering('cache-optimized', busy)).toBe('c b a')
    expect(ordering('cache-optimized', pool)).toBe('a b c d')
  })
})

describe('what requests are told by', () => {
  it('is what the client says, else their beginning, else nothing', () => {
    expect(cacheKeyOf('mine', ['system'])).toBe('mine')
    expect(cacheKeyOf(null, ['system', 'tools'])).toMatch(/^[0-9a-f]{8}$/)
    expect(cacheKeyOf('', ['', ''])).toBeNull()
    expect(cacheKeyOf(null, [])).toBeNull()
  })

  it('depends on where one part ends and the next begins', () => {
    expect(cacheKeyOf(null, ['ab', 'c'])).not.toBe(cacheKeyOf(null, ['a', 'bc']))
  })
})

it('an answer without a connection is remembered by its target', () => {
  const combo = new Combo('lkgp', { a: {}, b: {} })
  combo.settle('b', answered(null))
  expect(combo.lead()).toBe('b')
})
