// What `explain` takes and gives: a failure signal in, what it proves and what follows from it out. For the command line,
// the window's "paste an error" and REST.
import { z } from 'zod'
import { TERMINAL_STATES } from './health-words'
import { REASONS, type Reason } from './kinds'

/** Ten coarse kinds of failure. Each reason is of one of them. */
export const KINDS = [
  'rate_limit',
  'quota_exhausted',
  'concurrency',
  'credits',
  'auth',
  'banned',
  'server',
  'context_overflow',
  'bad_request',
  'not_found',
] as const
export type Kind = (typeof KINDS)[number]

/** null: nobody failed. */
export const KIND_OF_REASON: Readonly<Record<Reason, Kind | null>> = {
  rate_limit_exceeded: 'rate_limit',
  quota_exhausted: 'quota_exhausted',
  concurrency_limited: 'concurrency',
  credits_exhausted: 'credits',
  auth_error: 'auth',
  forbidden: 'auth',
  request_rejected: 'auth',
  banned: 'banned',
  server_error: 'server',
  model_capacity: 'server',
  timeout: 'server',
  network_error: 'server',
  stream_stall: 'server',
  throughput_too_low: 'server',
  empty_answer: 'server',
  context_overflow: 'context_overflow',
  bad_request: 'bad_request',
  not_found: 'not_found',
  aborted: null,
  local: null,
}

const headerValue = z.union([z.string(), z.number().transform(String)], { error: 'must be text' })
const moment = z.union(
  [
    z
      .string()
      .transform((text) => Date.parse(text))
      .refine(Number.isFinite, 'must be a moment such as 2026-11-30T02:50:00Z'),
    z.number(),
  ],
  { error: 'must be a moment such as 2026-11-30T02:50:00Z, or epoch milliseconds' },
)

/** Further members are ignored. */
export const ExplainInput = z.object({
  id: z.string({ error: 'must be text' }),
  /** Id or alias; an unknown one is taken for a provider of the user's own. */
  provider: z.string({ error: 'must be text' }).min(1, 'must not be empty').max(100),
  status: z
    .number({ error: 'must be an HTTP status, 100 to 599' })
    .int('must be an HTTP status, 100 to 599')
    .min(100, 'must be an HTTP status, 100 to 599')
    .max(599, 'must be an HTTP status, 100 to 599'),
  headers: z.record(z.string(), headerValue, { error: 'must be an object of names and texts' }).default({}),
  body: z.string({ error: 'must be text, as it came over the wire' }).max(1_000_000).default(''),
  /** When the answer arrived. */
  now: moment,
  model: z.string({ error: 'must be text' }).min(1).max(256).optional(),
})
export type ExplainInput = z.output<typeof ExplainInput>

export const Explanation = z.object({
  id: z.string(),
  kind: z.enum(KINDS).nullable(),
  reason: z.enum(REASONS),
  scope: z.enum(['model', 'connection', 'provider', 'egress', 'request', 'nobody']),
  /** Only what the answer stated. */
  retryAfterMs: z.number().nullable(),
  /** With default settings, of a first failure, without jitter. */
  consequences: z.object({
    /** Whether it counts against the provider's circuit breaker. */
    breaker: z.boolean(),
    /** How long the connection rests; 0: not at all. */
    cooldownMs: z.number(),
    lockout: z.object({ key: z.string(), ms: z.number() }).nullable(),
    terminal: z.enum(TERMINAL_STATES).nullable(),
    next: z.enum(['next-connection', 'next-target', 'stop']),
  }),
})
export type Explanation = z.infer<typeof Explanation>

/** With the rule that decided, for those who look at one failure. */
export const ExplainedFailure = Explanation.extend({ rule: z.string() })
export type ExplainedFailure = z.infer<typeof ExplainedFailure>
