// GET /v1/models: one body that OpenAI, Anthropic and Codex clients all accept. Answers also when every upstream is
// down, for it only says what the gateway could be asked for.
import { dialectModules } from '../../dialects/dialects'
import { GatewayError } from '../../errors'
import type { Call, EndpointRoute } from '../router'

export interface ListedModel {
  /** As a client writes it: provider/model. */
  readonly id: string
  readonly label: string
  readonly owner: string
}

export function modelRoutes(list: () => readonly ListedModel[], startedAt: number): EndpointRoute[] {
  const common = { method: 'GET', access: 'key', dialect: dialectModules['openai-chat'] } as const
  const created = Math.floor(startedAt / 1000)
  return [
    {
      ...common,
      path: '/v1/models',
      handle: (call) => {
        const models = list().map((model) => entry(model, created))
        const ends = { has_more: false, first_id: models[0]?.id ?? null, last_id: models.at(-1)?.id ?? null }
        const codex = models.map(({ id, display_name }) => ({ slug: id, display_name }))
        sendJson(call, { object: 'list', data: models, models: codex, ...ends })
      },
    },
    {
      ...common,
      path: '/v1/models/*',
      handle: (call) => {
        const id = call.path.slice('/v1/models/'.length)
        const model = list().find((known) => known.id === id || encodeURIComponent(known.id) === id)
        if (model === undefined)
          throw new GatewayError('model_not_found', 404, 'This model is not in the list of GET /v1/models.')
        sendJson(call, entry(model, created))
      },
    },
  ]
}

const entry = ({ id, label, owner }: ListedModel, created: number) => ({
  id,
  object: 'model',
  type: 'model',
  created,
  created_at: new Date(created * 1000).toISOString(),
  owned_by: owner,
  display_name: label,
})

function sendJson({ response, echoedId }: Call, value: unknown): void {
  const body = JSON.stringify(value)
  response.writeHead(200, [
    'content-type',
    'application/json',
    'content-length',
    String(Buffer.byteLength(body)),
    'x-request-id',
    echoedId,
  ])
  response.end(body)
}
