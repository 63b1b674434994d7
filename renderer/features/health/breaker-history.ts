// A breaker's last 24 hours as stretches of one state each, out of the changes that are remembered. Pure.
import type { BreakerView } from '../../../core/contract/health-views'
import type { BreakerState } from '../../../core/contract/health-words'

export const HISTORY_MS = 86_400_000

export interface Stretch {
  readonly state: BreakerState
  readonly from: number
  readonly to: number
}

/** Oldest first, without gaps, from 24 hours ago until now. Before the first change that is known it was as that says. */
export function stretches(
  { state, transitionHistory }: Pick<BreakerView, 'state' | 'transitionHistory'>,
  now: number,
): readonly Stretch[] {
  const start = now - HISTORY_MS
  const changes = transitionHistory.filter(({ timestamp }) => timestamp <= now)
  const inside = changes.filter(({ timestamp }) => timestamp > start)
  const before = changes.findLast(({ timestamp }) => timestamp <= start)?.to ?? inside[0]?.from ?? state
  const found: Stretch[] = []
  let at = start
  let current = before
  for (const { timestamp, to } of inside) {
    if (timestamp > at) found.push({ state: current, from: at, to: timestamp })
    at = timestamp
    current = to
  }
  return now > at ? [...found, { state: current, from: at, to: now }] : found
}

/** How long it was in each state. */
export function spansOf(found: readonly Stretch[]): Readonly<Partial<Record<BreakerState, number>>> {
  const spans: Partial<Record<BreakerState, number>> = {}
  for (const { state, from, to } of found) spans[state] = (spans[state] ?? 0) + to - from
  return spans
}
