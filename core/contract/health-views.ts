// What is shown of the health of connections, models and providers: the shapes of the cooldown manager and of REST, in
// the words that its scripts know. Never a credential.
import { z } from 'zod'
import { BREAKER_KINDS, BREAKER_STATES, ENDINGS, GATES, TERMINAL_STATES } from './health-words'
import { REASONS } from './kinds'

const moment = z.number() // epoch milliseconds
/** ISO text, for scripts. */
const isoMoment = z.string()

/** No list of connections is longer. */
export const MOST_ROWS = 1_000

export const BreakerView = z.object({
  /** Id of the provider. */
  name: z.string(),
  state: z.enum(BREAKER_STATES),
  failureCount: z.number(),
  lastFailureTime: moment.nullable(),
  retryAfterMs: z.number(),
  lastFailureKind: z.enum(BREAKER_KINDS).nullable(),
  openCycleCount: z.number(),
  kindFailureCounts: z.partialRecord(z.enum(BREAKER_KINDS), z.number()),
  degradationThreshold: z.number(),
  effectiveResetTimeout: z.number(),
  transitionHistory: z.array(
    z.object({
      from: z.enum(BREAKER_STATES),
      to: z.enum(BREAKER_STATES),
      timestamp: moment,
      failureCount: z.number(),
      reason: z.string(),
    }),
  ),
  /** When it entered its state; null while it has never left CLOSED. */
  since: moment.nullable(),
  /** OPEN: when a probe is allowed. DEGRADED: when it is whole again without further failures. */
  until: moment.nullable(),
})
export type BreakerView = z.infer<typeof BreakerView>

/** What keeps a connection out: why, since when, until when, what ends it. */
export const GateView = z.object({
  gate: z.enum(GATES),
  reason: z.enum(REASONS),
  since: moment,
  /** null: no time ends it. */
  until: moment.nullable(),
  why: z.string(),
  endsBy: z.enum(ENDINGS),
})
export type GateView = z.infer<typeof GateView>

/** In this order: the first that fits is said. `unavailable`: switched off, without a key, to be signed in. */
export const COOLDOWN_STATUSES = ['terminal', 'cooling_down', 'model_locked', 'unavailable', 'healthy'] as const

export const AUTH_TYPES = ['oauth', 'apikey'] as const

export const CooldownRow = z.object({
  id: z.string(),
  provider: z.string(),
  name: z.string(),
  authType: z.enum(AUTH_TYPES),
  priority: z.number(),
  isActive: z.boolean(),
  status: z.enum(COOLDOWN_STATUSES),
  testStatus: z.enum(['active', 'unavailable', ...TERMINAL_STATES]),
  rateLimitedUntil: isoMoment.nullable(),
  cooldownRemainingMs: z.number(),
  backoffLevel: z.number(),
  /** HTTP status of the last error. */
  errorCode: z.number().nullable(),
  lastErrorType: z.enum(REASONS).nullable(),
  lastErrorAt: isoMoment.nullable(),
  lockouts: z.array(z.object({ model: z.string(), reason: z.enum(REASONS), remainingMs: z.number() })),
  /** null: nothing keeps the connection itself out. */
  gate: GateView.nullable(),
})
export type CooldownRow = z.infer<typeof CooldownRow>

/** Those that are out come first. */
export const CooldownsPage = z.object({ connections: z.array(CooldownRow), generatedAt: isoMoment })
export type CooldownsPage = z.infer<typeof CooldownsPage>

export const CooldownsCleared = z.object({
  cleared: z.number(),
  unchanged: z.number(),
  /** Left as they are: only a reset of the connection, new credentials or a successful test end those. */
  skippedTerminal: z.number(),
  lockoutsCleared: z.number(),
})
export type CooldownsCleared = z.infer<typeof CooldownsCleared>

/** One model of one connection rests. */
export const LockoutView = z.object({
  provider: z.string(),
  connectionId: z.string(),
  /** The same, under its other name. */
  connection: z.string(),
  connectionName: z.string(),
  /** A model, or a family of models that share a quota. */
  model: z.string(),
  reason: z.enum(REASONS),
  /** The upstream's words. */
  why: z.string(),
  since: isoMoment,
  remainingMs: z.number(),
  expiresAt: isoMoment,
  failureCount: z.number(),
})
export type LockoutView = z.infer<typeof LockoutView>

export const CONNECTION_STATUSES = ['terminal', 'circuit_open', 'cooling_down', 'healthy'] as const
export const ERROR_GROUPS = ['rate_limit', 'auth', 'server', 'not_found', 'other'] as const

export const ConnectionStateRow = z.object({
  id: z.string(),
  provider: z.string(),
  name: z.string(),
  authType: z.enum(AUTH_TYPES),
  isActive: z.boolean(),
  connectionStatus: z.enum(CONNECTION_STATUSES),
  rateLimitedUntil: isoMoment.nullable(),
  cooldownRemainingMs: z.number(),
  backoffLevel: z.number(),
  /** Of the last error inside the window that was asked for, as is `lastErrorAt`. */
  errorCode: z.enum(ERROR_GROUPS).nullable(),
  lastErrorAt: isoMoment.nullable(),
  /** How many of its models rest. */
  lockouts: z.number(),
})
export type ConnectionStateRow = z.infer<typeof ConnectionStateRow>

export const ConnectionStatesPage = z.object({
  connections: z.array(ConnectionStateRow),
  windowMs: z.number(),
  generatedAt: isoMoment,
})
export type ConnectionStatesPage = z.infer<typeof ConnectionStatesPage>
