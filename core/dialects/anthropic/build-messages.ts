// The conversation in the order the Messages API demands: user and assistant in turn, a user first; the results of an
// assistant's calls together at the head of the very next message; nothing empty. What was said stays in order.
import type { JsonObject, MediaPart, Part, TextPart, ToolResultPart, Turn } from '../canonical'
import type { FieldNotes } from '../translation'
import { hasWords, shownBlocks, textBlocks, toolInput } from './build-content'
import { CallIds } from './call-ids'
import { signedBlock } from './signature'

/** Stands where the API demands a message and nothing was said. */
const PLACEHOLDER = '.'

export interface BuiltConversation {
  readonly system: readonly JsonObject[]
  readonly messages: readonly { readonly role: string; readonly content: readonly JsonObject[] }[]
  /** The last assistant message of a running tool loop begins with thinking, or there is no such loop. */
  readonly thinkingIsWhole: boolean
  /** Names of the tools called in the conversation. */
  readonly calledTools: ReadonlySet<string>
}

interface Draft {
  readonly role: 'user' | 'assistant'
  /** All but calls and results. */
  blocks: JsonObject[]
  /** tool_use blocks of an assistant; tool_result blocks of a user. */
  tools: JsonObject[]
  /** A result stood here, wherever it is sent: what is before and after must not merge. */
  divides: boolean
}

interface Result {
  /** Place among all results, as the client gave them. */
  readonly order: number
  readonly block: JsonObject
  /** What a result that failed cannot hold: it follows the results as the user's own. */
  readonly beside: readonly JsonObject[]
}

interface Building {
  readonly ids: CallIds
  /** By the call's id on the wire. */
  readonly results: Map<string, Result>
  readonly calledTools: Set<string>
  readonly notes: FieldNotes
}

/**
 * `system` turns amid the conversation join the instructions: only the newest models take them in place.
 * @throws GatewayError 400 naming what no block can hold
 */
export function buildConversation(
  system: readonly TextPart[],
  turns: readonly Turn[],
  takesPrefill: boolean,
  notes: FieldNotes,
): BuiltConversation {
  const building: Building = { ids: new CallIds(), results: new Map(), calledTools: new Set(), notes }
  const later = turns.filter(({ role }) => role === 'system').flatMap(({ parts }) => parts)
  const drafts = merged(turns.flatMap((turn) => draftOf(turn, building)))
  drafts.forEach(dropTrailingThinking)
  const paired = withResults(merged(drafts), building.results)
  finishEnds(paired, takesPrefill)
  return {
    system: [...system, ...later].flatMap((part) => (part.kind === 'text' ? textBlocks(part.text) : [])),
    messages: paired.map(({ role, blocks, tools }) => ({
      role,
      content: role === 'user' ? [...tools, ...blocks] : [...blocks, ...tools],
    })),
    thinkingIsWhole: isThinkingWhole(paired),
    calledTools: building.calledTools,
  }
}

function draftOf(turn: Turn, building: Building): Draft[] {
  if (turn.role === 'system') return []
  const draft: Draft = { role: turn.role, blocks: [], tools: [], divides: false }
  for (const part of turn.parts) addPart(draft, part, building)
  return [draft]
}

function addPart(draft: Draft, part: Part, building: Building): void {
  switch (part.kind) {
    case 'tool-call':
      building.calledTools.add(callName(part.name))
      draft.tools.push({
        type: 'tool_use',
        id: building.ids.open(part.id),
        name: callName(part.name),
        input: toolInput(part),
      })
      return
    case 'tool-result':
      draft.divides = true
      addResult(draft, part, building)
      return
    case 'thinking':
      if (part.issuer === 'anthropic' && part.signature !== null) {
        draft.blocks.push(signedBlock(part.text, part.signature, part.issuer, part.redacted))
      }
      return
    case 'refusal':
      draft.blocks.push(...textBlocks(part.text))
      return
    default:
      if (draft.role === 'user' || part.kind === 'text') draft.blocks.push(...shownBlocks(part))
      else draft.blocks.push(...mediaOfAssistant(part, building.notes))
  }
}

/** The API takes no other letters in names, not even in those of calls that were made elsewhere. */
const callName = (name: string): string => name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 128) || 'tool'

/** Assistant messages hold no media: a word says that there was one. */
function mediaOfAssistant(part: MediaPart, notes: FieldNotes): readonly JsonObject[] {
  notes.dropped(`assistant ${part.kind}`)
  return textBlocks(`[${part.kind}]`)
}

function addResult(draft: Draft, part: ToolResultPart, { ids, results }: Building): void {
  const id = ids.of(part.callId)
  if (id !== undefined && !results.has(id)) {
    results.set(id, resultOf(id, part, results.size))
    return
  }
  // No call waits for it: told in words, since the API refuses results without calls.
  draft.blocks.push(...textBlocks(`Result of ${part.name ?? `the tool call ${part.callId}`}:`))
  draft.blocks.push(...part.content.flatMap(shownBlocks))
}

function resultOf(id: string, { content, isError }: ToolResultPart, order: number): Result {
  const texts = content.filter((part) => part.kind === 'text')
  const inside = isError ? texts : content
  return {
    order,
    block: {
      type: 'tool_result',
      tool_use_id: id,
      ...resultContent(inside),
      ...(isError ? { is_error: true } : {}),
    },
    beside: isError ? content.filter((part) => part.kind !== 'text').flatMap(shownBlocks) : [],
  }
}

/** One text is sent as a string, which may be blank; a result without content is allowed as well. */
function resultContent(content: ToolResultPart['content']): JsonObject {
  const [first] = content
  if (content.length === 1 && first?.kind === 'text') return { content: first.text }
  const blocks = content.flatMap(shownBlocks)
  return blocks.length === 0 ? {} : { content: blocks }
}

/** Neighbours of one role become one message; what is empty goes. */
function merged(drafts: readonly Draft[]): Draft[] {
  const kept: Draft[] = []
  for (const draft of drafts) {
    if (draft.blocks.length === 0 && draft.tools.length === 0 && !draft.divides) continue
    const last = kept.at(-1)
    if (last?.role !== draft.role) {
      kept.push({ ...draft, blocks: [...draft.blocks], tools: [...draft.tools] })
      continue
    }
    last.blocks.push(...draft.blocks)
    last.tools.push(...draft.tools)
  }
  return kept
}

/** A message must not end with thinking. */
function dropTrailingThinking(draft: Draft): void {
  if (draft.role === 'user' || draft.tools.length > 0) return
  while (isThinking(draft.blocks.at(-1))) draft.blocks.pop()
}

const isThinking = (block: JsonObject | undefined): boolean =>
  block?.type === 'thinking' || block?.type === 'redacted_thinking'

/**
 * Puts every result behind its call; `drafts` are in turn. A call without a result gets one that says so: the API
 * refuses its absence.
 */
function withResults(drafts: readonly Draft[], results: ReadonlyMap<string, Result>): Draft[] {
  const paired: Draft[] = []
  let waiting: Draft | null = null
  for (const draft of drafts) {
    paired.push(waiting === null ? draft : answerTo(waiting, draft, results))
    waiting = draft.role === 'assistant' && draft.tools.length > 0 ? draft : null
  }
  if (waiting !== null) paired.push(answerTo(waiting, userDraft(), results))
  return paired
}

const userDraft = (): Draft => ({ role: 'user', blocks: [], tools: [], divides: false })

function answerTo(assistant: Draft, user: Draft, results: ReadonlyMap<string, Result>): Draft {
  const ids = assistant.tools.map(({ id }) => id as string)
  const given = ids.flatMap((id) => results.get(id) ?? []).sort((a, b) => a.order - b.order)
  const missing = ids.filter((id) => !results.has(id)).map(missingResult)
  return {
    ...user,
    tools: [...given.map(({ block }) => block), ...missing],
    blocks: [...given.flatMap(({ beside }) => beside), ...user.blocks],
  }
}

const missingResult = (id: string): JsonObject => ({
  type: 'tool_result',
  tool_use_id: id,
  content: 'No result was given for this call.',
  is_error: true,
})

function finishEnds(drafts: Draft[], takesPrefill: boolean): void {
  trimLast(drafts)
  if (drafts[0]?.role !== 'user') drafts.unshift({ ...userDraft(), blocks: textBlocks(PLACEHOLDER) })
  for (const draft of drafts) {
    if (draft.blocks.length === 0 && draft.tools.length === 0) draft.blocks = textBlocks(PLACEHOLDER)
  }
  if (!takesPrefill && drafts.at(-1)?.role === 'assistant') {
    drafts.push({ ...userDraft(), blocks: textBlocks('Continue.') })
  }
}

/** The answer goes on from a last assistant message, whose text must not end with white space. */
function trimLast(drafts: Draft[]): void {
  const last = drafts.at(-1)
  const block = last?.blocks.at(-1)
  if (last?.role !== 'assistant' || typeof block?.text !== 'string') return
  const text = block.text.trimEnd()
  last.blocks = [...last.blocks.slice(0, -1), ...(hasWords(text) ? [{ ...block, text }] : [])]
  dropTrailingThinking(last)
  if (last.blocks.length === 0) drafts.pop()
}

/** Whether thinking may be asked for: within a tool loop the assistant's message must begin with it. */
function isThinkingWhole(drafts: readonly Draft[]): boolean {
  const last = drafts.at(-1)
  if (last?.role === 'assistant') return false
  if (last === undefined || last.tools.length === 0) return true
  return isThinking(drafts.at(-2)?.blocks[0])
}
