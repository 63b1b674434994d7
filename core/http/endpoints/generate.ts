// The calls that go to an upstream: answers in the four dialects, and the lesser calls beside them.
import { countTokens } from '../../dialects/anthropic/count-tokens'
import type { CanonicalRequest, JsonObject } from '../../dialects/canonical'
import type { DialectModule } from '../../dialects/dialect'
import { dialectModules } from '../../dialects/dialects'
import { countedRequest, countTokens as geminiCountTokens } from '../../dialects/gemini/count-tokens'
import { batchEmbed as geminiBatchEmbed, embed as geminiEmbed } from '../../dialects/gemini/embed'
import { createArrayStream } from '../../dialects/gemini/json-array-stream'
import { completions } from '../../dialects/openai-chat/completions'
import { embeddings } from '../../dialects/openai-chat/embeddings'
import { compact } from '../../dialects/openai-responses/compact'
import { GatewayError } from '../../errors'
import type { Framing } from '../../pipeline/client-answer'
import type { ClientRequest } from '../../pipeline/client-request'
import { handleRequest, type PipelineDeps } from '../../pipeline/handle-request'
import type { Call, EndpointRoute } from '../router'

/** Counts what no upstream could count. */
export type EstimateTokens = (request: CanonicalRequest) => Promise<number>

type Fallback = (client: ClientRequest) => Promise<string>

export function generateRoutes(deps: PipelineDeps, estimate: EstimateTokens): EndpointRoute[] {
  const handle = (call: DialectModule, endpoint: string, fallback: Fallback | null = null) => {
    return ({ request, response, requestId, echoedId, path, key }: Call) => {
      const framing = path.endsWith(':streamGenerateContent') && !asksForEvents(request.url) ? geminiArray() : null
      const clientKey = key?.name ?? ''
      const clientKeyId = key?.id ?? null
      const caller = { requestId, echoedId, clientKey, clientKeyId, endpoint, path, call, framing, fallback }
      return handleRequest(request, response, caller, deps)
    }
  }
  const route = (path: string, dialect: DialectModule, fallback: Fallback | null = null) =>
    ({ method: 'POST', path, access: 'key', dialect, handle: handle(dialect, path, fallback) }) as const
  const inTokens: Fallback = async (client) =>
    JSON.stringify({ input_tokens: await estimate(read(dialectModules.anthropic, client.json())) })
  const totalTokens: Fallback = async (client) =>
    JSON.stringify({ totalTokens: await estimate(read(dialectModules.gemini, countedRequest(client.json()))) })

  const geminiMethods: Readonly<Record<string, EndpointRoute['handle']>> = {
    generateContent: handle(dialectModules.gemini, '/v1beta/models/*:generateContent'),
    streamGenerateContent: handle(dialectModules.gemini, '/v1beta/models/*:streamGenerateContent'),
    countTokens: handle(geminiCountTokens, '/v1beta/models/*:countTokens', totalTokens),
    embedContent: handle(geminiEmbed, '/v1beta/models/*:embedContent'),
    batchEmbedContents: handle(geminiBatchEmbed, '/v1beta/models/*:batchEmbedContents'),
  }
  /** Gemini's method stands behind the last colon; a model's name may hold colons too. */
  const gemini = (path: string): EndpointRoute => ({
    method: 'POST',
    path,
    access: 'key',
    dialect: dialectModules.gemini,
    handle(call) {
      const method = call.path.slice(call.path.lastIndexOf(':') + 1)
      const found = Object.hasOwn(geminiMethods, method) ? geminiMethods[method] : undefined
      if (found === undefined)
        throw new GatewayError(
          'unknown_path',
          404,
          `The gateway has no such method for a model. It serves ${Object.keys(geminiMethods).join(', ')}.`,
        )
      return found(call)
    },
  })
  return [
    route('/v1/chat/completions', dialectModules['openai-chat']),
    route('/v1/completions', completions),
    route('/v1/embeddings', embeddings),
    route('/v1/responses', dialectModules['openai-responses']),
    route('/v1/responses/compact', compact),
    route('/v1/messages', dialectModules.anthropic),
    route('/v1/messages/count_tokens', countTokens, inTokens),
    gemini('/v1beta/models/*'),
    gemini('/v1/models/*'),
  ]
}

/** @throws GatewayError 400 naming the field that cannot be read */
function read({ translation }: DialectModule, body: JsonObject): CanonicalRequest {
  if (translation === null) throw new GatewayError('internal_server_error', 500, 'This dialect cannot be read.')
  return translation.parseRequest(body, { dropped: () => {} })
}

/** Gemini streams one JSON array unless the URL asks for server-sent events. */
const asksForEvents = (url = ''): boolean => /[?&]alt=sse(?:&|$)/.test(url)

function geminiArray(): Framing {
  const { write, end } = createArrayStream()
  return { headers: ['content-type', 'application/json; charset=UTF-8', 'cache-control', 'no-cache'], write, end }
}
