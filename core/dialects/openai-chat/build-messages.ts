// Canonical turns → Chat messages. Chat wants the results of tool calls directly after the calls, one message each,
// and takes text in them only: images a tool gave follow in the user message after them.
import type {
  CanonicalRequest,
  JsonObject,
  MediaPart,
  Part,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  ToolResultPart,
  Turn,
} from '../canonical'
import { buildContent, joinTexts } from './build-content'
import { type WireIds, wireIds } from './call-ids'
import { detailWithText, REASONING_IN_CONTENT, readOpaque } from './opaque'

/** Said in place of a result the client did not give: Chat refuses calls without one. */
const NO_RESULT = 'Error: no result was given.'
const MEDIA_FOLLOWS = 'The result is in the next message.'

/** @throws GatewayError 400 naming what Chat cannot carry */
export function buildMessages({ system, turns }: CanonicalRequest): readonly JsonObject[] {
  const messages: JsonObject[] = system.length === 0 ? [] : [{ role: 'system', content: joinTexts(system) }]
  const results = new Results(turns)
  const wireId = wireIds(turns)
  /** What the next user message begins with. */
  let media: MediaPart[] = []
  const flush = (parts: readonly (TextPart | MediaPart)[]): void => {
    const content = [...media, ...parts]
    media = []
    if (content.length > 0) messages.push({ role: 'user', content: buildContent(content) })
  }

  for (const { role, parts } of joinCalls(turns)) {
    if (role === 'user') {
      if (parts.length === 0 && media.length === 0) messages.push({ role: 'user', content: '' })
      else flush(results.orphansAsText(parts))
      continue
    }
    flush([])
    if (role === 'system') {
      const texts = parts.filter(isText)
      if (texts.length > 0) messages.push({ role: 'system', content: joinTexts(texts) })
      continue
    }
    const message = assistantMessage(parts, wireId)
    if (message !== null) messages.push(message)
    for (const result of results.of(parts.filter(isCall))) {
      messages.push(toolMessage(result, wireId))
      media.push(...result.content.filter(isMedia))
    }
    media.push(...parts.filter(isMedia))
  }
  flush([])
  return messages
}

const isText = (part: Part): part is TextPart => part.kind === 'text'
const isCall = (part: Part): part is ToolCallPart => part.kind === 'tool-call'
const isMedia = (part: Part): part is MediaPart =>
  part.kind === 'image' || part.kind === 'document' || part.kind === 'audio'

/** Assistant turns next to each other become one where they hold calls: parallel calls stay in one message. */
function joinCalls(turns: readonly Turn[]): readonly Turn[] {
  const joined: Turn[] = []
  for (const turn of turns) {
    const last = joined.at(-1)
    const joins = last?.role === 'assistant' && turn.role === 'assistant' && [...last.parts, ...turn.parts].some(isCall)
    if (joins) joined[joined.length - 1] = { role: 'assistant', parts: [...last.parts, ...turn.parts] }
    else joined.push(turn)
  }
  return joined
}

/** The results in a conversation, found by the id of their call wherever they stand. */
class Results {
  private readonly byId = new Map<string, { readonly result: ToolResultPart; readonly at: number }>()
  private readonly calls = new Set<string>()

  constructor(turns: readonly Turn[]) {
    let at = 0
    for (const { parts } of turns) {
      for (const part of parts) {
        if (part.kind === 'tool-call') this.calls.add(part.id)
        if (part.kind === 'tool-result' && !this.byId.has(part.callId)) {
          this.byId.set(part.callId, { result: part, at: at++ })
        }
      }
    }
  }

  /** In the order in which they were given; a stand-in for each that is missing at the end. */
  of(calls: readonly ToolCallPart[]): readonly ToolResultPart[] {
    const found = calls.flatMap(({ id }) => this.byId.get(id) ?? []).sort((a, b) => a.at - b.at)
    const missing = calls.filter(({ id }) => !this.byId.has(id)).map(noResult)
    return [...found.map(({ result }) => result), ...missing]
  }

  /** A user turn without the results that went to their calls. Chat refuses others, so those are told in words. */
  orphansAsText(parts: readonly Part[]): readonly (TextPart | MediaPart)[] {
    return parts.flatMap((part): readonly (TextPart | MediaPart)[] => {
      if (part.kind === 'tool-result') return this.isOrphan(part) ? orphanAsText(part) : []
      return isText(part) || isMedia(part) ? [part] : []
    })
  }

  private isOrphan(part: ToolResultPart): boolean {
    return !this.calls.has(part.callId) || this.byId.get(part.callId)?.result !== part
  }
}

const noResult = ({ id, name }: ToolCallPart): ToolResultPart => ({
  kind: 'tool-result',
  callId: id,
  name,
  isError: true,
  content: [{ kind: 'text', text: NO_RESULT }],
})

function orphanAsText(result: ToolResultPart): readonly (TextPart | MediaPart)[] {
  const of = result.name === null ? 'an earlier tool call' : `an earlier call of ${result.name}`
  return [{ kind: 'text', text: `Result of ${of}: ${resultText(result)}` }, ...result.content.filter(isMedia)]
}

const toolMessage = (result: ToolResultPart, wireId: WireIds): JsonObject => ({
  role: 'tool',
  tool_call_id: wireId(result.callId),
  content: resultText(result),
})

/** Chat has no mark for a result that is an error: the text says it. */
function resultText({ isError, content }: ToolResultPart): string {
  const texts = content.filter(isText)
  const text = texts.length === 0 && content.length > 0 ? MEDIA_FOLLOWS : joinTexts(texts)
  return isError && !/^\W{0,3}error/i.test(text) ? `Error: ${text}`.trimEnd() : text
}

/** null when nothing of the turn can be said in Chat: reasoning of others alone. */
function assistantMessage(parts: readonly Part[], wireId: WireIds): JsonObject | null {
  const texts = parts.filter(isText)
  const refusals = parts.filter((part) => part.kind === 'refusal')
  const calls = buildCalls(parts, wireId)
  if (texts.length === 0 && refusals.length === 0 && calls.length === 0) return null
  const text = texts.length === 0 ? null : joinTexts(texts)
  return {
    role: 'assistant',
    content: text,
    ...(refusals.length === 0 ? {} : { refusal: joinTexts(refusals) }),
    // Servers that want their reasoning back want it beside tool calls; elsewhere some refuse it.
    ...(calls.length === 0 ? {} : { ...reasoningMembers(parts, text), tool_calls: calls }),
  }
}

function buildCalls(parts: readonly Part[], wireId: WireIds): readonly JsonObject[] {
  const calls: JsonObject[] = []
  let extra: JsonObject = {}
  for (const part of parts) {
    if (part.kind === 'thinking') {
      const opaque = ownOpaque(part)
      if (opaque?.kind === 'extra') extra = { extra_content: opaque.extra }
    }
    if (part.kind !== 'tool-call') continue
    const { name } = part
    const id = wireId(part.id)
    calls.push(
      part.freeForm
        ? { id, type: 'custom', custom: { name, input: part.arguments }, ...extra }
        : { id, type: 'function', function: { name, arguments: part.arguments }, ...extra },
    )
    extra = {}
  }
  return calls
}

const ownOpaque = ({ issuer, signature }: ThinkingPart) =>
  issuer === 'openai-chat' && signature !== null ? readOpaque(signature) : null

/** The turn's reasoning in the members in which a Chat server gave it. */
function reasoningMembers(parts: readonly Part[], text: string | null): JsonObject {
  const members: { [name: string]: unknown } = {}
  const details: JsonObject[] = []
  for (const part of parts) {
    const opaque = part.kind === 'thinking' ? ownOpaque(part) : null
    if (part.kind !== 'thinking' || opaque === null) continue
    if (opaque.kind === 'detail') details.push(detailWithText(opaque.detail, part.text))
    // Servers that call it plain `reasoning` refuse it, or do without.
    else if (opaque.kind === 'member' && opaque.name !== 'reasoning' && part.text !== '') {
      members[opaque.name] = opaque.name in members ? `${members[opaque.name]}${part.text}` : part.text
    }
  }
  if (details.length > 0) members.reasoning_details = details
  const inContent = members[REASONING_IN_CONTENT]
  if (inContent === undefined) return members
  const thinking = { type: 'thinking', thinking: [{ type: 'text', text: inContent }] }
  return { ...members, content: text === null ? [thinking] : [thinking, { type: 'text', text }] }
}
