// The account that answered a conversation last has its beginning in the prompt cache: it goes first while enough of its
// quota is left (docs/resilience.md, "Combos"). Only of accounts whose quota is known; the body of a request for others is
// not looked into.
import { isWhole, type Target as Leg, type Member, type ResolvedCombo } from '../routing/combo'
import { shareLeftOf } from '../routing/strategies/quota'
import type { ComboFacts } from './combo-facts'
import type { ComboScene } from './combo-scene'
import type { PipelineDeps } from './handle-request'

/** Share of an account's quota that must be left for a conversation to stay with it. */
const LEAST_HEADROOM = 0.15

/** What is known of a request for a combo. */
export interface Home {
  readonly combo: ResolvedCombo
  readonly scene: ComboScene
  readonly facts: ComboFacts
  readonly deps: PipelineDeps
}

const keepsConversations = (combo: ResolvedCombo): boolean => combo.config.promptCacheAffinityEnabled && !isWhole(combo)

export function homeFirst(ordered: readonly Member[], { combo, deps, facts, scene }: Home): readonly Member[] {
  if (ordered.length < 2 || !keepsConversations(combo)) return ordered
  const now = deps.clock.now()
  const hasRoom = ({ target }: Member): boolean =>
    (shareLeftOf({ view: scene.view(target), target }, now) ?? 0) > LEAST_HEADROOM
  if (!ordered.some(hasRoom) || facts.conversation === null) return ordered
  const key = deps.comboSessions.find(combo.name, facts.conversation, now)
  const last = ordered.find((member) => member.target.executionKey === key)
  if (last === undefined || last === ordered[0] || !hasRoom(last)) return ordered
  return [last, ...ordered.filter((member) => member !== last)]
}

/** It has answered. */
export function rememberHome(leg: Leg, { combo, deps, facts, scene }: Home): void {
  if (!keepsConversations(combo) || scene.view(leg).quota.kind !== 'known' || facts.conversation === null) return
  deps.comboSessions.remember(combo.name, facts.conversation, leg.executionKey, deps.clock.now())
}
