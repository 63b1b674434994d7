// A conversation without the reasoning of earlier turns, for one more try where a signature in it was refused. Function
// calls keep a word in place of their signature: models from Gemini 3 on refuse calls that have none.
import type { JsonObject } from '../canonical'
import { isObject } from '../json'
import { listOf } from './members'
import { NOT_OURS } from './signature'

export function withoutThinking(body: JsonObject): JsonObject | null {
  let found = false
  const contents: unknown[] = []
  for (const content of listOf(body.contents)) {
    if (!isObject(content)) {
      contents.push(content)
      continue
    }
    const given = listOf(content.parts)
    const parts = given.map(withoutSignature).filter((part) => part !== null)
    if (parts.length === given.length && parts.every((part, at) => part === given[at])) {
      contents.push(content)
      continue
    }
    found = true
    // A content that was nothing but reasoning goes as a whole.
    if (parts.length > 0) contents.push({ ...content, parts })
  }
  return found ? { ...body, contents } : null
}

/** The part itself where it holds no reasoning; null where it holds nothing else. */
function withoutSignature(part: unknown): unknown {
  if (!isObject(part)) return part
  if (part.thought === true) return null
  const { thoughtSignature, thought_signature, ...rest } = part
  const signature = thoughtSignature ?? thought_signature
  if (signature === undefined || signature === null || signature === NOT_OURS) return part
  if (rest.functionCall !== undefined || rest.function_call !== undefined)
    return { ...rest, thoughtSignature: NOT_OURS }
  return rest.text === '' || Object.keys(rest).length === 0 ? null : rest
}
