import { describe, expect, it } from 'vitest'
import type { CooldownRow, LockoutView } from '../../core/contract/health-views'
import { ENDINGS } from '../../core/contract/health-words'
import { HISTORY_MS, spansOf, stretches } from '../../renderer/features/health/breaker-history'
import {
  canClear,
  lastReturn,
  SHOWN,
  selectedRows,
  shownRows,
  toggleAll,
  toggleOne,
} from '../../renderer/features/health/cooldown-rows'
import {
  changeReason,
  clearedWords,
  endingWords,
  failureWords,
  locksWords,
  rowEnding,
  spanWords,
} from '../../renderer/features/health/health-words'

const row = (id: string, status: CooldownRow['status'], part: Partial<CooldownRow> = {}): CooldownRow => ({
  ...{ id, status, provider: 'openai', name: id, authType: 'apikey', priority: 1, isActive: true },
  ...{ testStatus: 'active', rateLimitedUntil: null, cooldownRemainingMs: 0, backoffLevel: 0, errorCode: null },
  ...{ lastErrorType: null, lastErrorAt: null, lockouts: [], gate: null },
  ...part,
})
const ids = (rows: readonly CooldownRow[]): string[] => rows.map(({ id }) => id)

describe('the cooldown manager', () => {
  const rows = [
    row('dead', 'terminal'),
    row('tired', 'cooling_down'),
    row('part', 'model_locked', { provider: 'glm' }),
    row('bare', 'unavailable'),
    row('well', 'healthy'),
  ]

  it.each([
    ['out', ['dead', 'tired', 'part']],
    ['cooling_down', ['tired']],
    ['model_locked', ['part']],
    ['terminal', ['dead']],
    ['all', ['dead', 'tired', 'part', 'bare', 'well']],
  ] as const)('shows what is %s', (shown, expected) => {
    expect(ids(shownRows(rows, { provider: '', shown }))).toEqual(expected)
    expect(SHOWN).toContain(shown)
  })

  it('shows those of one provider', () =>
    expect(ids(shownRows(rows, { provider: 'glm', shown: 'out' }))).toEqual(['part']))

  it('never clears what needs a person, nor what is well', () =>
    expect(ids(rows.filter(canClear))).toEqual(['tired', 'part']))

  it('selects one, all and none, of what can be cleared only', () => {
    const all = toggleAll(rows, new Set())
    expect([...all]).toEqual(['tired', 'part'])
    expect(toggleAll(rows, all).size).toBe(0)
    expect([...toggleAll(rows, new Set(['tired']))]).toEqual(['tired', 'part'])
    expect([...toggleOne(new Set(['tired']), 'part')]).toEqual(['tired', 'part'])
    expect([...toggleOne(new Set(['tired']), 'tired')]).toEqual([])
    // What has come back meanwhile, or is filtered away, is not cleared with the rest.
    expect(ids(selectedRows(rows, new Set(['dead', 'tired', 'well', 'gone'])))).toEqual(['tired'])
  })

  it('says what clearing did, and what it left', () => {
    const counts = { cleared: 0, unchanged: 0, skippedTerminal: 0, lockoutsCleared: 0 }
    expect(clearedWords(counts)).toBe('Nothing rested.')
    expect(clearedWords({ ...counts, cleared: 1, lockoutsCleared: 2 })).toBe(
      '1 connection is in use again, 2 models re-enabled.',
    )
    expect(clearedWords({ ...counts, cleared: 2, skippedTerminal: 1 })).toBe(
      '2 connections are in use again. One connection needs you and was left as it is.',
    )
  })

  it('tells when the last model of a connection returns', () => {
    const lock = (connectionId: string, at: number) =>
      ({ connectionId, expiresAt: new Date(at).toISOString() }) as LockoutView
    expect(lastReturn([lock('a', 5), lock('a', 9), lock('b', 20)], 'a')).toBe(9)
    expect(lastReturn([lock('b', 20)], 'a')).toBeNull()
  })

  it('names the models that rest', () => {
    const lockouts = ['m1', 'm2', 'm3'].map((model) => ({ model, reason: 'not_found' as const, remainingMs: 1 }))
    expect(locksWords({ lockouts: [] })).toBe('')
    expect(locksWords({ lockouts: lockouts.slice(0, 1) })).toBe('m1 rests.')
    expect(locksWords({ lockouts })).toBe('m1 and 2 more models rest.')
  })
})

describe('what ends it', () => {
  it('is said of each ending, and for accounts in their own words', () => {
    const reason = 'auth_error'
    const said = ENDINGS.map((endsBy) => endingWords({ endsBy, reason }))
    expect(new Set(said).size).toBe(ENDINGS.length)
    expect(endingWords({ endsBy: 'person', reason })).toContain('a new key')
    expect(endingWords({ endsBy: 'person', reason }, true)).toContain('sign in again')
    expect(endingWords({ endsBy: 'person', reason: 'credits_exhausted' })).toContain('buy credit')
  })
  it('is that of the connection’s own rest before that of its models', () => {
    const lockouts = [{ model: 'm', reason: 'not_found' as const, remainingMs: 1 }]
    const why = { gate: 'terminal', reason: 'banned', since: 1, until: null, why: '', endsBy: 'person' } as const
    expect(rowEnding({ gate: why, lockouts, authType: 'apikey' })).toMatch(/^You: /)
    expect(rowEnding({ gate: null, lockouts, authType: 'apikey' })).toMatch(/^Time: /)
    expect(rowEnding({ gate: null, lockouts: [], authType: 'apikey' })).toBe('')
  })
})

describe('a breaker', () => {
  it('counts in words', () => {
    expect(failureWords({ failureCount: 0, lastFailureKind: null }, 12)).toBe('0 of 12 failures')
    expect(failureWords({ failureCount: 3, lastFailureKind: 'transient' }, 12)).toBe(
      '3 of 12 failures, the last a fault of the service',
    )
    expect(failureWords({ failureCount: 1, lastFailureKind: 'rate_limit' }, null)).toBe(
      '1 failure, the last a rate limit',
    )
  })

  it('says why it changed, and what it has no words for as it is', () => {
    expect(changeReason('failure-threshold')).toBe('too many failures')
    expect(changeReason('probe-failed (cycle 1)')).toBe('the trial request failed')
    expect(changeReason('probe-failed (cycle 3)')).toBe('the trial request failed, time 3')
    expect(changeReason('rate_limit failures')).toBe('too many requests')
    expect(changeReason('some-later-word')).toBe('some later word')
  })

  describe('over 24 hours', () => {
    const now = 10 * HISTORY_MS
    const start = now - HISTORY_MS
    const change = (from: 'CLOSED' | 'OPEN', to: 'CLOSED' | 'OPEN', timestamp: number) => ({
      ...{ from, to, timestamp, failureCount: 0, reason: '' },
    })

    it('is one stretch where nothing changed', () =>
      expect(stretches({ state: 'CLOSED', transitionHistory: [] }, now)).toEqual([
        { state: 'CLOSED', from: start, to: now },
      ]))

    it('is cut at each change, and begins as it was a day ago', () => {
      const transitionHistory = [
        change('CLOSED', 'OPEN', start - 10),
        change('OPEN', 'CLOSED', start + 5),
        change('CLOSED', 'OPEN', now - 7),
      ]
      const found = stretches({ state: 'OPEN', transitionHistory }, now)
      expect(found).toEqual([
        { state: 'OPEN', from: start, to: start + 5 },
        { state: 'CLOSED', from: start + 5, to: now - 7 },
        { state: 'OPEN', from: now - 7, to: now },
      ])
      expect(spansOf(found)).toEqual({ OPEN: 12, CLOSED: HISTORY_MS - 12 })
    })

    it('takes the first change’s word for what was before it', () =>
      expect(
        stretches({ state: 'CLOSED', transitionHistory: [change('OPEN', 'CLOSED', now - 1)] }, now)[0],
      ).toMatchObject({ state: 'OPEN', from: start }))

    it('is told in words, too', () => {
      expect(spanWords({ CLOSED: 5 })).toBe('healthy all the time')
      expect(spanWords({ CLOSED: 5, OPEN: 720_000, HALF_OPEN: 3_000 })).toBe('resting for 12 min, trying for 3.0 s')
    })
  })
})
