// Whether a combo waits for a target that returns soon (docs/resilience.md, "Waiting"). Pure.
import type { ResilienceSettings } from '../contract/resilience-settings'
import type { Target } from '../routing/combo'
import type { TargetReason } from '../routing/strategies/order-targets'
import { asGate } from './combo-scene'
import { isWaitable, type Spent } from './waits'

/** A lock that ends at this very moment is not there any more this much later. */
const AFTER_MS = 50

/** Until when; null: not at all. The earliest that may be waited for decides; the others neither block nor set it. */
export function comboWait(
  reasons: readonly TargetReason[],
  settings: ResilienceSettings['comboCooldownWait'],
  { waits, waitedMs }: Spent,
  now: number,
): number | null {
  if (!settings.enabled || waits >= settings.maxAttempts) return null
  let earliest: number | null = null
  for (const reason of reasons) {
    const gate = reason.kind === 'excluded' ? asGate(reason.exclusion) : null
    if (gate === null || gate.until === null || !isWaitable(gate)) continue
    if (earliest === null || gate.until < earliest) earliest = gate.until
  }
  if (earliest === null) return null
  // One that has ended while this was decided is asked at once.
  const until = Math.max(earliest, now) + AFTER_MS
  const wait = until - now
  return wait <= settings.maxWaitMs && waitedMs + wait <= settings.budgetMs ? until : null
}

/** Whether a target that was out may be asked again: what failed without a rest could be asked all the while. */
export function anyBack(before: readonly TargetReason[], now: () => readonly TargetReason[]): () => boolean {
  const out = outOf(before)
  return () => {
    const still = new Set(outOf(now()))
    return out.some((target) => !still.has(target))
  }
}

const outOf = (reasons: readonly TargetReason[]): readonly Target[] =>
  reasons.filter(({ kind }) => kind === 'excluded').map(({ target }) => target)
