import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TASKS, TIERS } from '../../../../core/contract/auto-words'
import { completeConfig, type SetConfig } from '../../../../core/contract/combo-config'
import {
  ACCOUNT_STRATEGIES,
  type AnyStrategyName,
  QUOTA_SHARE,
  STRATEGIES,
} from '../../../../core/contract/combo-strategies'
import { BREAKER_STATES } from '../../../../core/contract/health-words'
import type { Target } from '../../../../core/routing/combo'
import { NO_WISHES } from '../../../../core/routing/strategies/auto/wishes'
import {
  type Ordered,
  orderConnections,
  orderTargets,
  settleTarget,
} from '../../../../core/routing/strategies/order-targets'
import { NO_FACTS } from '../../../../core/routing/strategies/request-facts'
import type { StrategyState } from '../../../../core/routing/strategies/strategy'
import { type QuotaView, soundView, type TargetView, UNKNOWN_VIEW } from '../../../../core/routing/target-view'
import { HOUR, inputOf, NOW, order, resting, seeded, target } from './support'

const ALL: readonly AnyStrategyName[] = [...STRATEGIES, QUOTA_SHARE]

/** Anything the caller could come up with, nonsense too. */
const measure = fc.option(
  fc.oneof(fc.double({ min: 0, max: 1_000_000 }), fc.constantFrom(0, Number.NaN, Number.POSITIVE_INFINITY, -5)),
)
const share = fc.option(fc.double({ min: 0, max: 1 }))
const moment = fc.option(fc.integer({ min: -10, max: 200 }).map((hours) => NOW + hours * HOUR))
const percent = fc.option(fc.oneof(fc.double({ min: 0, max: 130 }), fc.constantFrom(0, 100, Number.NaN)))

const quotaView: fc.Arbitrary<QuotaView> = fc.oneof(
  fc.constantFrom<QuotaView>({ kind: 'none' }, { kind: 'unreadable' }, { kind: 'unlimited' }),
  fc.record({
    kind: fc.constant('known' as const),
    windows: fc.array(
      fc.record({ name: fc.constantFrom('5h', '7d', 'monthly', '7d:m1'), usedPercent: percent, resetAt: moment }),
      { maxLength: 4 },
    ) as fc.Arbitrary<Extract<QuotaView, { kind: 'known' }>['windows']>,
    usedPercent: percent,
    resetAt: moment,
    limitReached: fc.boolean(),
    fresh: fc.boolean(),
  }),
)

const view: fc.Arbitrary<TargetView> = fc
  .record({
    exclusion: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, fc.constant(resting)),
    breaker: fc.constantFrom(...BREAKER_STATES),
    averageLatencyMs: measure,
    p95LatencyMs: measure,
    latencyDeviationMs: measure,
    successRate: share,
    recentFailures: fc.option(fc.record({ rate: fc.double({ min: 0, max: 1 }), samples: fc.nat(100) })),
    quality: share,
    useCount: fc.oneof(fc.nat(1_000), fc.constant(Number.NaN)),
    inFlight: fc.nat(50),
    maxConcurrent: fc.option(fc.nat(10)),
    inputPrice: measure,
    outputPrice: measure,
    contextWindow: measure,
    tools: fc.option(fc.boolean()),
    images: fc.option(fc.boolean()),
    reasoning: fc.option(fc.boolean()),
    tier: fc.option(fc.constantFrom(...TIERS)),
    connections: fc.nat(20),
    signsIn: fc.boolean(),
    otherSessions: fc.nat(20),
    backoffLevel: fc.nat(20),
    lastError: fc.option(fc.constant('timeout' as const)),
    cooling: fc.boolean(),
    quota: quotaView,
    contextAffinity: share,
    cacheAffinity: share,
  })
  .map((fields) => ({ ...UNKNOWN_VIEW, ...fields }))

const pool = fc.array(fc.record({ view, weight: fc.oneof(fc.nat(10), fc.constant(0)) }), { maxLength: 12 })

const request = fc
  .record({
    task: fc.option(fc.constantFrom(...TASKS)),
    cacheKey: fc.option(fc.string()),
    specificity: fc.option(fc.integer({ min: 0, max: 100 })),
    budgetUsd: fc.option(fc.double({ min: 0.000001, max: 10, noNaN: true })),
  })
  .map(({ budgetUsd, ...facts }) => ({ ...NO_FACTS, ...facts, wishes: { ...NO_WISHES, budgetUsd } }))

const config: fc.Arbitrary<SetConfig> = fc.record(
  {
    stickyWeightedLimit: fc.integer({ min: 1, max: 3 }),
    stickyRoundRobinLimit: fc.integer({ min: 1, max: 3 }),
    resetAwareSessionWeight: fc.constantFrom(0, 0.5, 1),
    resetAwareWeeklyWeight: fc.constantFrom(0, 0.5, 1),
    resetAwareTieBandPercent: fc.constantFrom(0, 5, 100),
    resetAwareExhaustionGuardPercent: fc.constantFrom(0, 10, 100),
    quotaWeightedFloorPercent: fc.constantFrom(0, 1, 100),
    resetWindowIncludeSession: fc.boolean(),
    routerStrategy: fc.constantFrom('rules', 'score', 'cost', 'latency', 'sla-aware', 'lkgp', null),
    explorationRate: fc.constantFrom(0, 0.5),
    autoFilter: fc.constantFrom('free', 'pro', null),
    autoCategory: fc.constantFrom('coding', 'vision', null),
    slaMaxErrorRate: fc.constantFrom(0, 0.1, null),
    slaHardConstraints: fc.boolean(),
  },
  { requiredKeys: [] },
)

const keys = (targets: readonly Target[]): string[] => targets.map(({ executionKey }) => executionKey).sort()

function expectSound(result: Ordered, targets: readonly Target[], usable: readonly Target[]): void {
  const { ordered, reasons } = result
  const leftOut = reasons.flatMap((reason) => (reason.kind === 'excluded' ? reason.target : []))
  // Everybody is either in the order or left out for a reason, once.
  expect(keys([...ordered, ...leftOut])).toEqual(keys(targets))
  for (const one of ordered) expect(usable).toContain(one)
  expect(reasons.slice(0, ordered.length).map((reason) => reason.target)).toEqual(ordered)
  for (const reason of reasons) {
    if (reason.kind === 'excluded') continue
    expect(reason.score).not.toBeNaN()
    for (const part of Object.values(reason.parts)) expect(part).not.toBeNaN()
  }
  expect(JSON.parse(JSON.stringify(result.state))).toEqual(result.state)
}

describe.each(ALL)('%s', (name) => {
  it('orders all that may be used and nobody who is out, request after request', () => {
    fc.assert(
      fc.property(
        fc.array(pool, { minLength: 1, maxLength: 4 }),
        config,
        request,
        fc.integer(),
        (pools, set, facts, seed) => {
          const random = seeded(seed)
          const whole = completeConfig(name, set)
          let state: StrategyState | null = null
          for (const [turn, seen] of pools.entries()) {
            const targets = seen.map(({ weight }, i) => target(`m${i}`, { weight }))
            const views = new Map(targets.map((one, i) => [one, seen[i]?.view ?? UNKNOWN_VIEW]))
            const view = (one: Target): TargetView => views.get(one) ?? UNKNOWN_VIEW
            const usable = targets.filter((one) => view(one).exclusion === null && view(one).breaker !== 'OPEN')
            const now = NOW + turn * HOUR
            const result: Ordered = orderTargets(name, {
              targets,
              view,
              state,
              config: whole,
              request: facts,
              now,
              random,
            })
            expectSound(result, targets, usable)
            // Only these leave out anybody on their own account.
            if (name !== 'auto' && name !== 'quota-weighted') expect(keys(result.ordered)).toEqual(keys(usable))
            if (name === 'auto' && usable.length > 0) expect(result.ordered.length).toBeGreaterThan(0)
            const [leader] = result.ordered
            state = result.state
            if (leader !== undefined) {
              state = settleTarget(
                name,
                state,
                leader,
                { kind: 'success', connectionId: leader.connectionId },
                whole,
                now,
              )
            }
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  it('comes to the same order with the same chance', () => {
    fc.assert(
      fc.property(pool, config, fc.integer(), (seen, set, seed) => {
        const views = Object.fromEntries(seen.map(({ view, weight }, i) => [`m${i}`, { ...view, weight }]))
        const once = () => order(name, views, { config: set, random: seeded(seed) })
        expect(once()).toEqual(once())
      }),
      { numRuns: 30 },
    )
  })

  it('has nothing to say of an empty list, or of one where all are out', () => {
    expect(order(name, {}).ordered).toEqual([])
    const result = order(name, { a: { exclusion: resting }, b: { breaker: 'OPEN' } })
    expect(result.ordered).toEqual([])
    expect(result.reasons.map(({ kind }) => kind)).toEqual(['excluded', 'excluded'])
  })

  it('begins anew with the state of another strategy', () => {
    const before = order(name, { a: {}, b: {} })
    expect(order(name, { a: {}, b: {} }, { state: { kind: 'another' } })).toEqual(before)
  })
})

describe('the connections of a provider', () => {
  it.each(ACCOUNT_STRATEGIES)('take turns by %s', (name) => {
    const result = orderConnections(name, inputOf(name, { a: {}, b: { exclusion: resting }, c: {} }))
    expect(keys(result.ordered)).toEqual(['a', 'c'])
  })
})

describe('a view', () => {
  it('is the same where its numbers can be', () => {
    expect(soundView(UNKNOWN_VIEW)).toBe(UNKNOWN_VIEW)
  })

  it('loses what cannot be, and nothing else', () => {
    const odd = {
      ...UNKNOWN_VIEW,
      p95LatencyMs: Number.NaN,
      inputPrice: -1,
      outputPrice: 3,
      inFlight: Number.NaN,
      recentFailures: { rate: Number.NaN, samples: 3 },
      quota: { kind: 'known', windows: [], usedPercent: Number.NaN, resetAt: null, limitReached: false, fresh: true },
    } as const
    expect(soundView(odd)).toEqual({
      ...odd,
      p95LatencyMs: null,
      inputPrice: null,
      inFlight: 0,
      recentFailures: null,
      quota: { kind: 'unreadable' },
    })
  })
})
