// POST /models/<model>:embedContent and :batchEmbedContents: passed on to upstreams of the same dialect, never translated.
import { badInput } from '../../errors'
import type { RequestBody } from '../../http/request-body'
import type { JsonObject } from '../canonical'
import { checkObject } from '../check-request'
import type { DialectModule } from '../dialect'
import { isObject } from '../json'
import { gemini } from './gemini'
import { bareModel, modelPath, readModelPath } from './model-path'

export const embed: DialectModule = {
  ...gemini,
  path: (model) => modelPath(model, 'embedContent'),
  wantedFields: new Set(['content']),
  checkRequest(body) {
    checkObject(body, ['content'])
    need(body, 'content', 'object', 'the content to embed')
  },
  readAsked,
  isEmptyAnswer: () => false,
  canAskForUsage: () => false,
  bodyFor: embedFor,
  translation: null,
}

export const batchEmbed: DialectModule = {
  ...embed,
  path: (model) => modelPath(model, 'batchEmbedContents'),
  wantedFields: new Set(['requests']),
  checkRequest(body) {
    checkObject(body, ['requests'])
    need(body, 'requests', 'array', 'a list of contents to embed')
  },
}

function readAsked(_body: RequestBody, path: string): { model: string; stream: boolean } {
  return { model: readModelPath(path).model, stream: false }
}

function need(body: RequestBody, name: string, kind: 'object' | 'array', words: string): void {
  const field = body.notes.fields.get(name)
  if (field === undefined || field.kind === 'null') throw badInput(name, `is missing. Send ${words}.`)
  if (field.kind !== kind) throw badInput(name, `must be ${words}.`)
}

/**
 * The body for an upstream that calls the model `model`: Google wants the name in every request, and refuses another
 * than the URL's. null where the body names none and can go up as it is.
 */
export function embedFor(body: JsonObject, model: string): JsonObject | null {
  const name = `models/${bareModel(model)}`
  if (Array.isArray(body.requests)) {
    const requests: readonly unknown[] = body.requests
    return { ...body, requests: requests.map((request) => (isObject(request) ? { ...request, model: name } : request)) }
  }
  return body.model === undefined ? null : { ...body, model: name }
}
