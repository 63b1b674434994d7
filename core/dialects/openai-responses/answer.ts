// Complete answers of the Responses API, both ways. Each is the same run of events a stream would give.
import type { AnswerEvent, JsonObject } from '../canonical'
import type { WriteContext } from '../translation'
import { ResponsesParser } from './parse-stream'
import { responseOf } from './write-stream'

/** null when it is no response object. An error is a run with a fault. */
export function parseAnswer(body: JsonObject, newId: WriteContext['newId']): readonly AnswerEvent[] | null {
  const failed = body.status === 'failed' || body.status === 'cancelled'
  if (!Array.isArray(body.output) && !(failed && body.object === 'response')) return null
  return new ResponsesParser(newId).whole(body)
}

export const writeAnswer = (events: readonly AnswerEvent[], context: WriteContext): string =>
  JSON.stringify(responseOf(events, context))
