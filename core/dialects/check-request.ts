// Checks of a request body that both dialects share. They look at the scanner's notes, not at parsed objects.
import { badInput } from '../errors'
import type { RequestBody } from '../http/request-body'

export function checkCommonFields(body: RequestBody): void {
  const { root, fields, repeated } = body.notes
  if (root !== 'object')
    throw badInput('', `The request body must be a JSON object, not ${root === 'array' ? 'an array' : root}.`)
  for (const name of ['model', 'stream', 'messages']) {
    if (repeated.has(name)) throw badInput(name, 'is given twice. Send it once.')
  }
  const model = fields.get('model')
  if (model === undefined) throw badInput('model', 'is missing. Name a model as provider/model.')
  if (model.kind !== 'string') throw badInput('model', 'must be a string such as provider/model.')
  const stream = fields.get('stream')
  if (stream !== undefined && stream.kind !== 'true' && stream.kind !== 'false' && stream.kind !== 'null') {
    throw badInput('stream', 'must be true or false.')
  }
  const messages = fields.get('messages')
  if (messages === undefined) throw badInput('messages', 'is missing. Send a list of messages.')
  if (messages.kind !== 'array') throw badInput('messages', 'must be a list of messages.')
  if (messages.hasOtherThanObjects) throw badInput('messages', 'must hold only objects.')
  const tools = fields.get('tools')
  if (tools !== undefined && tools.kind !== 'array' && tools.kind !== 'null') throw badInput('tools', 'must be a list.')
}
