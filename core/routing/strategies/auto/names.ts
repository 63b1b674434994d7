// The names under which `auto` is asked for: auto, auto/fast, auto/coding:cheap …
import { CATEGORIES, type Category, type PoolFilter } from '../../../contract/auto-words'
import type { SetConfig } from '../../../contract/combo-config'

export interface AutoVariant {
  readonly name: string
  /** One line. */
  readonly help: string
  readonly config: SetConfig
}

const CHANNELS: readonly AutoVariant[] = [
  { name: 'auto', help: 'The best of all models, balanced.', config: {} },
  { name: 'auto/fast', help: 'Quick answers first.', config: { modePack: 'ship-fast' } },
  { name: 'auto/cheap', help: 'Low prices first.', config: { modePack: 'cost-saver' } },
  { name: 'auto/offline', help: 'What has quota and keeps working.', config: { modePack: 'offline-friendly' } },
  {
    name: 'auto/smart',
    help: 'The best for the task, with more trials of others.',
    config: { modePack: 'quality-first', explorationRate: 0.1 },
  },
  { name: 'auto/lkgp', help: 'Stays with what answered last.', config: { routerStrategy: 'lkgp' } },
  { name: 'auto/chaos', help: 'Made for outages: health above all.', config: { modePack: 'chaos-mode' } },
]

const CATEGORY_HELP: Readonly<Record<Category, string>> = {
  coding: 'Models that can use tools, the best for code.',
  reasoning: 'Models that think first.',
  vision: 'Models that see images.',
  chat: 'Any model for conversation.',
  multimodal: 'Models that take more than text.',
}

const CATEGORY_CONFIG: Readonly<Record<Category, SetConfig>> = {
  coding: { modePack: 'quality-first' },
  reasoning: { modePack: 'quality-first' },
  vision: {},
  chat: {},
  multimodal: {},
}

const filterTo = (autoFilter: PoolFilter): SetConfig => ({ autoFilter })

const SUFFIXES: ReadonlyMap<string, { readonly help: string; readonly config: SetConfig }> = new Map([
  ['fast', { help: 'Quick answers first.', config: { modePack: 'ship-fast' } }],
  ['cheap', { help: 'Low prices first.', config: { modePack: 'cost-saver' } }],
  ['floor', { help: 'Low prices first.', config: { modePack: 'cost-saver' } }],
  ['reliable', { help: 'Those that fail least first.', config: { modePack: 'reliability-first' } }],
  ['free', { help: 'Only what costs nothing, as long as there is any.', config: filterTo('free') }],
  ['pro', { help: 'Only paid accounts of the better kind, as long as there is any.', config: filterTo('pro') }],
])

const ofCategory = (category: Category): AutoVariant => ({
  name: `auto/${category}`,
  help: CATEGORY_HELP[category],
  config: { ...CATEGORY_CONFIG[category], autoCategory: category },
})

/** Every name there is, for lists. */
export const AUTO_VARIANTS: readonly AutoVariant[] = [
  ...CHANNELS,
  ...CATEGORIES.map(ofCategory).flatMap((variant) => [
    variant,
    ...[...SUFFIXES].map(([suffix, { help, config }]) => ({
      name: `${variant.name}:${suffix}`,
      help: `${variant.help} ${help}`,
      config: { ...variant.config, ...config },
    })),
  ]),
]

const BY_NAME: ReadonlyMap<string, AutoVariant> = new Map(AUTO_VARIANTS.map((variant) => [variant.name, variant]))

/** In any letters; null: it is no such name. */
export const autoVariant = (name: string): AutoVariant | null => BY_NAME.get(name.toLowerCase()) ?? null
