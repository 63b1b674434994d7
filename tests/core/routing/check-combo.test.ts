import { describe, expect, it } from 'vitest'
import type { Combo } from '../../../core/contract/combos'
import { checkCombo } from '../../../core/routing/check-combo'
import { combo } from './combos'

const providers = new Set(['openai', 'glm', 'zhipu'])

const refusal = (changed: Combo, others: readonly Combo[] = []): string => {
  try {
    checkCombo(changed, others, providers)
  } catch (error) {
    return (error as Error).message
  }
  return ''
}

const judged = (name: string, judgeModel: string): Combo =>
  combo(name, ['x/m'], { strategy: 'fusion', config: { judgeModel } })

describe('a combo that is saved', () => {
  it.each<[string, Combo, readonly Combo[], string]>([
    ['under a provider’s name', combo('zhipu', ['x/m']), [], 'name: "zhipu" is a provider'],
    ['under another’s name', combo('a', ['x/m']), [combo('a', ['x/n'])], 'name: there is a combo "a" already'],
    ['with a combo that is not there', combo('a', ['x/m', 'combo:b']), [], 'steps[1].combo: there is no combo "b"'],
    [
      'with one that is not there, by prefix',
      combo('a', ['combo/b']),
      [],
      'steps[0].model: there is no combo "combo/b"',
    ],
    ['with itself', combo('A', ['combo:A']), [], 'steps: the combos A → A lead in a circle'],
    ['with itself, by its name', combo('A', ['A', 'x/m']), [], 'A → A lead in a circle'],
    [
      'closing a circle',
      combo('B', ['combo:C', 'x/m']),
      [combo('C', ['combo:D']), combo('D', ['y/n', 'combo:B'])],
      'the combos B → C → D → B lead in a circle',
    ],
    ['closing one by its judge', judged('f', 'g'), [combo('g', ['combo:f'])], 'f → g → f lead in a circle'],
    [
      'on top of too many',
      combo('a', ['combo:b']),
      [combo('b', ['combo:c']), combo('c', ['combo:d']), combo('d', ['combo:e']), combo('e', ['x/m'])],
      'the combos a → b → c → d → e lead more than 3 deep',
    ],
    [
      'below too many',
      combo('d', ['combo:e']),
      [combo('a', ['combo:b']), combo('b', ['combo:c']), combo('c', ['combo:d']), combo('e', ['x/m'])],
      'the combos a → b → c → d → e lead more than 3 deep',
    ],
  ])('%s is refused', (_what, changed, others, words) => {
    expect(refusal(changed, others)).toContain(words)
  })

  it.each<[string, Combo, readonly Combo[]]>([
    [
      'three combos deep',
      combo('a', ['combo:b']),
      [combo('b', ['combo:c']), combo('c', ['combo:d']), combo('d', ['x/m'])],
    ],
    ['with one combo twice', combo('a', ['combo:b', 'combo:b']), [combo('b', ['x/m'])]],
    [
      'with two that share a third',
      combo('a', ['combo:b', 'combo:c']),
      [combo('b', ['combo:d']), combo('c', ['combo:d']), combo('d', ['x/m'])],
    ],
    ['with auto', combo('a', ['auto/fast', 'combo:auto']), []],
    ['beside a circle of others', combo('z', ['x/m']), [combo('a', ['combo:b']), combo('b', ['combo:a'])]],
    ['with models nobody has yet', combo('a', ['nobody/x']), []],
  ])('%s is taken', (_what, changed, others) => {
    expect(refusal(changed, others)).toBe('')
  })

  it('is checked without walking every way there is', () => {
    const layer = (i: number) =>
      Array.from({ length: 40 }, (_, j) =>
        combo(
          `n${i}-${j}`,
          Array.from({ length: 40 }, (_, k) => `combo:n${i + 1}-${k}`),
        ),
      )
    const last = Array.from({ length: 40 }, (_, j) => combo(`n2-${j}`, ['x/m']))
    expect(refusal(combo('top', ['combo:n0-0', 'combo:n0-1']), [...layer(0), ...layer(1), ...last])).toBe('')
  })
})
