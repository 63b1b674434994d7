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
  parseRequest,
  buildRequest,
  createStreamParser,
  createStreamWriter,
  parseAnswer,
  writeAnswer,
  withoutThinking,
}
