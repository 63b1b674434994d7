// How combos, their strategies and their steps are said, and the rule for their names. Pure. The contract's schemas have
// no place in the window: its rules for names are said again here, and a test holds the two together.
import {
  type AnyStrategyName,
  QUOTA_SHARE,
  STRATEGY_WORDS,
  type StrategyWords,
} from '../../../core/contract/combo-strategies'
import type { ComboView } from '../../../core/contract/combo-views'
import { counted } from '../../ui/numbers'
import type { StateLook } from '../../ui/state-shape'

const QUOTA_SHARE_PREFIX = 'qtSd/'
export const MOST_NAME_CHARACTERS = 100
export const MOST_STEPS = 400
export const MOST_WEIGHT = 10_000

/** What keeps a text from being a combo's name, as a sentence; null when nothing does. */
export function nameFault(name: string, providerIds: ReadonlySet<string>, taken: ReadonlySet<string>): string | null {
  const own = name.startsWith(QUOTA_SHARE_PREFIX) ? name.slice(QUOTA_SHARE_PREFIX.length) : name
  if (name === '') return 'Give the combo a name: tools ask for it as a model.'
  if (name.length > MOST_NAME_CHARACTERS) return `At most ${MOST_NAME_CHARACTERS} characters.`
  if (!/^[A-Za-z0-9._-]+$/.test(own) || !/[A-Za-z0-9]/.test(own)) return 'Only letters, digits, "-", "_" and ".".'
  if (name.toLowerCase() === 'auto') return '"auto" is there already: it chooses among all models.'
  if (providerIds.has(name.toLowerCase())) return `"${name}" is a provider. Choose another name.`
  return taken.has(name) ? `There is a combo "${name}" already.` : null
}

/** The strategy a combo of this name really has. */
export const strategyInForce = (name: string, chosen: AnyStrategyName): AnyStrategyName => {
  if (name.trim().startsWith(QUOTA_SHARE_PREFIX)) return QUOTA_SHARE
  return chosen === QUOTA_SHARE ? 'priority' : chosen
}

const SHARE_WORDS: StrategyWords = {
  label: 'Quota share',
  help: `Shares the quotas of its accounts among many. Every combo whose name begins with "${QUOTA_SHARE_PREFIX}" does.`,
}
export const strategyWords = (strategy: AnyStrategyName): StrategyWords =>
  strategy === QUOTA_SHARE ? SHARE_WORDS : STRATEGY_WORDS[strategy]

export const usesWeight = (strategy: AnyStrategyName): boolean => strategy === 'weighted' || strategy === QUOTA_SHARE
export const usesPrompt = (strategy: AnyStrategyName): boolean => strategy === 'pipeline'
/** Where all steps are asked anyway, none can wait for another's quota. */
export const usesQuotaReserve = (strategy: AnyStrategyName): boolean =>
  strategy !== 'pipeline' && strategy !== 'fusion' && strategy !== QUOTA_SHARE

/** In which the order of the list is the order of asking. */
const LISTED: readonly AnyStrategyName[] = ['priority', 'fill-first', 'context-relay', 'lkgp', 'pipeline']

const SHOWN_STEPS = 3

export const stepName = ({ model, combo }: ComboView['steps'][number]): string => model ?? combo ?? ''

/** "a → b → c and 2 more" where the order counts, "a, b and 1 more" where it does not. */
export function stepsInShort({ strategy, steps }: Pick<ComboView, 'strategy' | 'steps'>): string {
  const shown = steps.slice(0, steps.length === SHOWN_STEPS + 1 ? SHOWN_STEPS + 1 : SHOWN_STEPS)
  const names = shown.map(stepName).join(LISTED.includes(strategy) ? ' → ' : ', ')
  return shown.length === steps.length ? names : `${names} and ${steps.length - shown.length} more`
}

/** Whether it can answer, as far as that can be told without asking. */
export function comboLook({ steps, warnings }: Pick<ComboView, 'steps' | 'warnings'>): StateLook {
  const broken = new Set(warnings.flatMap(({ step }) => step ?? [])).size
  if (broken > 0 && broken >= steps.length) return { shape: 'square', tone: 'down', word: 'Cannot answer' }
  if (warnings.length > 0) return { shape: 'triangle', tone: 'warn', word: counted(warnings.length, 'warning') }
  return { shape: 'check', tone: 'ok', word: 'Ready' }
}
