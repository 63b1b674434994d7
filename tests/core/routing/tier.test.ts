import { describe, expect, it } from 'vitest'
import { tierOf } from '../../../core/routing/tier'

describe('what a target is worth', () => {
  it.each<[what: string, input: number | null, output: number | null, tier: ReturnType<typeof tierOf>]>([
    ['nothing', 0, 0, 'free'],
    ['a small model', 0.15, 0.6, 'standard'],
    ['just below two dollars', 1.99, 1.99, 'standard'],
    ['two dollars', 2, 2, 'pro'],
    ['a large model', 3, 15, 'pro'],
    ['the largest', 5, 25, 'ultra'],
    ['by the only price that is known', null, 30, 'ultra'],
    ['nobody knows', null, null, null],
  ])('%s', (_what, inputPrice, outputPrice, tier) => {
    expect(tierOf('apikey', { inputPrice, outputPrice })).toBe(tier)
    expect(tierOf('oauth', { inputPrice, outputPrice })).toBe(tier)
  })

  it('what runs on the user’s machine is free', () => {
    expect(tierOf('local', { inputPrice: null, outputPrice: null })).toBe('free')
  })
})
