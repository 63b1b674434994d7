// The operator's rules: before all built-in ones, for any status, over the whole text (docs/resilience.md, "Operator rules").
import type { Evidence, Finding, Rule } from './rule'
import { windowNamed } from './windows'

export const operatorRule: Rule = {
  id: 'operator',
  find(evidence) {
    const { row, operator, wholeText, status, rawStatus } = evidence
    for (const name of [row.id, ...row.aliases]) {
      const rules = Object.hasOwn(operator.providerErrorRules, name) ? (operator.providerErrorRules[name] ?? []) : []
      const rule = rules.find(
        (rule) => (rule.status === rawStatus || rule.status === status) && wholeText.includes(rule.match.toLowerCase()),
      )
      if (rule === undefined) continue
      const { reason, scope, cooldownMs } = rule
      const rest = cooldownMs === undefined ? {} : { ruleRest: { ms: cooldownMs, capped: false } }
      return { rule: 'operator', reason, scope, scopeByRule: true, ...rest, ...quotaLasting(reason, evidence) }
    }
    return null
  },
}

function quotaLasting(reason: Finding['reason'], { text }: Evidence): Pick<Finding, 'lasting'> {
  if (reason !== 'quota_exhausted') return {}
  const window = windowNamed(text)
  if (window === null || window === 'minute') return { lasting: 'quota' }
  return { lasting: window === 'hour' ? 'usage' : window }
}
