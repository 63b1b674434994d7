// A request that the gateway makes by itself, beside those of clients: it goes the way of any other, with the same
// fail-over and health, and has a log entry of its own. In Anthropic's dialect, whose limit of the answer's length every
// other one has a word for.
import { anthropic } from '../dialects/anthropic/anthropic'
import type { JsonObject } from '../dialects/canonical'
import type { DialectModule } from '../dialects/dialect'
import { isObject } from '../dialects/json'
import { JsonScanner } from '../http/json-scanner'
import { RequestBody } from '../http/request-body'
import { CapturedResponse } from './captured-response'
import { ClientRequest } from './client-request'
import { type Caller, handleRequest, type PipelineDeps } from './handle-request'

/** A request as if a client had sent it. */
export function requestOf(call: DialectModule, body: JsonObject): ClientRequest {
  const bytes = Buffer.from(JSON.stringify(body))
  const scanner = new JsonScanner(call.wantedFields)
  scanner.feed(bytes)
  const asked = { model: String(body.model), stream: body.stream === true }
  return new ClientRequest(call, asked, new RequestBody([bytes], scanner.end()))
}

/**
 * Never rejects. @param question a whole Messages request, without stream. @param combo for which it is asked
 * @param on behalf of whom: names and rights are that client's
 * @returns the words of the answer; null: there are none
 */
export async function askAlone(
  question: JsonObject,
  combo: string,
  on: Caller,
  deps: PipelineDeps,
): Promise<string | null> {
  const response = new CapturedResponse()
  const requestId = deps.newId('req')
  const caller: Caller = {
    ...{ requestId, echoedId: requestId, clientKey: on.clientKey, clientKeyId: on.clientKeyId },
    ...{ endpoint: `summary for ${combo}`, path: '/v1/messages', call: anthropic, framing: null, fallback: null },
    isOwn: true,
  }
  await handleRequest(requestOf(anthropic, question), response.asResponse, caller, deps)
  const json = response.status === 200 ? response.json() : null
  const events = isObject(json) ? (anthropic.translation?.parseAnswer(json, deps.newId) ?? []) : []
  const text = events.map((event) => (event.kind === 'text' ? event.text : '')).join('')
  return text.trim() === '' ? null : text.trim()
}
