import { describe, expect, it } from 'vitest'
import { PACKS } from '../../../../core/contract/auto-words'
import { GatewayError } from '../../../../core/errors'
import { factorsOf, greatestOf, type Wanted } from '../../../../core/routing/strategies/auto/factors'
import { BALANCED, PACK_WEIGHTS, weightsFor } from '../../../../core/routing/strategies/auto/packs'
import { taskFit, taskOf } from '../../../../core/routing/strategies/auto/task-fit'
import { NO_WISHES } from '../../../../core/routing/strategies/auto/wishes'
import { NO_FACTS } from '../../../../core/routing/strategies/request-facts'
import type { RequestFacts } from '../../../../core/routing/strategies/strategy'
import { type TargetView, UNKNOWN_VIEW } from '../../../../core/routing/target-view'
import { costOf } from '../../../../core/routing/tier'
import {
  Combo,
  DAY,
  DRAWS,
  drawn,
  exclusionOf,
  HOUR,
  interval,
  MINUTE,
  NOW,
  names,
  order,
  ordering,
  type Pool,
  quota,
  resting,
  scoreOf,
  seeded,
  tally,
  target,
} from './support'

/** Factors of the first of some. */
function factors(
  view: Partial<TargetView>,
  others: readonly Partial<TargetView>[] = [],
  request: Partial<RequestFacts & Wanted> = {},
) {
  const candidates = [view, ...others].map((seen, index) => ({
    target: target('a', { model: 'nobody-knows' }),
    view: { ...UNKNOWN_VIEW, ...seen },
    index,
  }))
  const [first] = candidates
  if (first === undefined) throw new Error('nobody')
  const facts = { ...NO_FACTS, tierHint: null, ...request }
  return factorsOf(first, greatestOf(candidates), facts, facts.task, NOW)
}

describe('a factor of auto', () => {
  it.each<[string, number, ReturnType<typeof factors>]>([
    ['quota', 1, factors({ quota: { kind: 'none' } })],
    ['quota', 1, factors({ quota: { kind: 'unlimited' } })],
    ['quota', 0, factors({ quota: { kind: 'unreadable' } })],
    ['quota', 0.5, factors({ quota: quota({}) })],
    ['quota', 0.3, factors({ quota: quota({ five: [20, 1], week: [70, 1] }) })],
    ['quota', 0, factors({ quota: quota({ week: [130, 1] }) })],
    ['health', 1, factors({ breaker: 'CLOSED' })],
    ['health', 1, factors({ breaker: 'DEGRADED' })],
    ['health', 0.5, factors({ breaker: 'HALF_OPEN' })],
    ['health', 0, factors({ breaker: 'OPEN' })],
    ['costInv', 0.75, factors({ inputPrice: 1, outputPrice: 1 }, [{ inputPrice: 4, outputPrice: 4 }])],
    ['costInv', 0, factors({ inputPrice: 4 }, [{ inputPrice: 1 }])],
    ['costInv', 1, factors({ inputPrice: 0, outputPrice: 0 })],
    ['costInv', 0.5, factors({}, [{ inputPrice: 1 }])],
    ['latencyInv', 0.9, factors({ p95LatencyMs: 100 }, [{ p95LatencyMs: 1_000 }])],
    ['latencyInv', 0.5, factors({})],
    ['stability', 0.8, factors({ latencyDeviationMs: 20 }, [{ latencyDeviationMs: 100 }])],
    ['stability', 1, factors({ latencyDeviationMs: 0 })],
    ['taskFit', 0.5, factors({})],
    ['tierPriority', 0.8, factors({ tier: 'ultra' })],
    ['tierPriority', 0.636, factors({ tier: 'pro', quota: quota({ week: [0, 15 * 24] }) })],
    ['tierPriority', 0.264, factors({ tier: 'standard' })],
    ['tierPriority', 0, factors({ tier: 'free' })],
    ['tierPriority', 0.264, factors({})],
    ['tierAffinity', 1, factors({ tier: 'pro' }, [], { tierHint: 'pro' })],
    ['tierAffinity', 0.7, factors({ tier: 'pro' }, [], { tierHint: 'ultra' })],
    ['tierAffinity', 0.3, factors({ tier: 'free' }, [], { tierHint: 'ultra' })],
    ['tierAffinity', 0.5, factors({ tier: 'free' })],
    ['tierAffinity', 0.5, factors({}, [], { tierHint: 'pro' })],
    ['specificityMatch', 0.9, factors({ tier: 'free' }, [], { specificity: 15 })],
    ['specificityMatch', 0.2, factors({ tier: 'free' }, [], { specificity: 16 })],
    ['specificityMatch', 0.4, factors({ tier: 'standard' }, [], { specificity: 15 })],
    ['specificityMatch', 0.9, factors({ tier: 'standard' }, [], { specificity: 50 })],
    ['specificityMatch', 0.4, factors({ tier: 'standard' }, [], { specificity: 51 })],
    ['specificityMatch', 0.3, factors({ tier: 'pro' }, [], { specificity: 50 })],
    ['specificityMatch', 0.9, factors({ tier: 'ultra' }, [], { specificity: 51 })],
    ['specificityMatch', 0.5, factors({ tier: 'ultra' })],
    ['contextAffinity', 0.5, factors({})],
    ['contextAffinity', 0.8, factors({ contextAffinity: 0.8 })],
    ['sessionAvailability', 1, factors({ otherSessions: 9 })],
    ['sessionAvailability', 0.25, factors({ signsIn: true, otherSessions: 3 })],
    ['connectionDensity', 0, factors({ connections: 1 })],
    ['connectionDensity', 0.3, factors({ connections: 4 })],
    ['connectionDensity', 1, factors({ connections: 50 })],
    ['cacheAffinity', 0, factors({})],
    ['resetWindowAffinity', 0.5, factors({})],
    ['resetWindowAffinity', 0.25, factors({ quota: quota({ week: [0, 126] }) })],
    ['quality', 0.5, factors({})],
    ['quality', 0.9, factors({ quality: 0.9 })],
    ['reliability', 1, factors({ recentFailures: { rate: 0.9, samples: 9 } })],
    ['reliability', 0.7, factors({ recentFailures: { rate: 0.3, samples: 10 } })],
    ['reliability', 1, factors({})],
  ])('%s is %d', (factor, expected, values) => {
    expect(values[factor as keyof typeof values]).toBeCloseTo(expected, 10)
  })

  it('counts three fifths of the input price and two of the output; one alone stands for both', () => {
    expect(costOf({ ...UNKNOWN_VIEW, inputPrice: 1, outputPrice: 11 })).toBeCloseTo(5)
    expect(costOf({ ...UNKNOWN_VIEW, outputPrice: 3 })).toBe(3)
    expect(costOf(UNKNOWN_VIEW)).toBeNull()
  })
})

describe('weights of auto', () => {
  const sum = (weights: Readonly<Record<string, number>>) => Object.values(weights).reduce((a, b) => a + b, 0)

  it('add up to one, in every pack', () => {
    expect(sum(BALANCED)).toBeCloseTo(1, 3)
    for (const pack of PACKS) expect(sum(PACK_WEIGHTS[pack])).toBeCloseTo(1, 3)
  })

  it('come from the request, then the combo’s pack, then its own', () => {
    const config = { modePack: null, weights: { quota: 0.9 } }
    const wishing = (pack: typeof NO_WISHES.pack) => ({ ...NO_WISHES, pack })
    expect(weightsFor(config, NO_WISHES)).toEqual({ ...BALANCED, quota: 0.9 })
    expect(weightsFor({ ...config, modePack: 'cost-saver' }, NO_WISHES)).toBe(PACK_WEIGHTS['cost-saver'])
    expect(weightsFor({ ...config, modePack: 'cost-saver' }, wishing('ship-fast'))).toBe(PACK_WEIGHTS['ship-fast'])
    expect(weightsFor({ ...config, modePack: 'cost-saver' }, wishing('balanced'))).toBe(BALANCED)
  })
})

/** No trials, and no chance. */
const strictly = { config: { routerStrategy: 'score' } } as const

describe('auto', () => {
  it('scores by all factors', () => {
    // Everything unknown: quota, health, session and reliability 1; costInv … quality a half; tierPriority 0.264.
    const expected = 0.1429 + 0.1605 + 0.0476 + 0.5 * (0.1429 + 0.1143 + 0.0762 + 4 * 0.0476 + 0.03) + 0.264 * 0.0476
    expect(scoreOf(order('auto', { a: {} }, strictly), 'a')).toBe(Number(expected.toFixed(6)))
  })

  it('halves the score of an account whose quota cannot be read', () => {
    const result = order('auto', { a: { quota: { kind: 'unreadable' } }, b: {} }, strictly)
    const readable = scoreOf(result, 'b') ?? 0
    expect(scoreOf(result, 'a')).toBeCloseTo((readable - 0.1429) / 2, 6)
  })

  it('is led by what the request wishes for', () => {
    const pool = {
      fast: { p95LatencyMs: 300, inputPrice: 10, outputPrice: 50 },
      cheap: { p95LatencyMs: 9_000, inputPrice: 0.1, outputPrice: 0.4 },
    }
    const wishing = (pack: 'ship-fast' | 'cost-saver') => ({ ...strictly, request: { wishes: { ...NO_WISHES, pack } } })
    expect(ordering('auto', pool, wishing('ship-fast'))).toBe('fast cheap')
    expect(ordering('auto', pool, wishing('cost-saver'))).toBe('cheap fast')
  })

  it('tries a random one in five of a hundred requests, but not in an incident', () => {
    const pool = { a: {}, b: { p95LatencyMs: 9_000, breaker: 'HALF_OPEN' as const } }
    expect(ordering('auto', pool, { random: drawn(0.049, 0.9) })).toBe('b a')
    expect(ordering('auto', pool, { random: drawn(0.05) })).toBe('a b')
    const incident: Pool = { ...pool, c: { breaker: 'OPEN' }, d: { breaker: 'OPEN' }, e: { breaker: 'OPEN' } }
    expect(ordering('auto', incident, { random: drawn() })).toBe('a b')
    const half: Pool = { ...pool, c: { breaker: 'OPEN' }, d: { breaker: 'OPEN' } }
    expect(ordering('auto', half, { random: drawn(0, 0.9) })).toBe('b a')
  })

  it('never uses an open provider, not even where all are open', () => {
    expect(ordering('auto', { a: { breaker: 'OPEN' }, b: { breaker: 'OPEN' } })).toBe('')
  })

  describe('where nobody is clearly better', () => {
    // Scores differ by quality alone (0.03 of it): two at the top, one in the middle, one far below.
    const pool = { a: { quality: 1 }, b: { quality: 1 }, c: { quality: 0.8 }, d: { quality: 0 } }
    const noTrials = { config: { explorationRate: 0 } }

    it.each([
      [0.44, 0, 'a b c d'],
      [0.44, 0.9, 'b a c d'],
      [0.46, 0, 'c a b d'],
      [0.81, 0, 'd a b c'],
    ])('draws %d and %d: %s', (tier, place, expected) => {
      expect(ordering('auto', pool, { ...noTrials, random: drawn(0.5, tier, place) })).toBe(expected)
    })

    it('prefers the best, then the nearly as good, then the rest', () => {
      const counts = tally('auto', pool, { ...noTrials, random: seeded(14) })
      for (const [name, share] of [
        ['a', 0.225],
        ['b', 0.225],
        ['c', 0.35],
        ['d', 0.2],
      ] as const) {
        const { least, most } = interval(share)
        expect(counts.get(name)).toBeGreaterThan(least)
        expect(counts.get(name)).toBeLessThan(most)
      }
      expect([...counts.values()].reduce((a, b) => a + b, 0)).toBe(DRAWS)
    })

    it('gives the share of empty classes to the others', () => {
      expect(ordering('auto', { a: {}, b: {} }, { ...noTrials, random: drawn(0.5, 0.99, 0.6) })).toBe('b a')
    })
  })

  it('leaves a clear winner where it is', () => {
    expect(
      ordering('auto', { a: { breaker: 'HALF_OPEN', connections: 1 }, b: { connections: 11 } }, { random: drawn(0.5) }),
    ).toBe('b a')
  })
})

describe('the routers of auto', () => {
  const pool = {
    slow: { p95LatencyMs: 5_000, inputPrice: 1, outputPrice: 1, recentFailures: { rate: 0, samples: 50 } },
    dear: { p95LatencyMs: 500, inputPrice: 20, outputPrice: 20, recentFailures: { rate: 0.01, samples: 50 } },
    weak: { p95LatencyMs: 400, inputPrice: 2, outputPrice: 2, recentFailures: { rate: 0.4, samples: 50 } },
    new: {},
  }
  const by = (routerStrategy: string, more = {}) =>
    ordering('auto', pool, { config: { routerStrategy, ...more } as never, random: drawn() })

  it.each(['cost', 'eco'])('%s: the cheapest, unknown last', (router) => {
    expect(by(router)).toBe('slow weak dear new')
  })

  it.each(['latency', 'fast'])('%s: the fastest, failures count as time, unknown last', (router) => {
    expect(by(router)).toBe('dear weak slow new')
  })

  it('sla-aware: whoever keeps the limits, softly or before all others', () => {
    const limits = { slaTargetP95Ms: 1_000, slaMaxErrorRate: 0.05, slaMaxCostPer1MTokens: 5 }
    expect(by('sla-aware', limits).split(' ')[0]).toBe('dear')
    expect(by('sla-aware', { ...limits, slaHardConstraints: true })).toBe('new dear slow weak')
    expect(by('sla-aware', { slaMaxCostPer1MTokens: 5, slaHardConstraints: true }).endsWith('dear')).toBe(true)
  })

  it('sla-aware: a limit of nothing is no division by it', () => {
    const result = order('auto', pool, { config: { routerStrategy: 'sla-aware', slaMaxErrorRate: 0 } })
    for (const reason of result.reasons) {
      if (reason.kind === 'ordered') expect(reason.score).not.toBeNaN()
    }
  })

  it('lkgp: whoever answered last, the others by score', () => {
    const combo = new Combo('auto', pool, { config: { routerStrategy: 'lkgp' } })
    combo.lead()
    combo.settle('weak')
    expect(combo.lead()).toBe('weak')
  })
})

describe('a filter of auto', () => {
  const pool: Pool = {
    text: { images: false, reasoning: false, tools: false, tier: 'standard', inputPrice: 1, outputPrice: 1 },
    eyes: { images: true, tier: 'pro' },
    thinker: { reasoning: true, tools: true, inputPrice: 0, outputPrice: 0 },
  }
  const kept = (config: object) =>
    ordering('auto', pool, { config: { ...strictly.config, ...config } })
      .split(' ')
      .sort()
      .join(' ')

  it.each([
    [{ autoCategory: 'vision' }, 'eyes'],
    [{ autoCategory: 'multimodal' }, 'eyes'],
    [{ autoCategory: 'reasoning' }, 'thinker'],
    [{ autoCategory: 'coding' }, 'eyes thinker'],
    [{ autoCategory: 'chat' }, 'eyes text thinker'],
    [{ autoFilter: 'free' }, 'thinker'],
    [{ autoFilter: 'pro' }, 'eyes'],
    // Nobody is both: the second filter lets everybody in that the first has left.
    [{ autoCategory: 'vision', autoFilter: 'free' }, 'eyes'],
  ])('%o keeps %s', (config, expected) => {
    expect(kept(config)).toBe(expected)
  })

  it('says whom it left out, and lets everybody in where it would leave nobody', () => {
    const result = order('auto', pool, { config: { ...strictly.config, autoFilter: 'free' } })
    expect(exclusionOf(result, 'eyes')).toMatchObject({ gate: 'filter', until: null })
    expect(ordering('auto', { a: {}, b: {} }, { config: { ...strictly.config, autoFilter: 'free' } })).toBe('a b')
  })
})

describe('the budget of a request', () => {
  const pool = {
    dear: { inputPrice: 15, outputPrice: 75 },
    cheap: { inputPrice: 1, outputPrice: 5 },
    unknown: {},
  }
  const facts = { inputTokens: 10_000, outputTokens: 1_000 }
  const spending = (budgetUsd: number, overBudget: 'cheapest' | 'strict' = 'cheapest') => ({
    ...strictly,
    request: { ...facts, wishes: { ...NO_WISHES, budgetUsd, overBudget } },
  })

  it('lets in whose estimate is within it', () => {
    const result = order('auto', pool, spending(0.015))
    expect(names(result)).toBe('cheap')
    expect(exclusionOf(result, 'unknown').why).toContain('budget')
    expect(
      names(order('auto', pool, spending(1)))
        .split(' ')
        .sort(),
    ).toEqual(['cheap', 'dear'])
  })

  it('falls back to the cheapest where nobody’s is', () => {
    expect(names(order('auto', pool, spending(0.000001)))).toBe('cheap dear unknown')
  })

  it('refuses where it is strict', () => {
    try {
      order('auto', pool, spending(0.000001, 'strict'))
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(GatewayError)
      expect(error).toMatchObject({ code: 'payment_required', httpStatus: 402 })
    }
    // Nobody there at all is another matter.
    expect(names(order('auto', { a: { exclusion: resting } }, spending(1, 'strict')))).toBe('')
  })
})

describe('self-heal of auto', () => {
  const ill = {
    quota: { kind: 'unreadable' as const },
    breaker: 'HALF_OPEN' as const,
    connections: 1,
    otherSessions: 99,
    signsIn: true,
  }
  const sick = { ...ill, contextAffinity: 0, quality: 0, p95LatencyMs: 9_000, latencyDeviationMs: 900 }
  const well = { p95LatencyMs: 1, latencyDeviationMs: 1 }
  const combo = () => new Combo('auto', { a: sick, b: well }, strictly)
  const leftOut = (run: Combo, now: number): number | null => {
    const result = order('auto', run.pool, { ...strictly, state: run.state, now })
    run.state = result.state
    const found = result.reasons.find(({ target: { executionKey } }) => executionKey === 'a')
    return found?.kind === 'excluded' ? found.exclusion.until : null
  }

  it('leaves out a very low score for five minutes, longer each time, for half an hour at most', () => {
    const run = combo()
    let now = NOW
    for (const minutes of [5, 10, 20, 30, 30]) {
      const until = leftOut(run, now)
      expect(until).toBe(now + minutes * MINUTE)
      expect(leftOut(run, (until ?? 0) - 1)).toBe(until)
      now = until ?? 0
    }
  })

  it('takes it back after its time when the score has risen', () => {
    const run = combo()
    leftOut(run, NOW)
    run.pool = { a: well, b: well }
    expect(leftOut(run, NOW + MINUTE)).toBe(NOW + 5 * MINUTE)
    expect(leftOut(run, NOW + 5 * MINUTE)).toBeNull()
    // It has not answered since: the next time is longer.
    run.pool = { a: sick, b: well }
    expect(leftOut(run, NOW + 6 * MINUTE)).toBe(NOW + 16 * MINUTE)
  })

  it('begins anew with one that has answered', () => {
    const run = combo()
    leftOut(run, NOW)
    run.pool = { a: well, b: well }
    leftOut(run, NOW + 5 * MINUTE)
    run.settle('a')
    run.pool = { a: sick, b: well }
    expect(leftOut(run, NOW + 6 * MINUTE)).toBe(NOW + 11 * MINUTE)
  })

  it('never leaves out the last one', () => {
    const run = new Combo('auto', { a: sick, b: { ...well, exclusion: resting } }, strictly)
    expect(leftOut(run, NOW)).toBeNull()
    expect(run.lead()).toBe('a')
  })

  it('outlasts no clock that was set back', () => {
    const run = combo()
    leftOut(run, NOW)
    expect(leftOut(run, NOW - DAY)).toBe(NOW - DAY + 5 * MINUTE)
  })

  it('remembers nothing of targets that have left', () => {
    const run = combo()
    leftOut(run, NOW)
    run.pool = { b: well }
    run.lead()
    expect(run.state).toMatchObject({ healing: {} })
  })
})

describe('fit for a task', () => {
  it('knows families of models, and is in between for others', () => {
    expect(taskFit('claude-opus-4-1', 'coding')).toBeGreaterThan(taskFit('claude-3-5-haiku', 'coding'))
    expect(taskFit('gpt-5-codex', 'coding')).toBeGreaterThan(taskFit('gpt-5-codex', 'documentation'))
    expect(taskFit('llama3.2:1b', 'coding')).toBeLessThan(0.5)
    expect(taskFit('something-else', 'coding')).toBe(0.5)
    expect(taskFit('something-else', null)).toBe(0.5)
  })

  it.each([
    ['Why does this test fail?\nTraceback (most recent call last)', 'debugging'],
    ['Please review this pull request', 'review'],
    ['Write a README for the project', 'documentation'],
    ['Make a plan for the migration', 'planning'],
    ['Implement a function that sorts', 'coding'],
    ['Compare these two poems', 'analysis'],
    ['Good morning', null],
  ])('%j is %s', (text, task) => {
    expect(taskOf(text)).toBe(task)
  })

  it('reads only the beginning of what is long', () => {
    expect(taskOf(`${'x '.repeat(2_500)}implement`)).toBeNull()
  })
})

it('a reset further away than a month counts for nothing', () => {
  expect(factors({ tier: 'free', quota: quota({ month: [0, 40 * 24] }) }).tierPriority).toBe(0)
  expect(factors({ tier: 'free', quota: quota({ week: [0, 1] }) }).tierPriority).toBeCloseTo(
    0.2 * (1 - HOUR / 1_000 / 2_592_000),
  )
})
