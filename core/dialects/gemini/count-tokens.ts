// POST /models/<model>:countTokens: passed on to upstreams of the same dialect, never translated.
import { badInput } from '../../errors'
import type { RequestBody } from '../../http/request-body'
import type { JsonObject } from '../canonical'
import { checkObject } from '../check-request'
import type { DialectModule } from '../dialect'
import { isObject } from '../json'
import { counters } from '../usage'
import { checkMessages, gemini } from './gemini'
import { bareModel, modelPath, readModelPath } from './model-path'

const WHOLE_REQUEST = ['generateContentRequest', 'generate_content_request'] as const

export const countTokens: DialectModule = {
  ...gemini,
  path: (model) => modelPath(model, 'countTokens'),
  wantedFields: new Set(['contents', ...WHOLE_REQUEST]),
  checkRequest,
  readAsked: (_body, path) => ({ model: readModelPath(path).model, stream: false }),
  isEmptyAnswer: () => false,
  readUsage: counters('totalTokens', ''),
  canAskForUsage: () => false,
  bodyFor: countTokensFor,
  translation: null,
}

function checkRequest(body: RequestBody): void {
  checkObject(body, ['contents', ...WHOLE_REQUEST])
  const { fields } = body.notes
  const whole = WHOLE_REQUEST.find((name) => fields.has(name))
  if (whole === undefined) return checkMessages(body, 'contents')
  if (fields.get(whole)?.kind !== 'object') throw badInput(whole, 'must be an object.')
}

/** The request whose tokens shall be counted, in the form a generateContent request has. */
export function countedRequest(body: JsonObject): JsonObject {
  const whole = WHOLE_REQUEST.map((name) => body[name]).find(isObject)
  return whole ?? body
}

/** The body for an upstream that calls the model `model`; null where it names none and can go up as it is. */
export function countTokensFor(body: JsonObject, model: string): JsonObject | null {
  const name = WHOLE_REQUEST.find((member) => isObject(body[member]))
  const whole = name === undefined ? undefined : body[name]
  if (name === undefined || !isObject(whole) || whole.model === undefined) return null
  return { ...body, [name]: { ...whole, model: `models/${bareModel(model)}` } }
}
