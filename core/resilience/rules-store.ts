// The operator's rules about errors in force, and what follows a ban: three values of the settings table that are no
// rows of the form. Readers take a snapshot; a change replaces it, so that the next failure is judged by it.
import { z } from 'zod'
import { CustomBannedSignals, type OperatorRules, ProviderErrorRules } from '../contract/error-rules'
import type { SettingsTable } from '../store/settings-table'

export interface RulesInForce extends OperatorRules {
  /** A banned account is switched off, too. */
  readonly autoDisableBannedAccounts: boolean
}

/** What each may be; also for what a person sends. */
export const RULE_SCHEMAS = {
  customBannedSignals: CustomBannedSignals,
  autoDisableBannedAccounts: z.boolean({ error: 'must be true or false' }),
  providerErrorRules: ProviderErrorRules,
} as const
export type RuleKey = keyof typeof RULE_SCHEMAS
export const isRuleKey = (key: string): key is RuleKey => Object.hasOwn(RULE_SCHEMAS, key)

export interface OperatorRulesStore {
  snapshot(): RulesInForce
  /** After the table was written. */
  reload(): void
}

/** A stored value that makes no sense counts as none; `warn` is told why. */
export function createOperatorRules(table: SettingsTable, warn: (message: string) => void): OperatorRulesStore {
  const read = (): RulesInForce => {
    const stored = table.all()
    const value = <T>(key: RuleKey, schema: z.ZodType<T>, fallback: T): T => {
      if (!stored.has(key)) return fallback
      const parsed = schema.safeParse(stored.get(key))
      if (parsed.success) return parsed.data
      warn(`The stored ${key} cannot be used: ${parsed.error.issues[0]?.message ?? 'it is not valid'}. It is ignored.`)
      return fallback
    }
    return Object.freeze({
      customBannedSignals: value('customBannedSignals', RULE_SCHEMAS.customBannedSignals, []),
      autoDisableBannedAccounts: value('autoDisableBannedAccounts', RULE_SCHEMAS.autoDisableBannedAccounts, false),
      providerErrorRules: value('providerErrorRules', RULE_SCHEMAS.providerErrorRules, {}),
    })
  }
  let current = read()
  return {
    snapshot: () => current,
    reload() {
      current = read()
    },
  }
}
