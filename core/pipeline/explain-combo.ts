// For a given request and this moment: whom a combo would ask, in which order and why, and who is left out until when.
// Nothing is sent, and no strategy's memory is changed by the question.
import type { IncomingHttpHeaders } from 'node:http'
import type { JsonObject } from '../dialects/canonical'
import { openAiChat } from '../dialects/openai-chat/openai-chat'
import type { ResolvedCombo, Target } from '../routing/combo'
import type { ComboSession } from '../routing/combo-sessions'
import { expandCombo } from '../routing/expand-connections'
import { readWishes } from '../routing/strategies/auto/wishes'
import { type ComboOrder, orderCombo, type PlacedReason } from '../routing/strategies/order-combo'
import { ComboFacts } from './combo-facts'
import { ComboScene, needsOf, type SceneDeps } from './combo-scene'
import { hasRoom, homeFirst, keepsConversations } from './conversation-home'
import type { PipelineDeps } from './handle-request'
import { requestOf } from './own-request'

export type ExplainDeps = SceneDeps &
  Pick<PipelineDeps, 'random' | 'inFlight' | 'comboStates' | 'comboSessions' | 'outputSizes'>

export interface Explained {
  /** Those that would be asked first, in their order. */
  readonly reasons: readonly PlacedReason[]
  /** Conversations that stay with the account that answered them. */
  readonly staying: ReadonlyMap<Target, Staying>
}

export interface Staying {
  readonly why: string
  readonly until: number
}

/**
 * @param body a Chat Completions request; an empty one stands for any. @param headers its own, names in lower case
 * @throws GatewayError 402
 */
export function explainCombo(
  given: ResolvedCombo,
  body: JsonObject,
  headers: IncomingHttpHeaders,
  deps: ExplainDeps,
): Explained {
  const { combo, order, scene, facts, now } = lookAt(given, body, headers, deps)
  const { conversation } = facts
  const session = conversation === null ? null : deps.comboSessions.find(combo.name, conversation, now)
  const first = homeFirst(order.ordered, { combo, scene, facts, deps })[0]?.target
  const sessions = conversation === null ? deps.comboSessions.of(combo.name, now) : session === null ? [] : [session]
  const stays = (target: Target): boolean => keepsConversations(combo) && hasRoom(target, scene.view(target), now)
  return {
    reasons: [...order.reasons].sort((a, b) => Number(b.target === first) - Number(a.target === first)),
    staying: stayingOf(
      order.ordered.map(({ target }) => target).filter(stays),
      sessions,
      conversation === null ? manyStay : () => STAYS,
    ),
  }
}

const STAYS = 'It answered this conversation last: its beginning is in the prompt cache.'

export interface Look {
  readonly combo: ResolvedCombo
  readonly order: ComboOrder
  readonly scene: ComboScene
  readonly facts: ComboFacts
  readonly now: number
}

/** @param headers of the request, names in lower case: what `auto` is wished in them. @throws GatewayError 402 */
export function lookAt(given: ResolvedCombo, body: JsonObject, headers: IncomingHttpHeaders, deps: ExplainDeps): Look {
  const { registry } = deps.world()
  const combo = expandCombo(given, (id) => registry.get(id)?.connections.map((connection) => connection.id) ?? [])
  const client = requestOf(openAiChat, { model: combo.name, messages: [], ...body })
  const caller = { call: openAiChat, clientKeyId: null }
  const asked = { client, request: { headers }, unusableFor: null, caller }
  const needs = needsOf(asked)
  const scene = new ComboScene(combo.name, needs, asked, deps, deps.inFlight)
  const now = deps.clock.now()
  const facts = new ComboFacts(client, needs, readWishes(headers), deps.outputSizes.usual(combo.name))
  const { view } = scene
  const order = orderCombo(combo, {
    ...{ view, stateOf: deps.comboStates.get, request: facts, now, random: deps.random },
  })
  return { combo, order, scene, facts, now }
}

function stayingOf(
  targets: readonly Target[],
  sessions: readonly ComboSession[],
  words: (count: number) => string,
): ReadonlyMap<Target, Staying> {
  const found = targets.flatMap((target) => {
    const own = sessions.filter(({ executionKey }) => executionKey === target.executionKey)
    if (own.length === 0) return []
    return [[target, { why: words(own.length), until: Math.max(...own.map(({ until }) => until)) }] as const]
  })
  return new Map(found)
}

const manyStay = (count: number): string =>
  count === 1
    ? 'One conversation stays with it, which it answered last.'
    : `${count} conversations stay with it, which it answered last.`
