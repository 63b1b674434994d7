// Requests of the Responses API that go on where an earlier answer ended: the earlier turns are put back from memory, or
// the request is kept to the connection whose upstream remembers them.
import type { JsonObject } from '../dialects/canonical'
import { continueStored, wantsStoring } from '../dialects/openai-responses/continue-stored'
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
}

/** @throws GatewayError 400 previous_response_not_found where nothing could continue it */
export function continueConversation(client: ClientRequest, store: ResponseStore, native: boolean): Continued {
  if (client.call !== openAiResponses || !namesEarlier(client)) return { client, unusableFor: null }
  try {
    const continued = continueStored(client.json(), store)
    switch (continued.kind) {
      case 'unchanged':
        return { client, unusableFor: null }
      case 'expanded':
        return { client: client.withBody(continued.body), unusableFor: null }
      case 'held': {
        const { connectionId } = continued
        return {
          client,
          unusableFor: ({ id }) => (id === connectionId ? null : 'another connection keeps this conversation'),
        }
      }
    }
  } catch (error) {
    // An upstream may remember what this run of the gateway does not.
    if (!native || !(error instanceof GatewayError)) throw error
    const unusableFor = (_connection: Connection, { dialect }: Endpoint): string | null =>
      dialect === 'openai-responses' ? null : 'the conversation is not kept here'
    return { client, unusableFor }
  }
}

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
