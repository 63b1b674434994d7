// OpenAI Chat Completions: platform.openai.com/docs/api-reference/chat.
import type { GatewayError } from '../../errors'
import type { RequestBody } from '../../http/request-body'
import { checkCommonFields } from '../check-request'
import type { DialectModule, StreamEnd, StreamSign } from '../dialect'
import { openAiErrorType, statusOfErrorType } from '../error-type'
import { readCounters } from '../usage'

const DONE = 'data: [DONE]\n\n'

export const openAiChat: DialectModule = {
  name: 'openai-chat',
  generatePath: '/chat/completions',
  modelsPath: '/models',
  forwardHeaders: new Set([
    'user-agent',
    'openai-beta',
    'openai-organization',
    'openai-project',
    'idempotency-key',
    'http-referer',
    'x-title',
  ]),
  defaultHeaders: [],
  authHeaders: (apiKey) => [['authorization', `Bearer ${apiKey}`]],
  wantedFields: new Set(['model', 'stream', 'messages', 'tools', 'stream_options']),
  checkRequest: checkCommonFields,
  errorBody: (error, requestId) => JSON.stringify({ error: errorFields(error, requestId) }),
  streamError: (error, requestId) => `data: ${JSON.stringify({ error: errorFields(error, requestId) })}\n\n`,
  heartbeat: ': keep-alive\n\n',
  readSign,
  readEnd,
  isEmptyAnswer,
  readUsage: (body) => readCounters(body, 'prompt_tokens', 'completion_tokens'),
  canAskForUsage: (body: RequestBody) => body.isTrue('stream') && !body.notes.fields.has('stream_options'),
}

function errorFields(error: GatewayError, requestId: string): object {
  const { field, retryAfterS, diagnostics } = error.details
  return {
    message: error.message,
    type: openAiErrorType(error.httpStatus),
    code: error.code,
    param: field ?? null,
    ...(retryAfterS === undefined ? {} : { retry_after: retryAfterS }),
    ...(diagnostics === undefined ? {} : { diagnostics }),
    request_id: requestId,
  }
}

interface Chunk {
  error?: unknown
  choices?: {
    delta?: Record<string, unknown>
    text?: unknown
    finish_reason?: unknown
  }[]
}

function readSign(_event: string | undefined, data: string): StreamSign {
  if (data === '[DONE]') return { kind: 'end' }
  let chunk: Chunk
  try {
    chunk = JSON.parse(data) as Chunk
  } catch {
    return { kind: 'preamble' }
  }
  if (typeof chunk !== 'object' || chunk === null) return { kind: 'preamble' }
  if (chunk.error !== undefined && chunk.error !== null) return fault(chunk.error)
  if (!Array.isArray(chunk.choices)) return { kind: 'preamble' }
  for (const choice of chunk.choices) {
    if (hasContent(choice?.delta) || LEGITIMATE_ENDS.has(String(choice?.finish_reason))) return { kind: 'content' }
  }
  return { kind: 'preamble' }
}

/** An answer that ends for one of these may be without content. */
const LEGITIMATE_ENDS = new Set(['length', 'tool_calls', 'function_call', 'content_filter'])

function isEmptyAnswer(body: string): boolean {
  const { choices } = JSON.parse(body) as { choices?: { message?: Record<string, unknown>; finish_reason?: unknown }[] }
  if (!Array.isArray(choices)) return false
  return choices.every((choice) => !hasContent(choice?.message) && !LEGITIMATE_ENDS.has(String(choice?.finish_reason)))
}

const CONTENT_MEMBERS = ['content', 'reasoning_content', 'reasoning', 'refusal', 'tool_calls', 'function_call', 'audio']

function hasContent(delta: Record<string, unknown> | undefined): boolean {
  if (typeof delta !== 'object' || delta === null) return false
  return CONTENT_MEMBERS.some((name) => {
    const value = delta[name]
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== ''
  })
}

function fault(error: unknown): StreamSign {
  const text = JSON.stringify({ error })
  if (typeof error !== 'object' || error === null) return { kind: 'fault', status: 502, text }
  const { code, type, status } = error as Record<string, unknown>
  for (const number of [code, status]) {
    const value = Number(number)
    if (value >= 400 && value <= 599) return { kind: 'fault', status: value, text }
  }
  const word = [code, type].find((value) => typeof value === 'string' && statusOfErrorType(value) !== 502)
  return { kind: 'fault', status: statusOfErrorType(String(word)), text }
}

function readEnd(tail: string): StreamEnd {
  // At the start of a line only: a model may speak of end markers, but its line breaks are escaped.
  const done = /(^|\n)data: ?\[DONE\]/.test(tail)
  const finished = /"finish_reason"\s*:\s*"/.test(tail)
  const separator = tail.endsWith('\n\n') || tail.endsWith('\r\n\r\n') ? '' : '\n\n'
  return {
    complete: done || finished,
    closing: done ? separator : separator + DONE,
    usage: readCounters(tail, 'prompt_tokens', 'completion_tokens'),
  }
}
