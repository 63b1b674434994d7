// In the order of the list (docs/resilience.md, "Strategies: priority"), and the rule for steps that wait for a spent
// quota, which holds under every strategy.
import type { Reason } from '../../contract/kinds'
import type { Target } from '../combo'
import { asListed } from './ranking'
import { stateless } from './strategy'

export const priority = stateless<object>(({ candidates }) => asListed(candidates))

const SPENT: ReadonlySet<Reason> = new Set(['quota_exhausted', 'credits_exhausted'])

/**
 * A step flagged `fallbackOnlyOnQuotaExhaustion` is asked only when a quota, or the money, was found spent.
 * @param failures reasons of this request's failed attempts, and of what keeps other targets of the combo out
 */
export const isHeldBack = ({ onlyAfterQuota }: Target, failures: readonly Reason[]): boolean =>
  onlyAfterQuota && !failures.some((reason) => SPENT.has(reason))
