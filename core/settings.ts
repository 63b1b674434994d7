// The settings in force: table, stored values, environment and flags put together by each row's precedence. Readers
// take a snapshot; a change replaces it.
import { type Field, parseText, schemaOf } from './contract/setting-fields'
import {
  isSettingKey,
  SETTING_KEYS,
  SETTINGS,
  type SettingKey,
  type SettingSource,
  type Settings,
} from './contract/settings'
import type { SettingView } from './contract/views'
import { badInput } from './errors'
import type { SettingsTable } from './store/settings-table'

type Value = SettingView['value']

export interface SettingsStore {
  snapshot(): Settings
  list(): SettingView[]
  /** `null` removes the stored value. @throws GatewayError 400 */
  change(key: string, value: Value | null): void
  onChange(listener: (next: Settings, previous: Settings) => void): () => void
  /** After an import wrote the table. */
  reload(): void
}

export interface SettingSources {
  readonly stored: ReadonlyMap<string, unknown>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly flags: Readonly<Record<string, string>>
}

interface Found {
  readonly source: SettingSource
  readonly value: Value
}

/** One setting out of its sources. Pure; an invalid source is skipped with a warning. */
export function resolveSetting(key: SettingKey, sources: SettingSources): SettingView {
  const field: Field = SETTINGS[key]
  const warnings: string[] = []
  const check = (source: SettingSource, name: string, raw: unknown): Found | null => {
    const parsed = schemaOf(field).safeParse(raw)
    if (parsed.success) return { source, value: copy(parsed.data) }
    warnings.push(`${name} ${parsed.error.issues[0]?.message ?? 'is not valid'}; it is ignored`)
    return null
  }
  const fallback: Found = { source: 'default', value: copy(field.fallback) }
  const storedRaw = sources.stored.has(key) ? sources.stored.get(key) : undefined
  const stored = sources.stored.has(key) ? check('stored', 'The stored value', storedRaw) : null
  const envRaw = field.env === undefined ? undefined : sources.env[field.env]
  const env =
    envRaw === undefined || envRaw === ''
      ? null
      : check('environment', `${field.env}=${envRaw}:`, parseText(field, envRaw))
  const flagRaw = field.flag === undefined ? undefined : sources.flags[field.flag]
  const flag = flagRaw === undefined ? null : check('flag', `--${field.flag} ${flagRaw}:`, parseText(field, flagRaw))
  const order = field.precedence === 'process' ? [flag, env, stored] : [flag, stored, env]
  const { value, source } = order.find((found) => found !== null) ?? fallback
  return {
    key,
    value,
    source,
    stored: stored?.value ?? null,
    warning: warnings.length === 0 ? null : warnings.join('. '),
  }
}

const copy = (value: number | boolean | string | readonly string[]): Value =>
  typeof value === 'object' ? [...value] : value

export function createSettings(
  table: SettingsTable,
  env: SettingSources['env'],
  flags: SettingSources['flags'],
): SettingsStore {
  let views: SettingView[] = []
  let current: Settings
  const listeners = new Set<(next: Settings, previous: Settings) => void>()
  const read = (): Settings => {
    const sources = { stored: table.all(), env, flags }
    views = SETTING_KEYS.map((key) => resolveSetting(key, sources))
    return Object.freeze(Object.fromEntries(views.map(({ key, value }) => [key, value]))) as unknown as Settings
  }
  current = read()
  const replace = (): void => {
    const previous = current
    current = read()
    // The change is stored: one listener's fault must not keep it from the others.
    const faults: unknown[] = []
    for (const listener of listeners) {
      try {
        listener(current, previous)
      } catch (error) {
        faults.push(error)
      }
    }
    if (faults.length > 0) throw faults[0]
  }
  return {
    snapshot: () => current,
    list: () => views,
    change(key, value) {
      if (!isSettingKey(key)) throw badInput('key', `There is no setting "${key}".`)
      if (value === null) table.remove(key)
      else {
        const parsed = schemaOf(SETTINGS[key]).safeParse(value)
        if (!parsed.success) throw badInput(key, parsed.error.issues[0]?.message ?? 'is not valid')
        table.set(key, parsed.data)
      }
      replace()
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    reload: replace,
  }
}
