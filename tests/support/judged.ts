// What an outcome of an attempt proves, by the built-in rules: for tests of what is made of verdicts.
import { judgeOutcome, type Outcome } from '../../core/pipeline/outcome'
import { builtInRow } from '../../core/providers/catalogue'
import type { ProviderRow } from '../../core/providers/provider-row'
import { judge } from '../../core/resilience/verdict/judge'
import type { Verdict } from '../../core/resilience/verdict/verdict'

/** Monday, 02:50 in UTC. */
export const JUDGED_AT = Date.parse('2026-11-30T02:50:00Z')

export const providerRow = (id: string): ProviderRow => {
  const row = builtInRow(id)
  if (row === undefined) throw new Error(`there is no built-in provider ${id}`)
  return row
}

export const judged = (outcome: Outcome, provider: ProviderRow = providerRow('openai')): Verdict =>
  judgeOutcome(outcome, { provider, model: 'm1', now: JUDGED_AT, timeZone: 'UTC' }, judge)
