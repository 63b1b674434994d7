// Everything that lets Messages requests and answers cross to and from the other dialects.
import type { Translation } from '../translation'
import { parseAnswer, writeAnswer } from './answer'
import { buildRequest } from './build-request'
import { fields } from './fields'
import { parseRequest } from './parse-request'
import { createStreamParser } from './parse-stream'
import { withoutThinking } from './without-thinking'
import { createStreamWriter } from './write-stream'

export const translation: Translation = {
  fields,
  toolNames: { pattern: /^[a-zA-Z0-9_-]{1,128}$/, maxLength: 128, refused: /[^a-zA-Z0-9_-]/gu },
  parseRequest,
  buildRequest,
  createStreamParser,
  createStreamWriter,
  parseAnswer,
  writeAnswer,
  withoutThinking,
}
