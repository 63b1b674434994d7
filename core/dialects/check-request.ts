// Checks of a request body that several dialects share. They look at the scanner's notes, not at parsed objects.
import { badInput } from '../errors'
import type { RequestBody } from '../http/request-body'

/** The body is an object, and none of these members, on which the gateway acts, is given twice. */
export function checkObject(body: RequestBody, once: readonly string[]): void {
  const { root, repeated } = body.notes
  if (root !== 'object')
    throw badInput('', `The request body must be a JSON object, not ${root === 'array' ? 'an array' : root}.`)
  for (const name of once) {
    if (repeated.has(name)) throw badInput(name, 'is given twice. Send it once.')
  }
}

/** `model` and `stream` as every dialect but Gemini has them. `once`: further members that may not be given twice. */
export function checkModelAndStream(body: RequestBody, once: readonly string[] = []): void {
  checkObject(body, ['model', 'stream', ...once])
  const model = body.notes.fields.get('model')
  if (model === undefined) throw badInput('model', 'is missing. Name a model as provider/model.')
  if (model.kind !== 'string') throw badInput('model', 'must be a string such as provider/model.')
  const stream = body.notes.fields.get('stream')
  if (stream !== undefined && stream.kind !== 'true' && stream.kind !== 'false' && stream.kind !== 'null') {
    throw badInput('stream', 'must be true or false.')
  }
}

/** `words` end the sentence "is missing. Send …" . */
export function checkObjectList(body: RequestBody, name: string, words: string): void {
  const list = body.notes.fields.get(name)
  if (list === undefined) throw badInput(name, `is missing. Send ${words}.`)
  if (list.kind !== 'array') throw badInput(name, `must be ${words}.`)
  if (list.hasOtherThanObjects) throw badInput(name, 'must hold only objects.')
}

export function checkTools(body: RequestBody): void {
  const tools = body.notes.fields.get('tools')
  if (tools !== undefined && tools.kind !== 'array' && tools.kind !== 'null') throw badInput('tools', 'must be a list.')
}

/** The members that OpenAI Chat Completions and Anthropic Messages have in common. */
export function checkCommonFields(body: RequestBody): void {
  checkModelAndStream(body, ['messages'])
  checkObjectList(body, 'messages', 'a list of messages')
  checkTools(body)
}
