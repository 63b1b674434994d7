// How requests and answers cross between OpenAI Chat and the other dialects.
import type { Translation } from '../translation'
import { buildRequest } from './build-request'
import { fields } from './fields'
import { parseAnswer } from './parse-answer'
import { parseRequest } from './parse-request'
import { ChatStreamParser } from './parse-stream'
import { withoutThinking } from './without-thinking'
import { writeAnswer } from './write-answer'
import { ChatStreamWriter } from './write-stream'

export const translation: Translation = {
  fields,
  toolNames: { pattern: /^[a-zA-Z0-9_-]{1,64}$/, maxLength: 64, refused: /[^a-zA-Z0-9_-]/gu },
  parseRequest,
  buildRequest,
  createStreamParser: (newId) => new ChatStreamParser(newId),
  createStreamWriter: (context) => new ChatStreamWriter(context),
  parseAnswer,
  writeAnswer,
  withoutThinking,
}
