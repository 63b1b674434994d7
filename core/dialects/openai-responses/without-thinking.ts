// A Responses request without the reasoning of earlier turns (docs/resilience.md, "Signatures").
import type { JsonObject } from '../canonical'
import { isObject } from '../json'

const isReasoning = (item: unknown): boolean => isObject(item) && item.type === 'reasoning'

/** null when there is none in it. */
export function withoutThinking(body: JsonObject): JsonObject | null {
  const { input } = body
  if (!Array.isArray(input) || !input.some(isReasoning)) return null
  return { ...body, input: input.filter((item) => !isReasoning(item)) }
}
