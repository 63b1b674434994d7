// The conversation of a request: contents with their parts → turns.
import { badInput } from '../../errors'
import type { JsonObject, MediaPart, Part, TextPart, ThinkingPart, ToolResultPart, Turn } from '../canonical'
import { isObject, maybeString, needString } from '../json'
import type { FieldNotes } from '../translation'
import { CallBook } from './call-book'
import { codeText } from './code-text'
import { listOf, messageOf, unknownMembers } from './members'
import { parseMedia } from './parse-media'
import { readSignature } from './signature'

interface OpenTurn {
  readonly role: Turn['role']
  readonly parts: Part[]
}

/** Contents of the model that follow each other are pieces of one turn: clients keep every chunk of a stream. */
export function parseContents(value: unknown, notes: FieldNotes): readonly Turn[] {
  const calls = new CallBook()
  const turns: OpenTurn[] = []
  for (const [index, entry] of listOf(value).entries()) {
    const field = `contents[${index}]`
    const content = messageOf(entry, field)
    const role = roleOf(content.role, `${field}.role`)
    const last = turns.at(-1)
    const turn = role === 'assistant' && last?.role === role ? last : { role, parts: [] }
    if (turn !== last) turns.push(turn)
    for (const [at, part] of listOf(content.parts).entries()) {
      const place = `${field}.parts[${at}]`
      addPart(turn, messageOf(part, place), { field: place, turn: index, calls, notes })
    }
  }
  return turns.filter(({ parts }) => parts.length > 0)
}

function roleOf(value: unknown, field: string): 'user' | 'assistant' {
  const role = maybeString(value, field) ?? 'user'
  if (role === 'model') return 'assistant'
  if (role === 'user' || role === 'function' || role === 'tool' || role === '') return 'user'
  throw badInput(field, 'must be "user" or "model". Instructions belong into systemInstruction.')
}

interface Place {
  readonly field: string
  /** Which content of the conversation this is in. */
  readonly turn: number
  readonly calls: CallBook
  readonly notes: FieldNotes
}

const KNOWN: ReadonlySet<string> = new Set([
  'text',
  'thought',
  'thoughtSignature',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
])

function addPart({ role, parts }: OpenTurn, part: JsonObject, place: Place): void {
  for (const name of unknownMembers(part, KNOWN)) place.notes.dropped(`contents[].parts[].${name}`)
  const signature = signatureOf(part, place.field)
  if (part.functionCall !== undefined && part.functionCall !== null) {
    if (signature !== null) parts.push(signature)
    parts.push(parseCall(part.functionCall, place))
    return
  }
  if (part.functionResponse !== undefined && part.functionResponse !== null) {
    parts.push(parseResponse(part.functionResponse, place))
    return
  }
  const text = maybeString(part.text, `${place.field}.text`)
  if (part.thought === true) return addThought(parts, text ?? '', signature)
  const shown = text ?? codeText(part)
  if (shown !== null && shown !== '') addText(parts, shown, role === 'assistant' && text !== null)
  const media = parseMedia(part, place.field)
  if (media !== null) parts.push(media)
  if (signature !== null) parts.push(signature)
}

/** A signature alone: what it belongs to stands beside it, or is hidden. */
function signatureOf(part: JsonObject, field: string): ThinkingPart | null {
  const text = maybeString(part.thoughtSignature, `${field}.thoughtSignature`)
  const signature = text === null ? null : readSignature(text)
  return signature === null ? null : { kind: 'thinking', text: '', ...signature, redacted: true }
}

function addText(parts: Part[], text: string, joins: boolean): void {
  const last = parts.at(-1)
  if (joins && last?.kind === 'text') parts[parts.length - 1] = { kind: 'text', text: last.text + text }
  else parts.push({ kind: 'text', text })
}

/** Thoughts arrive in pieces, the signature with the last of them or alone behind them. */
function addThought(parts: Part[], text: string, signature: ThinkingPart | null): void {
  const last = parts.at(-1)
  const before = last?.kind === 'thinking' && last.signature === null ? last.text : null
  const whole = (before ?? '') + text
  if (whole === '') {
    if (signature !== null) parts.push(signature)
    return
  }
  if (before !== null) parts.pop()
  const issued = signature ?? { signature: null, issuer: 'gemini' as const }
  parts.push({ kind: 'thinking', text: whole, signature: issued.signature, issuer: issued.issuer, redacted: false })
}

function parseCall(value: unknown, { field, turn, calls }: Place): Part {
  const at = `${field}.functionCall`
  const call = messageOf(value, at)
  const name = needString(call.name, `${at}.name`)
  const { args } = call
  if (args !== undefined && args !== null && !isObject(args)) throw badInput(`${at}.args`, 'must be an object.')
  const id = calls.add(turn, givenId(call.id, `${at}.id`), name)
  return { kind: 'tool-call', id, name, arguments: JSON.stringify(args ?? {}), freeForm: false }
}

const givenId = (value: unknown, field: string): string | null => maybeString(value, field) || null

function parseResponse(value: unknown, { field, turn, calls, notes }: Place): ToolResultPart {
  const at = `${field}.functionResponse`
  const given = messageOf(value, at)
  const id = givenId(given.id, `${at}.id`)
  const name = maybeString(given.name, `${at}.name`)
  if (id === null && name === null) throw badInput(`${at}.name`, 'is missing. Name the function that was called.')
  const call = calls.answer(id, name)
  const { response } = given
  if (response !== undefined && response !== null && !isObject(response)) {
    throw badInput(`${at}.response`, 'must be an object.')
  }
  const media: MediaPart[] = []
  for (const [index, part] of listOf(given.parts).entries()) {
    const parsed = parseMedia(messageOf(part, `${at}.parts[${index}]`), `${at}.parts[${index}]`)
    if (parsed === null) notes.dropped('contents[].parts[].functionResponse.parts[]')
    else media.push(parsed)
  }
  const { text, isError } = resultOf(response ?? {}, name)
  const words: readonly TextPart[] = text === '' ? [] : [{ kind: 'text', text }]
  return {
    kind: 'tool-result',
    callId: call?.id ?? id ?? `call_${turn}_${name}`,
    name: call?.name ?? name,
    isError,
    content: [...words, ...media],
  }
}

/**
 * "output" and "error" are Google's own members, "result" and "content" beside the function's name are habits (the last
 * of Vercel's AI SDK); anything else is the result itself.
 */
function resultOf({ name, ...response }: JsonObject, functionName: string | null) {
  return name === undefined || name === functionName
    ? resultIn(response)
    : { text: JSON.stringify({ name, ...response }), isError: isGiven(response.error) }
}

function resultIn(response: JsonObject): { readonly text: string; readonly isError: boolean } {
  const names = Object.keys(response)
  if (names.length === 0) return { text: '', isError: false }
  if (names.length > 1) return { text: JSON.stringify(response), isError: isGiven(response.error) }
  const only = response.output ?? response.result ?? response.content ?? response.error
  const isError = isGiven(response.error)
  if (typeof only === 'string') return { text: only, isError }
  return { text: JSON.stringify(only ?? response), isError }
}

/** Some tools always have the member, and leave it empty where all went well. */
const isGiven = (error: unknown): boolean => error !== undefined && error !== null && error !== '' && error !== false

/** @throws GatewayError 400 */
export function parseSystem(value: unknown): readonly TextPart[] {
  if (value === undefined || value === null) return []
  const field = 'systemInstruction'
  if (typeof value === 'string') return value === '' ? [] : [{ kind: 'text', text: value }]
  const content = messageOf(value, field)
  const parts = content.parts === undefined && content.text !== undefined ? [content] : listOf(content.parts)
  const texts: TextPart[] = []
  for (const [index, part] of parts.entries()) {
    const at = `${field}.parts[${index}]`
    const { text } = messageOf(part, at)
    const words = needString(text ?? null, `${at}.text`)
    if (words !== '') texts.push({ kind: 'text', text: words })
  }
  return texts
}
