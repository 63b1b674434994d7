// What is asked on the way to the client's answer, and for it: the client's request with other words in it. A question
// whose answer the client never sees is built anew from the canonical form, without stream and without tools; one whose
// answer is the client's stays as the client wrote it but for the words that are added.
import type { Dialect } from '../contract/kinds'
import type { CanonicalRequest, JsonObject, Part, TextPart, Turn } from '../dialects/canonical'
import { isObject } from '../dialects/json'
import { inputItems } from '../dialects/openai-responses/response-store'
import type { FieldNotes, Translation } from '../dialects/translation'
import { GatewayError } from '../errors'
import type { ClientRequest } from './client-request'

export interface Words {
  /** One more instruction; null: none. */
  readonly prompt: string | null
  /** The newest message, the user's; null: none. */
  readonly message: string | null
}

export interface ReadQuestion {
  /** null: it cannot be asked in other words, because of `fault`. */
  readonly request: CanonicalRequest | null
  readonly fault: GatewayError | null
  /** The client offers tools, and the model may call them. */
  readonly usesTools: boolean
}

/** The client's conversation in the canonical form. */
export function readQuestion(client: ClientRequest): ReadQuestion {
  const { translation } = client.call
  if (translation === null) return { request: null, fault: noConversation(), usesTools: false }
  const json = client.json()
  const whole = parsed(json, translation)
  // Tools that only one provider can run keep a request from being read, but nobody else is offered them anyway.
  const rest = whole instanceof GatewayError ? parsed(withoutTools(json), translation) : whole
  const mayCall = whole instanceof GatewayError || whole.toolChoice?.kind !== 'none'
  const usesTools = mayCall && TOOL_LISTS.some((name) => isSomething(json[name]))
  if (!(rest instanceof GatewayError)) return { request: rest, fault: null, usesTools }
  return { request: null, fault: whole instanceof GatewayError ? whole : rest, usesTools }
}

const NO_NOTES: FieldNotes = { dropped: () => {} }

function parsed(json: JsonObject, translation: Translation): CanonicalRequest | GatewayError {
  try {
    return translation.parseRequest(json, NO_NOTES)
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
}

const noConversation = (): GatewayError =>
  new GatewayError(
    'bad_request',
    400,
    'This call is no conversation, so it cannot be answered in steps. Choose a model, or a combo of another strategy.',
  )

/** Lists of tools, in all dialects. */
const TOOL_LISTS = ['tools', 'functions', 'mcp_servers'] as const
const TOOL_MEMBERS: ReadonlySet<string> = new Set([
  ...TOOL_LISTS,
  ...['tool_choice', 'function_call', 'parallel_tool_calls', 'toolConfig', 'tool_config'],
])

const isSomething = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : isObject(value))

const withoutTools = (json: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(json).filter(([name]) => !TOOL_MEMBERS.has(name)))

/** The same conversation, asked so that the answer comes whole and holds nothing but words. */
export const quietQuestion = (client: ClientRequest, request: CanonicalRequest, words: Words): ClientRequest =>
  rebuilt(client, withoutStream(request), words, false)

/** For the client, but without its tools: their calls and results so far are told in words. */
export const toolFreeQuestion = (client: ClientRequest, request: CanonicalRequest, words: Words): ClientRequest =>
  rebuilt(client, request, words, client.asked.stream)

const withoutStream = (request: CanonicalRequest): CanonicalRequest => ({ ...request, includeUsage: false })

function rebuilt(client: ClientRequest, request: CanonicalRequest, words: Words, stream: boolean): ClientRequest {
  const { call, asked } = client
  if (call.translation === null) throw noConversation()
  const json = client.json()
  const body = call.translation.buildRequest(
    reworded(request, words),
    {
      model: asked.model,
      stream,
      // As the client says it: what its own server knows is not known here.
      maxTokensField: json.max_completion_tokens === undefined ? 'max_tokens' : 'max_completion_tokens',
      reportsUsageOnRequest: request.includeUsage,
      maxOutputTokens: null,
    },
    NO_NOTES,
  )
  return client.withBody(body, { ...asked, stream })
}

function reworded(request: CanonicalRequest, { prompt, message }: Words): CanonicalRequest {
  const turns = request.turns.flatMap(({ role, parts }): Turn | [] => {
    const told = parts.flatMap(toldPart)
    return told.length === 0 ? [] : { role, parts: told }
  })
  return {
    ...request,
    system: prompt === null || prompt === '' ? request.system : [...request.system, textPart(prompt)],
    turns: message === null ? turns : [...turns, { role: 'user', parts: [textPart(message)] }],
    tools: [],
    toolChoice: null,
    parallelToolCalls: null,
  }
}

const textPart = (text: string): TextPart => ({ kind: 'text', text })

/** Calls without tools are refused by many; reasoning belongs to the model that had it. */
function toldPart(part: Part): Part | readonly Part[] {
  switch (part.kind) {
    case 'thinking':
      return []
    case 'tool-call':
      return textPart(`[called ${part.name}: ${part.arguments}]`)
    case 'tool-result':
      return [textPart(`[${part.isError ? 'error' : 'result'} of ${part.name ?? 'the call'}:]`), ...part.content]
    default:
      return part
  }
}

/** The client's own request with more words in it. */
export function moreWords(client: ClientRequest, { prompt, message }: Words): ClientRequest {
  const { name } = client.call
  const instructed = prompt === null || prompt === '' ? client.json() : INSTRUCTED[name](client.json(), prompt)
  const body = message === null ? instructed : CONTINUED[name](instructed, message)
  return body === client.json() ? client : client.withBody(body)
}

/**
 * The client's own request with something to know before it. Accounts that serve one tool only take its `instructions` as
 * they are, so there it is a message.
 */
export function withNote(client: ClientRequest, text: string): ClientRequest {
  const { name } = client.call
  const body = client.json()
  if (name !== 'openai-responses') return client.withBody(INSTRUCTED[name](body, text))
  const note = { type: 'message', role: 'developer', content: [{ type: 'input_text', text }] }
  return client.withBody({ ...body, input: [note, ...inputItems(body.input)] })
}

type AddWords = (body: JsonObject, text: string) => JsonObject

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]

/** Behind what is there, whether that is a text or a list of parts. */
const behind = (content: unknown, text: string): unknown =>
  typeof content === 'string' && content !== ''
    ? `${content}\n\n${text}`
    : listOf(content).length === 0 || content === ''
      ? text
      : [...listOf(content), { type: 'text', text }]

const INSTRUCTED: Readonly<Record<Dialect, AddWords>> = {
  'openai-chat': (body, text) => {
    const [first, ...rest] = listOf(body.messages)
    // Many servers take one system message, and only as the first.
    return isObject(first) && (first.role === 'system' || first.role === 'developer')
      ? { ...body, messages: [{ ...first, content: behind(first.content, text) }, ...rest] }
      : { ...body, messages: [{ role: 'system', content: text }, ...listOf(body.messages)] }
  },
  anthropic: (body, text) => ({ ...body, system: behind(body.system, text) }),
  'openai-responses': (body, text) => ({ ...body, instructions: behind(body.instructions, text) }),
  gemini: (body, text) => {
    const { system_instruction: snake, ...rest } = body
    const parts = geminiParts(rest.systemInstruction ?? snake)
    return { ...rest, systemInstruction: { parts: [...parts, { text }] } }
  },
}

/** Google takes a text or a single part in place of the list. */
function geminiParts(given: unknown): readonly unknown[] {
  if (typeof given === 'string') return [{ text: given }]
  if (!isObject(given)) return []
  return given.parts === undefined && given.text !== undefined ? [{ text: given.text }] : listOf(given.parts)
}

const CONTINUED: Readonly<Record<Dialect, AddWords>> = {
  'openai-chat': (body, content) => ({ ...body, messages: [...listOf(body.messages), { role: 'user', content }] }),
  anthropic: (body, content) => ({ ...body, messages: [...listOf(body.messages), { role: 'user', content }] }),
  'openai-responses': (body, text) => ({ ...body, input: [...inputItems(body.input), ...inputItems(text)] }),
  gemini: (body, text) => ({ ...body, contents: [...listOf(body.contents), { role: 'user', parts: [{ text }] }] }),
}
