// Requests of the Responses API that go on where an earlier answer ended: the earlier turns are put back from memory, or
// the request is kept to the connection whose upstream remembers them.
import type { JsonObject } from '../dialects/canonical'
import { continueStored, wantsStoring, withoutBackground } from '../dialects/openai-responses/continue-stored'
import { openAiResponses, readAnswerId } from '../dialects/openai-responses/openai-responses'
import type { ResponseStore } from '../dialects/openai-responses/response-store'
import { GatewayError } from '../errors'
import type { Connection, Endpoint } from '../providers/registry'
import type { AttemptCall } from './attempt'
import type { ClientRequest } from './client-request'

export interface Continued {
  readonly client: ClientRequest
  /** Why a connection cannot go on with the conversation; null when it can. */
  readonly unusableFor: ((connection: Connection, endpoint: Endpoint) => string | null) | null
  /** Fields of the request that were left out whatever the upstream is. */
  readonly leftOut: readonly string[]
  /** What the answer repeats of the client's own request, where another body goes up in its place. */
  readonly repeated: JsonObject | null
}

/**
 * @param native the provider speaks Responses itself, and may remember what this run of the gateway does not
 * @throws GatewayError 400 previous_response_not_found where nothing could continue it
 */
export function continueConversation(given: ClientRequest, store: ResponseStore, native: boolean): Continued {
  if (given.call !== openAiResponses) return { client: given, unusableFor: null, leftOut: [], repeated: null }
  // Who asks for work in the background polls for it later: it is done at once instead.
  const foreground = given.has('background') ? withoutBackground(given.json()) : null
  const client = foreground === null ? given : given.withBody(foreground)
  const leftOut = foreground === null ? [] : ['background']
  const asItCame = { client, unusableFor: null, leftOut, repeated: null }
  if (!namesEarlier(client)) return asItCame
  try {
    const continued = continueStored(client.json(), store)
    switch (continued.kind) {
      case 'unchanged':
        return asItCame
      case 'expanded':
        return {
          ...asItCame,
          client: client.withBody(continued.body),
          repeated: { previous_response_id: client.json().previous_response_id },
        }
      case 'held':
        return { ...asItCame, unusableFor: only(continued.connectionId) }
    }
  } catch (error) {
    if (!native || !(error instanceof GatewayError)) throw error
    return { ...asItCame, unusableFor: onlyNative }
  }
}

const only =
  (connectionId: string) =>
  ({ id }: Connection): string | null =>
    id === connectionId ? null : 'another connection keeps this conversation'

const onlyNative = (_connection: Connection, { dialect }: Endpoint): string | null =>
  dialect === openAiResponses.name ? null : 'the conversation is not kept here'

const namesEarlier = (client: ClientRequest): boolean =>
  client.has('previous_response_id') || client.mentions('"item_reference"')

/** What is kept of an answer, so that it can be continued. */
export function keepingAnswer(
  client: ClientRequest,
  connection: Connection,
  store: ResponseStore,
): Pick<AttemptCall, 'onStart' | 'onConverted'> {
  if (client.call !== openAiResponses || client.isFalse('store')) return NOTHING
  return {
    onStart(start) {
      const id = readAnswerId(start)
      if (id !== null) store.saveHeld(id, connection.id)
    },
    onConverted(answer: JsonObject) {
      const body = client.json()
      if (wantsStoring(body)) store.save(body.input, answer)
    },
  }
}

const NOTHING = { onStart: null, onConverted: null }
