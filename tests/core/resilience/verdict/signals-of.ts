// Makes failure signals for tests, short to write.
import { NO_OPERATOR_RULES, type OperatorRules } from '../../../../core/contract/error-rules'
import { mergeResilience } from '../../../../core/contract/resilience-merge'
import { builtInRow, customRow } from '../../../../core/providers/catalogue'
import type { ProviderRow } from '../../../../core/providers/provider-row'
import { type Consequences, consequencesOf, type Situation } from '../../../../core/resilience/verdict/consequences'
import { judge } from '../../../../core/resilience/verdict/judge'
import type { Incident } from '../../../../core/resilience/verdict/signal'
import type { Verdict } from '../../../../core/resilience/verdict/verdict'

/** Monday, 02:50 in UTC. */
export const NOW = Date.parse('2026-11-30T02:50:00Z')

/** A built-in provider; `own` and `own-connection` are the user's, with limits per model and per connection. */
export function row(id: string): ProviderRow {
  const own = customRow({
    ...{ id, label: id, class: 'apikey', dialect: 'openai-chat', baseUrl: '' },
    perModelQuota: id === 'own',
  })
  return builtInRow(id) ?? own
}

export interface Told {
  readonly headers?: Record<string, string>
  readonly model?: string | null
  readonly operator?: OperatorRules
}

/** `says`: the message of an error of OpenAI's shape, or the whole body as an object. */
export function verdictOf(provider: string, status: number, says: string | object = '', told: Told = {}): Verdict {
  const body =
    typeof says === 'string' ? (says === '' ? '' : JSON.stringify({ error: { message: says } })) : JSON.stringify(says)
  const { headers = {}, model = null, operator = NO_OPERATOR_RULES } = told
  const place = { provider: row(provider), model, now: NOW, timeZone: 'UTC' }
  return judge({ kind: 'answer', ...place, status, headers, body }, operator)
}

export const incidentOf = (provider: string, incident: Incident): Verdict =>
  judge({ kind: 'incident', provider: row(provider), model: 'm1', now: NOW, timeZone: 'UTC', incident })

export const DEFAULTS = mergeResilience({ env: {}, stored: undefined }).settings

export const follow = (provider: string, verdict: Verdict, situation: Partial<Situation> = {}): Consequences =>
  consequencesOf(verdict, {
    ...{ row: row(provider), connection: 'c1', model: 'M1', settings: DEFAULTS, queueMs: 30_000 },
    ...{ level: 0, modelFailures: 0, rejections: 0, credentialRetries: 0, disableCooling: false },
    ...{ now: NOW, timeZone: 'UTC' },
    ...situation,
  })
