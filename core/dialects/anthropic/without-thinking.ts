// A request without the reasoning of earlier turns: for the one retry where its issuer refuses a signature.
import type { JsonObject } from '../canonical'
import { isObject, objectsOf } from '../json'

/** null when there is no thinking in it. Everything else stays as it is, member for member. */
export function withoutThinking(body: JsonObject): JsonObject | null {
  if (!Array.isArray(body.messages)) return null
  let found = false
  const messages = body.messages.map((message: unknown) => {
    if (!isObject(message) || !Array.isArray(message.content)) return message
    const content = message.content.filter((block) => !isThinking(block))
    if (content.length === message.content.length) return message
    found = true
    return { ...message, content: content.length === 0 ? [{ type: 'text', text: '.' }] : content }
  })
  if (!found) return null
  return demandsThinking(body, messages) ? switchedOff({ ...body, messages }) : { ...body, messages }
}

const isThinking = (block: unknown): boolean =>
  isObject(block) && (block.type === 'thinking' || block.type === 'redacted_thinking')

/** A budget demands that the assistant message of a running tool loop begin with thinking; adaptive does not. */
function demandsThinking(body: JsonObject, messages: readonly unknown[]): boolean {
  const last = messages.at(-1)
  if (!isObject(body.thinking) || body.thinking.type !== 'enabled' || !isObject(last)) return false
  return last.role === 'assistant' || objectsOf(last.content).some(({ type }) => type === 'tool_result')
}

/** Without thinking there is nothing to clear of it either: the API refuses such an edit. */
function switchedOff(body: Record<string, unknown>): JsonObject {
  const { thinking: _, ...rest } = body
  const management = body.context_management
  if (!isObject(management) || !Array.isArray(management.edits)) return rest
  const edits = management.edits.filter(
    (edit) => !isObject(edit) || typeof edit.type !== 'string' || !edit.type.startsWith('clear_thinking'),
  )
  if (edits.length === management.edits.length) return rest
  if (edits.length > 0) return { ...rest, context_management: { ...management, edits } }
  const { context_management: __, ...without } = rest as Record<string, unknown>
  return without
}
