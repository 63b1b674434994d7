// GET /v1/auto-combo/{channel}/candidates: what a name of `auto` chooses among now. Nothing is sent.
import type { IncomingHttpHeaders } from 'node:http'
import type { Combo } from '../../contract/combos'
import { dialectModules } from '../../dialects/dialects'
import { GatewayError } from '../../errors'
import type { AutoCandidate } from '../../pipeline/auto-candidates'
import { autoCombo } from '../../routing/resolve-combo'
import type { EndpointRoute } from '../router'
import { sendJson } from '../send-json'

const PREFIX = '/v1/auto-combo/'
const SUFFIX = '/candidates'

/** `headers`: X-OmniRoute-Mode and the like count as in a request. */
export type Candidates = (combo: Combo, headers: IncomingHttpHeaders) => Promise<readonly AutoCandidate[]>

export const autoComboRoutes = (candidates: Candidates): EndpointRoute[] => [
  {
    method: 'GET',
    path: `${PREFIX}*`,
    access: 'key',
    dialect: dialectModules['openai-chat'],
    async handle(call) {
      const combo = comboOf(call.path)
      const { name, config } = combo
      sendJson(call, { object: 'list', name, config, data: await candidates(combo, call.request.headers) })
    },
  },
]

/** @throws GatewayError 404 */
function comboOf(path: string): Combo {
  const channel = path.endsWith(SUFFIX) ? decoded(path.slice(PREFIX.length, -SUFFIX.length)) : ''
  const combo = autoCombo(channel) ?? autoCombo(`auto/${channel}`)
  if (combo !== null) return combo
  throw new GatewayError(
    'not_found',
    404,
    `There is nothing under ${path}. Ask for ${PREFIX}auto${SUFFIX}, or put another name of GET /api/combos/auto in place of "auto", such as "fast" or "coding:cheap".`,
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
