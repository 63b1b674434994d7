// What the connection form holds, and what becomes of it. Pure: the form only draws it.

import type { CallInput } from '../../../core/contract/ipc'
import { DIALECTS, type Dialect } from '../../../core/contract/kinds'
import type { ConnectionView, ProviderView } from '../../../core/contract/views'
import { checkSettings, type SettingsDraft, type SettingsErrors, settingsDraft, settingsPatch } from './settings-draft'
import type { SignInDraft } from './sign-in-draft'

const CUSTOM_PREFIX = 'custom:'

/** Stands for an endpoint that has to be added first. */
export const customOf = (dialect: Dialect): string => `${CUSTOM_PREFIX}${dialect}`

export const customDialect = (provider: string): Dialect | null =>
  DIALECTS.find((dialect) => customOf(dialect) === provider) ?? null

export interface Draft {
  /** A provider's id, or what `customOf` gives. */
  readonly provider: string
  /** The new provider's name; for custom endpoints only. */
  readonly label: string
  readonly name: string
  readonly baseUrl: string
  readonly apiKey: string
  /** As typed, by the option's key. */
  readonly options: Readonly<Record<string, string>>
  /** As typed; empty means last. */
  readonly priority: string
  /** As typed; what is stored is known by its label only. */
  readonly proxy: string
  readonly settings: SettingsDraft
}

export type DraftField =
  | Exclude<keyof Draft, 'options' | 'settings'>
  | keyof SignInDraft
  | `options.${string}`
  | keyof SettingsErrors
export type DraftErrors = Partial<Record<DraftField, string>>

export const emptyDraft = (provider: string, taken: readonly string[] = []): Draft => ({
  provider,
  label: '',
  name: freeName('main', taken),
  baseUrl: '',
  apiKey: '',
  options: {},
  priority: '',
  proxy: '',
  settings: settingsDraft({}),
})

export const draftOf = (connection: ConnectionView): Draft => ({
  provider: connection.provider,
  label: '',
  name: connection.name,
  baseUrl: connection.baseUrl ?? '',
  apiKey: '',
  options: connection.options,
  priority: String(connection.priority),
  proxy: connection.proxy?.label ?? '',
  settings: settingsDraft(connection.settings),
})

/** "main", "main 2", "main 3" … */
export function freeName(wanted: string, taken: readonly string[]): string {
  if (!taken.includes(wanted)) return wanted
  let number = 2
  while (taken.includes(`${wanted} ${number}`)) number += 1
  return `${wanted} ${number}`
}

export function isHttpUrl(text: string): boolean {
  try {
    return ['http:', 'https:'].includes(new URL(text).protocol)
  } catch {
    return false
  }
}

interface Situation {
  readonly provider: ProviderView | null
  /** The connection that is edited; null for a new one. */
  readonly editing: ConnectionView | null
}

export function checkDraft(draft: Draft, { provider, editing }: Situation): DraftErrors {
  const errors: DraftErrors = {}
  const custom = customDialect(draft.provider) !== null
  const baseUrl = draft.baseUrl.trim()
  if (draft.name.trim() === '') errors.name = 'Give the connection a name: it appears in the log.'
  else if (draft.name.trim().length > 100) errors.name = 'At most 100 characters.'
  if (custom && draft.label.trim() === '') errors.label = 'Give the endpoint a name: clients write it before the model.'
  if (baseUrl === '' && (custom || provider?.baseUrl === '')) errors.baseUrl = 'Enter the address of the endpoint.'
  else if (baseUrl !== '' && !isHttpUrl(baseUrl))
    errors.baseUrl = 'Not an address. It looks like https://api.example.com/v1.'
  if (editing === null && provider !== null && takesKeyOnly(provider) && draft.apiKey.trim() === '')
    errors.apiKey = `${provider.label} needs a key.`
  for (const { key, label } of missingOptions(draft, provider))
    errors[`options.${key}`] = `Enter the ${inSentence(label)}.`
  if (!/^\d*$/.test(draft.priority.trim()) || Number(draft.priority) > 1000)
    errors.priority = 'A whole number from 0 to 1000.'
  return { ...errors, ...checkSettings(draft.settings) }
}

/** Without a sign-in, which may stand in the key's place. */
const takesKeyOnly = ({ needsKey, signIn }: ProviderView): boolean => needsKey && signIn === null

/** An address of one's own may do without them: then the core says which it still needs. */
function missingOptions({ options, baseUrl }: Draft, provider: ProviderView | null): ProviderView['options'] {
  if (provider === null || baseUrl.trim() !== '') return []
  return provider.options.filter(({ key, required }) => required && (options[key] ?? '').trim() === '')
}

/** "Resource name" → "resource name", but "API version" as it is. */
const inSentence = (label: string): string =>
  /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label

export const trimmed = (text: string): string | undefined => (text.trim() === '' ? undefined : text.trim())

/** Leaves out what is undefined: a missing field stays as it is. */
export function given<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
}

/** Those that were filled in; undefined where none was. */
export function givenOptions({ options }: Draft): Record<string, string> | undefined {
  const filled = Object.entries(options).flatMap(([key, value]) => (value.trim() === '' ? [] : [[key, value.trim()]]))
  return filled.length === 0 ? undefined : Object.fromEntries(filled)
}

export function toAdd(draft: Draft, provider: string): CallInput<'connections:add'> {
  const isCustom = customDialect(draft.provider) !== null
  return given({
    provider,
    name: draft.name.trim(),
    apiKey: trimmed(draft.apiKey),
    baseUrl: isCustom ? undefined : trimmed(draft.baseUrl),
    options: givenOptions(draft),
    priority: draft.priority.trim() === '' ? undefined : Number(draft.priority),
    proxy: trimmed(draft.proxy),
    settings: settingsPatch(draft.settings, {}),
  }) as CallInput<'connections:add'>
}

/** undefined: as it is. What is shown of a stored one is its label, which changes nothing. */
function proxyChange(draft: Draft, { proxy }: ConnectionView): string | null | undefined {
  const wanted = draft.proxy.trim()
  if (wanted === (proxy?.label ?? '')) return undefined
  return wanted === '' ? null : wanted
}

const sameOptions = (draft: Draft, connection: ConnectionView): boolean => {
  const [now, before] = [givenOptions(draft) ?? {}, connection.options]
  return [...Object.keys(now), ...Object.keys(before)].every((key) => now[key] === before[key])
}

/** Only what differs from the connection as it is; null when nothing does. */
export function toUpdate(draft: Draft, connection: ConnectionView): CallInput<'connections:update'> | null {
  const baseUrl = trimmed(draft.baseUrl) ?? null
  const changes = given({
    name: draft.name.trim() === connection.name ? undefined : draft.name.trim(),
    apiKey: trimmed(draft.apiKey),
    baseUrl: baseUrl === connection.baseUrl ? undefined : baseUrl,
    options: sameOptions(draft, connection) ? undefined : (givenOptions(draft) ?? {}),
    priority:
      draft.priority.trim() === '' || Number(draft.priority) === connection.priority
        ? undefined
        : Number(draft.priority),
    proxy: proxyChange(draft, connection),
    settings: settingsPatch(draft.settings, connection.settings),
  })
  return Object.keys(changes).length === 0
    ? null
    : ({ id: connection.id, ...changes } as CallInput<'connections:update'>)
}

export type TestPlan =
  | { readonly kind: 'test'; readonly input: CallInput<'connections:test'> }
  | { readonly kind: 'save-first'; readonly why: string }

const saveFirst = (why: string): TestPlan => ({ kind: 'save-first', why })

/** How what is in the form now can be tested without saving it. */
export function planTest(draft: Draft, { provider, editing }: Situation): TestPlan {
  const dialect = customDialect(draft.provider)
  const apiKey = trimmed(draft.apiKey)
  const baseUrl = trimmed(draft.baseUrl)
  const proxy = editing === null ? trimmed(draft.proxy) : proxyChange(draft, editing)
  if (dialect !== null) {
    if (baseUrl === undefined || !isHttpUrl(baseUrl)) return saveFirst('Enter the address to test it.')
    if (proxy !== undefined) return saveFirst('Save first: it can be tested through its proxy then.')
    return { kind: 'test', input: given({ dialect, baseUrl, apiKey }) as CallInput<'connections:test'> }
  }
  if (editing !== null && apiKey === undefined) {
    if ((baseUrl ?? null) === editing.baseUrl && sameOptions(draft, editing) && proxy === undefined)
      return { kind: 'test', input: { id: editing.id } }
    if (editing.keyMask !== null || editing.login !== null)
      return saveFirst('Save first: what is stored is not sent to an address or proxy that is not saved.')
  }
  if (editing !== null && editing.proxy !== null && proxy === undefined)
    return saveFirst('Save first: what is not saved cannot be tested through the stored proxy.')
  if (editing === null && provider !== null && provider.signIn !== null && apiKey === undefined)
    return saveFirst('It can be tested once you have signed in.')
  if (editing === null && provider?.needsKey === true && apiKey === undefined)
    return saveFirst('Enter the key to test it.')
  const missing = missingOptions(draft, provider)[0]
  if (missing !== undefined) return saveFirst(`Enter the ${inSentence(missing.label)} to test it.`)
  return {
    kind: 'test',
    input: given({
      ...{ provider: draft.provider, apiKey, baseUrl, proxy },
      options: givenOptions(draft),
    }) as CallInput<'connections:test'>,
  }
}
