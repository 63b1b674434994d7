import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { REASONS, type Reason } from '../../../core/contract/kinds'
import { mergeResilience } from '../../../core/contract/resilience-merge'
import { directWait, type Exclusion, earliestReturn, isWaitable, type Spent } from '../../../core/pipeline/waits'
import type { Gate } from '../../../core/resilience/health-events'

const NOW = 1_800_000_000_000
const SETTINGS = mergeResilience({ env: {}, stored: undefined }).settings.waitForCooldown
const NOTHING_YET: Spent = { waits: 0, waitedMs: 0 }

const gate = (part: Partial<Gate> = {}): Gate => ({
  ...{ kind: 'closed', gate: 'cooldown', reason: 'rate_limit_exceeded', since: NOW, why: 'it rests' },
  ...{ until: NOW + 10_000, endsBy: 'time' },
  ...part,
})
const excluded = (part: Partial<Gate> | null): Exclusion => ({
  ...{ connectionId: 'c', connection: 'work', because: 'it rests' },
  gate: part === null ? null : gate(part),
})
const back = (ms: number, part: Partial<Gate> = {}): Exclusion => excluded({ until: NOW + ms, ...part })
const OPEN: Partial<Gate> = { gate: 'breaker', reason: 'server_error', endsBy: 'probe' }
const SPENT: Partial<Gate> = { reason: 'quota_exhausted' }

describe('what is worth waiting for', () => {
  const PASSING: readonly Reason[] = [
    ...(['rate_limit_exceeded', 'concurrency_limited', 'server_error'] as const),
    ...(['model_capacity', 'timeout', 'network_error'] as const),
  ]

  it.each(REASONS)('a rest or a lock because of %s only if it passes by itself', (reason) => {
    const expected = PASSING.includes(reason)
    expect(isWaitable(gate({ reason }))).toBe(expected)
    expect(isWaitable(gate({ gate: 'lockout', reason }))).toBe(expected)
  })

  it.each<[string, Partial<Gate>]>([
    ['an open breaker', OPEN],
    ['an account that a person must mend', { gate: 'terminal', until: null, endsBy: 'person' }],
    ['a sign-in that is tried again', { gate: 'sign-in-retry', reason: 'auth_error', endsBy: 'retry' }],
    ['a provider that combos pass over', { gate: 'provider-cooldown', reason: 'server_error' }],
    ['what no time ends', { until: null }],
  ])('never %s', (_what, part) => {
    expect(isWaitable(gate(part))).toBe(false)
  })
})

describe('the moment the first one returns', () => {
  it('is the earliest of those that may be waited for; the others neither block nor set it', () => {
    const pool = [back(9_000), back(1_000, OPEN), back(2_000, SPENT), back(7_000), excluded(null)]
    expect(earliestReturn(pool)).toBe(NOW + 7_000)
  })

  it('does not exist where nothing may be waited for', () => {
    for (const pool of [[], [excluded(null)], [back(1_000, OPEN), back(1_000, SPENT)]])
      expect(earliestReturn(pool)).toBeNull()
  })
})

describe('until when a direct request waits', () => {
  const wait = (ms: number, spent: Partial<Spent> = {}, settings: Partial<typeof SETTINGS> = {}) =>
    directWait([back(ms)], { ...SETTINGS, ...settings }, { ...NOTHING_YET, ...spent }, NOW)

  it('is when the first connection returns', () => {
    expect(directWait([back(9_000), back(4_000), back(1_000, OPEN)], SETTINGS, NOTHING_YET, NOW)).toBe(NOW + 4_000)
  })

  it('is at once where that moment has come meanwhile', () => {
    expect(wait(0)).toBe(NOW)
    expect(wait(-5_000)).toBe(NOW - 5_000)
  })

  it('is never where nothing passes by itself', () => {
    expect(directWait([back(1_000, OPEN), back(1_000, SPENT)], SETTINGS, NOTHING_YET, NOW)).toBeNull()
    expect(directWait([], SETTINGS, NOTHING_YET, NOW)).toBeNull()
  })

  it('is never where the setting is off', () => {
    expect(wait(1_000, {}, { enabled: false })).toBeNull()
  })

  it('is bounded for each wait, to the millisecond', () => {
    expect(wait(90_000)).toBe(NOW + 90_000)
    expect(wait(90_001)).toBeNull()
    expect(wait(5_001, {}, { maxRetryWaitSec: 5 })).toBeNull()
    expect(wait(1, {}, { maxRetryWaitSec: 0 })).toBeNull()
  })

  it('is bounded for all of them together', () => {
    expect(wait(20_000, { waitedMs: 280_000 })).toBe(NOW + 20_000)
    expect(wait(20_001, { waitedMs: 280_000 })).toBeNull()
  })

  it('is bounded in their number', () => {
    expect(wait(1_000, { waits: 4 })).toBe(NOW + 1_000)
    expect(wait(1_000, { waits: 5 })).toBeNull()
    expect(wait(1_000, {}, { maxRetries: 0 })).toBeNull()
  })

  it('lets no request wait longer than the budget, whatever returns when', () => {
    const delay = fc.integer({ min: -10_000, max: 400_000 })
    const settings = fc.record({
      enabled: fc.constant(true),
      maxRetries: fc.integer({ min: 0, max: 10 }),
      maxRetryWaitSec: fc.integer({ min: 0, max: 300 }),
      budgetMs: fc.integer({ min: 0, max: 300_000 }),
    })
    fc.assert(
      fc.property(settings, fc.array(fc.array(delay, { minLength: 1 }), { maxLength: 20 }), (limits, rounds) => {
        let spent = NOTHING_YET
        for (const delays of rounds) {
          const until = directWait(
            delays.map((ms) => back(ms)),
            limits,
            spent,
            NOW,
          )
          if (until === null) continue
          expect(until).toBe(NOW + Math.min(...delays))
          spent = { waits: spent.waits + 1, waitedMs: spent.waitedMs + Math.max(0, until - NOW) }
        }
        expect(spent.waits).toBeLessThanOrEqual(limits.maxRetries)
        expect(spent.waitedMs).toBeLessThanOrEqual(limits.budgetMs)
      }),
    )
  })
})
