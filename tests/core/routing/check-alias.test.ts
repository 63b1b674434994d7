import { describe, expect, it } from 'vitest'
import { checkAlias, circles } from '../../../core/routing/check-alias'
import type { Alias } from '../../../core/routing/model-world'
import { alias } from '../models/worlds'

const refusal = (changed: Alias, others: readonly Alias[] = []): string => {
  try {
    checkAlias(changed, others)
  } catch (error) {
    return (error as Error).message
  }
  return ''
}

describe('a name that is saved', () => {
  it.each<[string, Alias, readonly Alias[], string]>([
    ['with a line break', alias('a\nb', 'openai/x'), [], 'pattern: must not contain control characters.'],
    ['for too long a target', alias('a', 'x'.repeat(257)), [], 'target: must have 1 to 256 characters.'],
    ['for a pattern', alias('a', 'openai/*'), [], 'target: must be one model, without "*".'],
    ['twice', alias('a', 'openai/x'), [alias('a', 'openai/y')], 'pattern: "a" is there already. Edit it instead.'],
    ['that leads to itself', alias('a', 'a'), [], 'target: The names a → a lead to each other'],
    ['that closes a circle', alias('a', 'b'), [alias('b', 'a')], 'target: The names'],
    ['that closes one for some key', alias('a', 'b'), [alias('b', 'a', 'k1')], 'target: The names'],
    [
      'that makes another’s way too long',
      alias('d', 'openai/x'),
      [alias('a', 'b'), alias('b', 'c'), alias('c', 'd')],
      'target: The names a → b → c → d → openai/x lead to each other, or through more than 3 steps.',
    ],
  ])('%s is refused', (_what, changed, others, words) => {
    expect(refusal(changed, others)).toContain(words)
  })

  it.each<[string, Alias, readonly Alias[]]>([
    ['for the same name of another key', alias('a', 'openai/x', 'k1'), [alias('a', 'openai/y')]],
    ['three steps from its model', alias('a', 'b'), [alias('b', 'c'), alias('c', 'openai/x')]],
    ['beside a circle of others', alias('z', 'openai/x'), [alias('a', 'b'), alias('b', 'a')]],
    ['of one key, pointing back at another key’s', alias('a', 'b', 'k1'), [alias('b', 'a', 'k2')]],
    ['for a model nobody has yet', alias('claude-*', 'nobody/x'), []],
  ])('%s is taken', (_what, changed, others) => {
    expect(refusal(changed, others)).toBe('')
  })

  it('in a circle already is known by id', () => {
    const [a, b, c] = [alias('a', 'b'), alias('b', 'a'), alias('c', 'openai/x')]
    expect([...circles([a, b, c]).keys()].sort()).toEqual([a.id, b.id].sort())
  })
})
