// What a target is worth, by what its model costs: the only measure that is known of models of all makers alike
// (docs/strategies.md, "What is measured"). Pure.
import type { Tier } from '../contract/auto-words'
import type { ProviderClass } from '../contract/kinds'

export interface Prices {
  readonly inputPrice: number | null
  readonly outputPrice: number | null
}

/** For a million tokens, three fifths of them input. Where one price is known, it stands for both. null: unknown. */
export function costOf({ inputPrice, outputPrice }: Prices): number | null {
  const input = inputPrice ?? outputPrice
  const output = outputPrice ?? inputPrice
  return input === null || output === null ? null : 0.6 * input + 0.4 * output
}

/** US dollars for a million tokens: from here on it is of the next tier. */
const PRO_FROM = 2
const ULTRA_FROM = 10

/** What runs on the user's own machine costs nothing. null: its price is not known. */
export function tierOf(providerClass: ProviderClass, prices: Prices): Tier | null {
  if (providerClass === 'local') return 'free'
  const cost = costOf(prices)
  if (cost === null) return null
  if (cost === 0) return 'free'
  if (cost < PRO_FROM) return 'standard'
  return cost < ULTRA_FROM ? 'pro' : 'ultra'
}
