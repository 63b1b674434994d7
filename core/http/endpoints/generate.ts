// POST /v1/chat/completions and POST /v1/messages: what the gateway is for.

import type { DialectModule } from '../../dialects/dialect'
import { dialectModules } from '../../dialects/dialects'
import { handleRequest, type PipelineDeps } from '../../pipeline/handle-request'
import type { EndpointRoute } from '../router'

export function generateRoutes(deps: PipelineDeps): EndpointRoute[] {
  const route = (path: string, dialect: DialectModule): EndpointRoute => ({
    method: 'POST',
    path,
    access: 'key',
    dialect,
    handle: ({ request, response, requestId, echoedId, key }) =>
      handleRequest(
        request,
        response,
        { requestId, echoedId, clientKey: key?.name ?? '', endpoint: path, dialect },
        deps,
      ),
  })
  return [route('/v1/chat/completions', dialectModules['openai-chat']), route('/v1/messages', dialectModules.anthropic)]
}
