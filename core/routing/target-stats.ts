// What is measured of targets: how fast and how well each answered of late, how often it was chosen, and how many
// requests it has under way. In memory only, bounded; strategies read it through TargetView.
import type { Target } from './combo'

/** So many of the last answers count. */
const KEPT = 50
const DAY_MS = 86_400_000
/** Kept for so many models and keys at most; the one asked longest ago is given up. */
const MOST = 5_000

interface Samples {
  /** Milliseconds until the first content, newest last. */
  readonly latencies: number[]
  /** The last attempts, newest last. */
  readonly outcomes: { readonly at: number; readonly ok: boolean; readonly usable: boolean }[]
  /** Of the latencies; null: not yet computed since the last one came. Asked far more often than it changes. */
  spread: Spread | null
}

export interface Measured {
  readonly averageLatencyMs: number | null
  readonly p95LatencyMs: number | null
  readonly latencyDeviationMs: number | null
  readonly successRate: number | null
  readonly recentFailures: { readonly rate: number; readonly samples: number } | null
  readonly quality: number | null
}

export interface AttemptEnd {
  /** null: it never began to answer. */
  readonly latencyMs: number | null
  readonly ok: boolean
  /** It had content, and was whole. */
  readonly usable: boolean
  readonly at: number
}

const UNMEASURED: Measured = {
  averageLatencyMs: null,
  p95LatencyMs: null,
  latencyDeviationMs: null,
  successRate: null,
  recentFailures: null,
  quality: null,
}

export class TargetStats {
  private readonly samples = new Map<string, Samples>()
  private readonly uses = new Map<string, number>()

  chosen(executionKey: string): void {
    const count = this.uses.get(executionKey) ?? 0
    this.uses.delete(executionKey)
    this.uses.set(executionKey, count + 1)
    bound(this.uses)
  }

  timesChosen = (executionKey: string): number => this.uses.get(executionKey) ?? 0

  ended(combo: string, target: Pick<Target, 'provider' | 'model'>, { latencyMs, ok, usable, at }: AttemptEnd): void {
    const key = keyOf(combo, target)
    const known = this.samples.get(key) ?? { latencies: [], outcomes: [], spread: null }
    this.samples.delete(key)
    this.samples.set(key, known)
    if (latencyMs !== null && ok) {
      push(known.latencies, latencyMs)
      known.spread = null
    }
    push(known.outcomes, { at, ok, usable })
    bound(this.samples)
  }

  measured(combo: string, target: Pick<Target, 'provider' | 'model'>, now: number): Measured {
    const known = this.samples.get(keyOf(combo, target))
    if (known === undefined || known.outcomes.length === 0) return UNMEASURED
    const { latencies, outcomes } = known
    known.spread ??= spread(latencies)
    const recent = outcomes.filter(({ at }) => now - at < DAY_MS)
    const share = (of: readonly { ok: boolean; usable: boolean }[], good: 'ok' | 'usable'): number =>
      of.filter((one) => one[good]).length / of.length
    return {
      ...known.spread,
      successRate: share(outcomes, 'ok'),
      recentFailures: recent.length === 0 ? null : { rate: 1 - share(recent, 'ok'), samples: recent.length },
      quality: share(outcomes, 'usable'),
    }
  }
}

const keyOf = (combo: string, { provider, model }: Pick<Target, 'provider' | 'model'>): string =>
  `${combo}\n${provider}/${model}`

function push<T>(list: T[], value: T): void {
  list.push(value)
  if (list.length > KEPT) list.shift()
}

function bound(map: Map<string, unknown>): void {
  for (const key of map.keys()) if (map.size > MOST) map.delete(key)
}

type Spread = Pick<Measured, 'averageLatencyMs' | 'p95LatencyMs' | 'latencyDeviationMs'>

function spread(latencies: readonly number[]): Spread {
  if (latencies.length === 0) return { averageLatencyMs: null, p95LatencyMs: null, latencyDeviationMs: null }
  const mean = latencies.reduce((sum, ms) => sum + ms, 0) / latencies.length
  const variance = latencies.reduce((sum, ms) => sum + (ms - mean) ** 2, 0) / latencies.length
  const sorted = [...latencies].sort((a, b) => a - b)
  const p95 = sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * 0.95) - 1)] as number
  return { averageLatencyMs: mean, p95LatencyMs: p95, latencyDeviationMs: Math.sqrt(variance) }
}
