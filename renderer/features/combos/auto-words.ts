// The names of `auto` as the window lists them: the short ones in rows, what can stand behind them in one line. Pure.
import type { AutoVariantView } from '../../../core/contract/combo-views'

const MARK = ':'

/** Those with nothing behind them. */
export const plainNames = (variants: readonly AutoVariantView[]): readonly AutoVariantView[] =>
  variants.filter(({ name }) => !name.includes(MARK))

/** ":fast", ":cheap" … */
export const suffixesOf = (variants: readonly AutoVariantView[]): readonly string[] => [
  ...new Set(variants.flatMap(({ name }) => (name.includes(MARK) ? [name.slice(name.indexOf(MARK))] : []))),
]
