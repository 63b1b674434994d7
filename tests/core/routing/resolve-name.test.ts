import { describe, expect, it } from 'vitest'
import type { Combo } from '../../../core/contract/combos'
import { type ComboSnapshot, snapshotOf } from '../../../core/routing/combo-book'
import type { ModelWorld } from '../../../core/routing/model-world'
import { followName, type NamedTarget, resolveTarget } from '../../../core/routing/resolve-name'
import { alias, worldOf } from '../models/worlds'
import { combo } from './combos'

const snapshot = (...combos: readonly Combo[]): ComboSnapshot =>
  snapshotOf(combos.map((each) => ({ ...each, id: `id_${each.name}`, createdAt: 0, updatedAt: 0 })))

const said = (found: NamedTarget): string =>
  found.kind === 'combo' ? `combo ${found.combo.name}` : `${found.target.provider.row.id} ${found.target.model}`

const COMBOS = snapshot(
  combo('coding', ['openai/gpt-5']),
  combo('gpt-5', ['glm/glm-5']),
  combo('qtSd/team', ['glm/glm-5']),
)
const LISTED = ['openai/gpt-5', 'openai/gpt-5-mini', 'anthropic/claude-opus', 'glm/glm-5']

function meaning(name: string, world: ModelWorld, combos = COMBOS, key: string | null = null): string {
  try {
    return said(resolveTarget(name, world, combos, key))
  } catch (error) {
    return (error as Error).message
  }
}

describe('a name means', () => {
  const world = worldOf({
    connected: ['openai'],
    listed: LISTED,
    aliases: [
      alias('fast', 'coding'),
      alias('fast', 'gpt-5-mini', 'key_1'),
      alias('far', 'fast'),
      alias('coding', 'glm-5'),
      alias('quick', 'combo/coding'),
      alias('clever', 'auto/smart'),
      alias('marked[1m]', 'glm-5'),
      alias('claude-*', 'coding'),
      alias('claude-opus-9*', 'glm-5'),
      alias('gone-*', 'combo/gone'),
      alias('auto/cheap', 'glm-5'),
    ],
  })

  it.each<[string, string, string]>([
    ['the exact name of a combo, before a model of that name', 'gpt-5', 'combo gpt-5'],
    ['the exact name of a combo, before one of the user’s', 'coding', 'combo coding'],
    ['the combo behind the prefix', 'combo/gpt-5', 'combo gpt-5'],
    ['a combo that shares quotas, in both ways', 'combo/qtSd/team', 'combo qtSd/team'],
    ['a combo that shares quotas', 'qtSd/team', 'combo qtSd/team'],
    ['a combo by a name of the user’s', 'fast', 'combo coding'],
    ['a combo by a name that leads to a name', 'far', 'combo coding'],
    ['a combo by a name that leads to its prefix', 'quick', 'combo coding'],
    ['a variant of auto by a name of the user’s', 'clever', 'combo auto/smart'],
    ['a combo by a pattern, before a listed model', 'claude-opus', 'combo coding'],
    ['what the pattern that says most says, be it a model', 'claude-opus-9-new', 'glm glm-5'],
    ['auto', 'auto', 'combo auto'],
    ['a variant of auto, in any letters', 'Auto/Coding:Free', 'combo auto/coding:free'],
    ['the user’s own name, before a variant of auto', 'auto/cheap', 'glm glm-5'],
    ['a provider’s model, though a combo has its bare name', 'openai/gpt-5', 'openai gpt-5'],
    ['a listed model', 'gpt-5-mini', 'openai gpt-5-mini'],
    ['the user’s own name in other letters, before a combo so', 'CODING', 'glm glm-5'],
    ['a combo without the mark of a long context', 'gpt-5[1m]', 'combo gpt-5'],
    ['the name with its mark, where the user gave one', 'marked[1m]', 'glm glm-5'],
  ])('%s: %s → %s', (_what, name, found) => {
    expect(meaning(name, world)).toBe(found)
  })

  it('what the names of the client key say, before those for all', () => {
    expect(meaning('fast', world, COMBOS, 'key_1')).toBe('openai gpt-5-mini')
    expect(meaning('fast', world, COMBOS, 'key_2')).toBe('combo coding')
  })

  it('a combo in other letters, unless two are meant or a provider has it so', () => {
    const plain = worldOf({ listed: LISTED })
    expect(meaning('Coding', plain)).toBe('combo coding')
    expect(meaning('Coding', plain, snapshot(combo('coding', ['a/b']), combo('CODING', ['a/b'])))).toContain('No model')
    expect(meaning('glm-5', plain, snapshot(combo('GLM-5', ['a/b'])))).toBe('glm glm-5')
  })

  it.each<[string, string]>([
    ['combo/gone', 'There is no combo "gone". The combos are coding, gpt-5, qtSd/team.'],
    ['gone-now', '"gone-*" stands for "combo/gone". There is no combo "gone".'],
    ['nobody', 'No model is named "nobody".'],
    ['auto/nobody', 'There is no "auto/nobody". The names of auto are auto, auto/fast, auto/cheap,'],
    ['', 'model: must have 1 to 256 characters.'],
  ])('nothing, and is told so: %s', (name, words) => {
    expect(meaning(name, world)).toContain(words)
  })

  it('no combo where there is none', () => {
    const none = snapshot()
    expect(meaning('combo/x', world, none)).toBe('There is no combo "x": there are none yet.')
    expect(meaning('gpt-5', world, none)).toBe('openai gpt-5')
    // A pattern whose combo is gone does not take models away.
    expect(meaning('claude-opus', world, none)).toBe('anthropic claude-opus')
  })
})

it('a name of the user’s is followed to where it leads', () => {
  const [name, pattern] = [alias('n', 'm'), alias('x-*', 'auto')]
  const world = worldOf({ listed: LISTED, aliases: [name, pattern, alias('m', 'coding')] })
  expect(said(followName(name, world, COMBOS, null))).toBe('combo coding')
  expect(said(followName(pattern, world, COMBOS, null))).toBe('combo auto')
  expect(() => followName(alias('l', 'combo/gone'), world, COMBOS, null)).toThrow('There is no combo "gone"')
})
