// The closed word lists of health: what a breaker, a connection and a gate can say. Wire words stay as they are.

/** Of a provider's circuit breaker (docs/resilience.md, "Circuit breaker"). */
export const BREAKER_STATES = ['CLOSED', 'DEGRADED', 'OPEN', 'HALF_OPEN'] as const
export type BreakerState = (typeof BREAKER_STATES)[number]

/** What a breaker counts. A list of its own: not the reasons of attempts. */
export const BREAKER_KINDS = ['transient', 'rate_limit', 'quota_exhausted'] as const
export type BreakerKind = (typeof BREAKER_KINDS)[number]

/** End only by new credentials, a reset, or a person's successful test. */
export const TERMINAL_STATES = ['banned', 'expired', 'credits_exhausted'] as const
export type TerminalState = (typeof TERMINAL_STATES)[number]

/** Which mechanism keeps a target out. */
export const GATES = [
  'breaker',
  'provider-cooldown',
  'connection-window',
  'terminal',
  'sign-in-retry',
  'cooldown',
  'lockout',
  'quota-preflight',
] as const
export type GateName = (typeof GATES)[number]

/** What ends an exclusion: its time, a probe of the provider, a retry with the same credentials, or only a person. */
export const ENDINGS = ['time', 'probe', 'retry', 'person'] as const
export type Ending = (typeof ENDINGS)[number]
