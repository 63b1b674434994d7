import { describe, expect, it } from 'vitest'
import { exportCombos, type FileCombo, importCombos, readFileCombos } from '../../../core/management/config-combos'
import { parseConfigFile } from '../../../core/management/config-file'
import { openCombosTable } from '../../../core/store/combos-table'
import { memoryDatabase } from '../../support/memory-databases'

const CONNECTIONS = [
  { id: 'con_1', provider: 'fake', name: 'a' },
  { id: 'con_2', provider: 'fake', name: 'b' },
  { id: 'con_3', provider: 'openai', name: 'a' },
]

function open() {
  const database = memoryDatabase('config')
  const table = openCombosTable(database)
  const world = {
    table,
    connections: CONNECTIONS,
    providerNames: new Set(['fake', 'openai']),
    providerOf: (model: string) => /^(\w+)\//.exec(model)?.[1] ?? null,
    now: 5,
  }
  // As the import does: all of it or nothing.
  const take = (given: readonly object[]): void => table.transaction(() => importCombos(readFileCombos(given), world))
  return { table, take, written: () => exportCombos(table.list(), CONNECTIONS) }
}

const FILE: readonly FileCombo[] = [
  {
    ...{ name: 'outer', strategy: 'weighted', config: { stickyWeightedLimit: 5 } },
    steps: [
      { model: 'fake/m1', weight: 3, connection: 'a' },
      { model: 'fake/*', allowedConnections: ['a', 'b'], fallbackOnlyOnQuotaExhaustion: true },
      { model: 'm1', connection: 'b' },
      { combo: 'inner' },
    ],
  },
  { name: 'inner', strategy: 'pipeline', steps: [{ model: 'fake/m1', prompt: 'Plan.' }, { model: 'openai/m2' }] },
]

describe('combos in the configuration file', () => {
  it('come out as they went in, and go in again without doubling', () => {
    const { take, written, table } = open()
    take(FILE)
    expect(written()).toEqual(FILE)
    expect(table.list()[0]?.steps.map(({ connection }) => connection)).toEqual(['con_1', null, 'con_2', null])
    const ids = table.list().map(({ id }) => id)
    take(written())
    expect(written()).toEqual(FILE)
    expect(table.list().map(({ id }) => id)).toEqual(ids)
  })

  it('replace the one of the same name whole, at its place', () => {
    const { take, written } = open()
    take(FILE)
    take([
      { name: 'new', steps: [{ model: 'fake/m3' }] },
      { name: 'outer', config: { maxRetries: 0, connectionAwareExpansion: null }, steps: [{ model: 'fake/m2' }] },
    ])
    expect(written()).toEqual([
      { name: 'outer', strategy: 'priority', config: { maxRetries: 0 }, steps: [{ model: 'fake/m2' }] },
      FILE[1],
      { name: 'new', strategy: 'priority', steps: [{ model: 'fake/m3' }] },
    ])
  })

  it('name a connection by its id where its name would not be enough, or it is gone', () => {
    const { take, written } = open()
    const steps = [
      { model: 'm1', connection: 'con_1' },
      { model: 'm1', connection: 'con_gone' },
    ]
    take([{ name: 'x', steps }])
    expect(written()[0]?.steps).toEqual(steps)
  })

  it.each<[string, readonly unknown[], string]>([
    ['no object', ['fast'], 'combos[0]: must be an object.'],
    ['no steps', [{ name: 'x' }], 'combos[0].steps: is missing.'],
    [
      'a field nobody knows',
      [{ name: 'x', steps: [{ model: 'a/b' }], order: 1 }],
      'combos[0].order: is not a known field.',
    ],
    ['a bad name', [{ name: 'a b', steps: [{ model: 'a/b' }] }], 'combos[0].name: must consist of'],
    [
      'a bad step',
      [{ name: 'x', steps: [{ model: 'a/b' }, { model: 'a/b', weight: -1 }] }],
      'combos[0].steps[1].weight: must not',
    ],
    [
      'a bad value',
      [{ name: 'x', strategy: 'fusion', config: { minPanel: 0 }, steps: [{ model: 'a/b' }] }],
      'combos[0].config.minPanel: must be a whole number from 2 to 40.',
    ],
    [
      'one name twice',
      [0, 1].map(() => ({ name: 'x', steps: [{ model: 'a/b' }] })),
      'combos[1].name: two combos have this name.',
    ],
    ['a provider’s name', [{ name: 'fake', steps: [{ model: 'a/b' }] }], 'combos[0].name: "fake" is a provider'],
    [
      'a combo there is not',
      [{ name: 'x', steps: [{ combo: 'y' }] }],
      'combos[0].steps[0].combo: there is no combo "y". Make it first, or name a model.',
    ],
    [
      'a circle',
      [
        { name: 'x', steps: [{ combo: 'y' }] },
        { name: 'y', steps: [{ model: 'combo/x' }] },
      ],
      'combos[0].steps: the combos x → y → x lead in a circle.',
    ],
    [
      'a connection that two providers have',
      [{ name: 'x', steps: [{ model: '*', connection: 'a' }] }],
      'combos[0].steps[0].connection: fake, openai each have a connection "a".',
    ],
  ])('with %s are refused by path, and nothing is taken over', (_what, given, words) => {
    const { take, table } = open()
    take([{ name: 'before', steps: [{ model: 'a/b' }] }])
    const before = table.list()
    const valid = { name: 'valid', steps: [{ model: 'a/b' }] }
    const refused = (): void => take([...(given as object[]), valid])
    expect(refused).toThrow(words)
    expect(refused).toThrow('Nothing was taken over.')
    expect(table.list()).toEqual(before)
  })

  it('may keep a name that a provider has got since', () => {
    const { take, table } = open()
    const [first] = readFileCombos([{ name: 'fake', steps: [{ model: 'a/b' }] }])
    if (first !== undefined) table.insert(first, 1)
    take([{ name: 'fake', steps: [{ model: 'a/c' }] }])
    expect(table.list()).toMatchObject([{ name: 'fake', steps: [{ model: 'a/c' }] }])
  })

  it('are checked with the rest of the file', () => {
    const parse = (combos: unknown) => parseConfigFile(JSON.stringify({ version: 1, combos }))
    expect(() => parse([{ name: 'x', steps: [] }])).toThrow('combos[0].steps: must have at least one step. Nothing was')
    expect(() => parse({})).toThrow('combos: ')
    expect(parse([{ name: 'x', steps: [{ model: 'a/b' }] }]).combos).toHaveLength(1)
  })
})
