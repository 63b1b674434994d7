// The account of a combo that answered last, remembered by those strategies that stay with it.

import type { Target } from '../combo'
import type { Candidate, Outcome } from './strategy'

export interface LastGood {
  readonly key: string
  readonly provider: string
  /** null: the provider has none of its own. */
  readonly connectionId: string | null
}

export const lastGoodAfter = (before: LastGood | null, target: Target, outcome: Outcome): LastGood | null =>
  outcome.kind === 'success'
    ? { key: target.executionKey, provider: target.provider, connectionId: outcome.connectionId }
    : before

/** The target that answered, else one of that connection, else one of that provider that may use it. −1: none. */
export function indexOfLastGood(candidates: readonly Candidate[], good: LastGood | null): number {
  if (good === null) return -1
  const { key, provider, connectionId } = good
  const ways: readonly ((target: Target) => boolean)[] = [
    (target) => target.executionKey === key,
    (target) => connectionId !== null && target.connectionId === connectionId,
    (target) => target.provider === provider && mayUse(target, connectionId),
    (target) => target.provider === provider,
  ]
  for (const way of ways) {
    const found = candidates.findIndex(({ target }) => way(target))
    if (found >= 0) return found
  }
  return -1
}

const mayUse = ({ connectionId, allowedConnections }: Target, id: string | null): boolean =>
  connectionId === null && (id === null || (allowedConnections?.includes(id) ?? true))
