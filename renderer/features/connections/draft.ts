// What the connection form holds, and what becomes of it. Pure: the form only draws it.

import type { CallInput } from '../../../core/contract/ipc'
import type { Dialect } from '../../../core/contract/kinds'
import type { ConnectionView, ProviderView } from '../../../core/contract/views'

export const CUSTOM = { 'openai-chat': 'custom:openai-chat', anthropic: 'custom:anthropic' } as const

export interface Draft {
  /** A provider's id, or one of CUSTOM for an endpoint that has to be added first. */
  readonly provider: string
  /** The new provider's name; for custom endpoints only. */
  readonly label: string
  readonly name: string
  readonly baseUrl: string
  readonly apiKey: string
  /** As typed; empty means last. */
  readonly priority: string
}

export type DraftErrors = Partial<Record<keyof Draft, string>>

export const customDialect = (provider: string): Dialect | null =>
  provider === CUSTOM['openai-chat'] ? 'openai-chat' : provider === CUSTOM.anthropic ? 'anthropic' : null

export const emptyDraft = (provider: string, taken: readonly string[] = []): Draft => ({
  provider,
  label: '',
  name: freeName('main', taken),
  baseUrl: '',
  apiKey: '',
  priority: '',
})

export const draftOf = (connection: ConnectionView): Draft => ({
  provider: connection.provider,
  label: '',
  name: connection.name,
  baseUrl: connection.baseUrl ?? '',
  apiKey: '',
  priority: String(connection.priority),
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
  if (editing === null && provider?.needsKey === true && draft.apiKey.trim() === '')
    errors.apiKey = `${provider.label} needs a key.`
  if (!/^\d*$/.test(draft.priority.trim()) || Number(draft.priority) > 1000)
    errors.priority = 'A whole number from 0 to 1000.'
  return errors
}

const trimmed = (text: string): string | undefined => (text.trim() === '' ? undefined : text.trim())

/** Leaves out what is undefined: a missing field stays as it is. */
function given<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
}

export function toAdd(draft: Draft, provider: string): CallInput<'connections:add'> {
  const isCustom = customDialect(draft.provider) !== null
  return given({
    provider,
    name: draft.name.trim(),
    apiKey: trimmed(draft.apiKey),
    baseUrl: isCustom ? undefined : trimmed(draft.baseUrl),
    priority: draft.priority.trim() === '' ? undefined : Number(draft.priority),
  }) as CallInput<'connections:add'>
}

/** Only what differs from the connection as it is; null when nothing does. */
export function toUpdate(draft: Draft, connection: ConnectionView): CallInput<'connections:update'> | null {
  const baseUrl = trimmed(draft.baseUrl) ?? null
  const changes = given({
    name: draft.name.trim() === connection.name ? undefined : draft.name.trim(),
    apiKey: trimmed(draft.apiKey),
    baseUrl: baseUrl === connection.baseUrl ? undefined : baseUrl,
    priority:
      draft.priority.trim() === '' || Number(draft.priority) === connection.priority
        ? undefined
        : Number(draft.priority),
  })
  return Object.keys(changes).length === 0
    ? null
    : ({ id: connection.id, ...changes } as CallInput<'connections:update'>)
}

export type TestPlan =
  | { readonly kind: 'test'; readonly input: CallInput<'connections:test'> }
  | { readonly kind: 'save-first'; readonly why: string }

/** How what is in the form now can be tested without saving it. */
export function planTest(draft: Draft, { provider, editing }: Situation): TestPlan {
  if (customDialect(draft.provider) !== null) return { kind: 'save-first', why: 'Save first, then test.' }
  const apiKey = trimmed(draft.apiKey)
  const baseUrl = trimmed(draft.baseUrl)
  if (editing !== null && apiKey === undefined) {
    if ((baseUrl ?? null) === editing.baseUrl) return { kind: 'test', input: { id: editing.id } }
    if (editing.keyMask !== null)
      return { kind: 'save-first', why: 'Save first: the stored key is not sent to an address that is not saved.' }
  }
  if (editing === null && provider?.needsKey === true && apiKey === undefined)
    return { kind: 'save-first', why: 'Enter the key to test it.' }
  return {
    kind: 'test',
    input: given({ provider: draft.provider, apiKey, baseUrl }) as CallInput<'connections:test'>,
  }
}
