// What strategies see of a target at one moment. Every unknown is null, never a guess: what to make of it is said by
// each strategy. Times are wall-clock milliseconds, prices US dollars for a million tokens, shares 0 to 1.
import type { Tier } from '../contract/auto-words'
import type { BreakerState } from '../contract/health-words'
import type { Reason } from '../contract/kinds'
import type { QuotaSpan } from '../contract/quota-words'

/** Why a target is not to be used. A closed gate is one. */
export interface Exclusion {
  /** The gate's name, or the word of a strategy. */
  readonly gate: string
  readonly reason: Reason | null
  /** null: no time ends it. */
  readonly until: number | null
  /** One sentence. */
  readonly why: string
}

/** Over which quotas are counted; `total`: it never comes back. Rates of a minute or an hour are none. */
export type QuotaName = Exclude<QuotaSpan, 'minute' | 'hour'>

/** A quota counted over a time. `7d:<model>`: of one model only. */
export interface QuotaWindow {
  readonly name: QuotaName | `${QuotaName}:${string}`
  /** 0 to 100, and beyond. */
  readonly usedPercent: number | null
  readonly resetAt: number | null
}

export type QuotaView =
  /** Nobody asks this provider for quotas. */
  | { readonly kind: 'none' }
  /** It was asked, and did not say. */
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'unlimited' }
  | {
      readonly kind: 'known'
      readonly windows: readonly QuotaWindow[]
      /** Over all. */
      readonly usedPercent: number | null
      readonly resetAt: number | null
      readonly limitReached: boolean
      /** Read recently enough to be relied on. */
      readonly fresh: boolean
    }

export interface TargetView {
  /** null: it may be used. */
  readonly exclusion: Exclusion | null
  /** Of its provider. */
  readonly breaker: BreakerState

  /** Of this combo's requests to this model, where there were any. */
  readonly averageLatencyMs: number | null
  readonly p95LatencyMs: number | null
  /** Standard deviation. */
  readonly latencyDeviationMs: number | null
  readonly successRate: number | null
  /** Of the last 24 hours. */
  readonly recentFailures: { readonly rate: number; readonly samples: number } | null
  /** Share of answers that could be used, as observed. */
  readonly quality: number | null
  /** Recorded requests by this `executionKey`. */
  readonly useCount: number

  readonly inFlight: number
  /** null or 0: no limit. */
  readonly maxConcurrent: number | null

  readonly inputPrice: number | null
  readonly outputPrice: number | null
  /** Tokens. */
  readonly contextWindow: number | null
  readonly tools: boolean | null
  readonly images: boolean | null
  readonly reasoning: boolean | null
  readonly tier: Tier | null
  /** How many connections its provider has. */
  readonly connections: number

  /** Signs in with an account instead of a key. */
  readonly signsIn: boolean
  /** Sessions seen in the last 15 minutes, without the one that asks. */
  readonly otherSessions: number
  readonly backoffLevel: number
  readonly lastError: Reason | null
  readonly cooling: boolean
  readonly quota: QuotaView

  /** How well the conversation's context, and its prompt's beginning, are known there. */
  readonly contextAffinity: number | null
  readonly cacheAffinity: number | null
}

/** Of a target nobody has tried or knows anything of. */
export const UNKNOWN_VIEW: TargetView = {
  exclusion: null,
  breaker: 'CLOSED',
  averageLatencyMs: null,
  p95LatencyMs: null,
  latencyDeviationMs: null,
  successRate: null,
  recentFailures: null,
  quality: null,
  useCount: 0,
  inFlight: 0,
  maxConcurrent: null,
  inputPrice: null,
  outputPrice: null,
  contextWindow: null,
  tools: null,
  images: null,
  reasoning: null,
  tier: null,
  connections: 1,
  signsIn: false,
  otherSessions: 0,
  backoffLevel: 0,
  lastError: null,
  cooling: false,
  quota: { kind: 'none' },
  contextAffinity: null,
  cacheAffinity: null,
}

const PROVIDER_OPEN: Exclusion = {
  gate: 'breaker',
  reason: null,
  until: null,
  why: 'The provider’s circuit breaker is open.',
}

/** What keeps a target out: the engine's word, or an open breaker all the same. */
export const exclusionOf = ({ exclusion, breaker }: TargetView): Exclusion | null =>
  exclusion ?? (breaker === 'OPEN' ? PROVIDER_OPEN : null)

const MEASURES = [
  'averageLatencyMs',
  'p95LatencyMs',
  'latencyDeviationMs',
  'successRate',
  'quality',
  'maxConcurrent',
  'inputPrice',
  'outputPrice',
  'contextWindow',
  'contextAffinity',
  'cacheAffinity',
] as const satisfies readonly (keyof TargetView)[]

const COUNTS = [
  'useCount',
  'inFlight',
  'connections',
  'otherSessions',
  'backoffLevel',
] as const satisfies readonly (keyof TargetView)[]

/** The same view where all its numbers can be; else what is not a number at least 0 is unknown, or no count. */
export function soundView(view: TargetView): TargetView {
  let sound = view
  for (const name of MEASURES) {
    const value = view[name]
    if (value !== null && !isMeasure(value)) sound = { ...sound, [name]: null }
  }
  for (const name of COUNTS) if (!isMeasure(view[name])) sound = { ...sound, [name]: 0 }
  const { recentFailures, quota } = view
  if (recentFailures !== null && !(isMeasure(recentFailures.rate) && isMeasure(recentFailures.samples))) {
    sound = { ...sound, recentFailures: null }
  }
  if (quota.kind === 'known' && !isSoundQuota(quota)) sound = { ...sound, quota: { kind: 'unreadable' } }
  return sound
}

const isMeasure = (value: number): boolean => value >= 0 && value < Number.POSITIVE_INFINITY

const isSoundQuota = ({ windows, usedPercent, resetAt }: Extract<QuotaView, { readonly kind: 'known' }>): boolean =>
  isPerhaps(usedPercent) &&
  isPerhaps(resetAt) &&
  windows.every((window) => isPerhaps(window.usedPercent) && isPerhaps(window.resetAt))

const isPerhaps = (value: number | null): boolean => value === null || isMeasure(value)
