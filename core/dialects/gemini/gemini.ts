// Google Gemini: ai.google.dev/api/generate-content, version v1beta.
import { badInput } from '../../errors'
import type { RequestBody } from '../../http/request-body'
import { checkObject } from '../check-request'
import type { Asked, DialectModule } from '../dialect'
import { modelPath, readModelPath } from './model-path'
import { isEmptyAnswer, readEnd, readSign, readUsage } from './read-signs'
import { translation } from './translation'
import { errorObject } from './write-error'

export const gemini: DialectModule = {
  name: 'gemini',
  path: (model, stream) =>
    stream ? `${modelPath(model, 'streamGenerateContent')}?alt=sse` : modelPath(model, 'generateContent'),
  modelsPath: '/models?pageSize=1000',
  forwardHeaders: new Set(['user-agent', 'x-goog-api-client', 'x-server-timeout']),
  defaultHeaders: [],
  authHeaders: (apiKey) => [['x-goog-api-key', apiKey]],
  wantedFields: new Set([
    'contents',
    'tools',
    'generationConfig',
    'generation_config',
    'systemInstruction',
    'system_instruction',
  ]),
  checkRequest,
  readAsked,
  errorBody: (error, requestId) => JSON.stringify(errorObject(error, requestId)),
  streamError: (error, requestId) => `data: ${JSON.stringify(errorObject(error, requestId))}\n\n`,
  // An event that says nothing, as Gemini itself sends them: Google's Python SDK takes a comment for broken JSON.
  heartbeat: 'data: {"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"index":0}]}\n\n',
  readSign,
  readEnd,
  isEmptyAnswer,
  readUsage,
  canAskForUsage: () => false,
  translation,
}

function checkRequest(body: RequestBody): void {
  checkObject(body, ['contents'])
  const { fields } = body.notes
  checkMessages(body, 'contents')
  const tools = fields.get('tools')
  if (tools !== undefined && tools.kind !== 'array' && tools.kind !== 'object' && tools.kind !== 'null') {
    throw badInput('tools', 'must be a list.')
  }
  for (const name of ['generationConfig', 'generation_config']) {
    const field = fields.get(name)
    if (field !== undefined && field.kind !== 'object' && field.kind !== 'null')
      throw badInput(name, 'must be an object.')
  }
}

/** A list of contents, or a single one without its list. @throws GatewayError 400 */
export function checkMessages(body: RequestBody, name: string): void {
  const contents = body.notes.fields.get(name)
  if (contents === undefined || contents.kind === 'null') throw badInput(name, 'is missing. Send a list of contents.')
  if (contents.kind !== 'array' && contents.kind !== 'object') throw badInput(name, 'must be a list of contents.')
  if (contents.kind === 'array' && contents.hasOtherThanObjects) throw badInput(name, 'must hold only objects.')
}

function readAsked(_body: RequestBody, path: string): Asked {
  const { model, method } = readModelPath(path)
  return { model, stream: method === 'streamGenerateContent' }
}
