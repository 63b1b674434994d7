// A whole Chat answer → answer events: the same as one chunk that says everything.
import type { AnswerEvent, JsonObject } from '../canonical'
import { isObject, objectsOf } from '../json'
import type { WriteContext } from '../translation'
import { ChatStreamParser } from './parse-stream'
import { readFault } from './read-fault'

/** null when it is no Chat answer. */
export function parseAnswer(body: JsonObject, newId: WriteContext['newId']): readonly AnswerEvent[] | null {
  const fault = readFault(undefined, body)
  if (fault !== null) return [{ kind: 'fault', ...fault }]
  if (!Array.isArray(body.choices)) return null
  const parser = new ChatStreamParser(newId)
  const choices = objectsOf(body.choices).map(numbered)
  return [...parser.chunk({ ...body, choices }), ...parser.complete()]
}

/** In a whole answer each element of tool_calls is a call of its own, whatever its id. */
function numbered(choice: JsonObject): JsonObject {
  const { message } = choice
  if (!isObject(message) || !Array.isArray(message.tool_calls)) return choice
  const calls = objectsOf(message.tool_calls).map((call, index) => ({ ...call, index }))
  return { ...choice, message: { ...message, tool_calls: calls } }
}
