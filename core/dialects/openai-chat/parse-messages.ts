// Messages of a Chat request → system texts and turns.
import { badInput } from '../../errors'
import type { JsonObject, MediaPart, Part, TextPart, ThinkingPart, ToolCallPart, Turn } from '../canonical'
import { maybeString, needArray, needObject, needString, objectsOf } from '../json'
import type { FieldNotes } from '../translation'
import { CallIds } from './call-ids'
import { noteOthers } from './notes'
import { detailSignature, detailText, REASONING_MEMBERS, thinkingOf } from './opaque'
import { mediaOf, parseContent, parseTexts } from './parse-content'

interface Conversation {
  readonly system: readonly TextPart[]
  readonly turns: readonly Turn[]
}

/** @throws GatewayError 400 naming the field */
export function parseMessages(messages: readonly unknown[], notes: FieldNotes): Conversation {
  const system: TextPart[] = []
  const turns: { readonly role: Turn['role']; readonly parts: Part[] }[] = []
  const ids = new CallIds()
  /** The turn that tool results, and the user's words right after them, go into. */
  let results: Part[] | null = null

  messages.forEach((value, i) => {
    const at = `messages[${i}]`
    const message = needObject(value, at)
    const begin = (role: Turn['role'], parts: readonly Part[]): Part[] => {
      const own = [...parts]
      turns.push({ role, parts: own })
      return own
    }
    noteOthers(message, KNOWN, 'messages[].', notes)
    switch (message.role) {
      case 'system':
      case 'developer': {
        const texts = parseTexts(message.content, `${at}.content`, notes)
        if (turns.length === 0) system.push(...texts)
        else if (texts.length > 0) begin('system', texts)
        if (texts.length > 0) results = null
        return
      }
      case 'user': {
        const parts = parseContent(message.content, `${at}.content`, notes)
        if (results === null) begin('user', parts)
        else results.push(...parts)
        results = null
        return
      }
      case 'assistant':
        begin('assistant', parseAssistant(message, at, ids, notes))
        results = null
        return
      case 'tool':
      case 'function':
        results ??= begin('user', [])
        results.push(parseResult(message, at, ids, notes))
        return
      default:
        throw badInput(`${at}.role`, 'must be system, developer, user, assistant or tool.')
    }
  })
  return { system, turns }
}

const KNOWN = new Set([
  ...['role', 'content', 'refusal', 'tool_calls', 'tool_call_id', 'function_call', 'audio', 'images', 'extra_content'],
  ...REASONING_MEMBERS,
  'reasoning_details',
])

function parseResult(message: JsonObject, at: string, ids: CallIds, notes: FieldNotes): Part {
  const wireId = maybeString(message.tool_call_id, `${at}.tool_call_id`) ?? ''
  const content = parseContent(message.content, `${at}.content`, notes).map((part) => {
    if (part.kind !== 'text' && part.kind !== 'image' && part.kind !== 'document' && part.kind !== 'audio') {
      throw badInput(`${at}.content`, 'may hold only text, images and files here.')
    }
    return part
  })
  const { id, name } =
    message.role === 'function' ? ids.resultOf(needString(message.name, `${at}.name`)) : ids.result(wireId)
  return { kind: 'tool-result', callId: id, name, isError: false, content }
}

function parseAssistant(message: JsonObject, at: string, ids: CallIds, notes: FieldNotes): readonly Part[] {
  if (message.audio !== undefined && message.audio !== null && 'id' in needObject(message.audio, `${at}.audio`)) {
    throw badInput(`${at}.audio`, 'Sound a model spoke earlier is known to its provider only. Send its transcript.')
  }
  const parts: Part[] = [...parseReasoning(message)]
  parts.push(...parseContent(message.content, `${at}.content`, notes))
  const refusal = maybeString(message.refusal, `${at}.refusal`)
  if (refusal !== null && refusal !== '') parts.push({ kind: 'refusal', text: refusal })
  parts.push(...parseImages(message.images, `${at}.images`))
  parseCalls(message, at, ids, notes).forEach(({ call, thinking }, i) => {
    // Gemini signs the call itself; others sign the reasoning before everything else the turn says.
    if (thinking !== null && thinking.issuer !== 'gemini' && i === 0) parts.unshift(thinking)
    else if (thinking !== null) parts.push(thinking)
    parts.push(call)
  })
  return parts
}

function parseReasoning(message: JsonObject): readonly ThinkingPart[] {
  const details = objectsOf(message.reasoning_details)
  const part = { kind: 'thinking', issuer: 'openai-chat' } as const
  if (details.length > 0) {
    return details.map((detail) => {
      const text = detailText(detail)
      return { ...part, text, signature: detailSignature(detail), redacted: text === '' }
    })
  }
  for (const name of REASONING_MEMBERS) {
    const text = message[name]
    if (typeof text === 'string' && text !== '') return [{ ...part, text, signature: name, redacted: false }]
  }
  return []
}

function parseImages(images: unknown, at: string): readonly MediaPart[] {
  return objectsOf(images).map((image, i) => {
    const { url } = needObject(image.image_url, `${at}[${i}].image_url`)
    const field = `${at}[${i}].image_url.url`
    return { kind: 'image', media: mediaOf(needString(url, field), field), name: null }
  })
}

interface SignedCall {
  readonly call: ToolCallPart
  readonly thinking: ThinkingPart | null
}

const KNOWN_IN_CALL = new Set(['id', 'type', 'index', 'function', 'custom', 'extra_content'])

function parseCalls(message: JsonObject, at: string, ids: CallIds, notes: FieldNotes): readonly SignedCall[] {
  const calls = message.tool_calls ?? []
  if (message.function_call !== undefined && message.function_call !== null) {
    const field = `${at}.function_call`
    return [{ call: callOf(needObject(message.function_call, field), field, '', ids), thinking: null }]
  }
  return needArray(calls, `${at}.tool_calls`).map((value, i) => {
    const field = `${at}.tool_calls[${i}]`
    const call = needObject(value, field)
    noteOthers(call, KNOWN_IN_CALL, 'messages[].tool_calls[].', notes)
    const id = maybeString(call.id, `${field}.id`) ?? ''
    const thinking = thinkingOf(call.extra_content)
    if (call.type !== 'custom') {
      return { call: callOf(needObject(call.function, `${field}.function`), `${field}.function`, id, ids), thinking }
    }
    const custom = needObject(call.custom, `${field}.custom`)
    const name = needString(custom.name, `${field}.custom.name`)
    const input = needString(custom.input, `${field}.custom.input`)
    return { call: { kind: 'tool-call', id: ids.call(id, name), name, arguments: input, freeForm: true }, thinking }
  })
}

function callOf(call: JsonObject, at: string, id: string, ids: CallIds): ToolCallPart {
  const name = needString(call.name, `${at}.name`)
  const text = maybeString(call.arguments, `${at}.arguments`) ?? ''
  return {
    kind: 'tool-call',
    id: ids.call(id, name),
    name,
    arguments: text.trim() === '' ? '{}' : text,
    freeForm: false,
  }
}
