// A Chat request without the reasoning of earlier turns.
import type { JsonObject } from '../canonical'
import { isObject } from '../json'
import { REASONING_MEMBERS } from './opaque'

/** null when there is none in it. The given body stays as it is. */
export function withoutThinking(body: JsonObject): JsonObject | null {
  if (!Array.isArray(body.messages)) return null
  let found = false
  const messages = body.messages.map((message: unknown) => {
    const bare = isObject(message) && message.role === 'assistant' ? bareMessage(message) : message
    if (bare !== message) found = true
    return bare
  })
  return found ? { ...body, messages } : null
}

const GONE = [...REASONING_MEMBERS, 'reasoning_details', 'extra_content']

/** The message itself where it holds no reasoning. */
function bareMessage(message: JsonObject): JsonObject {
  const bare = without(message, GONE)
  const calls = mapChanged(message.tool_calls, (call) => (isObject(call) ? without(call, ['extra_content']) : call))
  const content = Array.isArray(message.content) ? withoutThoughts(message.content) : message.content
  if (calls === message.tool_calls && content === message.content) return bare
  return { ...bare, ...('content' in bare ? { content } : {}), ...('tool_calls' in bare ? { tool_calls: calls } : {}) }
}

function withoutThoughts(content: readonly unknown[]): unknown {
  const rest = content.filter((part) => !isObject(part) || part.type !== 'thinking')
  if (rest.length === content.length) return content
  return rest.length === 0 ? null : rest
}

function without(object: JsonObject, names: readonly string[]): JsonObject {
  if (!names.some((name) => name in object)) return object
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}

/** The list itself where nothing in it changes. */
function mapChanged(list: unknown, change: (element: unknown) => unknown): unknown {
  if (!Array.isArray(list)) return list
  const changed = list.map(change)
  return changed.some((element, i) => element !== list[i]) ? changed : list
}
