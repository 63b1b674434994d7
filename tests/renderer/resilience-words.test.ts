import { describe, expect, it } from 'vitest'
import { schemaOf } from '../../core/contract/resilience-fields'
import { checkChange, mergeResilience } from '../../core/contract/resilience-merge'
import { isChangeable, ORDER_RULES, RESILIENCE_KEYS, rowOf } from '../../core/contract/resilience-settings'
import { createResilienceStore, SettingsRefusedError } from '../../core/resilience/settings-store'
import {
  asText,
  COOLDOWN_KEYS,
  inWords,
  keysOf,
  MODEL_LOCKOUT,
  RESILIENCE_GROUPS,
  readText,
  refusalWords,
  resetWords,
  sourceWords,
  valueWords,
} from '../../renderer/features/settings/resilience-words'

const defaults = mergeResilience({ env: {}, stored: undefined }).views
const table = () => {
  const all = new Map<string, unknown>()
  return { all: () => all, set: (key: string, value: unknown) => void all.set(key, value) }
}

describe('the form of resilience settings', () => {
  it('shows everything a person can change, once', () => {
    const shown = [...RESILIENCE_GROUPS, MODEL_LOCKOUT].flatMap(keysOf)
    expect([...shown].sort()).toEqual(RESILIENCE_KEYS.filter(isChangeable).sort())
    for (const key of COOLDOWN_KEYS) expect(shown).toContain(key)
  })

  it('reads back every default that stands as text, as the table takes it', () => {
    for (const { key, value } of defaults) {
      const row = rowOf(key as (typeof RESILIENCE_KEYS)[number])
      if (row.kind !== 'int' && row.kind !== 'int-list') continue
      expect(readText(row, asText(value))).toEqual({ ok: true, value })
      expect(schemaOf(row).safeParse(value).success).toBe(true)
    }
  })

  it('refuses what is out of bounds with the bounds that a change has', () => {
    const row = rowOf('providerCooldown.minRetryCooldownMs')
    expect(readText(row, '300001')).toEqual({ ok: false, message: 'Must be a whole number from 0 to 300000.' })
    expect(readText(row, 'soon')).toMatchObject({ ok: false })
    expect(readText(row, '1.5')).toMatchObject({ ok: false })
    const list = rowOf('modelLockout.errorCodes')
    expect(readText(list, '429 503, 404')).toEqual({ ok: true, value: [429, 503, 404] })
    expect(readText(list, '429, 99')).toEqual({ ok: false, message: '"99" is not a whole number from 100 to 599.' })
    expect(readText(list, '')).toEqual({ ok: true, value: [] })
  })

  it('says large times in words', () => {
    expect(inWords(rowOf('connectionCooldown.apikey.baseCooldownMs'), '90000')).toBe('= 1 min 30 s')
    expect(inWords(rowOf('waitForCooldown.maxRetryWaitSec'), '90')).toBe('= 1 min 30 s')
    expect(inWords(rowOf('connectionCooldown.apikey.baseCooldownMs'), '500')).toBe('')
    expect(inWords(rowOf('connectionCooldown.apikey.maxBackoffSteps'), '5')).toBe('')
  })

  it('says where a value came from, and what a reset brings', () => {
    const row = rowOf('providerCooldown.enabled')
    expect(sourceWords(row, { source: 'default' })).toBe('')
    expect(sourceWords(row, { source: 'environment' })).toContain('PROVIDER_COOLDOWN_ENABLED')
    expect(sourceWords(row, { source: 'stored' })).toBe('Changed here; comes before PROVIDER_COOLDOWN_ENABLED')
    expect(resetWords(row)).toContain('PROVIDER_COOLDOWN_ENABLED')
    expect(resetWords(rowOf('modelLockout.baseCooldownMs'))).toBe('Reset First lock to 120000 ms')
    expect(valueWords(rowOf('connectionCooldown.oauth.useUpstream429BreakerHints'), null)).toBe(
      'as each provider has it',
    )
  })
})

describe('a refused change', () => {
  it('stands at its setting, and calls the other one by its label', () => {
    let seen = 0
    for (const { low } of ORDER_RULES) {
      const row = rowOf(low)
      if (row.kind !== 'int') throw new Error('rules are about numbers')
      const top = row.changeMax ?? row.max
      const checked = checkChange(treeOf(low, top), { env: {}, stored: undefined })
      if (checked.ok) continue
      const store = createResilienceStore(table() as never, {})
      let refused: SettingsRefusedError | null = null
      try {
        store.change(low, top)
      } catch (error) {
        if (error instanceof SettingsRefusedError) refused = error
      }
      const words = refusalWords(
        { code: 'bad_input', message: refused?.message ?? '', field: refused?.details.field ?? null },
        low,
      )
      expect(words).toMatch(/^Must be less than (or equal to )?".+" \(\d+\)\.$/)
      seen += 1
    }
    expect(seen).toBeGreaterThan(1)
  })
})

const treeOf = (key: string, value: unknown): unknown =>
  key.split('.').reduceRight((inner, part) => ({ [part]: inner }), value)
