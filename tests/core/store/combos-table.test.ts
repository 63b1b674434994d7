import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Combo } from '../../../core/contract/combos'
import { openCombosTable } from '../../../core/store/combos-table'
import { memoryDatabase } from '../../support/memory-databases'

const combo = (name: string, more: object = {}): Combo =>
  Combo.parse({ name, steps: [{ model: `openai/${name}` }], ...more })

function open() {
  const database = memoryDatabase('config')
  return { database, table: openCombosTable(database) }
}

const names = (table: ReturnType<typeof openCombosTable>): string[] => table.list().map(({ name }) => name)

describe('combos in the table', () => {
  it('are read as they were written', () => {
    const { table } = open()
    const whole = combo('whole', {
      strategy: 'weighted',
      config: { stickyWeightedLimit: 7, retryDelayMs: 0, connectionAwareExpansion: true },
      steps: [
        { model: 'openai/gpt-5', weight: 0.5, connection: 'con_1', fallbackOnlyOnQuotaExhaustion: true },
        { model: 'glm/*', allowedConnections: ['con_2', 'con_3'], prompt: 'Be “brief”.\n' },
        { combo: 'other' },
      ],
    })
    const stored = table.insert(whole, 5)
    expect(stored).toEqual({ ...whole, id: stored.id, createdAt: 5, updatedAt: 5 })
    expect(table.list()).toEqual([stored])
    table.update(stored.id, combo('renamed'), 9)
    expect(table.list()).toEqual([{ ...combo('renamed'), id: stored.id, createdAt: 5, updatedAt: 9 }])
  })

  it('of one name there is one, unless it was removed', () => {
    const { table } = open()
    const first = table.insert(combo('a'), 1)
    expect(() => table.insert(combo('a'), 2)).toThrow(/UNIQUE/)
    table.softRemove(first.id, 3)
    const second = table.insert(combo('a'), 4)
    expect(table.list()).toEqual([second])
    expect(() => table.restore(first.id)).toThrow(/UNIQUE/)
  })

  it('that are removed come back until they are purged', () => {
    const { table } = open()
    const [a, b] = [table.insert(combo('a'), 1), table.insert(combo('b'), 2)]
    table.softRemove(a.id, 3)
    expect(names(table)).toEqual(['b'])
    expect(table.removed(a.id)).toEqual(a)
    expect(table.removed(b.id)).toBeNull()
    table.restore(a.id)
    expect(names(table)).toEqual(['a', 'b'])
    table.softRemove(a.id, 4)
    table.purgeRemoved()
    expect(table.removed(a.id)).toBeNull()
    expect(names(table)).toEqual(['b'])
  })

  it('stand in the order they were put in, the others behind them, and new ones at the end', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 5 })), (order) => {
        const { table } = open()
        const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, i) => table.insert(combo(name), i))
        const wanted = order.flatMap((i) => all[i] ?? [])
        table.reorder(wanted.map(({ id }) => id))
        table.insert(combo('new'), 0)
        const rest = all.filter((each) => !wanted.includes(each))
        expect(names(table)).toEqual([...wanted, ...rest].map(({ name }) => name).concat('new'))
      }),
    )
  })

  it('are changed together or not at all', () => {
    const { table } = open()
    const { id } = table.insert(combo('a'), 1)
    const failing = (): void =>
      table.transaction(() => {
        table.update(id, combo('b'), 2)
        throw new Error('no')
      })
    expect(failing).toThrow('no')
    expect(names(table)).toEqual(['a'])
  })

  it.each<[string, string, object]>([
    ['a configuration that is no JSON', "config = '{'", { config: {} }],
    ['a configuration that is no object', "config = '7'", { config: {} }],
    [
      'values this version does not take',
      `config = '{"maxRetries":99,"connectionAwareExpansion":true,"new":1}'`,
      { config: { connectionAwareExpansion: true } },
    ],
    ['steps that are no list', "steps = '{}'", { steps: [] }],
    ['steps that are no JSON', "steps = ']'", { steps: [] }],
    [
      'a step of another version',
      `steps = '[{"model":"a/b"},{"model":"a/c","new":1},7]'`,
      { steps: [{ model: 'a/b' }] },
    ],
    ['a strategy of another version', "strategy = 'clairvoyant'", { strategy: 'priority' }],
  ])('with %s are read as far as they go', (_what, change, read) => {
    const { database, table } = open()
    table.insert(combo('a'), 1)
    database.exec(`UPDATE combos SET ${change}`)
    expect(table.list()).toMatchObject([{ name: 'a', ...read }])
  })
})
