// OpenAI Chat Completions: platform.openai.com/docs/api-reference/chat.
import type { GatewayError } from '../../errors'
import { checkCommonFields } from '../check-request'
import type { DialectModule } from '../dialect'
import { errorMembers } from '../error-members'
import { openAiErrorType } from '../error-type'
import { END_MARKS, isEmptyAnswer, readEnd, readSign, readUsage } from './read-signs'
import { translation } from './translation'

export const openAiChat: DialectModule = {
  name: 'openai-chat',
  path: () => '/chat/completions',
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
  readAsked: (body) => ({ model: body.string('model') ?? '', stream: body.isTrue('stream') }),
  errorBody: (error, requestId) => JSON.stringify({ error: errorFields(error, requestId) }),
  streamError: (error, requestId) => `data: ${JSON.stringify({ error: errorFields(error, requestId) })}\n\n`,
  heartbeat: ': keep-alive\n\n',
  readSign,
  endMarks: END_MARKS,
  readEnd,
  isEmptyAnswer,
  readUsage,
  canAskForUsage: (body) => body.isTrue('stream') && !body.notes.fields.has('stream_options'),
  translation,
}

function errorFields(error: GatewayError, requestId: string): object {
  const { field } = error.details
  return {
    message: error.message,
    type: openAiErrorType(error),
    code: error.code,
    param: field ?? null,
    ...errorMembers(error),
    request_id: requestId,
  }
}
