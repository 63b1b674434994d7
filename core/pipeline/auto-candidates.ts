// All that a name of `auto` chooses among now: each model with its place, its score and what keeps it out, and each of
// its connections with what keeps that out. Nothing is sent, and no strategy's memory is changed by the question.
import type { IncomingHttpHeaders } from 'node:http'
import type { BreakerState } from '../contract/health-words'
import type { Reason } from '../contract/kinds'
import type { ResolvedCombo, Target } from '../routing/combo'
import type { PlacedReason } from '../routing/strategies/order-combo'
import type { Exclusion } from '../routing/target-view'
import { type ComboScene, connectionsOf, targetOf } from './combo-scene'
import { type ExplainDeps, lookAt } from './explain-combo'

export interface CandidateOut {
  readonly gate: string
  readonly reason: Reason | null
  readonly why: string
  /** ISO time; null: no time ends it. */
  readonly until: string | null
}

export interface AutoCandidate {
  readonly provider: string
  readonly model: string
  /** 1: it would be asked first; null: it is out. */
  readonly place: number | null
  readonly score: number | null
  /** What the score is made of. */
  readonly parts: Readonly<Record<string, number>>
  readonly breaker: BreakerState
  readonly excluded: CandidateOut | null
  readonly connections: readonly { readonly name: string; readonly excluded: CandidateOut | null }[]
}

/** @param headers what the request would wish in them. @throws GatewayError 402 where nobody is within a strict budget */
export function autoCandidates(
  combo: ResolvedCombo,
  headers: IncomingHttpHeaders,
  deps: ExplainDeps,
): readonly AutoCandidate[] {
  const { order, scene, now } = lookAt(combo, {}, headers, deps)
  const { registry } = deps.world()
  const connectionsFor = (target: Target): AutoCandidate['connections'] => {
    const found = targetOf(target, registry)
    if (found === null) return []
    return connectionsOf(target, found).map((connection) => ({
      name: connection.name,
      excluded: told(scene.connectionExclusion(found, connection, now)),
    }))
  }
  return order.reasons.map((reason, i) => candidateOf(reason, i + 1, scene, connectionsFor(reason.target)))
}

function candidateOf(
  reason: PlacedReason,
  place: number,
  scene: ComboScene,
  connections: AutoCandidate['connections'],
): AutoCandidate {
  const { provider, model } = reason.target
  const { breaker } = scene.view(reason.target)
  return reason.kind === 'ordered'
    ? { provider, model, place, score: reason.score, parts: reason.parts, breaker, excluded: null, connections }
    : { provider, model, place: null, score: null, parts: {}, breaker, excluded: told(reason.exclusion), connections }
}

function told(exclusion: Exclusion | null): CandidateOut | null {
  if (exclusion === null) return null
  const { gate, reason, why, until } = exclusion
  return { gate, reason, why, until: until === null ? null : new Date(until).toISOString() }
}
