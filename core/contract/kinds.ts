// The closed word lists that core, window and tray share. No logic beyond mapping one list onto another.

/** Wire formats the gateway speaks, on either side. */
export const DIALECTS = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const
export type Dialect = (typeof DIALECTS)[number]

export const PROVIDER_CLASSES = ['oauth', 'apikey', 'local'] as const
export type ProviderClass = (typeof PROVIDER_CLASSES)[number]

/** Why an attempt failed, in the words of the wire. One list for log, window, REST and `explain`. */
export const REASONS = [
  'rate_limit_exceeded',
  'quota_exhausted',
  'concurrency_limited',
  'credits_exhausted',
  'auth_error',
  'forbidden',
  'request_rejected',
  'banned',
  'server_error',
  'model_capacity',
  'timeout',
  'network_error',
  'stream_stall',
  'throughput_too_low',
  'empty_answer',
  'context_overflow',
  'bad_request',
  'not_found',
  'aborted',
  'local',
] as const
export type Reason = (typeof REASONS)[number]

/** How a provider, connection or model is shown: a shape and a word each, the same in tray, lists, charts and log. */
export const HEALTH_STATES = ['healthy', 'strained', 'resting', 'needs-you', 'off'] as const
export type HealthState = (typeof HEALTH_STATES)[number]

/** The whole gateway in one word: the tray's icon and the head of the sidebar. */
export const OVERALL_STATES = ['starting', 'healthy', 'strained', 'down', 'paused'] as const
export type OverallState = (typeof OVERALL_STATES)[number]

/** What a client key may do besides sending requests. */
export const SCOPES = ['manage'] as const
export type Scope = (typeof SCOPES)[number]

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Ten seconds of traffic make one point of the charts. */
export const METRICS_BUCKET_MS = 10_000
