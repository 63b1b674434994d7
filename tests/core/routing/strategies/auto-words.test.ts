import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AUTO_VARIANTS, autoVariant } from '../../../../core/routing/strategies/auto/names'
import { NO_WISHES, readWishes } from '../../../../core/routing/strategies/auto/wishes'

describe('what a client may ask of auto', () => {
  it.each([
    ['fast', 'ship-fast'],
    ['balanced', 'balanced'],
    ['quality', 'quality-first'],
    ['cheap', 'cost-saver'],
    ['reliable', 'reliability-first'],
    ['offline', 'offline-friendly'],
    ['chaos-mode', 'chaos-mode'],
    [' Ship-Fast ', 'ship-fast'],
    ['whatever', null],
    ['', null],
  ])('mode %j: %s', (mode, pack) => {
    expect(readWishes({ 'x-omniroute-mode': mode }).pack).toBe(pack)
  })

  it.each([
    ['0.05', 0.05],
    ['$2', 2],
    ['0', null],
    ['-1', null],
    ['much', null],
    ['Infinity', null],
    ['', null],
  ])('budget %j: %s', (budget, usd) => {
    expect(readWishes({ 'x-omniroute-budget': budget }).budgetUsd).toBe(usd)
  })

  it('a strict budget and an effort of our choice', () => {
    const headers = { 'x-omniroute-budget-fallback': 'strict', 'x-omniroute-effort': 'auto' }
    expect(readWishes(headers)).toMatchObject({ overBudget: 'strict', autoEffort: true })
    expect(readWishes({ 'x-omniroute-budget-fallback': 'x', 'x-omniroute-effort': 'high' })).toEqual(NO_WISHES)
  })

  it('takes the first of several, and nothing for granted', () => {
    expect(readWishes({ 'x-omniroute-mode': ['cheap', 'fast'] }).pack).toBe('cost-saver')
    expect(readWishes({})).toEqual(NO_WISHES)
    fc.assert(
      fc.property(fc.string(), fc.string(), (mode, budget) => {
        const { budgetUsd } = readWishes({ 'x-omniroute-mode': mode, 'x-omniroute-budget': budget })
        expect(budgetUsd === null || (Number.isFinite(budgetUsd) && budgetUsd > 0)).toBe(true)
      }),
    )
  })
})

describe('a name of auto', () => {
  it.each([
    ['auto', {}],
    ['auto/fast', { modePack: 'ship-fast' }],
    ['auto/cheap', { modePack: 'cost-saver' }],
    ['auto/offline', { modePack: 'offline-friendly' }],
    ['auto/smart', { modePack: 'quality-first', explorationRate: 0.1 }],
    ['auto/lkgp', { routerStrategy: 'lkgp' }],
    ['auto/chaos', { modePack: 'chaos-mode' }],
    ['auto/coding', { modePack: 'quality-first', autoCategory: 'coding' }],
    ['auto/vision:cheap', { modePack: 'cost-saver', autoCategory: 'vision' }],
    ['auto/vision:floor', { modePack: 'cost-saver', autoCategory: 'vision' }],
    ['auto/reasoning:reliable', { modePack: 'reliability-first', autoCategory: 'reasoning' }],
    ['auto/chat:free', { autoCategory: 'chat', autoFilter: 'free' }],
    ['Auto/Multimodal:PRO', { autoCategory: 'multimodal', autoFilter: 'pro' }],
  ])('%s', (name, config) => {
    expect(autoVariant(name)?.config).toEqual(config)
  })

  it.each(['auto/', 'auto/x', 'auto/fast:free', 'auto/coding:', 'automatic', 'openrouter/auto', ''])(
    '%j is none',
    (name) => {
      expect(autoVariant(name)).toBeNull()
    },
  )

  it('is listed once, and found as it is listed', () => {
    expect(new Set(AUTO_VARIANTS.map(({ name }) => name)).size).toBe(AUTO_VARIANTS.length)
    for (const variant of AUTO_VARIANTS) expect(autoVariant(variant.name)).toBe(variant)
  })
})
