// What an address needs that only the user knows: checked once when it is entered, put in its place when a connection
// is built. A value can stand only where its placeholder stands.
import { badInput } from '../errors'
import type { ProviderOption, ProviderRow } from './provider-row'

export type OptionValues = Readonly<Record<string, string>>

const PLACEHOLDER = /\{([a-zA-Z]+)\}/g
/** Not an option: the model of the request, filled in call by call. */
const MODEL = 'model'

const fits = ({ pattern }: ProviderOption, value: string): boolean => pattern.exec(value)?.[0] === value

/**
 * The values to keep: trimmed, without the empty ones.
 * @throws GatewayError 400 naming `options.<key>`
 */
export function checkOptions(row: ProviderRow, given: OptionValues, field = 'options'): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [key, raw] of Object.entries(given)) {
    const option = row.options.find((known) => known.key === key)
    if (option === undefined) {
      const known = row.options.map((each) => each.key).join(', ')
      throw badInput(
        `${field}.${key}`,
        `${row.label} takes ${known === '' ? 'no options' : `these options: ${known}`}.`,
      )
    }
    const value = raw.trim()
    if (value === '') continue
    if (!fits(option, value)) throw badInput(`${field}.${key}`, `does not look like one. ${option.help}`)
    kept[key] = value
  }
  return kept
}

/** The options that stand in `texts`, each once, in the order of the row. */
export function optionsIn(row: ProviderRow, texts: readonly string[]): readonly ProviderOption[] {
  const named = new Set(texts.flatMap((text) => [...text.matchAll(PLACEHOLDER)].map((match) => match[1])))
  return row.options.filter(({ key }) => named.has(key))
}

const givenOrUsual = (option: ProviderOption, values: OptionValues): string | null =>
  (Object.hasOwn(values, option.key) ? values[option.key] : undefined) ?? option.default

export interface OptionTrouble {
  readonly key: string
  /** In words for people: "its resource name is not given (options.resource)". */
  readonly why: string
}

/** What keeps `texts` from being filled; null when nothing does. */
export function optionTrouble(row: ProviderRow, texts: readonly string[], values: OptionValues): OptionTrouble | null {
  for (const option of optionsIn(row, texts)) {
    const { key } = option
    const value = givenOrUsual(option, values)
    if (value === null) return { key, why: `its ${inSentence(option)} is not given (options.${key})` }
    if (!fits(option, value)) return { key, why: `its ${inSentence(option)} is not valid (options.${key})` }
  }
  return null
}

/** "Resource name" → "resource name", but "API version" as it is. */
const inSentence = ({ label }: ProviderOption): string =>
  /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label

/** Puts the values in, percent-encoded; only for texts without `optionTrouble`. `{model}` stays. */
export const fillOptions = (row: ProviderRow, text: string, values: OptionValues): string =>
  fill(row, text, values, encodeURIComponent)

/** For request headers, where nothing is decoded again. */
export const fillHeader = (row: ProviderRow, text: string, values: OptionValues): string =>
  fill(row, text, values, (value) => value)

function fill(row: ProviderRow, text: string, values: OptionValues, encode: (value: string) => string): string {
  return text.replace(PLACEHOLDER, (whole, key: string) => {
    if (key === MODEL) return whole
    const option = row.options.find((known) => known.key === key)
    const value = option === undefined ? null : givenOrUsual(option, values)
    return value === null ? whole : encode(value)
  })
}
