// Gemini names model and method in the URL: /v1beta/models/<model>:<method>.
import { badInput, GatewayError } from '../../errors'

export interface ModelCall {
  /** As the client wrote it, decoded and without "models/"; may hold slashes and colons. */
  readonly model: string
  readonly method: string
}

/** Collections whose name is part of the model's. */
const OWN_COLLECTION = /^(?:tunedModels|dynamic|projects|publishers)\//

/**
 * Path of one method of a model, for a base URL that ends in the API's version.
 * @throws GatewayError 400 where the name would lead to another place
 */
export function modelPath(model: string, method: string): string {
  const bare = bareModel(model)
  const name = OWN_COLLECTION.test(bare) ? bare : `models/${bare}`
  const steps = name.split('/')
  if (steps.some((step) => step === '' || step === '.' || step === '..')) {
    throw badInput('model', 'is no name of a model: between two slashes there must be a name.')
  }
  return `/${steps.map(encodeURIComponent).join('/')}:${method}`
}

/** "models/gemini-3-pro" and "gemini-3-pro" are the same model. */
export function bareModel(model: string): string {
  let bare = model
  while (bare.startsWith('models/')) bare = bare.slice('models/'.length)
  return bare
}

const VERSION = /^\/v\d\w*\//

/** @throws GatewayError 400 where the path names no model */
export function readModelPath(path: string): ModelCall {
  const decoded = decode(path.replace(VERSION, '')).replace(/^\//, '')
  // A model may be called "ollama/qwen3:8b": the method stands behind the last colon.
  const colon = decoded.lastIndexOf(':')
  const model = bareModel(colon < 0 ? decoded : decoded.slice(0, colon))
  if (model === '')
    throw badInput('model', 'is missing. Name it in the URL: /v1beta/models/provider/model:generateContent.')
  if (colon < 0) throw badInput('', 'The URL names no method. Use :generateContent or :streamGenerateContent.')
  return { model, method: decoded.slice(colon + 1) }
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch (error) {
    const message = 'The model in the URL is not encoded properly: a % must be followed by two hexadecimal digits.'
    throw new GatewayError('bad_input', 400, message, { field: 'model' }, { cause: error })
  }
}
