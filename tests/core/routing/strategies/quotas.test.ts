import { describe, expect, it } from 'vitest'
import type { QuotaView } from '../../../../core/routing/target-view'
import {
  Combo,
  exclusionOf,
  HOUR,
  interval,
  NOW,
  names,
  order,
  ordering,
  quota,
  scoreOf,
  seeded,
  tally,
} from './support'

const of = (quotaView: QuotaView) => ({ quota: quotaView })
const score = (view: QuotaView): number | null => scoreOf(order('reset-aware', { a: of(view) }), 'a')

describe('reset-aware', () => {
  it.each<[string, QuotaView, number | null]>([
    // 0.35 · (0.45 + 0.55 · 0) + 0.65 · (0.25 + 0.75 · 0)
    ['full, renewed at the far end', quota({ five: [0, 5], week: [0, 168] }), 0.32],
    ['full, renewed at once', quota({ five: [0, 0.000001], week: [0, 0.000001] }), 1],
    // Half left of both, half of both windows gone: 0.35 · (0.225 + 0.1375) + 0.65 · (0.125 + 0.1875)
    ['half of everything', quota({ five: [50, 2.5], week: [50, 84] }), 0.33],
    ['full, resets unknown', quota({ five: [0, null], week: [0, null] }), 0.66],
    // The week is taken from the overall use: 0.35 · 0.725 + 0.65 · (0.4 · 0.625)
    ['no week', quota({ five: [0, null], overall: 60 }), 0.41625],
    // … or half of it is left: 0.35 · 0.725 + 0.65 · (0.5 · 0.625)
    ['no week, nothing overall', quota({ five: [0, null] }), 0.456875],
    // 0.05 left of the five hours: guarded by 0.05 / 0.1
    ['nearly spent five hours', quota({ five: [95, null], week: [0, null] }), 0.209469],
    // Nothing left of them: the least guard, times the week's part
    ['spent five hours', quota({ five: [100, 1], week: [0, null] }), 0.020313],
    ['spent everything', quota({ five: [100, 1], week: [100, 1] }), 0],
    ['the limit reached', quota({ five: [0, 1], week: [0, 1], limitReached: true }), null],
    ['no data', quota({}), 0.5],
    ['no quotas', { kind: 'none' }, 0.5],
    ['unreadable', { kind: 'unreadable' }, 0.5],
    ['unlimited', { kind: 'unlimited' }, 1],
  ])('%s', (_what, view, expected) => {
    expect(score(view)).toBe(expected)
  })

  it('spends first what is about to come back, never an empty account', () => {
    const pool = {
      late: of(quota({ five: [20, 4], week: [20, 160] })),
      soon: of(quota({ five: [20, 0.5], week: [20, 5] })),
      empty: of(quota({ five: [100, 0.1], week: [100, 0.1] })),
      reached: of(quota({ five: [0, 0.1], week: [0, 0.1], limitReached: true })),
    }
    expect(ordering('reset-aware', pool)).toBe('soon late empty reached')
  })

  it('takes a window whose reset has passed as renewed', () => {
    expect(score(quota({ five: [100, -1], week: [100, -1] }))).toBe(0.66)
    expect(score(quota({ five: [0, 1], limitReached: true, resetInHours: -1 }))).not.toBeNull()
  })

  it('lets those within five percent of the best take turns', () => {
    const pool = {
      a: of(quota({ five: [0, null], week: [0, null] })),
      b: of(quota({ five: [4, null], week: [4, null] })),
      c: of(quota({ five: [50, null], week: [50, null] })),
    }
    expect(new Combo('reset-aware', pool).run(4)).toBe('a b a b')
    expect(new Combo('reset-aware', pool, { config: { resetAwareTieBandPercent: 3 } }).run(3)).toBe('a a a')
    expect(new Combo('reset-aware', pool, { config: { resetAwareTieBandPercent: 100 } }).run(4)).toBe('a b c a')
  })

  it('weighs by the ratio of its weights, and by the usual one where both are nothing', () => {
    const view = quota({ five: [0, null], week: [100, null] })
    const by = (session: number, weekly: number) =>
      scoreOf(
        order(
          'reset-aware',
          { a: of(view) },
          { config: { resetAwareSessionWeight: session, resetAwareWeeklyWeight: weekly } },
        ),
        'a',
      )
    expect(by(0.2, 0.2)).toBe(0.3625)
    expect(by(1, 1)).toBe(0.3625)
    expect(by(0, 0)).toBe(by(0.35, 0.65))
  })
})

describe('reset-window', () => {
  it.each<[string, Record<string, QuotaView>, string]>([
    ['soonest week first', { a: quota({ week: [0, 50] }), b: quota({ week: [0, 10] }) }, 'b a'],
    [
      'a week before a month of the same account',
      { a: quota({ week: [0, 50], month: [0, 1] }), b: quota({ week: [0, 10] }) },
      'b a',
    ],
    ['a month where there is no week', { a: quota({ month: [0, 300] }), b: quota({ week: [0, 10] }) }, 'b a'],
    [
      'the earliest of others where neither is known',
      { a: quota({ five: [0, 2] }), b: quota({ week: [0, 1] }) },
      'b a',
    ],
    ['the quota’s own reset last of all', { a: quota({ resetInHours: 3 }), b: quota({ week: [0, 4] }) }, 'a b'],
    ['unknown last', { a: { kind: 'none' }, b: { kind: 'unreadable' }, c: quota({ week: [0, 160] }) }, 'c a b'],
    ['passed resets are unknown', { a: quota({ week: [0, -1] }), b: quota({ week: [0, 160] }) }, 'b a'],
    ['spent ones behind all', { a: quota({ week: [100, 1], limitReached: true }), b: { kind: 'none' } }, 'b a'],
  ])('%s', (_what, pool, expected) => {
    const views = Object.fromEntries(Object.entries(pool).map(([name, view]) => [name, of(view)]))
    expect(ordering('reset-window', views)).toBe(expected)
  })

  it('counts the five hours only where told to', () => {
    const pool = { a: of(quota({ week: [0, 10] })), b: of(quota({ five: [0, 4], month: [0, 300] })) }
    expect(ordering('reset-window', pool)).toBe('a b')
    const config = { resetWindows: ['session', 'weekly'] as const, resetWindowIncludeSession: true }
    expect(ordering('reset-window', pool, { config })).toBe('b a')
  })

  it('lets resets within a minute take turns', () => {
    const minute = 1 / 60
    const pool = {
      a: of(quota({ week: [0, 10 + minute] })),
      b: of(quota({ week: [0, 10] })),
      c: of(quota({ week: [0, 10 + 2 * minute] })),
    }
    expect(new Combo('reset-window', pool).run(4)).toBe('a b a b')
  })

  it('lets the unknown take turns where nothing else is known', () => {
    expect(new Combo('reset-window', { a: {}, b: {} }).run(3)).toBe('a b a')
  })
})

describe('headroom', () => {
  it.each<[string, Record<string, QuotaView>, string]>([
    [
      'the fuller window counts',
      { a: quota({ five: [10, 1], week: [80, 1] }), b: quota({ five: [50, 1], week: [50, 1] }) },
      'b a',
    ],
    ['unknown is unused', { a: quota({ five: [1, 1] }), b: { kind: 'none' }, c: quota({}) }, 'b c a'],
    ['equals as listed', { a: quota({ week: [30, 1] }), b: quota({ five: [30, 1] }) }, 'a b'],
    ['renewed is unused', { a: quota({ week: [10, 1] }), b: quota({ week: [100, -1] }) }, 'b a'],
    ['months do not count', { a: quota({ month: [100, 1] }), b: quota({ five: [1, 1] }) }, 'a b'],
  ])('%s', (_what, pool, expected) => {
    expect(ordering('headroom', Object.fromEntries(Object.entries(pool).map(([name, view]) => [name, of(view)])))).toBe(
      expected,
    )
  })
})

describe('quota-weighted', () => {
  const full = quota({ five: [0, null], week: [0, null] }) // 0.66
  const half = quota({ five: [50, null], week: [50, null] }) // 0.33

  it('draws by score, less what is under way', () => {
    const pool = { a: of(full), b: of(half), c: { ...of(full), inFlight: 3 }, old: of({ ...full, fresh: false }) }
    // 0.66 : 0.33 : 0.165
    const counts = tally('quota-weighted', pool, { random: seeded(13) })
    for (const [name, share] of [
      ['a', 4 / 7],
      ['b', 2 / 7],
      ['c', 1 / 7],
    ] as const) {
      const { least, most } = interval(share)
      expect(counts.get(name)).toBeGreaterThan(least)
      expect(counts.get(name)).toBeLessThan(most)
    }
    expect(counts.get('old')).toBeUndefined()
  })

  it('lists the rest by score, then the reserves as listed', () => {
    const pool = {
      low: of(quota({ five: [99, null], week: [99, null] })),
      none: of({ kind: 'none' } as const),
      b: of(half),
      a: of(full),
    }
    const result = order('quota-weighted', pool, { random: () => 0 })
    expect(names(result)).toBe('b a low none')
    expect(result.reserveMs).toBe(120_000)
    expect(names(order('quota-weighted', { low: pool.low, none: pool.none }))).toBe('low none')
  })

  it('leaves out whoever has nothing left, until it comes back', () => {
    const result = order('quota-weighted', { a: of(quota({ five: [100, 2], week: [10, 100] })), b: of(half) })
    expect(names(result)).toBe('b')
    expect(exclusionOf(result, 'a')).toMatchObject({ gate: 'quota', reason: 'quota_exhausted', until: NOW + 2 * HOUR })
    expect(names(order('quota-weighted', { a: of(quota({ week: [100, 5] })) }))).toBe('')
  })
})

describe('quota-share', () => {
  const used = (five: number | null, week = 0) => of(quota({ five: [five ?? 0, 1], week: [week, 1] }))

  it('divides by weight over time', () => {
    const combo = new Combo('quota-share', { a: { weight: 1 }, b: { weight: 3 }, c: { weight: 4 } })
    const led = combo.run(800).split(' ')
    const count = (name: string): number => led.filter((leader) => leader === name).length
    expect([count('a'), count('b'), count('c')]).toEqual([100, 300, 400])
  })

  it('counts no weight as 1', () => {
    const combo = new Combo('quota-share', { a: { weight: 0 }, b: { weight: 1 } })
    expect(combo.run(4)).toBe('a b a b')
  })

  it.each([
    ['its five hours', used(100), 'b a'],
    ['its week', used(0, 100), 'b a'],
    ['nothing', used(99, 99), 'a b'],
    ['a renewed window', of(quota({ five: [100, -1] })), 'a b'],
  ])('puts behind whoever has spent %s', (_what, view, expected) => {
    expect(ordering('quota-share', { a: view, b: used(0) })).toBe(expected)
  })

  it('counts the week of the target’s own model only', () => {
    const week = (model: string) =>
      of({ ...quota({}), windows: [{ name: `7d:${model}`, usedPercent: 100, resetAt: NOW + HOUR }] })
    expect(ordering('quota-share', { a: week('a'), b: {} })).toBe('b a')
    expect(ordering('quota-share', { a: week('b'), b: {} })).toBe('a b')
  })

  it('goes on with all where all have spent theirs', () => {
    expect(ordering('quota-share', { a: used(100), b: used(100) })).toBe('a b')
  })

  it('puts full ones behind the free and before the spent; none where all are full', () => {
    const full = { inFlight: 2, maxConcurrent: 2 }
    const spent = used(100)
    expect(ordering('quota-share', { s: spent, f: full, a: { inFlight: 9, maxConcurrent: 0 } })).toBe('a f s')
    expect(ordering('quota-share', { a: full, b: full })).toBe('a b')
  })

  it('takes the less busy of the two that are owed most', () => {
    expect(
      ordering('quota-share', { a: { weight: 3, inFlight: 2 }, b: { weight: 2, inFlight: 1 }, c: { weight: 1 } }),
    ).toBe('b a c')
    expect(ordering('quota-share', { a: { weight: 3, inFlight: 1 }, b: { weight: 2, inFlight: 1 } })).toBe('a b')
  })

  it('keeps no books of one alone, nor of those that have left', () => {
    const combo = new Combo('quota-share', { a: {} })
    combo.lead()
    expect(combo.state).toEqual({ kind: 'quota-share', owed: {} })
    combo.pool = { a: {}, b: {} }
    combo.lead()
    combo.pool = { b: {}, c: {} }
    combo.lead()
    expect(Object.keys((combo.state as unknown as { owed: object }).owed)).toEqual(['b', 'c'])
  })
})
