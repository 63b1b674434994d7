// What one failed attempt proved, and about whom. Made in one place (judge.ts), read by everything that acts on it.
import type { Kind } from '../../contract/explain'
import type { BreakerKind } from '../../contract/health-words'
import type { Reason } from '../../contract/kinds'
import type { StatedWait } from './wait/stated-wait'

/** Whom a failure is about. `egress`: the address on the internet the request came from. */
export type Scope = 'model' | 'connection' | 'provider' | 'egress' | 'request' | 'nobody'

/**
 * What kind of end the trouble has. `passing`: soon, by itself. `session` to `month`: when that allowance begins anew;
 * `usage`: a plan's allowance of unknown length; `quota`: any other. `money`, `banned`: a person. `credential`: a new
 * one, or a retry. `rejection`: counted, three in a row are a ban. `place`: the country or project is not served.
 */
export type Lasting =
  | 'nothing'
  | 'passing'
  | 'concurrency'
  | 'session'
  | 'usage'
  | 'day'
  | 'week'
  | 'month'
  | 'quota'
  | 'money'
  | 'banned'
  | 'credential'
  | 'rejection'
  | 'absent'
  | 'place'
  | 'stall'

/**
 * `next-connection`: another connection of the provider, then other targets. `next-target`: the provider's other
 * connections would say the same, another model or provider may not; without one the answer goes to the caller.
 * `stop`: it would be the same everywhere.
 */
export type NextStep = 'next-connection' | 'next-target' | 'stop'

export interface Verdict {
  readonly reason: Reason
  /** null: nobody failed (aborted, local). */
  readonly kind: Kind | null
  readonly scope: Scope
  /** A rule gave the scope and the provider's row honors it: settings do not move it elsewhere. */
  readonly scopeByRule: boolean
  /** The HTTP status the failure stands for, after restatement. */
  readonly status: number
  /** The model the evidence names, or the one that was asked for; null: neither. */
  readonly model: string | null
  readonly statedWait: StatedWait | null
  readonly lasting: Lasting
  /** A rest that a rule gives, in milliseconds. `capped`: not beyond the longest lock of the settings. */
  readonly ruleRest: { readonly ms: number; readonly capped: boolean } | null
  /** What it counts as against the provider; null: nothing. */
  readonly breakerKind: BreakerKind | null
  readonly next: NextStep
  /** Which rule decided, for the log and `explain`. */
  readonly rule: string
  /** One line for log and window. Secrets are not yet taken out. */
  readonly message: string
  /** What the client is told, apart from how long anything rests inside. */
  readonly told: { readonly status: number; readonly retryAfterMs: number | null }
}
