// The table of prices, sizes and abilities that comes with the program (docs/decisions/0005-model-data.md): some 80 kB
// of text, read when the first model list is made, and searched line by line instead of being kept as objects.
import type { ModelFacts } from '../contract/model-facts'
import type { FactsFrom } from './known-facts'

interface TableProvider {
  /** Regular expression of the provider's address. */
  readonly address: string
  /** Other providers' models it sells too. */
  readonly also: readonly string[]
  /** A line each: match, context, prices of input, output, cache read, cache write; tabs between. */
  readonly prices: string
  /** A line each: id, context, longest output, abilities. */
  readonly traits: string
}

export interface TableData {
  /** The day each of its sources speaks of. */
  readonly dates: { readonly prices: string; readonly traits: string; readonly openai: string }
  readonly providers: Readonly<Record<string, TableProvider>>
}

/** Who makes models that others sell under the same names: for sizes and abilities, never for prices. */
const MAKERS = [
  'openai',
  'anthropic',
  'google',
  'mistral',
  'deepseek',
  'x-ai',
  'moonshotai',
  'zai',
  'zhipuai',
  'minimax',
  'cohere',
]

export interface ModelTable {
  /** ISO day of the prices, for the window. */
  readonly date: string
  /** For models of the provider at one of these addresses: their facts, strongest source first. */
  finder(addresses: readonly string[]): (model: string) => readonly FactsFrom[]
}

export async function loadModelTable(): Promise<ModelTable> {
  const data = (await import('./model-table.json')).default as TableData
  return createModelTable(data)
}

export function createModelTable({ dates, providers }: TableData): ModelTable {
  const at = { prices: Date.parse(dates.prices), traits: Date.parse(dates.traits), openai: Date.parse(dates.openai) }
  const traitsAt = (id: string): number => (id === 'openai' ? at.openai : at.traits)
  const sellerAt = (addresses: readonly string[]): string | undefined =>
    Object.keys(providers).find((id) => {
      const pattern = new RegExp(`^${providers[id]?.address ?? '$'}`, 'i')
      return addresses.some((address) => pattern.test(address))
    })

  return {
    date: dates.prices,
    finder(addresses) {
      const seller = sellerAt(addresses)
      const also = seller === undefined ? [] : (providers[seller]?.also ?? [])
      const own = seller === undefined ? [] : [seller, ...also]
      // Read for this finder only: objects for all lines would weigh several times the text.
      const sections = [...own, ...MAKERS.filter((id) => !own.includes(id))].flatMap((id) => {
        const provider = providers[id]
        return provider === undefined ? [] : [readSection(id, provider, own.includes(id))]
      })
      return (model) => {
        const found: FactsFrom[] = []
        // What a maker's model is called elsewhere: openai/gpt-5.
        const [name, base] = [model.toLowerCase(), baseName(model)]
        for (const section of sections) {
          const called = section.sold ? name : base
          const line = findLine(section, called)
          const trait = section.traits.get(called)
          const facts = line === undefined ? {} : priceFacts(line.fields, section.sold)
          if (Object.keys(facts).length > 0) found.push({ source: 'table', at: at.prices, facts })
          if (trait !== undefined) found.push({ source: 'table', at: traitsAt(section.id), facts: traitFacts(trait) })
        }
        return found
      }
    },
  }
}

const baseName = (model: string): string => model.slice(model.lastIndexOf('/') + 1).toLowerCase()

interface Line {
  /** Its place among all lines: the first that matches counts. */
  readonly place: number
  readonly fields: readonly string[]
}

interface Section {
  readonly id: string
  /** The provider's own models, not those of a maker that have the same name here. */
  readonly sold: boolean
  readonly byName: ReadonlyMap<string, Line>
  /** Conditions that all must be met. */
  readonly others: readonly { readonly conditions: readonly string[]; readonly line: Line }[]
  readonly traits: ReadonlyMap<string, readonly string[]>
}

function readSection(id: string, { prices, traits }: TableProvider, sold: boolean): Section {
  const byName = new Map<string, Line>()
  const others: { conditions: readonly string[]; line: Line }[] = []
  lines(prices).forEach((text, place) => {
    const [match = '', ...fields] = text.split('\t')
    const line = { place, fields }
    for (const part of match.split('|')) {
      const conditions = part.split('&')
      const name = part.slice(1)
      if (part[0] !== '=' || conditions.length > 1) others.push({ conditions, line })
      else if (!byName.has(name)) byName.set(name, line)
    }
  })
  return { id, sold, byName, others, traits: traitMap(traits) }
}

function findLine({ byName, others, sold }: Section, name: string): Line | undefined {
  const named = byName.get(name)
  for (const { conditions, line } of others) {
    if (named !== undefined && line.place > named.place) return named
    if (conditions.every((condition) => meets(condition, name, sold))) return line
  }
  return named
}

const traitMap = (text: string): Map<string, readonly string[]> =>
  new Map(
    lines(text).map((line) => {
      const [id = '', ...fields] = line.split('\t')
      return [id, fields]
    }),
  )

const lines = (text: string): string[] => (text === '' ? [] : text.split('\n'))

/** "=" equal, "^" begins, "!" does not contain, "$" ends, "~" contains; the loose two only among the provider's own models. */
function meets(condition: string, name: string, loosely: boolean): boolean {
  const text = condition.slice(1)
  switch (condition[0]) {
    case '=':
      return name === text
    case '^':
      return name.startsWith(text)
    case '!':
      return !name.includes(text)
    case '$':
      return loosely && name.endsWith(text)
    default:
      return loosely && name.includes(text)
  }
}

function priceFacts(fields: readonly string[], sold: boolean): ModelFacts {
  const [contextWindow, ...prices] = fields.map(numberOf)
  const [inputPrice, outputPrice, cacheReadPrice, cacheWritePrice] = sold ? prices : []
  return known({ contextWindow, inputPrice, outputPrice, cacheReadPrice, cacheWritePrice })
}

function traitFacts([context, output, abilities = '']: readonly string[]): ModelFacts {
  const ability = (letter: string): boolean | undefined =>
    abilities.includes(letter.toUpperCase()) ? true : abilities.includes(letter) ? false : undefined
  return known({
    contextWindow: numberOf(context),
    maxOutput: numberOf(output),
    tools: ability('t'),
    images: ability('i'),
    reasoning: ability('r'),
  })
}

const numberOf = (text: string | undefined): number | undefined =>
  text === undefined || text === '' ? undefined : Number(text)

const known = (facts: { readonly [K in keyof ModelFacts]: ModelFacts[K] | undefined }): ModelFacts =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as ModelFacts
