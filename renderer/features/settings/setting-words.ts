// What is said about a setting besides its label and help.
import { ACCOUNT_STRATEGIES, STRATEGY_WORDS } from '../../../core/contract/combo-strategies'
import type { Applies, Field, SettingGroup } from '../../../core/contract/setting-fields'
import type { SettingView } from '../../../core/contract/views'
import { count } from '../../ui/numbers'
import { duration } from '../../ui/time'

export const GROUPS: readonly SettingGroup[] = [
  'Gateway',
  'Routing',
  'Limits',
  'Network',
  'History',
  'Window',
  'Logging',
]

const CHOICE_WORDS: Readonly<Record<string, string>> = {
  system: 'System',
  light: 'Light',
  dark: 'Dark',
  keep: 'Keep running',
  quit: 'Quit',
  debug: 'Debug',
  info: 'Info',
  warn: 'Warnings',
  error: 'Errors',
  ...Object.fromEntries(ACCOUNT_STRATEGIES.map((name) => [name, STRATEGY_WORDS[name].label])),
}
export const choiceWord = (choice: string): string => CHOICE_WORDS[choice] ?? choice

/** "Set by BREAKWATER_PORT", "Set by --port", "Changed here"; empty for the default. */
export function sourceWords(field: Field, view: SettingView): string {
  switch (view.source) {
    case 'default':
      return ''
    case 'stored':
      return 'Changed here'
    case 'environment':
      return `Set by ${field.env ?? 'the environment'}`
    case 'flag':
      return `Set by --${field.flag ?? 'flag'}`
  }
}

/** Whether a value stored from here would be felt: a flag or variable that wins makes the form read-only. */
export const isFixed = (field: Field, view: SettingView): boolean =>
  view.source === 'flag' || (view.source === 'environment' && field.precedence === 'process')

export const valueWords = (value: SettingView['value']): string => {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return value === '' ? 'empty' : choiceWord(value)
  return value.length === 0 ? 'none' : value.join(', ')
}

const APPLIES_WORDS: Readonly<Record<Applies, string>> = {
  now: '',
  'next-request': '',
  'listener-restart': 'The gateway moves to it at once; answers that are running are finished first.',
  'app-restart': 'Felt at the next start.',
}
export const appliesWords = (field: Field): string => APPLIES_WORDS[field.applies]

/** A large number in words: "= 10 min". Empty where the number speaks for itself. */
export function inWords(field: Field, value: SettingView['value']): string {
  if (field.kind !== 'int' || typeof value !== 'number') return ''
  if (field.unit === 'ms' && value >= 1000) return `= ${duration(value)}`
  if (value >= 10_000 && field.unit !== undefined) return `= ${count(value)}`
  return ''
}
