// In which order the connections of one provider are asked, where nobody pinned one: by their priority, or as the setting
// "accountStrategy" says (docs/resilience.md, "Strategies").
import { DEFAULT_COMBO_CONFIG } from '../contract/combo-config'
import type { AccountStrategyName } from '../contract/combo-strategies'
import type { Connection } from '../providers/registry'
import type { Target as Leg } from '../routing/combo'
import type { Target } from '../routing/resolve-model'
import { readWishes } from '../routing/strategies/auto/wishes'
import { orderConnections, settleTarget } from '../routing/strategies/order-targets'
import type { Outcome } from '../routing/strategies/strategy'
import { ComboFacts } from './combo-facts'
import { ComboScene, needsOf } from './combo-scene'
import type { PipelineDeps } from './handle-request'
import type { Running } from './outgoing'

export interface AccountOrder {
  readonly connections: readonly Connection[]
  settled(connection: Connection, outcome: Outcome): void
}

/** @param connections in the order of their priority */
export function accountOrder(
  target: Target,
  connections: readonly Connection[],
  running: Running,
  deps: PipelineDeps,
): AccountOrder {
  const name = deps.settings().accountStrategy
  if (name === 'priority' || connections.length < 2) return { connections, settled: () => {} }
  return orderedBy(name, target, connections, running, deps)
}

function orderedBy(
  name: AccountStrategyName,
  target: Target,
  connections: readonly Connection[],
  running: Running,
  deps: PipelineDeps,
): AccountOrder {
  const { clock, comboStates, random, stats } = deps
  // No combo can be called so: states and figures are the provider's own.
  const home = `accounts of ${target.provider.row.id}`
  const config = { ...DEFAULT_COMBO_CONFIG, stickyRoundRobinLimit: deps.settings().stickyRoundRobinLimit }
  const legs = new Map(connections.map((connection) => [connection.id, legOf(target, connection)]))
  const needs = needsOf(running)
  const { ordered, state } = orderConnections(name, {
    targets: [...legs.values()],
    view: new ComboScene(home, needs, running, deps, deps.inFlight).view,
    state: comboStates.get(home),
    config,
    request: new ComboFacts(running.client, needs, readWishes({}), null),
    now: clock.now(),
    random,
  })
  comboStates.set(home, state)
  return {
    connections: ordered.flatMap(({ connectionId }) => connections.find(({ id }) => id === connectionId) ?? []),
    settled({ id }, outcome) {
      const leg = legs.get(id)
      if (leg === undefined) return
      stats.chosen(leg.executionKey)
      comboStates.set(home, settleTarget(name, comboStates.get(home), leg, outcome, config, clock.now()))
    },
  }
}

const legOf = ({ provider, model }: Target, { id, settings }: Connection): Leg => ({
  ...{ executionKey: id, provider: provider.row.id, model, connectionId: id },
  ...{ allowedConnections: null, weight: settings.weight ?? 1, prompt: null, onlyAfterQuota: false },
})
