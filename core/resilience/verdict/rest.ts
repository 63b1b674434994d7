// How long something rests: computed ladders, midnight, and how far a stated wait is believed. Pure
// (docs/resilience.md, "Connection cooldown", "Model lockout", "Stated waits").
import type { ResilienceSettings } from '../../contract/resilience-settings'
import { LONGEST_STATED_WAIT_MS } from '../connection-cooldown'
import { DAY_MS, LONGEST_REST_MS, SECOND_MS } from '../rest'
import type { StatedWait } from './wait/stated-wait'

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
export const statedReset = ({ ms }: StatedWait): Rest => stated(Math.min(ms, LONGEST_REST_MS))

/** Of anything else. `queueMs`: how long a queue would hold a request; Google's typed delay is believed beyond it. */
export function statedPause({ ms, source }: StatedWait, queueMs: number): Rest {
  const most = source === 'retry-info' && ms > queueMs ? DAY_MS : LONGEST_STATED_WAIT_MS
  return stated(Math.min(ms, most))
}

const stated = (ms: number): Rest => ({ ms: ms > 0 ? ms : SECOND_MS, from: 'stated' })

export const flat = (ms: number, from: 'flat' | 'rule' | 'midnight' = 'flat'): Rest => ({ ms, from })
