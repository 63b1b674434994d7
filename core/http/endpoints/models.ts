// GET /v1/models and /v1beta/models: what a client may write as a model. Answers from what is at hand, also when every
// upstream is down.
import { dialectModules } from '../../dialects/dialects'
import { badInput, GatewayError } from '../../errors'
import type { ModelList } from '../../models/model-list'
import {
  codexListJson,
  entryJson,
  geminiEntry,
  geminiListJson,
  pagedListJson,
  wholeListJson,
} from '../../models/model-list-json'
import type { Call, EndpointRoute } from '../router'
import { sendJson } from '../send-json'

/** `listFor`: what the clients of a key are shown. */
export function modelRoutes(listFor: (clientKeyId: string | null) => Promise<ModelList>): EndpointRoute[] {
  const usual = { method: 'GET', access: 'key', dialect: dialectModules['openai-chat'] } as const
  const gemini = { method: 'GET', access: 'key', dialect: dialectModules.gemini } as const
  const list = ({ key }: Call): Promise<ModelList> => listFor(key?.id ?? null)
  const geminiList = async (call: Call): Promise<void> => {
    const query = queryOf(call)
    const size = wholeNumber(query, 'pageSize')
    sendJson(call, geminiListJson(await list(call), pageToken(query), size))
  }
  const geminiOne = async (call: Call): Promise<void> =>
    sendJson(call, JSON.stringify(geminiEntry(named(call, await list(call)))))
  return [
    {
      ...usual,
      path: '/v1/models',
      handle: async (call) => {
        if (speaksGemini(call)) return geminiList(call)
        sendJson(call, listBody(call, await list(call)))
      },
    },
    {
      ...usual,
      path: '/v1/models/*',
      handle: async (call) => {
        if (speaksGemini(call)) return geminiOne(call)
        const shown = await list(call)
        sendJson(call, entryJson(named(call, shown), shown.at))
      },
    },
    { ...gemini, path: '/v1beta/models', handle: geminiList },
    { ...gemini, path: '/v1beta/models/*', handle: geminiOne },
  ]
}

/** Google's newer clients ask under /v1 too, for lists of another form. */
const speaksGemini = ({ request: { headers, url = '' } }: Call): boolean =>
  headers['x-goog-api-key'] !== undefined ||
  headers['x-goog-api-client'] !== undefined ||
  /[?&](?:key|pageSize|pageToken)=/.test(url)

function listBody(call: Call, list: ModelList): string {
  const query = queryOf(call)
  if (query.has('client_version')) return codexListJson(list)
  const afterId = query.get('after_id')
  const beforeId = query.get('before_id')
  const byAnthropic = call.request.headers['anthropic-version'] !== undefined
  if (!byAnthropic && afterId === null && beforeId === null) return wholeListJson(list)
  const limit = wholeNumber(query, 'limit')
  if (limit === null && afterId === null && beforeId === null) return wholeListJson(list)
  return pagedListJson(list, { limit, afterId, beforeId })
}

/** @throws GatewayError 404 */
function named({ path }: Call, list: ModelList) {
  const name = decoded(path.slice(path.indexOf('/models/') + '/models/'.length))
  const entry = name === null ? null : list.find(name)
  if (entry === null) {
    throw new GatewayError('model_not_found', 404, 'This model is not in the list of GET /v1/models.', {
      field: 'model',
    })
  }
  return entry
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

const queryOf = ({ request }: Call): URLSearchParams => {
  const url = request.url ?? ''
  const mark = url.indexOf('?')
  return new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1))
}

/** Page sizes above 1000 are taken as 1000, as the originals do. @throws GatewayError 400 */
function wholeNumber(query: URLSearchParams, field: string): number | null {
  const text = query.get(field)
  if (text === null) return null
  if (!/^[1-9]\d{0,8}$/.test(text)) throw badInput(field, 'must be a whole number from 1 to 1000.')
  return Math.min(Number(text), 1000)
}

function pageToken(query: URLSearchParams): number {
  const text = query.get('pageToken') ?? ''
  if (text === '') return 0
  if (!/^\d{1,9}$/.test(text)) throw badInput('pageToken', 'is not one of this list. Begin it anew.')
  return Number(text)
}
