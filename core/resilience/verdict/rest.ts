// How long something rests: computed ladders, midnight, and how far a stated wait is believed. Pure
// (docs/resilience.md, "Connection cooldown", "Model lockout", "Stated waits").
import type { ResilienceSettings } from '../../contract/resilience-settings'
import type { StatedWait } from './wait/stated-wait'

export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** Of the stated waits of rate limits, concurrency and faults. */
const MOST_STATED_MS = 30 * MINUTE_MS
/** Of Google's typed retry delay, where it is longer than a queue would hold a request. */
const MOST_TYPED_MS = DAY_MS
/** Of the stated reset of a spent quota. */
const MOST_RESET_MS = 30 * DAY_MS

export interface Rest {
  readonly ms: number
  /** `stated`, `rule`, `flat` and `midnight` are exact; a connection's `ladder` may be lengthened by jitter. */
  readonly from: 'stated' | 'ladder' | 'rule' | 'flat' | 'midnight'
}

type CooldownProfile = ResilienceSettings['connectionCooldown']['apikey']
type LockoutSettings = ResilienceSettings['modelLockout']

/** base · 2^level. Not longer than the longest lock, which bounds both kinds of rest. */
export function connectionLadder(profile: CooldownProfile, lockout: LockoutSettings, level: number): Rest {
  const base = profile.baseCooldownMs > 0 ? profile.baseCooldownMs : SECOND_MS
  const steps = Math.min(Math.max(0, level), profile.maxBackoffSteps)
  return { ms: Math.min(base * 2 ** steps, lockout.maxCooldownMs), from: 'ladder' }
}

/** `failures` before this one, within the window in which they add up. */
export function lockoutLadder(lockout: LockoutSettings, failures: number): Rest {
  const steps = lockout.useExponentialBackoff ? Math.min(Math.max(0, failures), lockout.maxBackoffSteps) : 0
  return { ms: Math.min(lockout.baseCooldownMs * 2 ** steps, lockout.maxCooldownMs), from: 'ladder' }
}

/** The reset of a quota: always believed. A past one rests a second. */
export const statedReset = ({ ms }: StatedWait): Rest => stated(Math.min(ms, MOST_RESET_MS))

/** `queueMs`: how long a queue would hold a request. */
export function statedPause({ ms, source }: StatedWait, queueMs: number): Rest {
  const most = source === 'retry-info' && ms > queueMs ? MOST_TYPED_MS : MOST_STATED_MS
  return stated(Math.min(ms, most))
}

const stated = (ms: number): Rest => ({ ms: ms > 0 ? ms : SECOND_MS, from: 'stated' })

export const flat = (ms: number, from: 'flat' | 'rule' | 'midnight' = 'flat'): Rest => ({ ms, from })
