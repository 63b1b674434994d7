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
  toolNames: { pattern: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/, maxLength: 64, refused: /[^a-zA-Z0-9_.:-]/gu },
  parseRequest,
  buildRequest,
  createStreamParser,
  createStreamWriter,
  parseAnswer,
  writeAnswer,
  withoutThinking,
}
