// What is said about a resilience setting besides its label and help, and how its text is read. Pure.
import type { IpcError } from '../../../core/contract/ipc'
import type { ResilienceGroup, Row } from '../../../core/contract/resilience-fields'
import type { ResilienceSettingView } from '../../../core/contract/resilience-merge'
import { isChangeable, RESILIENCE_KEYS, type ResilienceKey, rowOf } from '../../../core/contract/resilience-settings'
import { sentence } from '../../app/sentence'
import { duration } from '../../ui/time'

export type ResilienceValue = ResilienceSettingView['value']

export const isResilienceKey = (key: string): key is ResilienceKey =>
  (RESILIENCE_KEYS as readonly string[]).includes(key)

/** Has a page of its own. */
export const MODEL_LOCKOUT: ResilienceGroup = 'Model lockout'

/** In the table's order: those in which a person can change something. */
export const RESILIENCE_GROUPS: readonly ResilienceGroup[] = [
  ...new Set(RESILIENCE_KEYS.filter(isChangeable).map((key) => rowOf(key).group)),
].filter((group) => group !== MODEL_LOCKOUT)

export const keysOf = (group: ResilienceGroup): readonly ResilienceKey[] =>
  RESILIENCE_KEYS.filter((key) => isChangeable(key) && rowOf(key).group === group)

/** What the cooldown manager has at hand. */
export const COOLDOWN_KEYS: readonly ResilienceKey[] = [
  'connectionCooldown.oauth.baseCooldownMs',
  'connectionCooldown.oauth.maxBackoffSteps',
  'connectionCooldown.apikey.baseCooldownMs',
  'connectionCooldown.apikey.maxBackoffSteps',
  'streamStallCooldown.enabled',
]

const GROUP_NOTES: Readonly<Partial<Record<ResilienceGroup, string>>> = {
  'Circuit breaker': 'Keeps requests away from a provider whose service fails, whatever the account.',
  'Provider cooldown': 'Lets combos pass over what has just failed, before a breaker opens.',
  'Connection cooldown': 'How long one account or key rests after a failure that was about it.',
  'Model lockout': 'Rests one model of a connection while its other models go on.',
  Waiting: 'Whether a request waits for a connection that returns soon instead of failing.',
  'Waiting, combos': 'The same for a combo whose targets all rest.',
  Streams: 'What follows when an answer falls silent halfway.',
  'Quota preflight':
    'What is done with an account whose quota is nearly spent. What is known of quotas is shown with each connection.',
}
export const groupNote = (group: ResilienceGroup): string => GROUP_NOTES[group] ?? ''

export const asText = (value: ResilienceValue): string => (Array.isArray(value) ? value.join(', ') : String(value))

export type ReadValue =
  | { readonly ok: true; readonly value: ResilienceValue }
  | { readonly ok: false; readonly message: string }

/** What was typed, within what the row accepts. */
export function readText(row: Row, text: string): ReadValue {
  const refused = (message: string): ReadValue => ({ ok: false, message })
  if (row.kind === 'int') {
    const max = row.changeMax ?? row.max
    const value = wholeIn(text, row.min, max)
    return value === null ? refused(`Must be a whole number from ${row.min} to ${max}.`) : { ok: true, value }
  }
  if (row.kind !== 'int-list') return refused('Must be on or off.')
  const entries = text.split(/[,;\s]+/).filter((entry) => entry !== '')
  const wrong = entries.find((entry) => wholeIn(entry, row.min, row.max) === null)
  if (wrong !== undefined) return refused(`"${wrong}" is not a whole number from ${row.min} to ${row.max}.`)
  return { ok: true, value: entries.map(Number) }
}

function wholeIn(text: string, min: number, max: number): number | null {
  if (!/^\s*-?\d+\s*$/.test(text)) return null
  const value = Number(text)
  return value >= min && value <= max ? value : null
}

/** A large number in words: "= 10 min". Empty where the number speaks for itself. */
export function inWords(row: Row, text: string): string {
  if (row.kind !== 'int' || !/^\s*\d+\s*$/.test(text)) return ''
  const value = Number(text)
  if (row.unit === 'ms' && value >= 1_000) return `= ${duration(value)}`
  return row.unit === 's' && value >= 60 ? `= ${duration(value * 1_000)}` : ''
}

export const valueWords = (row: Row, value: ResilienceValue): string => {
  if (value === null) return 'as each provider has it'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ')
  return [String(value), row.unit].filter((part) => part !== undefined).join(' ')
}

/** "Set by PROVIDER_COOLDOWN_ENABLED", "Changed here; comes before PROVIDER_COOLDOWN_ENABLED"; empty for the default. */
export function sourceWords(row: Row, { source }: Pick<ResilienceSettingView, 'source'>): string {
  switch (source) {
    case 'default':
      return ''
    case 'environment':
      return `Set by ${row.env ?? 'the environment'}; a change here comes before it`
    case 'stored':
      return row.env === undefined ? 'Changed here' : `Changed here; comes before ${row.env}`
    case 'connection':
      return 'Set for one connection'
  }
}

export const resetWords = (row: Row): string =>
  row.env === undefined
    ? `Reset ${row.label} to ${valueWords(row, plain(row.fallback))}`
    : `Reset ${row.label} to ${row.env} where it is set, else to ${valueWords(row, plain(row.fallback))}`

const plain = (fallback: Row['fallback']): ResilienceValue =>
  typeof fallback === 'object' && fallback !== null ? [...fallback] : fallback

const PREFIX = 'Nothing was changed: '

/** A refusal for a place at the setting itself: other settings are called by the labels that stand here. */
export function refusalWords({ message }: IpcError, key: ResilienceKey): string {
  const said = message.startsWith(PREFIX) ? message.slice(PREFIX.length) : message
  const alone = said.startsWith(`${key} `) ? said.slice(key.length + 1) : said
  const family = key.slice(0, key.lastIndexOf('.') + 1)
  const named = alone.replace(/\b(\w+) \((\d[\d.]*)\)/, (whole, name: string, number: string) =>
    isResilienceKey(family + name) ? `"${rowOf((family + name) as ResilienceKey).label}" (${number})` : whole,
  )
  return sentence(named)
}
