import { describe, expect, it } from 'vitest'
import { mergeFacts } from '../../../core/models/known-facts'
import { createModelTable, loadModelTable, type TableData } from '../../../core/models/model-table'
import shipped from '../../../core/models/model-table.json'

const data: TableData = {
  dates: { prices: '2026-09-23', traits: '2025-09-11', openai: '2026-08-16' },
  providers: {
    openai: {
      address: 'https://api\\.openai\\.com',
      also: [],
      prices: '=gpt-5|^gpt-5-2025\t400000\t1.25\t10\t0.125\n~gpt-5\t\t9\t9',
      traits: 'gpt-5\t400000\t128000\tTIR',
    },
    azure: {
      address: '(https?://)?([^.]*\\.)?openai\\.azure\\.com',
      also: ['openai'],
      prices: '=gpt-5\t\t1.5\t11',
      traits: '',
    },
  },
}
const table = createModelTable(data)
const facts = (address: string, model: string) => mergeFacts(table.finder([address])(model))

describe('the table of models', () => {
  it('gives what it knows, with the day its source speaks of', () => {
    const prices = Date.parse('2026-09-23')
    expect(facts('https://api.openai.com/v1', 'gpt-5')).toEqual({
      contextWindow: { value: 400_000, source: 'table', at: prices },
      inputPrice: { value: 1.25, source: 'table', at: prices },
      outputPrice: { value: 10, source: 'table', at: prices },
      cacheReadPrice: { value: 0.125, source: 'table', at: prices },
      maxOutput: { value: 128_000, source: 'table', at: Date.parse('2026-08-16') },
      tools: { value: true, source: 'table', at: Date.parse('2026-08-16') },
      images: { value: true, source: 'table', at: Date.parse('2026-08-16') },
      reasoning: { value: true, source: 'table', at: Date.parse('2026-08-16') },
    })
  })

  it.each([
    ['gpt-5-2025-08-07', 1.25],
    ['GPT-5', 1.25],
    ['my-gpt-5-tuned', 9],
    ['o9', undefined],
  ])('finds %s by the first line that matches', (model, price) => {
    expect(facts('https://api.openai.com/v1', model).inputPrice?.value).toBe(price)
  })

  it('has prices of the seller only, and sizes from whoever makes the model', () => {
    expect(facts('https://mine.openai.azure.com/openai', 'gpt-5')).toMatchObject({
      inputPrice: { value: 1.5 },
      contextWindow: { value: 400_000 },
    })
    const elsewhere = facts('https://proxy.example/v1', 'openai/gpt-5')
    expect(elsewhere.contextWindow?.value).toBe(400_000)
    expect(elsewhere.inputPrice).toBeUndefined()
    // Somebody else's tuned copy is not what its name contains.
    expect(facts('https://proxy.example/v1', 'my-gpt-5-tuned')).toEqual({})
  })

  it('that ships knows current models of the large providers', async () => {
    const real = await loadModelTable()
    const known = (address: string, model: string) => mergeFacts(real.finder([address])(model))
    expect(known('https://api.anthropic.com/v1', 'claude-opus-4-8')).toMatchObject({
      contextWindow: { value: 1_000_000 },
      inputPrice: { value: 5 },
    })
    expect(known('https://api.openai.com/v1', 'gpt-5')).toMatchObject({
      inputPrice: { source: 'table' },
      maxOutput: { value: 128_000 },
      tools: { value: true },
    })
    expect(known('https://generativelanguage.googleapis.com/v1beta', 'gemini-2.5-pro').outputPrice).toBeDefined()
    expect(real.date).toBe('2026-09-23')
  })

  it('stays small', () => {
    expect(JSON.stringify(shipped).length).toBeLessThan(150_000)
  })
})

describe('values of several sources', () => {
  it('come from the strongest that has one', () => {
    const merged = mergeFacts([
      { source: 'user', at: 3, facts: { contextWindow: 1, tools: false } },
      { source: 'provider', at: 2, facts: { contextWindow: 2, maxOutput: 2, tools: true } },
      { source: 'table', at: 1, facts: { contextWindow: 3, maxOutput: 3, inputPrice: 0 } },
    ])
    expect(merged).toEqual({
      contextWindow: { value: 1, source: 'user', at: 3 },
      tools: { value: false, source: 'user', at: 3 },
      maxOutput: { value: 2, source: 'provider', at: 2 },
      inputPrice: { value: 0, source: 'table', at: 1 },
    })
  })
})
