// Answers of the Responses API by their id: what this gateway keeps in memory, and a clear 404 for the rest.
import { dialectModules } from '../../dialects/dialects'
import type { ResponseStore } from '../../dialects/openai-responses/response-store'
import { GatewayError } from '../../errors'
import type { Call, EndpointRoute } from '../router'
import { sendJson } from '../send-json'

export function responseRoutes(store: ResponseStore): EndpointRoute[] {
  const common = { path: '/v1/responses/*', access: 'key', dialect: dialectModules['openai-responses'] } as const
  return [
    {
      ...common,
      method: 'GET',
      handle(call) {
        const found = store.get(idOf(call))?.response ?? null
        if (found === null) throw unknown(idOf(call))
        sendJson(call, found)
      },
    },
    {
      ...common,
      method: 'DELETE',
      handle(call) {
        const id = idOf(call)
        if (!store.delete(id)) throw unknown(id)
        sendJson(call, { id, object: 'response', deleted: true })
      },
    },
    {
      // Cancelling: nothing runs in the background here.
      ...common,
      method: 'POST',
      handle(call) {
        throw unknown(idOf(call))
      },
    },
  ]
}

const idOf = ({ path }: Call): string => path.slice('/v1/responses/'.length)

const unknown = (id: string): GatewayError =>
  new GatewayError(
    'not_found',
    404,
    `The answer "${id.replace(/[^\x20-\x7e]/g, '?').slice(0, 100)}" is not kept here. The gateway keeps answers in memory for a while, unless the request said "store": false.`,
  )
