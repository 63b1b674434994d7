// How combos named `qtSd/…` divide their accounts: fairly by weight over time, spent and full ones last
// (docs/resilience.md, "Quota-share ordering").
import type { QuotaView } from '../target-view'
import { windowOf } from './quota'
import { byNumber, first, unscored } from './ranking'
import { type Candidate, type StrategyState, strategy } from './strategy'

interface ShareState extends StrategyState {
  readonly kind: 'quota-share'
  /** What each is owed, in requests, by its key. */
  readonly owed: Readonly<Record<string, number>>
}

/** A place that was taken and never used is free again after this. */
const RESERVE_MS = 120_000

/** One of its windows is used up, and has not been renewed. Nothing reported, or no connection: it is not. */
export function isSaturated({ target, view }: Candidate, now: number): boolean {
  const { quota } = view
  if (quota.kind !== 'known' || target.connectionId === null) return false
  return isUsedUp(quota, '5h', now) || isUsedUp(quota, '7d', now) || isUsedUp(quota, `7d:${target.model}`, now)
}

const isUsedUp = (quota: Extract<QuotaView, { kind: 'known' }>, name: '5h' | `7d${string}`, now: number): boolean =>
  (windowOf(quota, name as '7d', now)?.usedPercent ?? 0) >= 100

function isAtCap({ view: { inFlight, maxConcurrent } }: Candidate): boolean {
  return maxConcurrent !== null && maxConcurrent > 0 && inFlight >= maxConcurrent
}

/** Those it is not true of; all of them, and no tail, where it is true of all. */
function demoted(candidates: readonly Candidate[], is: (candidate: Candidate) => boolean): [Candidate[], Candidate[]] {
  const rest = candidates.filter((candidate) => !is(candidate))
  return rest.length === 0 ? [[...candidates], []] : [rest, candidates.filter(is)]
}

const weightOf = ({ target }: Candidate): number => (target.weight > 0 ? target.weight : 1)

/** Each is owed its share of one request more; whoever is owed most leads and pays one. Long-run shares are the weights. */
function byDebt(candidates: readonly Candidate[], state: ShareState): { ordered: Candidate[]; state: ShareState } {
  if (candidates.length < 2) return { ordered: [...candidates], state }
  const total = candidates.reduce((sum, candidate) => sum + weightOf(candidate), 0)
  const owed = new Map(candidates.map((c) => [c, (state.owed[c.target.executionKey] ?? 0) + weightOf(c) / total]))
  const ordered = candidates.toSorted((a, b) => byNumber(owed.get(b) ?? 0, owed.get(a) ?? 0))
  const next: Record<string, number> = { ...state.owed }
  for (const [{ target }, debt] of owed) next[target.executionKey] = debt
  const winner = ordered[0]?.target.executionKey
  if (winner !== undefined) next[winner] = (next[winner] ?? 0) - 1
  return { ordered, state: { ...state, owed: next } }
}

/** Of the two that are owed most, the less busy one. */
function lessBusyFirst(ordered: readonly Candidate[]): Candidate[] {
  const [a, b] = ordered
  return first(ordered, a !== undefined && b !== undefined && b.view.inFlight < a.view.inFlight ? 1 : 0)
}

/** Nothing is kept of targets that are no longer listed. */
function pruned(state: ShareState, keys: ReadonlySet<string>): ShareState {
  const entries = Object.entries(state.owed)
  const kept = entries.filter(([key]) => keys.has(key))
  return kept.length === entries.length ? state : { ...state, owed: Object.fromEntries(kept) }
}

export const quotaShare = strategy<ShareState, object>({
  start: { kind: 'quota-share', owed: {} },

  order({ candidates, listed, now }, before) {
    const [eligible, saturated] = demoted(candidates, (candidate) => isSaturated(candidate, now))
    const [free, atCap] = demoted(eligible, isAtCap)
    const known = pruned(before, new Set(listed.map(({ executionKey }) => executionKey)))
    const { ordered, state } = byDebt(free, known)
    return {
      ordered: [...lessBusyFirst(ordered), ...atCap, ...saturated].map(unscored),
      state,
      ...(candidates.length > 0 && { reserveMs: RESERVE_MS }),
    }
  },
})
