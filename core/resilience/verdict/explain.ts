// A failure signal from outside, explained: what it proves, and what would follow with default settings. For the command
// line, the window's "paste an error", and REST.
import { NO_OPERATOR_RULES, type OperatorRules } from '../../contract/error-rules'
import { type ExplainedFailure, ExplainInput, type Explanation } from '../../contract/explain'
import { mergeResilience } from '../../contract/resilience-merge'
import type { ResilienceSettings } from '../../contract/resilience-settings'
import { badInput } from '../../errors'
import { builtInRow, customRow } from '../../providers/catalogue'
import type { ProviderRow } from '../../providers/provider-row'
import { consequencesOf } from './consequences'
import { judge } from './judge'
import type { Verdict } from './verdict'

export interface ExplainContext {
  readonly timeZone: string
  readonly settings: ResilienceSettings
  readonly operator: OperatorRules
  /** By id or alias; undefined: unknown here. */
  readonly provider: (idOrAlias: string) => ProviderRow | undefined
}

/** Built-in providers, default settings, no rules of an operator. */
export const explainDefaults = (timeZone: string): ExplainContext => ({
  timeZone,
  settings: mergeResilience({ env: {}, stored: undefined }).settings,
  operator: NO_OPERATOR_RULES,
  provider: builtInRow,
})

/** Stand for what a signal from outside does not name. */
const CONNECTION = '<connection>'
const MODEL = '<model>'
const QUEUE_MS = 30_000

/** @throws GatewayError 400 whose message begins with the field that cannot be used */
export function explainSignal(given: unknown, context: ExplainContext): Explanation {
  return withoutRule(explainFailure(given, context))
}

/** The same, with the rule that decided. @throws GatewayError as `explainSignal` does */
export const explainFailure = (given: unknown, context: ExplainContext): ExplainedFailure =>
  explain(checked(given, ''), context)

/** @throws GatewayError 400 whose message begins with the element and field: "[3].status: …" */
export function explainSignals(given: unknown, context: ExplainContext): readonly Explanation[] {
  if (!Array.isArray(given)) throw badInput('', 'The signals must be a list: [{"id": …, "provider": …, "status": …}]')
  return given
    .map((signal: unknown, i) => checked(signal, `[${i}]`))
    .map((input) => withoutRule(explain(input, context)))
}

function checked(given: unknown, place: string): ExplainInput {
  const parsed = ExplainInput.safeParse(given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const path = (issue?.path ?? []).map((part) => `.${String(part)}`).join('')
  const field = place === '' ? path.slice(1) : place + path
  throw badInput(field, issue?.message === undefined ? 'cannot be used' : issue.message)
}

const withoutRule = ({ rule: _, ...explanation }: ExplainedFailure): Explanation => explanation

function explain(input: ExplainInput, context: ExplainContext): ExplainedFailure {
  const { id, status, headers, body, now } = input
  const { timeZone, settings, operator } = context
  const row = context.provider(input.provider) ?? unknownRow(input.provider)
  const signal = {
    kind: 'answer',
    provider: row,
    model: input.model ?? null,
    status,
    headers,
    body,
    now,
    timeZone,
  } as const
  const verdict = judge(signal, operator)
  const follows = consequencesOf(verdict, {
    ...{ row, settings, now, timeZone, connection: CONNECTION, queueMs: QUEUE_MS },
    model: input.model ?? modelOf(verdict),
    ...{ level: 0, modelFailures: 0, rejections: 0, credentialRetries: 0, disableCooling: false },
  })
  const { kind, reason, scope, statedWait, rule } = verdict
  const { breaker, cooldown, lockout, terminal, next } = follows
  return {
    ...{ id, kind, reason, scope, retryAfterMs: statedWait?.ms ?? null },
    consequences: {
      breaker: breaker !== null,
      cooldownMs: cooldown?.ms ?? 0,
      lockout: lockout === null ? null : { key: lockout.key, ms: lockout.rest.ms },
      terminal,
      next,
    },
    rule,
  }
}

const modelOf = ({ model }: Verdict): string => model ?? MODEL

const unknownRow = (id: string): ProviderRow =>
  customRow({ id, label: id, class: 'apikey', dialect: 'openai-chat', baseUrl: '', perModelQuota: true })
