import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Clock } from '../../../core/clock'
import { METRICS_BUCKET_MS } from '../../../core/contract/kinds'
import { MetricsBucket, type RequestView } from '../../../core/contract/views'
import { createMetrics, type Metrics } from '../../../core/telemetry/metrics'
import { attemptRecord, requestRecord } from '../../support/request-records'

const NOTHING = { requests: 0, failed: 0, failedOver: 0 }
/** Noon, so that no test crosses midnight unless it means to. */
const NOON = new Date(2026, 4, 6, 12).getTime()

/** Its hands can be turned, forward and back. */
let now: number
const clock = { now: () => now } as Clock
let metrics: Metrics
beforeEach(() => {
  now = NOON
  metrics = createMetrics(clock, () => NOTHING)
})

const failedOver = { attempts: [attemptRecord({ outcome: 'failed' }), attemptRecord({ index: 1 })] }
const finish = (changed: Partial<RequestView> = {}): void => metrics.finished(requestRecord(changed))
const last = (): MetricsBucket => metrics.recent(15).at(-1) as MetricsBucket

describe('the chart', () => {
  it('has a point for every ten seconds of its time, with or without traffic', () => {
    for (const minutes of [1, 15, 60]) {
      const points = metrics.recent(minutes)
      expect(points).toHaveLength(minutes * 6)
      for (const [i, point] of points.toReversed().entries()) {
        expect(MetricsBucket.parse(point).at).toBe(NOON - i * METRICS_BUCKET_MS)
      }
    }
    expect(last()).toEqual({ at: NOON, ...NOTHING, p50Ms: null, p95Ms: null, firstByteP50Ms: null })
  })

  it('counts what ended, what failed and what another connection made good', () => {
    finish()
    finish(failedOver)
    finish({ outcome: 'failed', ...failedOver })
    finish({ outcome: 'truncated' })
    finish({ outcome: 'aborted' })
    expect(last()).toMatchObject({ requests: 5, failed: 2, failedOver: 1 })
  })

  it('puts each request into the ten seconds in which it ended', () => {
    finish()
    now += METRICS_BUCKET_MS - 1
    finish()
    now += 1
    finish()
    expect(metrics.recent(1).map(({ requests }) => requests)).toEqual([0, 0, 0, 0, 2, 1])
  })

  it('forgets after an hour', () => {
    finish()
    now += 60 * 60_000 - METRICS_BUCKET_MS
    expect(metrics.recent(60)[0]).toMatchObject({ requests: 1 })
    now += METRICS_BUCKET_MS
    expect(metrics.recent(60).every(({ requests }) => requests === 0)).toBe(true)
    finish()
    expect(metrics.recent(60).reduce((sum, { requests }) => sum + requests, 0)).toBe(1)
  })

  it('goes on when the clock jumps, back or forward', () => {
    for (const jump of [-86_400_000, 400 * 86_400_000, -3_600_000, -10_000]) {
      finish()
      now += jump
      finish()
      expect(last().requests).toBeGreaterThanOrEqual(1)
      expect(last().at).toBe(now)
    }
  })
})

describe('a percentile', () => {
  it('is within a quarter of the true one, and the higher one is not below', () => {
    const durations = fc.array(fc.double({ min: 0.5, max: 1_000_000, noNaN: true }), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(durations, (all) => {
        metrics = createMetrics(clock, () => NOTHING)
        for (const totalMs of all) finish({ totalMs, firstByteMs: totalMs })
        const { p50Ms, p95Ms, firstByteP50Ms } = last() as Record<'p50Ms' | 'p95Ms' | 'firstByteP50Ms', number>
        const sorted = all.toSorted((a, b) => a - b)
        for (const [share, shown] of [
          [0.5, p50Ms],
          [0.95, p95Ms],
        ] as const) {
          const exact = sorted[Math.ceil(all.length * share) - 1] as number
          expect(shown).toBeGreaterThanOrEqual(exact - 0.06)
          expect(shown).toBeLessThanOrEqual(exact * 1.26 + 0.06)
        }
        expect(p95Ms).toBeGreaterThanOrEqual(p50Ms)
        expect(firstByteP50Ms).toBe(p50Ms)
      }),
    )
  })

  it('is of answers only: a refusal is quick, and says nothing of how long one waits', () => {
    finish({ outcome: 'failed', totalMs: 1 })
    expect(last()).toMatchObject({ p50Ms: null, p95Ms: null, firstByteP50Ms: null })
    finish({ totalMs: 0, firstByteMs: null })
    expect(last()).toMatchObject({ p50Ms: 0.5, firstByteP50Ms: null })
    finish({ totalMs: 1e12 })
    expect(last().p95Ms).toBeGreaterThan(0)
  })
})

describe('today', () => {
  it('begins with what the history knows since midnight, and goes on counting', () => {
    const asked: number[] = []
    metrics = createMetrics(clock, (at) => {
      asked.push(at)
      return { requests: 10, failed: 3, failedOver: 2 }
    })
    finish(failedOver)
    finish({ outcome: 'failed' })
    expect(asked).toEqual([new Date(2026, 4, 6).getTime()])
    expect(metrics.today()).toEqual({ requests: 12, failed: 4, failedOver: 3 })
  })

  it('begins anew at midnight, with or without traffic', () => {
    finish()
    now = new Date(2026, 4, 6, 23, 59, 59, 999).getTime()
    expect(metrics.today().requests).toBe(1)
    now += 1
    expect(metrics.today()).toEqual(NOTHING)
    finish()
    expect(metrics.today().requests).toBe(1)
  })
})
