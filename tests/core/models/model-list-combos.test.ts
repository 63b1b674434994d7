// Combos among the models that clients are shown.
import { describe, expect, it } from 'vitest'
import type { Combo } from '../../../core/contract/combos'
import type { ModelFacts } from '../../../core/contract/model-facts'
import { mergeFacts } from '../../../core/models/known-facts'
import type { KnownModel } from '../../../core/models/known-models'
import { buildModelList } from '../../../core/models/model-list'
import { entryJson, geminiEntry } from '../../../core/models/model-list-json'
import { snapshotOf } from '../../../core/routing/combo-book'
import { combo } from '../routing/combos'
import { alias, worldOf } from './worlds'

const AT = 1_750_000_000_000

const model = (id: string, facts: ModelFacts = {}, more: Partial<KnownModel> = {}): KnownModel => {
  const [provider = '', name = ''] = id.split('/')
  return {
    ...{ provider, model: name, id, label: name, added: false, hidden: false, embeds: false },
    facts: mergeFacts([{ source: 'user', at: AT, facts }]),
    ...more,
  }
}

function listOf(
  models: readonly KnownModel[],
  members: Readonly<Record<string, readonly string[]>>,
  aliases: Parameters<typeof worldOf>[0] = {},
) {
  const combos = Object.keys(members).map((name) => combo(name, ['x/y']))
  const snapshot = snapshotOf(combos.map((each) => ({ ...each, id: each.name, createdAt: 0, updatedAt: 0 })))
  const world = worldOf({ listed: models.map(({ id }) => id), ...aliases })
  const membersOf = ({ name }: Combo): readonly string[] => members[name] ?? []
  return buildModelList(models, world, null, AT, { snapshot, membersOf })
}

describe('a combo in the list', () => {
  const models = [
    model('openai/big', { contextWindow: 400_000, maxOutput: 128_000, images: true }),
    model('openai/small', { contextWindow: 8_000, maxOutput: 16_000, images: false }),
    model('glm/unknown'),
    model('openai/hidden', { contextWindow: 4_000 }, { hidden: true }),
    model('openai/embed', {}, { embeds: true }),
  ]

  it.each<[readonly string[], object]>([
    [['openai/big'], { contextWindow: 400_000, maxOutput: 128_000, images: true, embeds: false }],
    [['openai/big', 'openai/small'], { contextWindow: 8_000, maxOutput: 16_000, images: true }],
    [['glm/unknown', 'openai/small'], { contextWindow: 8_000, images: null }],
    [['openai/small'], { images: false }],
    [['openai/hidden', 'openai/big'], { contextWindow: 4_000 }],
    [['glm/unknown', 'nobody/x'], { contextWindow: null, maxOutput: null, images: null }],
    [['openai/embed'], { embeds: true }],
    [[], { contextWindow: null, maxOutput: null, images: null, embeds: false }],
  ])('of %j has what all of them can hold', (members, known) => {
    expect(listOf(models, { a: members }).byId.get('a')).toMatchObject({
      id: 'a',
      label: 'a',
      owner: 'combo',
      ...known,
    })
  })

  it('comes first, in the order of combos, and under its own name only once', () => {
    const { entries } = listOf(
      models,
      { z: ['openai/big'], a: [] },
      { aliases: [alias('z', 'openai/small'), alias('own', 'combo/z')] },
    )
    expect(entries.map(({ id }) => id)).toEqual([
      'z',
      'a',
      'own',
      'openai/big',
      'openai/small',
      'glm/unknown',
      'openai/embed',
    ])
    expect(entries[0]).toMatchObject({ owner: 'combo', contextWindow: 400_000 })
    expect(entries[2]).toMatchObject({ owner: 'breakwater', contextWindow: 400_000 })
  })

  it('is found by every way to write it', () => {
    const list = listOf(models, { a: ['openai/small'] })
    for (const name of ['a', 'combo/a', 'A', 'a[1m]'])
      expect(list.find(name)).toMatchObject({ id: name, contextWindow: 8_000 })
    expect(list.find('combo/b')).toBeNull()
  })

  it('is written in the words of every client', () => {
    const entry = listOf(models, { a: ['openai/small'] }).find('a')
    if (entry === null) throw new Error('it is not there')
    expect(JSON.parse(entryJson(entry, AT))).toMatchObject({
      ...{
        id: 'a',
        object: 'model',
        owned_by: 'combo',
        display_name: 'a',
        context_window: 8_000,
        max_input_tokens: 8_000,
      },
    })
    expect(geminiEntry(entry)).toMatchObject({ name: 'models/a', displayName: 'a', inputTokenLimit: 8_000 })
  })
})
