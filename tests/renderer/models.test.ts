import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FACT_NAMES, FACT_VALUES } from '../../core/contract/model-facts'
import type { ModelListState, ModelView } from '../../core/contract/model-views'
import {
  checkFacts,
  draftOf,
  factField,
  NO_FACTS,
  toAddModel,
  toEdit,
  toEditAgain,
} from '../../renderer/features/models/model-draft'
import { modelRows } from '../../renderer/features/models/model-rows'
import {
  abilityWords,
  countWords,
  factWords,
  parsePrice,
  parseTokens,
  priceWords,
  FACT_NAMES as SHOWN_NAMES,
  sourcesWords,
  summaryOf,
} from '../../renderer/features/models/model-words'
import { aProvider } from '../electron/samples'

const unknown = Object.fromEntries(FACT_NAMES.map((name) => [name, null])) as ModelView['facts']
const aModel = (part: Partial<ModelView> = {}): ModelView => {
  const model = { provider: 'openai', model: 'gpt', label: 'gpt', added: false, hidden: false, edited: false, ...part }
  return { embeds: false, facts: unknown, ...model, id: `${model.provider}/${model.model}` }
}
const fact = <T>(value: T, source: 'user' | 'provider' | 'table' = 'table') => ({ value, source, at: 0 })
const aList = (part: Partial<ModelListState> = {}): ModelListState => ({
  ...{ provider: 'openai', address: 'https://a', fetchedAt: 5, count: 2, why: '' },
  ...part,
})

describe('numbers as people write them', () => {
  it.each([
    ['131072', 131_072],
    ['131,072', 131_072],
    ['128k', 128_000],
    ['1.5M', 1_500_000],
    [' 2 m ', 2_000_000],
    ['', null],
    ['many', null],
    ['-1', null],
    ['1.5', null],
  ])('%j tokens', (text, tokens) => expect(parseTokens(text)).toBe(tokens))
  it.each([
    ['0.25', 0.25],
    ['$3', 3],
    ['0,25', 0.25],
    ['free', null],
    ['-1', null],
    ['1.2.3', null],
  ])('the price %j', (text, price) => expect(parsePrice(text)).toBe(price))
  it('reads back each number of tokens that it is given', () =>
    fc.assert(fc.property(fc.integer({ min: 1, max: 1e9 }), (tokens) => parseTokens(String(tokens)) === tokens)))
})

describe('what is known of a model, in words', () => {
  it('says prices without hiding small ones', () => {
    expect([0, 0.25, 3, 0.0125].map(priceWords)).toEqual(['free', '$0.25', '$3.00', '$0.0125'])
    expect([factWords('contextWindow', 131_072), factWords('tools', false)]).toEqual(['131k', 'no'])
  })
  it('names what it can do, and who says what', () => {
    const facts = { ...unknown, tools: fact(true, 'provider'), images: fact(false, 'user'), reasoning: fact(true) }
    expect(abilityWords(aModel({ facts }))).toBe('tools · reasoning')
    expect(sourcesWords(aModel({ facts }))).toBe('you, its list, table')
    expect([abilityWords(aModel()), sourcesWords(aModel())]).toEqual(['', ''])
  })
  it('sums up the lists of a provider with several addresses', () => {
    const lists = [aList(), aList({ address: 'https://b', fetchedAt: 9, count: 1, why: 'Not fetched: no.' })]
    expect(summaryOf('openai', lists)).toEqual({ fetchedAt: 9, count: 3, failures: ['Not fetched: no.'] })
    expect(summaryOf('openai', [aList({ fetchedAt: null })])?.fetchedAt).toBeNull()
    expect(summaryOf('groq', lists)).toBeNull()
    expect([countWords(3, 3), countWords(1, 3)]).toEqual(['3 models', '1 of 3 models'])
  })
})

describe('the rows of the models page', () => {
  const all = { search: '', provider: '', shown: 'all' } as const
  const source = {
    models: [
      aModel({ provider: 'zed', model: 'a' }),
      aModel(),
      aModel({ model: 'mini', label: 'GPT mini', hidden: true }),
    ],
    lists: [aList(), aList({ provider: 'groq', fetchedAt: null, count: 0, why: 'Not fetched: refused.' })],
    providers: [aProvider({ id: 'groq', label: 'Groq' }), aProvider()],
  }
  const keys = (filter: Parameters<typeof modelRows>[1]) => modelRows(source, filter).map(({ key }) => key)

  it('are models below their providers, by label; one whose list failed is there without models', () =>
    expect(keys(all)).toEqual([
      ...['provider groq', 'provider openai', 'openai/gpt', 'openai/mini'],
      ...['provider zed', 'zed/a'],
    ]))
  it('are only those that match, found by name or label', () => {
    expect(keys({ ...all, search: 'openai GPT M' })).toEqual(['provider openai', 'openai/mini'])
    expect(keys({ ...all, shown: 'hidden' })).toEqual(['provider openai', 'openai/mini'])
    expect(keys({ ...all, shown: 'edited' })).toEqual([])
    expect(keys({ ...all, provider: 'zed' })).toEqual(['provider zed', 'zed/a'])
  })
  it('say how many match of how many', () =>
    expect(modelRows(source, { ...all, search: 'mini' })[0]).toMatchObject({ count: 2, matching: 1 }))
})

describe('an edit of a model', () => {
  const model = aModel({
    facts: { ...unknown, contextWindow: fact(8192, 'user'), inputPrice: fact(1), tools: fact(true, 'user') },
  })

  it('shows only what the user said, and is nothing while nothing differs', () => {
    expect(draftOf(model).facts).toEqual({ ...NO_FACTS, contextWindow: '8192', tools: 'yes' })
    expect(toEdit(draftOf(model), model)).toBeNull()
  })
  it('holds what differs, and null for what is taken back', () => {
    const facts = { ...draftOf(model).facts, contextWindow: ' ', inputPrice: '0.5', tools: 'no' }
    expect(toEdit({ label: ' ', facts }, model)).toEqual({
      ...{ provider: 'openai', model: 'gpt', label: null },
      facts: { contextWindow: null, inputPrice: 0.5, tools: false },
    })
  })
  it('names each value that is none', () => {
    const facts = { ...NO_FACTS, contextWindow: '0', maxOutput: 'x', inputPrice: '-1', outputPrice: '1', images: 'yes' }
    expect(Object.keys(checkFacts(facts))).toEqual(['contextWindow', 'maxOutput', 'inputPrice'])
  })
  it('takes what the core takes, and knows the same values', () => {
    expect(SHOWN_NAMES).toEqual(FACT_NAMES)
    const number = fc.oneof(fc.integer({ min: -5, max: 2e9 }), fc.double({ min: 0, max: 2e6, noNaN: true }))
    const names = fc.constantFrom(...FACT_NAMES.filter((name) => FACT_VALUES[name].type === 'number'))
    const same = fc.property(names, number, (name, value) => {
      // Numbers as people write them.
      const text = value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 4 })
      const taken = checkFacts({ ...NO_FACTS, [name]: text })[name] === undefined
      expect(taken, `${name} ${text}`).toBe(FACT_VALUES[name].safeParse(Number(text)).success)
    })
    fc.assert(same)
  })
  it('can be said again after it was taken back', () =>
    expect(toEditAgain({ ...model, hidden: true, label: 'Mine' })).toEqual({
      ...{ provider: 'openai', model: 'gpt', hidden: true, label: 'Mine' },
      facts: { contextWindow: 8192, tools: true },
    }))
  it('is refused at the value it is about', () =>
    expect([factField('facts.inputPrice'), factField('model'), factField(null)]).toEqual(['inputPrice', null, null]))
  it('adds a model with what was filled in', () => {
    const draft = { label: '', facts: { ...NO_FACTS, contextWindow: '128k' } }
    expect(toAddModel('lab', ' x ', draft)).toEqual({ provider: 'lab', model: 'x', facts: { contextWindow: 128_000 } })
    expect(toAddModel('lab', 'x', { label: 'X', facts: NO_FACTS })).toEqual({ provider: 'lab', model: 'x', label: 'X' })
  })
})
