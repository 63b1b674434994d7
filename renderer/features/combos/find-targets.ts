// What a step can lead to, found by a part of its name: the user's combos, the models of providers, or what was typed
// as it stands. Pure.
import type { ComboView } from '../../../core/contract/combo-views'
import type { ModelView } from '../../../core/contract/model-views'
import { counted } from '../../ui/numbers'

export interface FoundTarget {
  readonly kind: 'model' | 'combo'
  readonly name: string
  /** What it is, in a few words. */
  readonly about: string
}

const SHOWN = 40

interface Source {
  readonly models: readonly ModelView[]
  /** Those that may be a step here: not the combo itself. */
  readonly combos: readonly ComboView[]
}

export function findTargets({ models, combos }: Source, typed: string): readonly FoundTarget[] {
  const text = typed.trim()
  const parts = text.toLowerCase().split(/\s+/)
  const matches = (words: string): boolean => parts.every((part) => words.toLowerCase().includes(part))
  const found: FoundTarget[] = combos
    .filter(({ name }) => matches(`combo/${name}`))
    .map(({ name, steps }) => ({ kind: 'combo', name, about: `combo of ${counted(steps.length, 'step')}` }))
  for (const { id, label, model, hidden, embeds } of models) {
    if (found.length >= SHOWN) break
    if (!hidden && !embeds && matches(`${id} ${label}`))
      found.push({ kind: 'model', name: id, about: label === model ? '' : label })
  }
  const typedAlready = text === '' || found.some(({ name }) => name === text)
  return typedAlready ? found : [...found, { kind: 'model', name: text, about: typedWords(text) }]
}

const typedWords = (text: string): string =>
  text.includes('*')
    ? 'as typed: every model whose name fits'
    : text.includes('/')
      ? 'as typed'
      : 'as typed: a plain name, or one of your names'
