// A row of the management surface as an endpoint of the listener: input checked, operation run, answer or refusal sent.
import { z } from 'zod'
import { dialectModules } from '../../dialects/dialects'
import { GatewayError } from '../../errors'
import { discardRest } from '../../pipeline/client-answer'
import { type Call, type EndpointRoute, pathParams } from '../router'
import { checkInput } from './check-input'
import { managementErrorBody } from './error-body'
import { readBody, readQuery } from './read-input'
import type { ManagementCore, ManagementRoute } from './route'

const NOTHING = z.strictObject({})

export const managementEndpoint = (row: ManagementRoute, core: ManagementCore): EndpointRoute => ({
  method: row.method,
  path: row.path,
  access: row.open === true ? 'open' : 'manage',
  dialect: dialectModules['openai-chat'],
  async handle(call) {
    try {
      const { status = 200 } = row
      send(call, status, JSON.stringify(await answerOf(row, call, core)))
    } catch (error) {
      // Any other is a fault of our own: the listener notes it and says so.
      if (!(error instanceof GatewayError)) throw error
      const body = row.plainErrors === true ? plainError(error, core) : managementErrorBody(error, core.redact)
      send(call, error.httpStatus, body)
    }
  },
})

async function answerOf(row: ManagementRoute, { request, path, key }: Call, core: ManagementCore): Promise<unknown> {
  // Probes of all kinds ask what is open, with whatever they put behind the question mark.
  const query = row.open === true ? {} : checkInput(row.query ?? NOTHING, readQuery(request.url ?? ''))
  const body = await bodyOf(row, request, core)
  return row.run({ params: pathParams(row.path, path), query, body, key, headers: request.headers }, core)
}

async function bodyOf(
  { method, body }: ManagementRoute,
  request: Call['request'],
  { clock }: ManagementCore,
): Promise<unknown> {
  if (method === 'GET' || method === 'HEAD') return undefined
  const sent = await readBody(request, clock)
  if (body !== undefined) return checkInput(body, sent)
  checkInput(NOTHING, sent === undefined ? {} : sent)
  return undefined
}

const plainError = ({ message }: GatewayError, { redact }: ManagementCore): string =>
  JSON.stringify({ error: redact(message) })

function send({ request, response, echoedId }: Call, status: number, text: string): void {
  const body = Buffer.from(text)
  discardRest(response)
  response.writeHead(status, [
    'content-type',
    'application/json',
    'content-length',
    String(body.length),
    'cache-control',
    'no-store',
    'x-request-id',
    echoedId,
  ])
  response.end(request.method === 'HEAD' ? undefined : body)
}
