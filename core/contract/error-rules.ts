// The operator's own rules about errors: settings `providerErrorRules` and `customBannedSignals`. They come before all
// built-in rules, and may read the whole error text.
import { z } from 'zod'

/** What a rule may say. The rest are outcomes that no upstream's words decide. */
export const RULE_REASONS = [
  'rate_limit_exceeded',
  'quota_exhausted',
  'concurrency_limited',
  'credits_exhausted',
  'auth_error',
  'forbidden',
  'banned',
  'server_error',
  'model_capacity',
  'context_overflow',
  'bad_request',
  'not_found',
] as const

export const RULE_SCOPES = ['model', 'provider', 'connection'] as const

const STATUS = 'must be an HTTP error status, 400 to 599'
const MATCH = 'must be 1 to 200 characters that the error holds'
const COOLDOWN = 'must be whole milliseconds, at most 30 days'

export const ProviderErrorRule = z.strictObject({
  status: z.number({ error: STATUS }).int(STATUS).min(400, STATUS).max(599, STATUS),
  /** A part of the error's text; capitals do not matter. */
  match: z.string({ error: MATCH }).trim().min(1, MATCH).max(200, MATCH),
  scope: z.enum(RULE_SCOPES, { error: `must be one of ${RULE_SCOPES.join(', ')}` }),
  reason: z.enum(RULE_REASONS, { error: `must be one of ${RULE_REASONS.join(', ')}` }).default('quota_exhausted'),
  /** How long what the scope names rests; without it, as after any failure of that reason. */
  cooldownMs: z.number({ error: COOLDOWN }).int(COOLDOWN).min(0, COOLDOWN).max(2_592_000_000, COOLDOWN).optional(),
})
export type ProviderErrorRule = z.output<typeof ProviderErrorRule>

/** By provider id. */
export const ProviderErrorRules = z.record(
  z.string().min(1).max(100),
  z.array(ProviderErrorRule).max(50, 'at most 50 rules for one provider'),
)
export type ProviderErrorRules = z.output<typeof ProviderErrorRules>

/** Texts that mean an account is banned, besides those the gateway knows. */
export const CustomBannedSignals = z
  .array(z.string().trim().min(1, 'must not be empty').max(200, 'must have at most 200 characters'))
  .max(100, 'at most 100 texts')

export interface OperatorRules {
  readonly providerErrorRules: ProviderErrorRules
  readonly customBannedSignals: readonly string[]
}

export const NO_OPERATOR_RULES: OperatorRules = { providerErrorRules: {}, customBannedSignals: [] }
