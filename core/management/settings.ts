// Changing several settings and rules in one step: all of them are checked, then written in one transaction, or nothing is.
import type { RulesView } from '../contract/health-operations'
import type { OperationInput, OperationOutput } from '../contract/operations'
import type { ChangeIssue } from '../contract/resilience-merge'
import { schemaOf } from '../contract/setting-fields'
import { isSettingKey, SETTINGS } from '../contract/settings'
import { isRuleKey, RULE_SCHEMAS, type RulesInForce } from '../resilience/rules-store'
import { SettingsRefusedError } from '../resilience/settings-store'
import { checkedInput } from './input-issues'
import type { Parts } from './parts'

export function settingsOperations({
  settings,
  rules,
  saveSettings,
}: Pick<Parts, 'settings' | 'rules' | 'saveSettings'>) {
  return {
    'rules:show': async (): Promise<RulesView> => rulesView(rules.snapshot()),

    'settings:patch': async ({
      changes,
    }: OperationInput<'settings:patch'>): Promise<OperationOutput<'settings:patch'>> => {
      saveSettings(checked(changes))
      return { settings: settings.list(), rules: rulesView(rules.snapshot()) }
    },
  }
}

/** The values to write; undefined takes a stored one back. @throws SettingsRefusedError with every fault */
function checked(changes: Readonly<Record<string, unknown>>): Map<string, unknown> {
  const entries = Object.entries(changes)
  if (entries.length === 0) throw new SettingsRefusedError([{ field: '', message: 'must name at least one setting' }])
  const values = new Map<string, unknown>()
  const issues: ChangeIssue[] = []
  for (const [key, value] of entries) {
    const schema = isSettingKey(key) ? schemaOf(SETTINGS[key]) : isRuleKey(key) ? RULE_SCHEMAS[key] : null
    if (schema === null) issues.push({ field: key, message: 'is not a setting' })
    else if (value === null) values.set(key, undefined)
    else {
      const input = checkedInput<unknown>(schema, value, [key])
      if (input.ok) values.set(key, input.data)
      else issues.push(...input.issues)
    }
  }
  if (issues.length > 0) throw new SettingsRefusedError(issues)
  return values
}

/** Read out: what is in force is frozen. */
const rulesView = ({
  customBannedSignals,
  autoDisableBannedAccounts,
  providerErrorRules,
}: RulesInForce): RulesView => ({
  customBannedSignals: [...customBannedSignals],
  autoDisableBannedAccounts,
  providerErrorRules: structuredClone(providerErrorRules),
})
