// Anthropic Messages: docs.anthropic.com/en/api/messages and …/messages-streaming.
import type { GatewayError } from '../../errors'
import { checkCommonFields } from '../check-request'
import type { DialectModule, StreamEnd, StreamSign } from '../dialect'
import { errorMembers } from '../error-members'
import { anthropicErrorType } from '../error-type'
import { counters } from '../usage'
import { faultStatus } from './read-fault'
import { renameModel } from './rename-model'
import { translation } from './translation'

const END_MARKS = ['"message_stop"}\n\n', '"message_stop" }\n\n', '"message_stop"}\r\n\r\n'].map((mark) =>
  Buffer.from(mark),
)
const readUsage = counters('input_tokens', 'output_tokens')

export const anthropic: DialectModule = {
  name: 'anthropic',
  path: () => '/messages',
  modelsPath: '/models?limit=1000',
  forwardHeaders: new Set(['user-agent', 'anthropic-version', 'anthropic-beta', 'idempotency-key']),
  defaultHeaders: [['anthropic-version', '2023-06-01']],
  authHeaders: (apiKey) => [['x-api-key', apiKey]],
  wantedFields: new Set(['model', 'stream', 'messages', 'tools']),
  renameModel,
  checkRequest: checkCommonFields,
  readAsked: (body) => ({ model: body.string('model') ?? '', stream: body.isTrue('stream') }),
  errorBody: (error, requestId) => JSON.stringify(errorObject(error, requestId)),
  streamError: (error, requestId) => `event: error\ndata: ${JSON.stringify(errorObject(error, requestId))}\n\n`,
  heartbeat: 'event: ping\ndata: {"type":"ping"}\n\n',
  readSign,
  endMarks: END_MARKS,
  readEnd,
  isEmptyAnswer,
  readUsage,
  canAskForUsage: () => false,
  translation,
}

function errorObject(error: GatewayError, requestId: string): object {
  const { field } = error.details
  return {
    type: 'error',
    error: {
      type: anthropicErrorType(error.httpStatus),
      message: error.message,
      code: error.code,
      ...(field === undefined ? {} : { param: field }),
      ...errorMembers(error),
    },
    request_id: requestId,
  }
}

/** An answer that ends for one of these may be without content. */
const LEGITIMATE_ENDS = new Set([
  'max_tokens',
  'tool_use',
  'refusal',
  'pause_turn',
  'compaction',
  'stop_sequence',
  'model_context_window_exceeded',
])

interface Event {
  type?: string
  error?: unknown
  delta?: { stop_reason?: string | null }
  content_block?: { type?: string; text?: string; thinking?: string }
}

function readSign(event: string | undefined, data: string): StreamSign {
  let parsed: Event
  try {
    parsed = JSON.parse(data) as Event
  } catch {
    return { kind: 'preamble' }
  }
  if (typeof parsed !== 'object' || parsed === null) return { kind: 'preamble' }
  switch (parsed.type ?? event) {
    case 'error':
      return { kind: 'fault', status: faultStatus(parsed.error), text: data }
    case 'content_block_delta':
      return { kind: 'content' }
    case 'content_block_start':
      return startsContent(parsed.content_block) ? { kind: 'content' } : { kind: 'preamble' }
    case 'message_delta':
      return LEGITIMATE_ENDS.has(parsed.delta?.stop_reason ?? '') ? { kind: 'content' } : { kind: 'preamble' }
    case 'message_stop':
      return { kind: 'end' }
    default:
      return { kind: 'preamble' }
  }
}

function isEmptyAnswer(body: string): boolean {
  const { content, stop_reason } = JSON.parse(body) as {
    content?: Event['content_block'][]
    stop_reason?: string | null
  }
  if (!Array.isArray(content)) return false
  return !content.some(startsContent) && !LEGITIMATE_ENDS.has(stop_reason ?? '')
}

/** Text and thinking blocks start empty; every other block (tool use, images …) is itself an answer. */
function startsContent(block: Event['content_block']): boolean {
  if (block?.type === 'text') return (block.text ?? '') !== ''
  if (block?.type === 'thinking') return (block.thinking ?? '') !== ''
  return block?.type !== undefined
}

function readEnd(tail: string): StreamEnd {
  const stopped = tail.includes('"message_stop"') || /(^|\n)event: ?message_stop/.test(tail)
  const reasoned = /"stop_reason"\s*:\s*"/.test(tail)
  const separator = tail.endsWith('\n\n') || tail.endsWith('\r\n\r\n') ? '' : '\n\n'
  return {
    complete: stopped || reasoned,
    closing: stopped ? separator : `${separator}event: message_stop\ndata: {"type":"message_stop"}\n\n`,
    usage: readUsage(tail),
  }
}
