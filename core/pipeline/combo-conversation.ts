// The account that answered a conversation last has its beginning in the prompt cache: it goes first while enough of its
// quota is left (docs/resilience.md, "Combos"). Only of accounts whose quota is known; the body of a request for others
// is not looked into. Pure.
import { isWhole, type Member, type ResolvedCombo, type Target } from '../routing/combo'
import type { ComboSessions } from '../routing/combo-sessions'
import { shareLeftOf } from '../routing/strategies/quota'
import type { TargetView } from '../routing/target-view'

/** Share of an account's quota that must be left for a conversation to stay with it. */
const LEAST_HEADROOM = 0.15

export const followsConversations = (combo: ResolvedCombo): boolean =>
  combo.config.promptCacheAffinityEnabled && !isWhole(combo)

export const hasRoom = (target: Target, view: TargetView, now: number): boolean =>
  (shareLeftOf({ view, target }, now) ?? 0) > LEAST_HEADROOM

export interface Conversations {
  readonly view: (target: Target) => TargetView
  /** Its conversation is asked for only where it can matter. */
  readonly facts: { readonly conversation: string | null }
  readonly comboSessions: ComboSessions
  readonly now: number
}

/** The same, the one that the conversation stays with first. */
export function conversationFirst(
  combo: ResolvedCombo,
  ordered: readonly Member[],
  { view, facts, comboSessions, now }: Conversations,
): readonly Member[] {
  if (ordered.length < 2 || !followsConversations(combo)) return ordered
  const isRoomy = ({ target }: Member): boolean => hasRoom(target, view(target), now)
  if (!ordered.some(isRoomy) || facts.conversation === null) return ordered
  const key = comboSessions.find(combo.name, facts.conversation, now)?.executionKey
  const last = ordered.find(({ target }) => target.executionKey === key)
  if (last === undefined || last === ordered[0] || !isRoomy(last)) return ordered
  return [last, ...ordered.filter((member) => member !== last)]
}
