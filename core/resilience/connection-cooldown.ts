// How long a connection rests after a failure. Pure: the rest it is in, what happened, now and a random number in; the
// next state out, the same object where nothing changes (docs/resilience.md, "Connection cooldown").
import type { Reason } from '../contract/kinds'
import type { RestOrder } from './health-events'
import { anchored, DAY_MS, isRunning, LONGEST_REST_MS, SECOND_MS, type Span, span, statedWait } from './rest'

export interface Rest extends Span {
  readonly reason: Reason
  readonly message: string
}

export interface Cooldown {
  /** How often the first rest is doubled the next time. */
  readonly backoffLevel: number
  readonly rest: Rest | null
}
export const NO_COOLDOWN: Cooldown = { backoffLevel: 0, rest: null }

export interface CooldownLimits {
  /** 0 and less count as one second. */
  readonly baseCooldownMs: number
  readonly maxBackoffSteps: number
  readonly useUpstreamRetryHints: boolean
  /** Of the ladder: `modelLockout.maxCooldownMs`. */
  readonly maxCooldownMs: number
  readonly stallRests: boolean
}

export interface Mark {
  readonly reason: Reason
  readonly message: string
  /** The request was let through after the last mark: its failure is news. Else it fails together with what was marked. */
  readonly isNews: boolean
}

/** A stated wait of a rate limit is believed so far. */
export const LONGEST_STATED_WAIT_MS = 1_800_000
/** Of too many at once: fewer in parallel is the cure. */
export const CONCURRENCY_LIMIT_COOLDOWN_MS = 1_000
/** The computed ladder is lengthened by at most this part of itself, so that connections do not return together. */
const JITTER = 0.1

interface Plan {
  readonly ms: number
  readonly level: 'raise' | 'zero' | 'keep'
  /** The upstream's own measurement: may lengthen a rest that runs. */
  readonly stated: boolean
}

export function onFailure(
  state: Cooldown,
  order: RestOrder,
  mark: Mark,
  limits: CooldownLimits,
  now: number,
  random: () => number,
): Cooldown {
  // One that fails together with what was marked climbs no further step.
  const step = mark.isNews ? state.backoffLevel : Math.max(state.backoffLevel - 1, 0)
  const plan = planOf(order, step, limits, random)
  if (plan === null) return state
  const { reason, message } = mark
  const next: Rest = { ...span(plan.ms, now), reason, message }
  const current = state.rest === null ? null : anchored(state.rest, now)
  if (current !== null && isRunning(current, now)) {
    return plan.stated && next.until > current.until ? { ...state, rest: next } : state
  }
  return { backoffLevel: levelAfter(state.backoffLevel, plan, mark, limits), rest: next }
}

function levelAfter(level: number, plan: Plan, { isNews }: Mark, { maxBackoffSteps }: CooldownLimits): number {
  switch (plan.level) {
    case 'zero':
      return 0
    case 'keep':
      return level
    case 'raise':
      return isNews ? Math.min(level + 1, maxBackoffSteps) : level
  }
}

function planOf(order: RestOrder, step: number, limits: CooldownLimits, random: () => number): Plan | null {
  const computed = (): Plan => ({ ms: ladderMs(step, limits, random), level: 'raise', stated: false })
  const { useUpstreamRetryHints } = limits
  switch (order.kind) {
    case 'ladder': {
      const longest = order.beyondQueue === true ? DAY_MS : LONGEST_STATED_WAIT_MS
      return (useUpstreamRetryHints ? measured(order.statedMs, longest) : null) ?? computed()
    }
    case 'quota': {
      const stated = measured(order.statedMs, LONGEST_REST_MS)
      if (stated !== null) return stated
      return order.usualMs === null ? computed() : { ms: order.usualMs, level: 'keep', stated: false }
    }
    case 'concurrency': {
      const stated = useUpstreamRetryHints ? statedWait(order.statedMs) : null
      const ms =
        stated === null || stated === 0 ? CONCURRENCY_LIMIT_COOLDOWN_MS : Math.min(stated, LONGEST_STATED_WAIT_MS)
      return { ms, level: 'keep', stated: false }
    }
    case 'flat':
      return { ms: order.ms, level: 'keep', stated: false }
    case 'stall':
      return limits.stallRests ? computed() : null
  }
}

/** Exact, and the ladder begins anew; "at once" rests a second and climbs all the same. */
function measured(ms: number | null, longest: number): Plan | null {
  const stated = statedWait(ms)
  if (stated === null) return null
  if (stated === 0) return { ms: SECOND_MS, level: 'raise', stated: false }
  return { ms: Math.min(stated, longest), level: 'zero', stated: true }
}

/** base · 2^step, up to a tenth more, within the cap. */
function ladderMs(step: number, limits: CooldownLimits, random: () => number): number {
  const base = limits.baseCooldownMs > 0 ? limits.baseCooldownMs : SECOND_MS
  const ms = base * 2 ** Math.min(step, limits.maxBackoffSteps)
  return Math.min(ms * (1 + JITTER * random()), limits.maxCooldownMs)
}

/** The same rest for a sibling that leaves by the same address; null where it rests as long already. */
export function restAlong(state: Cooldown, rest: Rest, now: number): Cooldown | null {
  const current = state.rest === null ? null : anchored(state.rest, now)
  if (current !== null && current.until >= rest.until) return null
  return { ...state, rest }
}

/** Time as it is: a clock that was set back does not lengthen a rest. The same object where nothing changes. */
export function settled(state: Cooldown, now: number): Cooldown {
  if (state.rest === null) return state
  const rest = anchored(state.rest, now)
  return rest === state.rest ? state : { ...state, rest }
}
