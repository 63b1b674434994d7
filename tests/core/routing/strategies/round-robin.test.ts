import { describe, expect, it } from 'vitest'
import { Combo, failed, ordering, resting } from './support'

const pool = { a: {}, b: {}, c: {} }

describe('round-robin', () => {
  it('gives each three answers, and begins again', () => {
    expect(new Combo('round-robin', pool).run(10)).toBe('a a a b b b c c c a')
  })

  it('gives each as many as are set', () => {
    expect(new Combo('round-robin', pool, { config: { stickyRoundRobinLimit: 2 } }).run(7)).toBe('a a b b c c a')
  })

  it('moves on with each request where the limit is 1, answered or not', () => {
    const combo = new Combo('round-robin', pool, { config: { stickyRoundRobinLimit: 1 } })
    expect([combo.lead(), combo.lead(), combo.lead(), combo.lead()].join(' ')).toBe('a b c a')
  })

  it('counts only answers of whose turn it is', () => {
    const combo = new Combo('round-robin', pool, { config: { stickyRoundRobinLimit: 2 } })
    combo.lead()
    combo.settle('a', failed)
    combo.settle('b')
    combo.settle('a')
    expect(combo.lead()).toBe('a')
    combo.settle('a')
    expect(combo.lead()).toBe('b')
  })

  it('passes over whoever is out, and its turn is lost', () => {
    const combo = new Combo('round-robin', pool, { config: { stickyRoundRobinLimit: 2 } })
    combo.lead()
    combo.pool = { ...pool, a: { exclusion: resting } }
    expect(combo.run(3)).toBe('b b c')
    combo.pool = pool
    expect(combo.run(3)).toBe('c a a')
  })

  it('takes no turn from those that one request does not fit', () => {
    const combo = new Combo('round-robin', { ...pool, d: {} }, { config: { stickyRoundRobinLimit: 1 } })
    expect(combo.lead()).toBe('a')
    const unfit = { exclusion: { gate: 'context', reason: null, until: null, why: 'It is too long.' } }
    combo.pool = { a: unfit, b: unfit, c: unfit, d: {} }
    expect(combo.lead()).toBe('d')
    combo.pool = { ...pool, d: {} }
    expect(combo.run(4)).toBe('b c a d')
  })

  it('remembers nothing of those that have left the list', () => {
    const combo = new Combo('round-robin', pool)
    combo.run(10)
    combo.pool = { x: {}, y: {} }
    combo.run(1)
    expect(JSON.stringify(combo.state)).not.toContain('"a"')
  })

  it('lists the others behind the leader as they follow in the list', () => {
    const combo = new Combo('round-robin', pool, { config: { stickyRoundRobinLimit: 1 } })
    combo.lead()
    expect(ordering('round-robin', pool, { state: combo.state })).toBe('b c a')
  })

  it('begins at the top when its target has left the list', () => {
    const combo = new Combo('round-robin', pool)
    combo.run(4)
    combo.pool = { x: {}, y: {} }
    expect(combo.lead()).toBe('x')
  })

  it('keeps its place while everybody is out', () => {
    const combo = new Combo('round-robin', pool)
    combo.run(3)
    combo.pool = { a: { exclusion: resting }, b: { exclusion: resting }, c: { exclusion: resting } }
    expect(combo.lead()).toBeNull()
    combo.pool = pool
    expect(combo.lead()).toBe('b')
  })
})
