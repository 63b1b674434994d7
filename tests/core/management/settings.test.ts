import { beforeEach, describe, expect, test, vi } from 'vitest'
import { settingsOperations } from '../../../core/management/settings'
import { createOperatorRules, type OperatorRulesStore } from '../../../core/resilience/rules-store'
import { createSettings, type SettingsStore } from '../../../core/settings'
import { openSettingsTable, type SettingsTable } from '../../../core/store/settings-table'
import { memoryDatabase } from '../../support/memory-databases'

const RULE = { status: 429, match: 'quota', scope: 'connection' } as const

let table: SettingsTable
let settings: SettingsStore
let rules: OperatorRulesStore
const warn = vi.fn()
let operations: ReturnType<typeof settingsOperations>

function open(): void {
  settings = createSettings(table, {}, {})
  rules = createOperatorRules(table, warn)
  operations = settingsOperations({
    settings,
    rules,
    saveSettings: (changes) => {
      table.save(changes)
      rules.reload()
      settings.reload()
    },
  })
}

beforeEach(() => {
  warn.mockClear()
  table = openSettingsTable(memoryDatabase('config'))
  open()
})

const patch = (changes: Record<string, unknown>) => operations['settings:patch']({ changes })
const issuesOf = async (changes: Record<string, unknown>): Promise<unknown> =>
  patch(changes).then(
    () => null,
    (error: { issues?: unknown }) => error.issues,
  )

describe('changing several at once', () => {
  test('settings and rules are in force at once, and after a restart', async () => {
    const changed = await patch({
      bodyLimitMb: 128,
      allowedHosts: ['box.lan'],
      customBannedSignals: ['you are out'],
      autoDisableBannedAccounts: true,
      providerErrorRules: { glm: [RULE] },
    })
    expect(changed.settings).toContainEqual(
      expect.objectContaining({ key: 'bodyLimitMb', value: 128, source: 'stored' }),
    )
    const inForce = {
      customBannedSignals: ['you are out'],
      autoDisableBannedAccounts: true,
      providerErrorRules: { glm: [{ ...RULE, reason: 'quota_exhausted' }] },
    }
    expect(changed.rules).toEqual(inForce)
    expect(rules.snapshot()).toEqual(inForce)
    open()
    expect(rules.snapshot()).toEqual(inForce)
    expect(settings.snapshot().allowedHosts).toEqual(['box.lan'])
    expect(await operations['rules:show']()).toEqual(inForce)
  })

  test('null takes a stored value back', async () => {
    await patch({ bodyLimitMb: 128, customBannedSignals: ['x'], providerErrorRules: { glm: [RULE] } })
    const { rules: left } = await patch({ bodyLimitMb: null, customBannedSignals: null })
    expect(settings.snapshot().bodyLimitMb).toBe(64)
    expect(left.customBannedSignals).toEqual([])
    expect(left.providerErrorRules.glm).toHaveLength(1)
  })

  test('one fault keeps all of it out, and every fault is told', async () => {
    const faults = await issuesOf({
      bodyLimitMb: 128,
      historyDays: 0,
      surprise: 1,
      customBannedSignals: ['x'.repeat(201)],
      autoDisableBannedAccounts: 'yes',
      providerErrorRules: { glm: [{ ...RULE, status: 200, match: '', scope: 'planet', cooldown: 1 }] },
    })
    expect(faults).toEqual([
      { field: 'historyDays', message: 'must be a whole number from 1 to 3650' },
      { field: 'surprise', message: 'is not a setting' },
      { field: 'customBannedSignals[0]', message: 'must have at most 200 characters' },
      { field: 'autoDisableBannedAccounts', message: 'must be true or false' },
      { field: 'providerErrorRules.glm[0].status', message: 'must be an HTTP error status, 400 to 599' },
      { field: 'providerErrorRules.glm[0].match', message: 'must be 1 to 200 characters that the error holds' },
      { field: 'providerErrorRules.glm[0].scope', message: 'must be one of model, provider, connection' },
      { field: 'providerErrorRules.glm[0].cooldown', message: 'is not a known field' },
    ])
    expect(table.all().size).toBe(0)
    expect(settings.snapshot().bodyLimitMb).toBe(64)
  })

  test('nothing is no change', async () => {
    expect(await issuesOf({})).toEqual([{ field: '', message: 'must name at least one setting' }])
  })
})

describe('rules that were stored', () => {
  test('and make no sense count as none, with a warning', () => {
    table.set('customBannedSignals', 'no list')
    table.set('providerErrorRules', { glm: [RULE] })
    rules.reload()
    expect(rules.snapshot().customBannedSignals).toEqual([])
    expect(rules.snapshot().providerErrorRules.glm).toHaveLength(1)
    expect(warn).toHaveBeenCalledOnce()
    expect(warn.mock.calls[0]?.[0]).toMatch(/^The stored customBannedSignals cannot be used: /)
  })

  test('what is told of them can be changed without changing them', async () => {
    await patch({ customBannedSignals: ['x'] })
    const told = await operations['rules:show']()
    told.customBannedSignals.push('y')
    expect(rules.snapshot().customBannedSignals).toEqual(['x'])
  })
})
