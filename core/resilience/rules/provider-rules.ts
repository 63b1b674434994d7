// Applies what the catalogue knows of single providers: restatements before anything is judged, rules inside the judging
// (docs/resilience.md, "Restated statuses", "Provider rules").

import type { ProviderRow } from '../../providers/provider-row'
import { type ProviderRule, providerRules, type Restatement } from '../../providers/rules'
import type { Evidence, Finding, Rule } from './rule'

/** Never of an error inside a 200. `wholeText`: lower case. */
export function restatementOf(row: ProviderRow, status: number, wholeText: string): Restatement | null {
  const has = (marker: string): boolean => wholeText.includes(marker)
  return (
    providerRules(row.id).restatements.find(
      ({ from, markers, unless }) => from.includes(status) && markers.some(has) && !unless.some(has),
    ) ?? null
  )
}

const ruleOf = (evidence: Evidence, isAsked: (rule: ProviderRule) => boolean): Finding | null => {
  const rule = providerRules(evidence.row.id).rules.find((rule) => isAsked(rule) && matches(rule, evidence))
  return rule === undefined ? null : findingOf(rule, evidence)
}

/** Words of money that mean an allowance here. */
export const ownWords: Rule = {
  id: 'provider-words',
  find: (evidence) => ruleOf(evidence, ({ beforeMoney }) => beforeMoney === true),
}

export const providerRule: Rule = { id: 'provider', find: (evidence) => ruleOf(evidence, () => true) }

function matches(rule: ProviderRule, { row, status, codes, text, wholeText, headers }: Evidence): boolean {
  if (rule.statuses !== undefined && !rule.statuses.includes(status)) return false
  if (status === 400 && rule.on400 !== true) return false
  if (rule.codes?.some((code) => codes.has(code)) === false) return false
  if (rule.header !== undefined && !rule.header.value.test(headers[rule.header.name] ?? '')) return false
  if (rule.says?.some((words) => text.includes(words)) === false) return false
  if (rule.texts === undefined) return true
  return row.fullTextRules && rule.texts.some((text) => wholeText.includes(text))
}

function findingOf({ id, reason, scope, lasting, restMs }: ProviderRule, { row }: Evidence): Finding {
  const honored = scope === 'model' || scope === 'request' || row.honorsRuleScope
  return {
    reason,
    rule: id,
    ...(scope !== undefined && honored && { scope, scopeByRule: true as const }),
    ...(lasting !== undefined && { lasting }),
    ...(restMs !== undefined && { ruleRest: { ms: restMs, capped: scope === 'model' } }),
  }
}
