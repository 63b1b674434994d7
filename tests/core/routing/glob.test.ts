import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPattern, literalLength, matchesGlob } from '../../../core/routing/glob'

describe('a name pattern', () => {
  it.each([
    ['claude-*', 'claude-opus', true],
    ['claude-*', 'claude-', true],
    ['claude-*', 'claude', false],
    ['*claude*', 'x/claude-y', true],
    ['gpt-?', 'gpt-5', true],
    ['gpt-?', 'gpt-', false],
    ['a*b*c', 'a1b2c', true],
    ['a*b*c', 'a1c2b', false],
    ['GPT-*', 'gpt-5', true],
    ['a.c', 'abc', false],
    ['[ab]', 'a', false],
    ['', '', true],
    ['', 'a', false],
  ])('%j matches %j: %s', (pattern, name, matches) => {
    expect(matchesGlob(pattern, name)).toBe(matches)
  })

  it('matches what a regular expression of the same meaning matches', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'B', '.', '/'), maxLength: 8 })
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '.'), maxLength: 8 })
    fc.assert(
      fc.property(pattern, text, (glob, name) => {
        const source = glob.replace(/[.]/g, '\\.').replace(/\*/g, '.*').replace(/\?/g, '.')
        expect(matchesGlob(glob, name)).toBe(new RegExp(`^${source}$`, 'i').test(name))
      }),
    )
  })

  it('takes no time to speak of, however it is written', () => {
    expect(matchesGlob('*a'.repeat(100), 'a'.repeat(255))).toBe(true)
    expect(matchesGlob(`${'*a'.repeat(100)}b`, 'a'.repeat(255))).toBe(false)
  })

  it('is told from a plain name, and weighed by its letters', () => {
    expect(isPattern('claude-*')).toBe(true)
    expect(isPattern('claude-opus')).toBe(false)
    expect(literalLength('claude-*-x?')).toBe(9)
  })
})
