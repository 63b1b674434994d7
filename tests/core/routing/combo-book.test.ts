import { describe, expect, it, vi } from 'vitest'
import type { SetConfig } from '../../../core/contract/combo-config'
import type { Combo } from '../../../core/contract/combos'
import { providerRow } from '../../../core/providers/provider-row'
import { ComboBook } from '../../../core/routing/combo-book'
import { indexAliases, indexNames, type ModelWorld } from '../../../core/routing/model-world'
import { autoCombo } from '../../../core/routing/resolve-combo'
import { alias, ROWS, registryOf, worldOf } from '../models/worlds'
import { combo, drawing } from './combos'

const LISTED = ['glm/glm-5', 'openai/gpt-5', 'openai/shared', 'glm/shared']

function open(combos: readonly Combo[], world: ModelWorld = worldOf({ listed: LISTED })) {
  const current = { combos, world, inherited: {} as SetConfig }
  const changed = vi.fn()
  const book = new ComboBook({
    stored: () => current.combos.map((each) => ({ ...each, id: `id_${each.name}`, createdAt: 0, updatedAt: 0 })),
    ...{ models: () => current.world, inherited: () => current.inherited, changed },
  })
  return { book, current, changed }
}

describe('the book of combos', () => {
  it('has each by its name and its id, in their order', () => {
    const { book } = open([combo('b', ['gpt-5']), combo('a', ['gpt-5'])])
    const { list, byName, byId } = book.snapshot()
    expect(list.map(({ name }) => name)).toEqual(['b', 'a'])
    expect(byName.get('a')).toBe(byId.get('id_a'))
  })

  it('leaves a request what it began with', () => {
    const { book, current, changed } = open([combo('a', ['gpt-5'])])
    const [before, world] = [book.snapshot(), book.world()]
    current.combos = [combo('a', ['glm-5']), combo('b', ['gpt-5'])]
    expect(book.snapshot()).toBe(before)
    book.reload()
    expect(changed).toHaveBeenCalledTimes(1)
    expect(before.list).toHaveLength(1)
    expect(world.combos.get('a')?.steps).toMatchObject([{ model: 'gpt-5' }])
    expect(book.snapshot().list).toHaveLength(2)
    expect(book.world().combos.get('a')?.steps).toMatchObject([{ model: 'glm-5' }])
  })

  it('resolves each once, until combos, models or settings change', () => {
    const { book, current } = open([combo('a', ['gpt-*'])])
    const resolved = () => book.resolved(book.snapshot().byName.get('a') as Combo)
    const first = resolved()
    expect(drawing(first)).toBe('openai/gpt-5')
    expect(resolved()).toBe(first)
    expect(book.world()).toBe(book.world())

    current.world = worldOf({ listed: [...LISTED, 'openai/gpt-6'] })
    expect(drawing(resolved())).toBe('openai/gpt-5 openai/gpt-6')
    current.inherited = { maxRetries: 7 }
    expect(resolved().config.maxRetries).toBe(7)
    expect(first.config.maxRetries).toBe(1)
  })

  it('knows what a step’s model means, for everyone the same', () => {
    const aliases = [alias('mine', 'gpt-5'), alias('mine', 'glm-5', 'key_1'), alias('inner', 'combo/a')]
    const { book } = open([combo('a', ['mine', 'inner', 'nobody'])], worldOf({ listed: LISTED, aliases }))
    const { members, dropped } = book.resolved(book.snapshot().byName.get('a') as Combo)
    expect(drawing({ members })).toBe('openai/gpt-5')
    expect(dropped.map(({ step, because }) => [step, because])).toEqual([
      [1, 'unknown-model'],
      [2, 'unknown-model'],
    ])
    expect(book.stepModel('nobody')).toEqual({ why: expect.stringContaining('No model is named "nobody"') })
  })

  it('lets patterns and auto choose among listed models, by provider and name, and none that fail on purpose', () => {
    const practice = providerRow({ id: 'practice', label: 'Practice', endpoints: {}, exempt: true })
    const names = [
      { provider: 'practice', model: 'echo' },
      { provider: 'glm', model: 'glm-5' },
      { provider: 'openai', model: 'z' },
      { provider: 'openai', model: 'text-embedding', embeds: true },
      { provider: 'openai', model: 'a' },
    ]
    const registry = registryOf(['openai', 'glm', 'practice'], [...ROWS, practice])
    const world = { registry, names: indexNames(names), aliases: indexAliases([]) }
    const { book } = open([combo('named', ['practice/echo'])], world)
    expect(drawing(book.resolved(autoCombo('auto') as Combo))).toBe('openai/a openai/z glm/glm-5')
    expect(drawing(book.resolved(book.snapshot().byName.get('named') as Combo))).toBe('practice/echo')
  })

  it('names the models at the bottom of a nest, each once', () => {
    const inner = combo('inner', ['glm-5', 'gpt-5'])
    const { book } = open([inner, combo('outer', ['combo:inner', 'openai/gpt-5', 'openai/shared'])])
    expect(book.membersOf(book.snapshot().byName.get('outer') as Combo)).toEqual([
      'glm/glm-5',
      'openai/gpt-5',
      'openai/shared',
    ])
    const judged = combo('judged', ['glm-5'], { strategy: 'fusion', config: { judgeModel: 'gpt-5' } })
    expect(book.membersOf(judged)).toEqual(['glm/glm-5', 'openai/gpt-5'])
  })
})
