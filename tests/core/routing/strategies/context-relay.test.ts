import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_COMBO_CONFIG } from '../../../../core/contract/combo-config'
import {
  isSummaryDue,
  isValid,
  type RelayFacts,
  relayDecision,
  summaryFrom,
} from '../../../../core/routing/strategies/context-relay'
import { HOUR, NOW } from './support'

const config = DEFAULT_COMBO_CONFIG
const summary = { text: 'so far', connectionId: 'c1', madeAt: NOW - HOUR }
const facts = (fields: Partial<RelayFacts> = {}): RelayFacts => ({
  provider: 'codex',
  connectionId: 'c1',
  usedShare: 0.9,
  summary: null,
  ...fields,
})

describe('a summary is made', () => {
  it.each<[string, Partial<RelayFacts>, boolean]>([
    ['from 85 % of the quota', { usedShare: 0.85 }, true],
    ['not below', { usedShare: 0.849 }, false],
    ['up to 95 %', { usedShare: 0.949 }, true],
    ['not from there on', { usedShare: 0.95 }, false],
    ['not where nobody knows', { usedShare: null }, false],
    ['not for other providers', { provider: 'openai' }, false],
    ['not before there is a conversation', { connectionId: null }, false],
    ['not twice', { summary }, false],
    ['again for another account', { summary: { ...summary, connectionId: 'c0' } }, true],
    ['again when the old one has expired', { summary: { ...summary, madeAt: NOW - 5 * HOUR } }, true],
  ])('%s', (_when, fields, expected) => {
    expect(isSummaryDue(facts(fields), config, NOW)).toBe(expected)
  })
})

describe('before a request goes to an account', () => {
  it.each<[string, Partial<RelayFacts>, string, boolean, string]>([
    ['the same one: nothing', { summary }, 'c1', false, 'none'],
    ['another one: what is kept', { summary }, 'c2', false, 'inject'],
    ['another one, nothing kept: nothing', {}, 'c2', false, 'none'],
    ['another one, nothing kept, at every change: made now', {}, 'c2', true, 'summarise'],
    ['another provider, at every change: made now', { provider: 'openai' }, 'c2', true, 'summarise'],
    [
      'one kept of a third: not this conversation’s',
      { summary: { ...summary, connectionId: 'c0' } },
      'c2',
      false,
      'none',
    ],
    ['the first one ever: nothing', { connectionId: null }, 'c2', true, 'none'],
  ])('%s', (_what, fields, next, universalHandoff, kind) => {
    expect(relayDecision(facts(fields), next, { ...config, universalHandoff }, NOW).kind).toBe(kind)
  })

  it('a summary lives for five hours, and not under a clock that was set back', () => {
    expect(isValid({ ...summary, madeAt: NOW - 5 * HOUR + 1 }, NOW)).toBe(true)
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
