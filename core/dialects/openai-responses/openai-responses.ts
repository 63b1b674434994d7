// OpenAI Responses: platform.openai.com/docs/api-reference/responses.
import { badInput } from '../../errors'
import type { RequestBody } from '../../http/request-body'
import type { JsonObject } from '../canonical'
import { checkModelAndStream, checkObjectList, checkTools } from '../check-request'
import type { DialectModule, StreamEnd, StreamSign } from '../dialect'
import { isObject, objectsOf, parseJson, textOf } from '../json'
import { counters } from '../usage'
import { parseAnswer, writeAnswer } from './answer'
import { buildRequest } from './build-request'
import { errorBody, faultOf, streamError } from './errors'
import { fields } from './fields'
import { parseRequest } from './parse-request'
import { createStreamParser } from './parse-stream'
import { withoutThinking } from './without-thinking'
import { createResponsesWriter } from './write-stream'

const readUsage = counters('input_tokens', 'output_tokens')

export const openAiResponses: DialectModule = {
  name: 'openai-responses',
  path: () => '/responses',
  modelsPath: '/models',
  forwardHeaders: new Set([
    'user-agent',
    'openai-beta',
    'openai-organization',
    'openai-project',
    'idempotency-key',
    'originator',
    'session_id',
    'session-id',
    'conversation_id',
    'thread-id',
    'version',
    'http-referer',
    'x-title',
  ]),
  defaultHeaders: [],
  authHeaders: (apiKey) => [['authorization', `Bearer ${apiKey}`]],
  wantedFields: new Set([
    'model',
    'stream',
    'input',
    'tools',
    'previous_response_id',
    'conversation',
    'prompt',
    'store',
    'background',
  ]),
  checkRequest,
  readAsked: (body) => ({ model: body.string('model') ?? '', stream: body.isTrue('stream') }),
  errorBody,
  streamError,
  heartbeat: ': keep-alive\n\n',
  readSign,
  readEnd,
  isEmptyAnswer,
  readUsage,
  canAskForUsage: () => false,
  translation: {
    fields,
    toolNames: { pattern: /^[a-zA-Z0-9_-]{1,64}$/, maxLength: 64, refused: /[^a-zA-Z0-9_-]/gu },
    parseRequest,
    buildRequest,
    createStreamParser,
    createStreamWriter: createResponsesWriter,
    parseAnswer,
    writeAnswer,
    withoutThinking,
  },
}

/** Where the conversation may lie instead of in `input`. */
const ELSEWHERE = ['previous_response_id', 'conversation', 'prompt']

function checkRequest(body: RequestBody): void {
  checkModelAndStream(body, ['input', 'previous_response_id'])
  checkTools(body)
  const { fields } = body.notes
  const input = fields.get('input')
  if (input?.kind === 'array') return checkObjectList(body, 'input', 'a text or a list of items')
  if (input?.kind === 'string') return
  if (input !== undefined && input.kind !== 'null') throw badInput('input', 'must be a text or a list of items.')
  if (!ELSEWHERE.some((name) => fields.has(name)))
    throw badInput('input', 'is missing. Send a text or a list of items.')
}

/** Events that by their name alone are content. */
const CONTENT_EVENTS = new Set([
  'response.output_text.delta',
  'response.refusal.delta',
  'response.reasoning_summary_text.delta',
  'response.reasoning_text.delta',
  'response.function_call_arguments.delta',
  'response.custom_tool_call_input.delta',
  'response.image_generation_call.partial_image',
  'response.audio.delta',
])

/** They repeat the whole request: not worth parsing. */
const EMPTY_EVENTS = new Set(['response.created', 'response.queued', 'response.in_progress'])

function readSign(event: string | undefined, data: string): StreamSign {
  if (data === '[DONE]') return { kind: 'end' }
  if (event !== undefined && EMPTY_EVENTS.has(event)) return { kind: 'preamble' }
  const parsed = parseJson(data)
  if (!isObject(parsed)) return { kind: 'preamble' }
  const type = textOf(parsed.type) ?? event ?? ''
  if (CONTENT_EVENTS.has(type)) return parsed.delta === '' ? { kind: 'preamble' } : { kind: 'content' }
  switch (type) {
    case 'error':
      return faultOf(parsed.error ?? parsed)
    case 'response.failed':
    case 'response.cancelled':
      return faultOf(isObject(parsed.response) ? (parsed.response.error ?? parsed.error) : parsed.error)
    case 'response.output_item.added':
    case 'response.output_item.done':
      return { kind: isObject(parsed.item) && hasContent(parsed.item) ? 'content' : 'preamble' }
    case 'response.incomplete':
      return { kind: 'content' }
    case 'response.completed':
      // Some servers say everything in this one event.
      return { kind: isObject(parsed.response) && outputOf(parsed.response).some(hasContent) ? 'content' : 'end' }
  }
  return isObject(parsed.error) ? faultOf(parsed.error) : { kind: 'preamble' }
}

const outputOf = (response: JsonObject): readonly JsonObject[] => objectsOf(response.output)

const hasText = (part: JsonObject): boolean => ['text', 'refusal'].some((name) => (textOf(part[name]) ?? '') !== '')

/** Messages and reasoning begin empty; every other item (calls, images) is itself an answer. */
function hasContent(item: JsonObject): boolean {
  if (item.type === 'message') return objectsOf(item.content).some(hasText)
  if (item.type === 'reasoning') return objectsOf(item.summary).some(hasText) || objectsOf(item.content).some(hasText)
  return typeof item.type === 'string'
}

/** The closing event repeats the request and may be longer than the tail: then its usage, near its end, shows it. */
const COMPLETE =
  /(^|\n)event: ?response\.(completed|incomplete)[\r\n]|(^|\n)data: ?\{"type" ?: ?"response\.(completed|incomplete)"|"usage"\s*:\s*\{[^{}]{0,200}"(in|out)put_tokens"\s*:\s*\d/

function readEnd(tail: string): StreamEnd {
  // No line break stands inside of an event's data: what ends with one was not cut.
  const whole = /[\r\n}]$/.test(tail)
  return {
    complete: whole && COMPLETE.test(tail),
    closing: tail.endsWith('\n\n') || tail.endsWith('\r\n\r\n') ? '' : '\n\n',
    usage: readUsage(tail),
  }
}

function isEmptyAnswer(text: string): boolean {
  const body = parseJson(text)
  if (!isObject(body) || !Array.isArray(body.output)) return false
  return body.status !== 'incomplete' && !outputOf(body).some(hasContent)
}

const ANSWER_ID = /(?:^\s*|"response"\s*:\s*)\{\s*"id"\s*:\s*"([\w.:-]{1,200})"|"id"\s*:\s*"(resp_[\w-]{1,128})"/

/** The answer's id as the first bytes of a stream or document give it. */
export function readAnswerId(start: string): string | null {
  const found = ANSWER_ID.exec(start)
  return found?.[1] ?? found?.[2] ?? null
}
