// POST /embeddings: passed on to upstreams of the same dialect, never translated.
import { badInput } from '../../errors'
import type { RequestBody } from '../../http/request-body'
import { checkModelAndStream } from '../check-request'
import type { DialectModule } from '../dialect'
import { openAiChat } from './openai-chat'

export const embeddings: DialectModule = {
  ...openAiChat,
  path: () => '/embeddings',
  wantedFields: new Set(['model', 'stream', 'input']),
  checkRequest,
  readAsked: (body) => ({ model: body.string('model') ?? '', stream: false }),
  isEmptyAnswer: () => false,
  canAskForUsage: () => false,
  translation: null,
}

function checkRequest(body: RequestBody): void {
  checkModelAndStream(body)
  const input = body.notes.fields.get('input')
  if (input === undefined) throw badInput('input', 'is missing. Send the text to embed, or a list of texts.')
  if (input.kind !== 'string' && input.kind !== 'array') throw badInput('input', 'must be a text or a list.')
}
