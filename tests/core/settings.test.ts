import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Field, parseText, schemaOf } from '../../core/contract/setting-fields'
import { SETTING_KEYS, SETTINGS, type SettingKey } from '../../core/contract/settings'
import { SettingView } from '../../core/contract/views'
import { GatewayError } from '../../core/errors'
import { createSettings, resolveSetting, type SettingSources } from '../../core/settings'
import { openSettingsTable, type SettingsTable } from '../../core/store/settings-table'
import { openConfig } from './management/open-config'

function resolve(key: SettingKey, { stored = {}, env = {}, flags = {} }: Record<string, Record<string, unknown>>) {
  const sources = { stored: new Map(Object.entries(stored)), env, flags } as SettingSources
  return resolveSetting(key, sources)
}

describe('whose word counts', () => {
  const stored = { listenPort: 1001 }
  const env = { BREAKWATER_PORT: '1002' }
  const flags = { port: '1003' }
  it.each([
    [{}, 4517, 'default'],
    [{ stored }, 1001, 'stored'],
    [{ env }, 1002, 'environment'],
    [{ flags }, 1003, 'flag'],
    [{ stored, env }, 1002, 'environment'],
    [{ stored, flags }, 1003, 'flag'],
    [{ env, flags }, 1003, 'flag'],
    [{ stored, env, flags }, 1003, 'flag'],
  ])('of %j it is %s, from %s', (sources, value, source) => {
    const kept = 'stored' in sources ? 1001 : null
    expect(resolve('listenPort', sources)).toEqual({ key: 'listenPort', value, source, stored: kept, warning: null })
  })

  it('an empty variable says nothing', () => {
    expect(resolve('listenPort', { env: { BREAKWATER_PORT: '' } })).toMatchObject({ source: 'default', warning: null })
  })

  it('variables and flags of other settings say nothing', () => {
    expect(resolve('theme', { env: { BREAKWATER_PORT: '1', theme: 'dark' }, flags: { theme: 'dark' } }).value).toBe(
      'system',
    )
  })
})

describe('a source that makes no sense', () => {
  it.each([
    ['abc', 'BREAKWATER_PORT=abc: must be a whole number from 0 to 65535; it is ignored'],
    ['65536', 'BREAKWATER_PORT=65536: must be a whole number from 0 to 65535; it is ignored'],
    ['-1', 'BREAKWATER_PORT=-1: must be a whole number from 0 to 65535; it is ignored'],
    ['1.5', 'BREAKWATER_PORT=1.5: must be a whole number from 0 to 65535; it is ignored'],
    ['   ', 'BREAKWATER_PORT=   : must be a whole number from 0 to 65535; it is ignored'],
  ])('BREAKWATER_PORT=%s is passed over with a warning', (value, warning) => {
    const shown = resolve('listenPort', { stored: { listenPort: 1001 }, env: { BREAKWATER_PORT: value } })
    expect(shown).toMatchObject({ value: 1001, source: 'stored', warning })
  })

  it.each([['a text'], [null], [undefined], [70_000], [[1]]])('a stored %j is passed over with a warning', (value) => {
    const shown = resolve('listenPort', { stored: { listenPort: value } })
    expect(shown).toMatchObject({ value: 4517, source: 'default', stored: null })
    expect(shown.warning).toBe('The stored value must be a whole number from 0 to 65535; it is ignored')
  })

  it('does not hide a second one: every warning is told', () => {
    const shown = resolve('logLevel', {
      stored: { logLevel: 'loud' },
      env: { BREAKWATER_LOG_LEVEL: 'louder' },
      flags: { 'log-level': 'loudest' },
    })
    expect(shown).toMatchObject({ value: 'info', source: 'default' })
    for (const part of ['The stored value', 'BREAKWATER_LOG_LEVEL=louder', '--log-level loudest']) {
      expect(shown.warning).toContain(part)
    }
  })
})

describe('values written as text', () => {
  it.each([
    ['listenPort', ' 80 ', 80],
    ['startHidden', 'true', true],
    ['startHidden', '1', true],
    ['startHidden', 'false', false],
    ['startHidden', '0', false],
    ['logLevel', ' debug ', 'debug'],
    ['extraCaFile', ' /etc/ca.pem ', '/etc/ca.pem'],
    ['allowedHosts', 'a.example, b.example,,', ['a.example', 'b.example']],
    ['allowedHosts', ' ', []],
  ] as const)('%s: "%s" is read as %j', (key, raw, value) => {
    const field: Field = SETTINGS[key]
    expect(schemaOf(field).parse(parseText(field, raw))).toEqual(value)
  })

  it.each([
    ['startHidden', 'yes', 'must be true or false'],
    ['logLevel', 'loud', 'must be one of debug, info, warn, error'],
    ['allowedHosts', 'http://a', 'must be a host name without scheme or port'],
    ['allowedOrigins', 'a.example', 'must be an origin such as https://app.example'],
    ['extraCaFile', 'x'.repeat(5000), 'must have at most 4096 characters'],
  ] as const)('%s: %s is refused', (key, raw, message) => {
    const field: Field = SETTINGS[key]
    expect(schemaOf(field).safeParse(parseText(field, raw)).error?.issues[0]?.message).toBe(message)
  })
})

describe('the table of settings', () => {
  it.each(SETTING_KEYS)('%s: its default passes its own check', (key) => {
    const field: Field = SETTINGS[key]
    expect(schemaOf(field).parse(field.fallback)).toEqual(field.fallback)
  })

  it('has no variable or flag twice', () => {
    const fields: Field[] = SETTING_KEYS.map((key) => SETTINGS[key])
    for (const names of [fields.map(({ env }) => env), fields.map(({ flag }) => flag)]) {
      const given = names.filter((name) => name !== undefined)
      expect(new Set(given).size).toBe(given.length)
    }
  })
})

describe('the settings in force', () => {
  let database: ReturnType<typeof openConfig>
  let table: SettingsTable
  beforeEach(() => {
    database = openConfig()
    table = openSettingsTable(database)
  })
  afterEach(() => {
    database.close()
  })

  it('are the defaults at first, each shown with its source', () => {
    const settings = createSettings(table, {}, {})
    expect(settings.list().map(({ key }) => key)).toEqual(SETTING_KEYS)
    for (const view of settings.list()) {
      expect(SettingView.parse(view)).toEqual(view)
      expect(view).toMatchObject({ source: 'default', stored: null, warning: null })
      expect(settings.snapshot()[view.key as SettingKey]).toEqual(view.value)
    }
  })

  it('change at once and are there on the next start; a snapshot taken before stays', () => {
    const settings = createSettings(table, {}, {})
    const before = settings.snapshot()
    settings.change('historyDays', 7)
    settings.change('allowedHosts', ['a.example'])
    expect(before.historyDays).toBe(30)
    expect(settings.snapshot()).toMatchObject({ historyDays: 7, allowedHosts: ['a.example'] })
    expect(createSettings(table, {}, {}).snapshot()).toEqual(settings.snapshot())
    expect(() => Object.assign(before, { historyDays: 1 })).toThrow(TypeError)
  })

  it('go back to their default with null, stored or not', () => {
    const settings = createSettings(table, {}, {})
    settings.change('historyDays', 7)
    settings.change('historyDays', null)
    settings.change('theme', null)
    expect(settings.snapshot()).toMatchObject({ historyDays: 30, theme: 'system' })
    expect(table.all().size).toBe(0)
  })

  it('keep a change although the environment has the last word, and say so', () => {
    const settings = createSettings(table, { BREAKWATER_HISTORY_DAYS: '9' }, {})
    settings.change('historyDays', 7)
    const shown = settings.list().find(({ key }) => key === 'historyDays')
    expect(shown).toMatchObject({ value: 9, source: 'environment', stored: 7 })
    expect(createSettings(table, {}, {}).snapshot().historyDays).toBe(7)
  })

  it.each([
    ['noSuchThing', 1, 'key: There is no setting "noSuchThing".'],
    ['toString', 1, 'key: There is no setting "toString".'],
    ['__proto__', null, 'key: There is no setting "__proto__".'],
    ['historyDays', 0, 'historyDays: must be a whole number from 1 to 3650'],
    ['historyDays', '7', 'historyDays: must be a whole number from 1 to 3650'],
    ['theme', 'pink', 'theme: must be one of system, light, dark'],
    ['paused', 'true', 'paused: must be true or false'],
    ['allowedHosts', ['a b'], 'allowedHosts: must be a host name without scheme or port'],
  ] as const)('refuse %s = %j, and nothing changes', (key, value, message) => {
    const settings = createSettings(table, {}, {})
    const [before, listener] = [settings.snapshot(), vi.fn()]
    settings.onChange(listener)
    const change = () => settings.change(key, typeof value === 'object' && value !== null ? [...value] : value)
    expect(change).toThrow(message)
    expect(change).toThrow(GatewayError)
    expect(settings.snapshot()).toBe(before)
    expect(table.all().size).toBe(0)
    expect(listener).not.toHaveBeenCalled()
  })

  it('tell their listeners what was and what is, until those leave', () => {
    const settings = createSettings(table, {}, {})
    const [first, second] = [vi.fn(), vi.fn()]
    const leave = settings.onChange(first)
    settings.onChange(second)
    settings.change('historyDays', 7)
    expect(first).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ historyDays: 7 }),
      expect.objectContaining({ historyDays: 30 }),
    )
    leave()
    settings.change('historyDays', 8)
    expect(first).toHaveBeenCalledTimes(1)
    expect(second).toHaveBeenCalledTimes(2)
  })

  it('reach every listener though one of them fails, and the failure is not hidden', () => {
    const settings = createSettings(table, {}, {})
    const second = vi.fn()
    settings.onChange(() => {
      throw new Error('a listener’s fault')
    })
    settings.onChange(second)
    expect(() => settings.change('historyDays', 7)).toThrow('a listener’s fault')
    expect(second).toHaveBeenCalledOnce()
    expect(settings.snapshot().historyDays).toBe(7)
  })

  it('are read anew after an import', () => {
    const settings = createSettings(table, {}, {})
    const listener = vi.fn()
    settings.onChange(listener)
    table.set('historyDays', 12)
    expect(settings.snapshot().historyDays).toBe(30)
    settings.reload()
    expect(settings.snapshot().historyDays).toBe(12)
    expect(listener).toHaveBeenCalledTimes(1)
  })

  it('begin with a row that is no JSON, or of a setting that is gone', () => {
    database.exec("INSERT INTO settings VALUES ('theme', '{oops'), ('ofLongAgo', '1')")
    const settings = createSettings(table, {}, {})
    expect(settings.snapshot().theme).toBe('system')
    expect(settings.list().find(({ key }) => key === 'theme')?.warning).toContain('it is ignored')
    expect(settings.list()).toHaveLength(SETTING_KEYS.length)
  })
})
