import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_COMBO_CONFIG } from '../../../../core/contract/combo-config'
import {
  goesAlong,
  isValid,
  type RelayFacts,
  summaryDue,
  summaryFrom,
} from '../../../../core/routing/strategies/context-relay'
import { HOUR, NOW } from './support'

const config = { ...DEFAULT_COMBO_CONFIG, handoffModel: 'openai/small' }
const summary = { text: 'so far', connectionId: 'c1', madeAt: NOW - HOUR }
const facts = (fields: Partial<RelayFacts> = {}): RelayFacts => ({
  provider: 'codex',
  connectionId: 'c1',
  previous: 'c1',
  usedShare: 0.9,
  summary: null,
  ...fields,
})

describe('a summary is made', () => {
  it.each<[string, Partial<RelayFacts>, string | null]>([
    ['from 85 % of the quota', { usedShare: 0.85 }, 'c1'],
    ['not below', { usedShare: 0.849 }, null],
    ['up to 95 %', { usedShare: 0.949 }, 'c1'],
    ['not from there on', { usedShare: 0.95 }, null],
    ['not where nobody knows', { usedShare: null }, null],
    ['not for other providers', { provider: 'openai' }, null],
    ['not twice', { summary }, null],
    ['again for another account', { summary: { ...summary, connectionId: 'c0' } }, 'c1'],
    ['again when the old one has expired', { summary: { ...summary, madeAt: NOW - 5 * HOUR } }, 'c1'],
    ['not because of a change of account', { usedShare: 0.1, previous: 'c0' }, null],
  ])('%s', (_when, fields, expected) => {
    expect(summaryDue(facts(fields), config, NOW)).toBe(expected)
  })

  it.each<[string, Partial<RelayFacts>, string | null]>([
    ['of the account that was left', { previous: 'c0' }, 'c0'],
    ['not while it stays', {}, null],
    ['not of nobody', { previous: null }, null],
    ['not twice', { previous: 'c0', summary: { ...summary, connectionId: 'c0' } }, null],
    ['of the one that runs out first', { provider: 'codex', previous: 'c0', usedShare: 0.9 }, 'c1'],
  ])('at every change of account, where the combo wants that: %s', (_what, fields, expected) => {
    const anyone = facts({ provider: 'openai', usedShare: null, ...fields })
    expect(summaryDue(anyone, { ...config, universalHandoff: true }, NOW)).toBe(expected)
  })

  it('by nobody where no model is named for it', () => {
    expect(summaryDue(facts({ previous: 'c0' }), { ...DEFAULT_COMBO_CONFIG, universalHandoff: true }, NOW)).toBeNull()
  })
})

describe('a summary', () => {
  it('goes along to every account but the one it sums up', () => {
    expect(goesAlong(summary, 'c2', NOW)).toBe(true)
    expect(goesAlong(summary, 'c1', NOW)).toBe(false)
  })

  it('lives for five hours, and not under a clock that was set back', () => {
    const last = { ...summary, madeAt: NOW - 5 * HOUR + 1 }
    expect(isValid(last, NOW)).toBe(true)
    expect(goesAlong(last, 'c2', NOW + 1)).toBe(false)
    expect(isValid({ ...summary, madeAt: NOW + 1 }, NOW)).toBe(false)
  })
})

describe('a summary is made of', () => {
  it.each<[string, number[], number, number]>([
    ['all of a short conversation', [10, 10, 10], 30, 0],
    ['the last thirty messages', Array(40).fill(10), 30, 10],
    ['the last 8000 tokens', [5_000, 5_000, 2_000, 1_000], 30, 1],
    ['the last message in any case', [10, 9_000], 30, 1],
    ['nothing of nothing', [], 30, 0],
  ])('%s', (_what, tokens, maxMessagesForSummary, from) => {
    expect(summaryFrom(tokens, { ...config, maxMessagesForSummary })).toBe(from)
  })

  it('no more messages and tokens than may be', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9_000), { minLength: 1 }), fc.integer({ min: 5, max: 100 }), (tokens, most) => {
        const taken = tokens.slice(summaryFrom(tokens, { ...config, maxMessagesForSummary: most }))
        expect(taken.length).toBeGreaterThan(0)
        expect(taken.length).toBeLessThanOrEqual(most)
        if (taken.length > 1) expect(taken.reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(8_000)
      }),
    )
  })
})
