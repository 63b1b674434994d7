// The table of resilience settings: one row a key of `resilienceSettings`. Types, validation, environment, form and
// documentation all come from it. A new group is added as rows here, with its rules below, and nowhere else.
import {
  type BoolRow,
  bool,
  type IntRow,
  int,
  intList,
  type OptionalBoolRow,
  optionalBool,
  type Row,
  type RowValue,
} from './resilience-fields'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

interface Profile {
  /** As it stands in names of environment variables. */
  readonly env: 'OAUTH' | 'API_KEY' | 'LOCAL'
  readonly of: string
}
const PROFILES = {
  oauth: { env: 'OAUTH', of: 'sign-in providers' },
  apikey: { env: 'API_KEY', of: 'key providers' },
  local: { env: 'LOCAL', of: 'local servers' },
} as const satisfies Record<string, Profile>
type Class = keyof typeof PROFILES

const failureRow = (name: Class, fallback: number): IntRow =>
  int({
    fallback,
    min: 2,
    max: 1000,
    unit: 'failures',
    env: `OMNIROUTE_CIRCUIT_BREAKER_${PROFILES[name].env}_THRESHOLD`,
    group: 'Circuit breaker',
    label: `Open after, ${PROFILES[name].of}`,
    help: 'So many failures of the service, less one for each success, stop all requests to the provider.',
    ...(name === 'local' && { reach: 'environment' }),
  })
const degradationRow = (name: Class, fallback: number): IntRow =>
  int({
    fallback,
    min: 1,
    max: 999,
    unit: 'failures',
    env: `OMNIROUTE_PROVIDER_BREAKER_${PROFILES[name].env}_DEGRADATION_THRESHOLD`,
    group: 'Circuit breaker',
    label: `Strained after, ${PROFILES[name].of}`,
    help: 'So many failures are shown as strained; requests go on. Must be less than the number that opens the breaker.',
  })
const resetRow = (name: Class, fallback: number): IntRow =>
  int({
    fallback,
    min: 1_000,
    max: DAY_MS,
    unit: 'ms',
    env: `OMNIROUTE_CIRCUIT_BREAKER_${PROFILES[name].env}_RESET_MS`,
    group: 'Circuit breaker',
    label: `Probe again after, ${PROFILES[name].of}`,
    help: 'How long an open breaker waits before one request may try the provider. Grows when probes fail.',
    ...(name === 'local' && { reach: 'environment' }),
  })
const multiplierRow = (name: Class, fallback: number): IntRow =>
  int({
    fallback,
    min: 1,
    max: 1000,
    env: `OMNIROUTE_PROVIDER_BREAKER_${PROFILES[name].env}_MAX_BACKOFF_MULTIPLIER`,
    group: 'Circuit breaker',
    label: `Longest wait, ${PROFILES[name].of}`,
    help: 'The wait before a probe grows up to this many times the first one.',
    reach: 'environment',
  })
const escalationRow = (name: Class, fallback: number): IntRow =>
  int({
    fallback,
    min: 0,
    max: 1000,
    unit: 'probes',
    env: `OMNIROUTE_PROVIDER_BREAKER_${PROFILES[name].env}_BACKOFF_ESCALATION_COUNT`,
    group: 'Circuit breaker',
    label: `Grow after, ${PROFILES[name].of}`,
    help: 'So many failed probes pass before the wait doubles with each further one.',
    reach: 'environment',
  })

const windowRow = (name: Class, what: 'FAILURE_THRESHOLD' | 'FAILURE_WINDOW_MS' | 'COOLDOWN_MS', fallback: number) =>
  int({
    fallback,
    min: 1,
    max: what === 'FAILURE_THRESHOLD' ? 1000 : DAY_MS,
    env: `OMNIROUTE_PROVIDER_BREAKER_${PROFILES[name].env}_${what}`,
    group: 'Provider cooldown',
    label: `${what.toLowerCase().replaceAll('_', ' ')}, ${PROFILES[name].of}`,
    help: 'So many failures inside the window let combos pass the provider over for the cooldown.',
    reach: 'environment',
  })

const baseRow = (name: Class, fallback: number): IntRow =>
  int({
    fallback,
    min: 0,
    max: DAY_MS,
    unit: 'ms',
    group: 'Connection cooldown',
    label: `First rest, ${PROFILES[name].of}`,
    help: 'How long a connection rests after its first failure; each further one doubles it. 0 counts as one second.',
  })
const hintsRow = (name: Class, fallback: boolean): BoolRow =>
  bool({
    fallback,
    group: 'Connection cooldown',
    label: `Believe stated waits, ${PROFILES[name].of}`,
    help: 'Rest as long as a rate limit says instead of a computed time. The reset of a spent quota is always believed.',
  })
const stepsRow = (name: Class, fallback: number): IntRow =>
  int({
    fallback,
    min: 0,
    max: 32,
    unit: 'steps',
    group: 'Connection cooldown',
    label: `Doublings, ${PROFILES[name].of}`,
    help: 'How often the rest doubles before it stays as long as it is. 0: always the first rest.',
  })
const breakerHintsRow = (name: Class): OptionalBoolRow =>
  optionalBool({
    group: 'Connection cooldown',
    label: `Rate limits count against the provider, ${PROFILES[name].of}`,
    help: 'On: 429 answers open the breaker too, for a minute, or an hour where a quota is spent. Changing it resets all breakers.',
  })

export const RESILIENCE_SETTINGS = {
  'providerBreaker.oauth.failureThreshold': failureRow('oauth', 8),
  'providerBreaker.oauth.degradationThreshold': degradationRow('oauth', 5),
  'providerBreaker.oauth.resetTimeoutMs': resetRow('oauth', 60_000),
  'providerBreaker.oauth.maxBackoffMultiplier': multiplierRow('oauth', 8),
  'providerBreaker.oauth.backoffEscalationCount': escalationRow('oauth', 2),
  'providerBreaker.apikey.failureThreshold': failureRow('apikey', 12),
  'providerBreaker.apikey.degradationThreshold': degradationRow('apikey', 7),
  'providerBreaker.apikey.resetTimeoutMs': resetRow('apikey', 30_000),
  'providerBreaker.apikey.maxBackoffMultiplier': multiplierRow('apikey', 4),
  'providerBreaker.apikey.backoffEscalationCount': escalationRow('apikey', 3),
  'providerBreaker.local.failureThreshold': failureRow('local', 2),
  'providerBreaker.local.resetTimeoutMs': resetRow('local', 15_000),

  'providerCooldown.enabled': bool({
    fallback: false,
    env: 'PROVIDER_COOLDOWN_ENABLED',
    group: 'Provider cooldown',
    label: 'Combos pass over what just failed',
    help: 'Combos do not walk again through providers and connections that failed a moment ago. Kept in memory only.',
  }),
  'providerCooldown.minRetryCooldownMs': int({
    fallback: 5_000,
    min: 0,
    max: HOUR_MS,
    changeMax: 300_000,
    unit: 'ms',
    env: 'PROVIDER_COOLDOWN_MIN_MS',
    group: 'Provider cooldown',
    label: 'Shortest pause of a connection',
    help: 'After its first failure; doubles with each further one.',
  }),
  'providerCooldown.maxRetryCooldownMs': int({
    fallback: 300_000,
    min: 0,
    max: DAY_MS,
    changeMax: HOUR_MS,
    unit: 'ms',
    env: 'PROVIDER_COOLDOWN_MAX_MS',
    group: 'Provider cooldown',
    label: 'Longest pause of a connection',
    help: 'The pause grows no further than this. At least the shortest pause.',
  }),
  'providerCooldown.oauth.failureThreshold': windowRow('oauth', 'FAILURE_THRESHOLD', 10),
  'providerCooldown.oauth.failureWindowMs': windowRow('oauth', 'FAILURE_WINDOW_MS', 900_000),
  'providerCooldown.oauth.cooldownMs': windowRow('oauth', 'COOLDOWN_MS', 300_000),
  'providerCooldown.apikey.failureThreshold': windowRow('apikey', 'FAILURE_THRESHOLD', 15),
  'providerCooldown.apikey.failureWindowMs': windowRow('apikey', 'FAILURE_WINDOW_MS', 1_800_000),
  'providerCooldown.apikey.cooldownMs': windowRow('apikey', 'COOLDOWN_MS', 600_000),
  'providerCooldown.local.failureThreshold': windowRow('local', 'FAILURE_THRESHOLD', 2),
  'providerCooldown.local.failureWindowMs': windowRow('local', 'FAILURE_WINDOW_MS', 300_000),
  'providerCooldown.local.cooldownMs': windowRow('local', 'COOLDOWN_MS', 60_000),

  'connectionCooldown.oauth.baseCooldownMs': baseRow('oauth', 5_000),
  'connectionCooldown.oauth.useUpstreamRetryHints': hintsRow('oauth', false),
  'connectionCooldown.oauth.maxBackoffSteps': stepsRow('oauth', 8),
  'connectionCooldown.oauth.useUpstream429BreakerHints': breakerHintsRow('oauth'),
  'connectionCooldown.apikey.baseCooldownMs': baseRow('apikey', 3_000),
  'connectionCooldown.apikey.useUpstreamRetryHints': hintsRow('apikey', true),
  'connectionCooldown.apikey.maxBackoffSteps': stepsRow('apikey', 5),
  'connectionCooldown.apikey.useUpstream429BreakerHints': breakerHintsRow('apikey'),

  'modelLockout.enabled': bool({
    fallback: false,
    group: 'Model lockout',
    label: 'Lock models of every provider',
    help: 'A listed status rests one model of a connection instead of the connection. Providers with limits per model always do.',
  }),
  'modelLockout.errorCodes': intList({
    fallback: [403, 404, 429, 502, 503, 504],
    min: 100,
    max: 599,
    group: 'Model lockout',
    label: 'Statuses that lock a model',
    help: 'HTTP statuses after which only the model rests.',
  }),
  'modelLockout.baseCooldownMs': int({
    fallback: 120_000,
    min: 5_000,
    max: 600_000,
    unit: 'ms',
    group: 'Model lockout',
    label: 'First lock',
    help: 'How long a model rests after its first failure.',
  }),
  'modelLockout.maxCooldownMs': int({
    fallback: 1_800_000,
    min: 5_000,
    max: HOUR_MS,
    unit: 'ms',
    group: 'Model lockout',
    label: 'Longest lock',
    help: 'No computed rest of a model or a connection is longer. At least the first lock.',
  }),
  'modelLockout.maxBackoffSteps': int({
    fallback: 10,
    min: 0,
    max: 20,
    unit: 'steps',
    group: 'Model lockout',
    label: 'Doublings of the lock',
    help: 'How often the lock doubles before it stays as long as it is.',
  }),
  'modelLockout.useExponentialBackoff': bool({
    fallback: true,
    group: 'Model lockout',
    label: 'Double with each failure',
    help: 'Off: every lock lasts as long as the first.',
  }),

  'comboCooldownWait.enabled': bool({
    fallback: true,
    group: 'Waiting, combos',
    label: 'Combos wait for a resting target',
    help: 'When every target of a combo is out and one returns soon, the request waits for it instead of failing.',
  }),
  'comboCooldownWait.maxWaitMs': int({
    fallback: 90_000,
    min: 0,
    max: 300_000,
    unit: 'ms',
    group: 'Waiting, combos',
    label: 'Longest single wait',
    help: 'Is the earliest return further away, the request fails at once and says when to come back.',
  }),
  'comboCooldownWait.maxAttempts': int({
    fallback: 5,
    min: 0,
    max: 10,
    unit: 'waits',
    group: 'Waiting, combos',
    label: 'At most',
    help: 'How often one request may wait.',
  }),
  'comboCooldownWait.budgetMs': int({
    fallback: 300_000,
    min: 0,
    max: 300_000,
    unit: 'ms',
    group: 'Waiting, combos',
    label: 'All waits together',
    help: 'One request waits no longer than this in all. At least the longest single wait.',
  }),

  'waitForCooldown.enabled': bool({
    fallback: true,
    group: 'Waiting',
    label: 'Wait for a resting connection',
    help: 'When every connection rests and one returns soon, the request waits for it instead of failing. Combos have their own.',
  }),
  'waitForCooldown.maxRetries': int({
    fallback: 5,
    min: 0,
    max: 10,
    unit: 'waits',
    group: 'Waiting',
    label: 'At most',
    help: 'How often one request may wait.',
  }),
  'waitForCooldown.maxRetryWaitSec': int({
    fallback: 90,
    min: 0,
    max: 300,
    unit: 's',
    group: 'Waiting',
    label: 'Longest single wait',
    help: 'Is the earliest return further away, the request fails at once and says when to come back.',
  }),
  'waitForCooldown.budgetMs': int({
    fallback: 300_000,
    min: 0,
    max: 300_000,
    unit: 'ms',
    group: 'Waiting',
    label: 'All waits together',
    help: 'One request waits no longer than this in all. At least the longest single wait.',
  }),

  'streamStallCooldown.enabled': bool({
    fallback: false,
    group: 'Streams',
    label: 'Rest after a stalled stream',
    help: 'On: a connection whose stream stalls rests like after another failure. Off: the next target is tried, nothing rests.',
  }),

  'quotaPreflight.enabled': bool({
    fallback: false,
    env: 'QUOTA_PREFLIGHT_CUTOFF_ENABLED',
    group: 'Quota preflight',
    label: 'Stop before a quota is spent',
    help: 'A connection with hardly anything left of a quota is not asked until the quota is renewed. Only where the provider tells what is left.',
  }),
  'quotaPreflight.defaultThresholdPercent': int({
    fallback: 2,
    min: 0,
    max: 99,
    unit: '%',
    group: 'Quota preflight',
    label: 'Leave unused',
    help: 'So much of each quota stays. A connection may have its own figure for each window (quotaWindowThresholds).',
  }),
  'quotaPreflight.warn': int({
    fallback: 20,
    min: 0,
    max: 99,
    unit: '%',
    group: 'Quota preflight',
    label: 'Shown as low below',
    help: 'With no more than this left a quota is shown as low, whether or not requests stop before it is spent.',
  }),
} satisfies Record<string, Row>

type Rows = typeof RESILIENCE_SETTINGS
export type ResilienceKey = keyof Rows
export const RESILIENCE_KEYS = Object.keys(RESILIENCE_SETTINGS) as ResilienceKey[]
export const rowOf = (key: ResilienceKey): Row => RESILIENCE_SETTINGS[key]
/** Whether a person can change it. */
export const isChangeable = (key: ResilienceKey): boolean => rowOf(key).reach !== 'environment'

type Head<K> = K extends `${infer H}.${string}` ? H : K
type Below<T, H> = { readonly [K in keyof T as K extends `${H & string}.${infer Rest}` ? Rest : never]: T[K] }
type Tree<T> = { readonly [H in Head<keyof T>]: H extends keyof T ? LeafOf<T[H]> : Tree<Below<T, H>> }
type LeafOf<R> = R extends Row ? RowValue<R> : never

/** The merged whole, as the machines read it: `settings.connectionCooldown.apikey.baseCooldownMs`. */
export type ResilienceSettings = Tree<Rows>

/** Two numbers of which one bounds the other. Checked on the merged result; mended where sources disagree. */
export interface OrderRule {
  readonly low: ResilienceKey
  readonly high: ResilienceKey
  /** How many of the lower one's units make one of the higher one's; 1 where they are the same. */
  readonly scale: number
  /** `below`: the lower one must be less; `up-to`: it may be equal. */
  readonly order: 'below' | 'up-to'
  /** Which one gives way when two sources, each good by itself, disagree. */
  readonly mends: 'low' | 'high'
}

const breakerRule = (name: 'oauth' | 'apikey'): OrderRule => ({
  low: `providerBreaker.${name}.degradationThreshold`,
  high: `providerBreaker.${name}.failureThreshold`,
  scale: 1,
  order: 'below',
  mends: 'low',
})

export const ORDER_RULES: readonly OrderRule[] = [
  breakerRule('oauth'),
  breakerRule('apikey'),
  {
    low: 'providerCooldown.minRetryCooldownMs',
    high: 'providerCooldown.maxRetryCooldownMs',
    scale: 1,
    order: 'up-to',
    mends: 'high',
  },
  {
    low: 'modelLockout.baseCooldownMs',
    high: 'modelLockout.maxCooldownMs',
    scale: 1,
    order: 'up-to',
    mends: 'high',
  },
  {
    low: 'comboCooldownWait.maxWaitMs',
    high: 'comboCooldownWait.budgetMs',
    scale: 1,
    order: 'up-to',
    mends: 'high',
  },
  {
    low: 'waitForCooldown.maxRetryWaitSec',
    high: 'waitForCooldown.budgetMs',
    scale: 1_000,
    order: 'up-to',
    mends: 'high',
  },
]
