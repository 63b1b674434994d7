// For a given request and this moment: whom a combo would ask, in which order and why, and who is left out until when.
// Nothing is sent, and no strategy's memory is changed by the question.
import type { IncomingMessage } from 'node:http'
import type { JsonObject } from '../dialects/canonical'
import { openAiChat } from '../dialects/openai-chat/openai-chat'
import type { ResolvedCombo } from '../routing/combo'
import { expandCombo } from '../routing/expand-connections'
import { readWishes } from '../routing/strategies/auto/wishes'
import { orderCombo } from '../routing/strategies/order-combo'
import type { TargetReason } from '../routing/strategies/order-targets'
import { ComboFacts } from './combo-facts'
import { ComboScene, needsOf } from './combo-scene'
import type { PipelineDeps } from './handle-request'
import { requestOf } from './own-request'

export type ExplainDeps = Pick<
  PipelineDeps,
  'clock' | 'random' | 'world' | 'health' | 'stats' | 'quotas' | 'factsOf' | 'inFlight' | 'comboStates'
>

/** @param body a Chat Completions request; an empty one stands for any. @throws GatewayError 402 */
export function explainCombo(given: ResolvedCombo, body: JsonObject, deps: ExplainDeps): readonly TargetReason[] {
  const { registry } = deps.world()
  const combo = expandCombo(given, (id) => registry.get(id)?.connections.map((connection) => connection.id) ?? [])
  const client = requestOf(openAiChat, { model: combo.name, messages: [], ...body })
  const request = { headers: {} } as Pick<IncomingMessage, 'headers'>
  const asked = { client, request, unusableFor: null, caller: { call: openAiChat } }
  const scene = new ComboScene(combo.name, needsOf(asked), asked, deps, deps.inFlight)
  const { reasons } = orderCombo(combo, {
    view: scene.view,
    stateOf: deps.comboStates.get,
    request: new ComboFacts(client, needsOf(asked).inputTokens, readWishes({})),
    now: deps.clock.now(),
    random: deps.random,
  })
  return reasons
}
