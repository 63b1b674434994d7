// The account that answered a conversation last has its beginning in the prompt cache: it goes first while enough of its
// quota is left (docs/resilience.md, "Combos"). Only of accounts whose quota is known; the body of a request for others is
// not looked into.
import { isWhole, type Target as Leg, type Member, type ResolvedCombo } from '../routing/combo'
import { shareLeftOf } from '../routing/strategies/quota'
import type { TargetView } from '../routing/target-view'
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

export const keepsConversations = (combo: ResolvedCombo): boolean =>
  combo.config.promptCacheAffinityEnabled && !isWhole(combo)

export const hasRoom = (target: Leg, view: TargetView, now: number): boolean =>
  (shareLeftOf({ view, target }, now) ?? 0) > LEAST_HEADROOM

type Looked = Pick<Home, 'combo' | 'scene' | 'facts'> & {
  readonly deps: Pick<PipelineDeps, 'clock' | 'comboSessions'>
}

export function homeFirst(ordered: readonly Member[], { combo, deps, facts, scene }: Looked): readonly Member[] {
  if (ordered.length < 2 || !keepsConversations(combo)) return ordered
  const now = deps.clock.now()
  const isRoomy = ({ target }: Member): boolean => hasRoom(target, scene.view(target), now)
  if (!ordered.some(isRoomy) || facts.conversation === null) return ordered
  const key = deps.comboSessions.find(combo.name, facts.conversation, now)?.executionKey
  const last = ordered.find((member) => member.target.executionKey === key)
  if (last === undefined || last === ordered[0] || !isRoomy(last)) return ordered
  return [last, ...ordered.filter((member) => member !== last)]
}

/** It has answered. */
export function rememberHome(leg: Leg, { combo, deps, facts, scene }: Home): void {
  if (!keepsConversations(combo) || scene.view(leg).quota.kind !== 'known' || facts.conversation === null) return
  deps.comboSessions.remember(combo.name, facts.conversation, leg.executionKey, deps.clock.now())
}
