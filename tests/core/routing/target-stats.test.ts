import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AttemptEnd, TargetStats } from '../../../core/routing/target-stats'

const NOW = 1_800_000_000_000
const DAY = 86_400_000
const target = (model = 'm', provider = 'openai') => ({ provider, model })
const answered = (latencyMs: number | null, part: Partial<AttemptEnd> = {}): AttemptEnd => ({
  ...{ latencyMs, ok: true, usable: true, at: NOW },
  ...part,
})
const failed = (part: Partial<AttemptEnd> = {}) => answered(null, { ok: false, usable: false, ...part })

function statsOf(...ends: readonly AttemptEnd[]): TargetStats {
  const stats = new TargetStats()
  for (const end of ends) stats.ended('combo', target(), end)
  return stats
}
const measured = (...ends: readonly AttemptEnd[]) => statsOf(...ends).measured('combo', target(), NOW)

describe('what is measured of a target', () => {
  it('is unknown until it was asked', () => {
    expect(measured()).toEqual({
      ...{ averageLatencyMs: null, p95LatencyMs: null, latencyDeviationMs: null },
      ...{ successRate: null, recentFailures: null, quality: null },
    })
  })

  it('is how long it took to begin: mean, slowest twentieth and spread', () => {
    expect(measured(answered(100), answered(300))).toMatchObject({
      ...{ averageLatencyMs: 200, p95LatencyMs: 300, latencyDeviationMs: 100 },
    })
    const twenty = Array.from({ length: 20 }, (_, i) => answered((i + 1) * 10))
    expect(measured(...twenty).p95LatencyMs).toBe(190)
    expect(measured(answered(70))).toMatchObject({ averageLatencyMs: 70, p95LatencyMs: 70, latencyDeviationMs: 0 })
  })

  it('leaves out how long it took to fail', () => {
    expect(measured(failed({ latencyMs: 9_000 }), answered(100)).averageLatencyMs).toBe(100)
    expect(measured(failed(), answered(null)).averageLatencyMs).toBeNull()
  })

  it('is how often it answered, and how often the answer could be used', () => {
    const ends = [answered(1), answered(1, { usable: false }), failed(), answered(1)]
    expect(measured(...ends)).toMatchObject({ successRate: 0.75, quality: 0.5 })
  })

  it('is how often it failed within a day, and out of how many', () => {
    const old = { at: NOW - DAY }
    expect(measured(failed(old), failed(), answered(1), answered(1), answered(1)).recentFailures).toEqual({
      ...{ rate: 0.25, samples: 4 },
    })
    expect(measured(failed(old))).toMatchObject({ recentFailures: null, successRate: 0 })
  })

  it('is forgotten by and by: the last fifty count', () => {
    const fifty = Array.from({ length: 50 }, () => answered(100))
    expect(measured(failed(), answered(9_000), ...fifty)).toMatchObject({
      ...{ successRate: 1, averageLatencyMs: 100, recentFailures: { rate: 0, samples: 50 } },
    })
    expect(measured(...fifty, failed()).successRate).toBe(0.98)
  })

  it('is kept apart by combo, provider and model', () => {
    const stats = statsOf(answered(100))
    const others = [
      stats.measured('other', target(), NOW),
      stats.measured('combo', target('n'), NOW),
      stats.measured('combo', target('m', 'xai'), NOW),
    ]
    for (const other of others) expect(other.successRate).toBeNull()
  })

  it('is shares between 0 and 1 and times that were measured, whatever happened', () => {
    const end = fc.record({
      latencyMs: fc.option(fc.nat(600_000)),
      ok: fc.boolean(),
      usable: fc.boolean(),
      at: fc.integer({ min: NOW - 2 * DAY, max: NOW }),
    })
    fc.assert(
      fc.property(fc.array(end, { minLength: 1, maxLength: 120 }), (ends) => {
        const { averageLatencyMs, p95LatencyMs, latencyDeviationMs, ...shares } = measured(...ends)
        const { successRate, quality, recentFailures } = shares
        for (const share of [successRate, quality, recentFailures?.rate ?? 0]) {
          expect(share).toBeGreaterThanOrEqual(0)
          expect(share).toBeLessThanOrEqual(1)
        }
        const times = ends.flatMap(({ latencyMs, ok }) => (ok && latencyMs !== null ? [latencyMs] : [])).slice(-50)
        expect(averageLatencyMs === null).toBe(times.length === 0)
        if (averageLatencyMs === null || p95LatencyMs === null || latencyDeviationMs === null) return
        expect(times).toContain(p95LatencyMs)
        // At most one in twenty was slower.
        expect(times.filter((ms) => ms > p95LatencyMs).length * 20).toBeLessThanOrEqual(times.length)
        expect(averageLatencyMs).toBeGreaterThanOrEqual(Math.min(...times) - 1e-6)
        expect(averageLatencyMs).toBeLessThanOrEqual(Math.max(...times) + 1e-6)
        expect(latencyDeviationMs).toBeLessThanOrEqual(Math.max(...times) - Math.min(...times) + 1e-6)
      }),
    )
  })
})

describe('how often a target was chosen', () => {
  it('is counted by its key', () => {
    const stats = new TargetStats()
    for (const key of ['a', 'b', 'a']) stats.chosen(key)
    expect(['a', 'b', 'c'].map(stats.timesChosen)).toEqual([2, 1, 0])
  })
})

describe('memory', () => {
  it('is bounded: what was asked longest ago is given up', () => {
    const stats = new TargetStats()
    const ask = (model: string): void => {
      stats.chosen(model)
      stats.ended('combo', target(model), answered(1))
    }
    ask('kept')
    ask('lost')
    for (let i = 0; i < 2_499; i++) ask(`m${i}`)
    ask('kept')
    for (let i = 2_499; i < 4_999; i++) ask(`m${i}`)
    const isKnown = (model: string): boolean => stats.measured('combo', target(model), NOW).successRate !== null
    expect(['kept', 'lost', 'm0', 'm4998'].map(isKnown)).toEqual([true, false, true, true])
    expect(['kept', 'lost', 'm0'].map(stats.timesChosen)).toEqual([2, 0, 1])
  })
})
