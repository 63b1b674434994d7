// What is entered about a model, and what of it is sent. An empty field means: as it is known without you. Pure.
import type { CallInput } from '../../../core/contract/ipc'
import type { FactName } from '../../../core/contract/model-facts'
import type { ModelView } from '../../../core/contract/model-views'
import { FACT_NAMES, FACT_UNITS, MOST_PRICE, MOST_TOKENS, parsePrice, parseTokens } from './model-words'

export type FactTexts = Readonly<Record<FactName, string>>
export type FactErrors = Partial<Record<FactName, string>>

export interface ModelDraft {
  readonly label: string
  readonly facts: FactTexts
}

type Given = NonNullable<CallInput<'models:edit'>['facts']>

export const NO_FACTS: FactTexts = Object.fromEntries(FACT_NAMES.map((name) => [name, ''])) as FactTexts

/** Only what the user said stands in the fields; the rest is shown beside them. */
export const draftOf = (model: ModelView): ModelDraft => ({
  label: model.label,
  facts: Object.fromEntries(
    FACT_NAMES.map((name) => {
      const fact = model.facts[name]
      return [name, fact !== null && fact.source === 'user' ? textOf(fact.value) : '']
    }),
  ) as FactTexts,
})

const textOf = (value: number | boolean): string =>
  typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)

const WANTED = {
  tokens: 'A number of tokens, such as 131072, 128k or 1M.',
  price: 'US dollars for a million tokens, such as 0.25.',
  ability: 'Yes or no.',
} as const

/** null: empty; undefined: not understood. */
function readValue(name: FactName, text: string): number | boolean | null | undefined {
  if (text.trim() === '') return null
  switch (FACT_UNITS[name]) {
    case 'ability':
      return text === 'yes'
    case 'price':
      return within(parsePrice(text), 0, MOST_PRICE)
    case 'tokens':
      return within(parseTokens(text), 1, MOST_TOKENS)
  }
}

const within = (value: number | null, least: number, most: number): number | undefined =>
  value !== null && value >= least && value <= most ? value : undefined

export function checkFacts(facts: FactTexts): FactErrors {
  const wrong = FACT_NAMES.filter((name) => readValue(name, facts[name]) === undefined)
  return Object.fromEntries(wrong.map((name) => [name, WANTED[FACT_UNITS[name]]]))
}

/** Those that differ; `null` takes a value of the user's back. */
function changedFacts(facts: FactTexts, before: FactTexts): Given {
  const changed = FACT_NAMES.filter((name) => facts[name].trim() !== before[name])
  return Object.fromEntries(changed.map((name) => [name, readValue(name, facts[name]) ?? null])) as Given
}

/** null: nothing differs. */
export function toEdit({ label, facts }: ModelDraft, model: ModelView): CallInput<'models:edit'> | null {
  const given = changedFacts(facts, draftOf(model).facts)
  const newLabel = label.trim() === model.label ? {} : { label: label.trim() === '' ? null : label.trim() }
  const newFacts = Object.keys(given).length === 0 ? {} : { facts: given }
  const { provider, model: name } = model
  return 'label' in newLabel || 'facts' in newFacts ? { provider, model: name, ...newLabel, ...newFacts } : null
}

export function toAddModel(provider: string, name: string, { label, facts }: ModelDraft): CallInput<'models:add'> {
  const given = changedFacts(facts, NO_FACTS)
  return {
    ...{ provider, model: name.trim() },
    ...(label.trim() === '' ? {} : { label: label.trim() }),
    ...(Object.keys(given).length === 0 ? {} : { facts: given }),
  }
}

/** The edit that says again what was said of it: for taking back that it was taken back. */
export function toEditAgain(model: ModelView): CallInput<'models:edit'> {
  const { facts } = draftOf(model)
  const { provider, model: name, label, hidden } = model
  return { provider, model: name, hidden, ...(label === name ? {} : { label }), facts: changedFacts(facts, NO_FACTS) }
}

/** The field of the form that a refusal is about: "facts.inputPrice" → inputPrice. */
export const factField = (field: string | null): FactName | null =>
  FACT_NAMES.find((name) => field === `facts.${name}`) ?? null
