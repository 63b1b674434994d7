// The fields of a combo's configuration as they are typed, and what they mean. An empty text means: as the strategy has
// it. Pure; the core checks again.
import {
  COMBO_CONFIG,
  type ComboConfigKey,
  completeConfig,
  isComboConfigKey,
  keysOf,
  type SetConfig,
} from '../../../core/contract/combo-config'
import type { ComboField, SharesField } from '../../../core/contract/combo-fields'
import type { AnyStrategyName } from '../../../core/contract/combo-strategies'
import { count } from '../../ui/numbers'
import { duration } from '../../ui/time'

/** By key; of shares, by `key.name`. */
export type ConfigTexts = Readonly<Record<string, string>>
export type ConfigErrors = Readonly<Record<string, string>>
type Config = Readonly<Record<string, unknown>>

export const fieldOf = (key: ComboConfigKey): ComboField => COMBO_CONFIG[key]
export const shareKey = (key: string, name: string): string => `${key}.${name}`

export function textsOf(config: Config): ConfigTexts {
  return Object.fromEntries(
    Object.entries(config).flatMap(([key, value]) => {
      if (!isComboConfigKey(key) || value === null || value === undefined) return []
      if (fieldOf(key).kind !== 'shares') return [[key, textOf(value)]]
      return Object.entries(value as object).map(([name, share]) => [shareKey(key, name), String(share)])
    }),
  )
}

const textOf = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return Array.isArray(value) ? value.join(', ') : String(value)
}

type Read = { readonly value: unknown } | { readonly errors: ConfigErrors }
const refused = (key: string, message: string): Read => ({ errors: { [key]: message } })

/** null: as the strategy has it. */
function readField(key: ComboConfigKey, texts: ConfigTexts): Read {
  const field = fieldOf(key)
  if (field.kind === 'shares') return readShares(key, field, texts)
  const text = (texts[key] ?? '').trim()
  if (text === '') return { value: null }
  switch (field.kind) {
    case 'whole':
      return /^\d+$/.test(text) && within(Number(text), field)
        ? { value: Number(text) }
        : refused(key, `A whole number from ${count(field.min)} to ${count(field.max)}.`)
    case 'amount':
    case 'limit': {
      const value = numberIn(text)
      return value !== null && within(value, field)
        ? { value }
        : refused(key, `A number from ${plain(field.min)} to ${plain(field.max)}.`)
    }
    case 'flag':
      return { value: text === 'on' }
    case 'choice':
      return { value: text }
    case 'text':
      return text.length > field.maxLength ? refused(key, `At most ${field.maxLength} characters.`) : { value: text }
    case 'words': {
      const words = [...new Set(text.split(/[,;\s]+/).filter((word) => word !== ''))]
      const wrong = words.find((word) => field.choices?.includes(word) === false)
      return wrong === undefined
        ? { value: words }
        : refused(key, `"${wrong}" is none of ${field.choices?.join(', ')}.`)
    }
  }
}

function readShares(key: string, { names }: SharesField, texts: ConfigTexts): Read {
  const given = names.flatMap((name) => {
    const text = (texts[shareKey(key, name)] ?? '').trim()
    return text === '' ? [] : [{ name, value: numberIn(text) }]
  })
  const wrong = given.filter(({ value }) => value === null || value < 0 || value > 1)
  if (wrong.length > 0)
    return { errors: Object.fromEntries(wrong.map(({ name }) => [shareKey(key, name), 'A number from 0 to 1.'])) }
  return { value: given.length === 0 ? null : Object.fromEntries(given.map(({ name, value }) => [name, value])) }
}

const numberIn = (text: string): number | null =>
  /^\d+(?:[.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : null
const within = (value: number, { min, max }: { readonly min: number; readonly max: number }): boolean =>
  value >= min && value <= max

export function checkConfig(strategy: AnyStrategyName, texts: ConfigTexts): ConfigErrors {
  const found = keysOf(strategy).map((key) => readField(key, texts))
  return Object.assign({}, ...found.map((read) => ('errors' in read ? read.errors : {})))
}

/** What differs from what is stored; null takes a value back. What is not for the strategy is left to the core. */
export function configChanges(strategy: AnyStrategyName, texts: ConfigTexts, stored: Config): Record<string, unknown> {
  const changed = keysOf(strategy).flatMap((key) => {
    const read = readField(key, texts)
    if ('errors' in read || isSame(read.value, stored[key] ?? null)) return []
    return [[key, read.value]]
  })
  return Object.fromEntries(changed)
}

/** Of shares the order does not count. */
function isSame(a: unknown, b: unknown): boolean {
  const plain = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).sort(([one], [other]) => one.localeCompare(other))
      : value
  return JSON.stringify(plain(a)) === JSON.stringify(plain(b))
}

/** What holds where nothing is set, as it stands in an empty field. */
export function fallbackText(strategy: AnyStrategyName, key: ComboConfigKey, inherited: SetConfig = {}): string {
  const value: unknown = completeConfig(strategy, {}, inherited)[key]
  return value === null ? '' : textOf(value)
}

/** "0 to 60,000 ms; 2,000 if left empty." Empty where there is nothing to say. */
export function boundsWords(strategy: AnyStrategyName, key: ComboConfigKey, inherited: SetConfig = {}): string {
  const field = fieldOf(key)
  const usual = fallbackText(strategy, key, inherited)
  switch (field.kind) {
    case 'whole':
    case 'amount': {
      const unit = field.unit === undefined ? '' : ` ${field.unit}`
      return `${plain(field.min)} to ${plain(field.max)}${unit}; ${plain(Number(usual))} if left empty.`
    }
    case 'limit':
      return `${plain(field.min)} to ${plain(field.max)}${field.unit === undefined ? '' : ` ${field.unit}`}; no limit if left empty.`
    case 'words':
      return field.choices === null ? `${usual} if left empty.` : `Of ${field.choices.join(', ')}, in their order.`
    default:
      return ''
  }
}

const plain = (value: number): string => (Number.isInteger(value) ? count(value) : String(value))

/** What a large number of milliseconds means: "= 2 min". */
export function inWords(key: ComboConfigKey, text: string): string {
  const field = fieldOf(key)
  const isMs = (field.kind === 'whole' || field.kind === 'limit') && field.unit === 'ms'
  return isMs && /^\d+$/.test(text.trim()) && Number(text) >= 1000 ? `= ${duration(Number(text))}` : ''
}
