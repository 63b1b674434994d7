// POST /completions, the older call that editors use for autocompletion: passed on to upstreams of the same dialect,
// never translated.
import { badInput } from '../../errors'
import type { RequestBody } from '../../http/request-body'
import { checkModelAndStream } from '../check-request'
import type { DialectModule, StreamSign } from '../dialect'
import { isObject, objectsOf, parseJson } from '../json'
import { openAiChat } from './openai-chat'

export const completions: DialectModule = {
  ...openAiChat,
  path: () => '/completions',
  wantedFields: new Set(['model', 'stream', 'prompt', 'stream_options']),
  checkRequest,
  readSign,
  isEmptyAnswer: (body) => openAiChat.isEmptyAnswer(body) && !hasEnded(parseJson(body)),
  translation: null,
}

function checkRequest(body: RequestBody): void {
  checkModelAndStream(body)
  const prompt = body.notes.fields.get('prompt')
  if (prompt === undefined) throw badInput('prompt', 'is missing. Send the text to complete.')
  if (prompt.kind !== 'string' && prompt.kind !== 'array') throw badInput('prompt', 'must be a text or a list.')
}

function readSign(event: string | undefined, data: string): StreamSign {
  const sign = openAiChat.readSign(event, data)
  return sign.kind === 'preamble' && hasEnded(parseJson(data)) ? { kind: 'content' } : sign
}

/** A completion without words that ended properly is an answer: there was nothing to fill in at the cursor. */
const hasEnded = (answer: unknown): boolean =>
  isObject(answer) && objectsOf(answer.choices).some((choice) => typeof choice.finish_reason === 'string')
