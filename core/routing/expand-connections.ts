// One target for each connection of a step's provider, where the strategy chooses among connections or the combo wants
// it (docs/resilience.md, "Strategies").
import type { AnyStrategyName } from '../contract/combo-strategies'
import { isWhole, type Member, type ResolvedCombo } from './combo'

/** What they weigh is counted by account. */
const BY_CONNECTION: ReadonlySet<AnyStrategyName> = new Set<AnyStrategyName>([
  'reset-aware',
  'reset-window',
  'headroom',
  'quota-weighted',
  'cache-optimized',
  'quota-share',
])

/** Ids, by priority. */
type ConnectionsOf = (provider: string) => readonly string[]

/** Nested combos each by their own strategy. A pipeline's steps and a fusion's voices stay one each. */
export function expandCombo(combo: ResolvedCombo, connectionsOf: ConnectionsOf): ResolvedCombo {
  const members = combo.members.map(
    (member): Member =>
      member.kind === 'combo' ? { ...member, combo: expandCombo(member.combo, connectionsOf) } : member,
  )
  const isPerConnection =
    BY_CONNECTION.has(combo.strategy) || (combo.config.connectionAwareExpansion && !isWhole(combo))
  return { ...combo, members: isPerConnection ? expandMembers(members, connectionsOf) : members }
}

/**
 * In the order of the connections; pinned ones and combos stay as they are. A provider without any keeps its target:
 * why it cannot be used is for the gates to say.
 */
export const expandMembers = (members: readonly Member[], connectionsOf: ConnectionsOf): Member[] =>
  members.flatMap((member): Member | Member[] => {
    const { target } = member
    if (member.kind === 'combo' || target.connectionId !== null) return member
    const allowed = connectionsOf(target.provider).filter((id) => target.allowedConnections?.includes(id) ?? true)
    if (allowed.length === 0) return member
    return allowed.map((connectionId) => ({
      kind: 'target',
      target: { ...target, executionKey: `${target.executionKey}@${connectionId}`, connectionId },
    }))
  })
