// `X-OmniRoute-Effort: auto`: the client leaves it to the gateway how hard a model thinks. Its request then goes up with
// an effort in it, to models that are known to reason; never where the client says something of it itself.
import type { Dialect } from '../contract/kinds'
import { modelTraits } from '../dialects/anthropic/model-traits'
import type { JsonObject } from '../dialects/canonical'
import { thinkingConfig } from '../dialects/gemini/thinking-config'
import { isObject } from '../dialects/json'
import type { FieldNotes } from '../dialects/translation'
import { GatewayError } from '../errors'
import type { Target as Leg } from '../routing/combo'
import { type ChosenEffort, effortFor } from '../routing/strategies/auto/effort'
import type { RequestFacts } from '../routing/strategies/strategy'
import type { ClientRequest } from './client-request'
import type { Home } from './conversation-home'

const NO_NOTES: FieldNotes = { dropped: () => {} }

/** The client's request as it goes up to a target; null: as it is. */
export function withEffort(target: Leg, { combo, facts, scene }: Asked, client: ClientRequest): ClientRequest | null {
  const isWished = combo.strategy === 'auto' && facts.wishes.autoEffort
  return isWished && scene.view(target).reasoning === true ? withChosenEffort(client, facts, target.model) : null
}

type Asked = Pick<Home, 'combo' | 'facts' | 'scene'>

/** null: it says so itself, or the model would refuse it. */
export function withChosenEffort(client: ClientRequest, facts: RequestFacts, model: string): ClientRequest | null {
  if (!saysNothing(client)) return null
  const body = SET[client.call.name](client.json(), effortFor(facts), model)
  return body === null ? null : client.withBody(body)
}

function saysNothing(client: ClientRequest): boolean {
  const { translation } = client.call
  try {
    return translation !== null && translation.parseRequest(client.json(), NO_NOTES).reasoning === null
  } catch (error) {
    if (error instanceof GatewayError) return false
    throw error
  }
}

type SetEffort = (body: JsonObject, effort: ChosenEffort, model: string) => JsonObject | null

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {})

const SET: Readonly<Record<Dialect, SetEffort>> = {
  'openai-chat': (body, effort) => ({ ...body, reasoning_effort: effort }),
  'openai-responses': (body, effort) => ({ ...body, reasoning: { ...objectOf(body.reasoning), effort } }),
  // Older Claudes want a number of tokens, which depends on all of the rest of the request.
  anthropic: (body, effort, model) =>
    modelTraits(model).thinking === 'adaptive'
      ? { ...body, output_config: { ...objectOf(body.output_config), effort } }
      : null,
  gemini: (body, effort, model) => {
    const config = thinkingConfig({ effort, budget: null, show: null }, model, NO_NOTES)
    if (config === null) return null
    const { generation_config: snake, ...rest } = body
    return { ...rest, generationConfig: { ...objectOf(rest.generationConfig ?? snake), thinkingConfig: config } }
  },
}
