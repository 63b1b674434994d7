import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FACT_VALUES, ModelFacts } from '../../../core/contract/model-facts'
import { openListedModelsTable } from '../../../core/store/listed-models-table'
import { openModelAliasesTable } from '../../../core/store/model-aliases-table'
import { openModelsTable } from '../../../core/store/models-table'
import { memoryDatabase } from '../../support/memory-databases'

const price = fc.option(fc.double({ min: 0, max: 1000, noNaN: true }), { nil: undefined })
const tokens = fc.option(fc.integer({ min: 1, max: 10_000_000 }), { nil: undefined })
const flag = fc.option(fc.boolean(), { nil: undefined })
const facts = fc
  .record({
    ...{ contextWindow: tokens, maxOutput: tokens, inputPrice: price, outputPrice: price },
    ...{ cacheReadPrice: price, cacheWritePrice: price, tools: flag, images: flag, reasoning: flag },
  } satisfies Record<keyof typeof FACT_VALUES, unknown>)
  .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as ModelFacts)

describe('what the user says of models', () => {
  it('is read as it was written', () => {
    const table = openModelsTable(memoryDatabase('config'))
    const label = fc.option(fc.string({ maxLength: 20 }))
    fc.assert(
      fc.property(facts, label, fc.boolean(), fc.boolean(), (known, name, added, hidden) => {
        const said = { provider: 'openai', model: 'm', added, hidden, label: name, facts: known, changedAt: 5 }
        table.save(said)
        expect(table.find('openai', 'm')).toEqual(said)
        expect(table.list()).toEqual([said])
      }),
    )
    table.remove('openai', 'm')
    expect(table.list()).toEqual([])
    expect(table.find('openai', 'm')).toBeNull()
  })
})

describe('the user’s names', () => {
  const open = () => {
    const database = memoryDatabase('config')
    database.exec("INSERT INTO client_keys VALUES ('key_1', 'main', x'01', 'm', '', 1, NULL)")
    return { database, table: openModelAliasesTable(database) }
  }

  it('keep their order, and can be changed and removed', () => {
    const { table } = open()
    const first = table.insert({ pattern: 'z', target: 'openai/x', clientKeyId: null, createdAt: 1 })
    const second = table.insert({ pattern: 'a', target: 'openai/y', clientKeyId: 'key_1', createdAt: 2 })
    expect(table.list()).toEqual([first, second])
    table.update({ ...second, target: 'openai/z' })
    table.remove(first.id)
    expect(table.list()).toEqual([{ ...second, target: 'openai/z' }])
  })

  it('are unique for a key, and for all keys', () => {
    const { table } = open()
    const name = { pattern: 'a', target: 'openai/x', createdAt: 1 }
    for (const clientKeyId of [null, 'key_1']) {
      table.insert({ ...name, clientKeyId })
      expect(() => table.insert({ ...name, clientKeyId })).toThrow(/UNIQUE/)
      table.upsert({ ...name, clientKeyId, target: 'openai/other' })
    }
    expect(table.list().map(({ target }) => target)).toEqual(['openai/other', 'openai/other'])
  })

  it('of a key go with it', () => {
    const { database, table } = open()
    table.insert({ pattern: 'a', target: 'openai/x', clientKeyId: 'key_1', createdAt: 1 })
    database.exec("DELETE FROM client_keys WHERE id = 'key_1'")
    expect(table.list()).toEqual([])
  })
})

describe('fetched lists', () => {
  it('replace the one of the same place', () => {
    const table = openListedModelsTable(memoryDatabase('state'))
    const model = { id: 'm', label: 'M', embeds: false, facts: { contextWindow: 5, tools: true, inputPrice: 0.25 } }
    const list = { provider: 'openai', address: 'https://api.openai.com/v1/models', fetchedAt: 1, models: [model] }
    table.save(list)
    table.save({ ...list, provider: 'other' })
    table.save({ ...list, fetchedAt: 2, models: [] })
    expect(table.all()).toEqual([
      { ...list, fetchedAt: 2, models: [] },
      { ...list, provider: 'other' },
    ])
    table.remove('openai', list.address)
    expect(table.all().map(({ provider }) => provider)).toEqual(['other'])
  })
})
