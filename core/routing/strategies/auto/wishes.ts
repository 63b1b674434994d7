// What a client may ask of `auto` in the headers of a request. Whatever cannot be understood is as if it were not there.
import { PACKS, type Pack } from '../../../contract/auto-words'

export interface AutoWishes {
  /** In place of the combo's own preference; `balanced`: none. null: as the combo says. */
  readonly pack: Pack | 'balanced' | null
  /** US dollars for this request; null: any. */
  readonly budgetUsd: number | null
  /** When nothing is within the budget: the cheapest all the same, or a refusal (402). */
  readonly overBudget: 'cheapest' | 'strict'
  /** How hard the model thinks is to be chosen for it. */
  readonly autoEffort: boolean
}

export const NO_WISHES: AutoWishes = { pack: null, budgetUsd: null, overBudget: 'cheapest', autoEffort: false }

export const WISH_HEADERS = {
  mode: 'x-omniroute-mode',
  budget: 'x-omniroute-budget',
  budgetFallback: 'x-omniroute-budget-fallback',
  effort: 'x-omniroute-effort',
} as const

const MODES: ReadonlyMap<string, Pack | 'balanced'> = new Map([
  ...PACKS.map((pack) => [pack, pack] as const),
  ['fast', 'ship-fast'],
  ['balanced', 'balanced'],
  ['quality', 'quality-first'],
  ['cheap', 'cost-saver'],
  ['reliable', 'reliability-first'],
  ['offline', 'offline-friendly'],
])

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** @param headers names in lower case */
export function readWishes(headers: Headers): AutoWishes {
  const budget = Number(wordOf(headers, WISH_HEADERS.budget).replace(/^\$\s*/, '') || Number.NaN)
  return {
    pack: MODES.get(wordOf(headers, WISH_HEADERS.mode)) ?? null,
    budgetUsd: Number.isFinite(budget) && budget > 0 ? budget : null,
    overBudget: wordOf(headers, WISH_HEADERS.budgetFallback) === 'strict' ? 'strict' : 'cheapest',
    autoEffort: wordOf(headers, WISH_HEADERS.effort) === 'auto',
  }
}

function wordOf(headers: Headers, name: string): string {
  const value = headers[name]
  return (typeof value === 'string' ? value : (value?.[0] ?? '')).trim().toLowerCase()
}
