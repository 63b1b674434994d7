import { describe, expect, it } from 'vitest'
import {
  COMBO_CONFIG,
  COMBO_CONFIG_KEYS,
  completeConfig,
  DEFAULT_COMBO_CONFIG,
  keptConfig,
  keysOf,
} from '../../../core/contract/combo-config'
import {
  ACCOUNT_STRATEGIES,
  QUOTA_SHARE,
  STRATEGIES,
  STRATEGY_WORDS,
  strategyNamed,
} from '../../../core/contract/combo-strategies'
import { Combo, type ComboInput, comboNameFault, configFault, strategyOf } from '../../../core/contract/combos'

const steps = [{ model: 'openai/gpt-5' }]

/** The first fault as "path: message"; empty where there is none. */
function fault(combo: unknown): string {
  const issue = Combo.safeParse(combo).error?.issues[0]
  return issue === undefined ? '' : `${issue.path.join('.')}: ${issue.message}`
}

describe('a strategy', () => {
  it.each([
    ['p2c', 'p2c'],
    ['usage', 'least-used'],
    ['context', 'context-optimized'],
    ['weekly-reset', 'reset-window'],
    ['reset-window-order', 'reset-window'],
    ['nobody-knows', 'priority'],
    ['quota-share', 'priority'],
    ['', 'priority'],
  ])('%j is %s', (text, name) => {
    expect(strategyNamed(text)).toBe(name)
  })

  it('is one of twenty, each with words for people', () => {
    expect(STRATEGIES).toHaveLength(20)
    expect(Object.keys(STRATEGY_WORDS).sort()).toEqual([...STRATEGIES].sort())
    expect(ACCOUNT_STRATEGIES).toHaveLength(9)
  })

  it('is quota-share for combos of that prefix, whatever is written in them', () => {
    expect(strategyOf({ name: 'qtSd/team', strategy: 'p2c' })).toBe('quota-share')
    expect(strategyOf({ name: 'team', strategy: 'usage' })).toBe('least-used')
  })
})

describe('a combo’s name', () => {
  it.each(['fast', 'My.Combo_1-x', 'qtSd/team-a', 'automatic', '1'])('%s is one', (name) => {
    expect(comboNameFault(name, new Set(['openai']))).toBeNull()
  })

  it.each([
    ['', 'must consist of'],
    ['..', 'must consist of'],
    ['a/b', 'must consist of'],
    ['qtSd/', 'must consist of'],
    ['qtSd/a/b', 'must consist of'],
    ['a b', 'must consist of'],
    ['ä', 'must consist of'],
    ['auto', 'is there already'],
    ['Auto', 'is there already'],
    ['openai', 'is a provider'],
    ['OpenAI', 'is a provider'],
    ['x'.repeat(101), 'at most 100'],
  ])('%j is none', (name, words) => {
    expect(comboNameFault(name, new Set(['openai']))).toContain(words)
  })
})

describe('a combo', () => {
  it('is completed with what goes without saying', () => {
    expect(Combo.parse({ name: 'fast', steps })).toEqual({
      name: 'fast',
      strategy: 'priority',
      config: {},
      steps: [
        {
          model: 'openai/gpt-5',
          combo: null,
          weight: 1,
          connection: null,
          allowedConnections: null,
          prompt: null,
          fallbackOnlyOnQuotaExhaustion: false,
        },
      ],
    })
  })

  it('keeps only what was set, so that defaults may change', () => {
    const combo = Combo.parse({ name: 'a', strategy: 'weighted', config: { stickyWeightedLimit: 5 }, steps })
    expect(combo.config).toEqual({ stickyWeightedLimit: 5 })
    expect(Combo.parse(combo)).toEqual(combo)
  })

  it.each<[string, unknown, string]>([
    ['no steps', { name: 'a', steps: [] }, 'steps: must have at least one step'],
    ['a step of nothing', { name: 'a', steps: [{}] }, 'steps.0.model: a step needs either'],
    ['a step of two', { name: 'a', steps: [{ model: 'm', combo: 'c' }] }, 'steps.0.model: a step needs either'],
    ['a pinned combo', { name: 'a', steps: [{ combo: 'c', connection: 'x' }] }, 'steps.0.connection: a combo has'],
    [
      'a bounded combo',
      { name: 'a', steps: [{ combo: 'c', allowedConnections: ['x'] }] },
      'steps.0.allowedConnections: a combo has',
    ],
    [
      'a pin beyond its bounds',
      { name: 'a', steps: [{ model: 'm', connection: 'x', allowedConnections: ['y'] }] },
      'steps.0.connection: is not among',
    ],
    [
      'a negative weight',
      { name: 'a', steps: [{ model: 'm', weight: -1 }] },
      'steps.0.weight: must not be less than 0',
    ],
    ['no number for a weight', { name: 'a', steps: [{ model: 'm', weight: Number.NaN }] }, 'steps.0.weight:'],
    ['an unknown member', { name: 'a', steps: [{ model: 'm', wieght: 1 }] }, 'steps.0:'],
    ['an unknown key', { name: 'a', steps, config: { sticky: 1 } }, 'config.sticky: is not a known field'],
    [
      'a key of another strategy',
      { name: 'a', steps, config: { judgeModel: 'x' } },
      'config.judgeModel: is not for the strategy priority',
    ],
    [
      'a value out of bounds',
      { name: 'a', strategy: 'weighted', steps, config: { stickyWeightedLimit: 1001 } },
      'config.stickyWeightedLimit: must be a whole number from 1 to 1000',
    ],
    [
      'a pipeline of a pattern',
      { name: 'a', strategy: 'pipeline', steps: [{ model: 'openai/*' }] },
      'steps.0.model: must be one model',
    ],
    [
      'an agentic pipeline of one',
      { name: 'a', strategy: 'pipeline', config: { agentic: true }, steps },
      'steps: must be two',
    ],
    ['a name that is none', { name: 'auto', steps }, 'name: "auto" is there'],
  ])('with %s is refused', (_what, combo, words) => {
    expect(fault(combo)).toContain(words)
  })

  it('is taken with every key of its strategy at its default', () => {
    for (const strategy of STRATEGIES) {
      const keys = keysOf(strategy)
      const config = Object.fromEntries(keys.map((key) => [key, COMBO_CONFIG[key].fallback]))
      const combo: ComboInput = { name: 'a', strategy, config, steps }
      expect(fault(combo)).toBe('')
    }
  })
})

describe('a combo’s configuration', () => {
  it('may say in the words of others that conversations stay nowhere', () => {
    const config = (given: object): object => Combo.parse({ name: 'x', config: { ...given }, steps }).config
    expect(config({ disableSessionStickiness: true, maxRetries: 0 })).toEqual({
      maxRetries: 0,
      promptCacheAffinityEnabled: false,
    })
    expect(config({ disableSessionStickiness: false })).toEqual({ promptCacheAffinityEnabled: true })
    expect(fault({ name: 'x', config: { disableSessionStickiness: 'no' }, steps })).toContain(
      'disableSessionStickiness',
    )
  })

  it('has a default that is good, for every key', () => {
    for (const key of COMBO_CONFIG_KEYS)
      expect([key, configFault(key, COMBO_CONFIG[key].fallback)]).toEqual([key, null])
  })

  it('shows every key to somebody', () => {
    const shown = new Set(STRATEGIES.flatMap((strategy) => keysOf(strategy)))
    expect([...shown].sort()).toEqual([...COMBO_CONFIG_KEYS].sort())
  })

  it('offers hedging where one answer of several targets is enough', () => {
    const without = ([...STRATEGIES, QUOTA_SHARE] as const).filter((strategy) => !keysOf(strategy).includes('hedging'))
    expect(without).toEqual(['fusion', 'pipeline'])
  })

  it.each([
    ['hedgeDelayMs', 49, 'must be a whole number from 50 to 60000'],
    ['resetAwareTieBandPercent', 101, 'must be a number from 0 to 100'],
    ['explorationRate', Number.NaN, 'must be a number from 0 to 0.5'],
    ['modePack', 'fastest', 'must be one of ship-fast'],
    ['modePack', null, null],
    ['judgeModel', '', 'must not be empty'],
    ['judgeModel', null, null],
    ['weights', { quota: 0.5 }, null],
    ['weights', { quota: 2 }, 'must be a number from 0 to 1'],
    ['weights', { luck: 0.5 }, 'must name some of quota'],
    ['resetWindows', ['daily'], 'must be one of weekly, monthly, session'],
    ['handoffProviders', ['codex', 'claude'], null],
    ['slaMaxErrorRate', null, null],
    ['slaMaxErrorRate', 2, 'must be a number from 0 to 1, or null'],
    ['connectionAwareExpansion', 'yes', 'must be true or false'],
    ['minPanel', 1, 'must be a whole number from 2 to 40'],
  ] as const)('%s = %j', (key, value, words) => {
    const found = configFault(key, value)
    if (words === null) expect(found).toBeNull()
    else expect(found).toContain(words)
  })

  it('is completed by the combo, then the settings for all, then the strategy, then the table', () => {
    expect(completeConfig('round-robin', {})).toEqual(DEFAULT_COMBO_CONFIG)
    expect(completeConfig('round-robin', {}, { stickyRoundRobinLimit: 7 }).stickyRoundRobinLimit).toBe(7)
    expect(
      completeConfig('round-robin', { stickyRoundRobinLimit: 2 }, { stickyRoundRobinLimit: 7 }).stickyRoundRobinLimit,
    ).toBe(2)
    expect(completeConfig('quota-share', {}).queueTimeoutMs).toBe(30_000)
  })

  it('keeps what another strategy has too', () => {
    const set = { resetAwareSessionWeight: 0.5, quotaWeightedFloorPercent: 3, maxRetries: 2 }
    expect(keptConfig('reset-aware', set)).toEqual({ resetAwareSessionWeight: 0.5, maxRetries: 2 })
  })
})
