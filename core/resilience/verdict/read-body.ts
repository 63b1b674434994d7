// An error body in any form, as far as rules may read it: the messages, the codes, and the JSON behind them. JSON, JSON in
// an array, in an event stream or in a message of JSON; pages and plain text.
import { isObject } from '../../dialects/json'

export interface BodyFacts {
  /** undefined: not JSON. */
  readonly json: unknown
  /** Texts for people, as they came, the innermost error's first. */
  readonly messages: readonly string[]
  /** Codes, types and statuses in lower case. */
  readonly codes: ReadonlySet<string>
  /** Names of limits that were hit, in lower case: Google's quotaId and quotaMetric. */
  readonly limits: readonly string[]
}

/** Longer texts are judged by their beginning. */
export const MAX_BODY = 16_384
/** Of one message. */
const MAX_MESSAGE = 4_096
/** JSON is read whole, up to here. */
const MAX_JSON = 262_144
const MAX_DEPTH = 8
const MAX_MESSAGES = 40

const MESSAGE_KEYS = new Set(
  'message msg error detail details description error_description error_msg errormessage status_msg raw title reason hint cause'.split(
    ' ',
  ),
)
const CODE_KEYS = new Set(
  'code type status error error_code errorcode err_code status_code statuscode http_code raw_status_code reason name error_type subtype'.split(
    ' ',
  ),
)
const LIMIT_KEYS = new Set(['quotaid', 'quotametric', 'quota_metric', 'quota_limit'])
/** They repeat what the client sent, or what the model wrote. */
const ECHO_KEYS = new Set(
  'input output messages prompt request body choices content contents instructions tools ctx'.split(' '),
)
/** A message that is a code: one word. */
const CODE = /^[\w.:/-]{1,80}$/

export function readBody(body: string): BodyFacts {
  const text = body.slice(0, MAX_JSON).replace(/^\uFEFF/, '')
  const json = parseJson(text) ?? firstErrorEvent(text.slice(0, MAX_BODY)) ?? piecesOf(text.slice(0, MAX_BODY))
  const messages: string[] = []
  const codes = new Set<string>()
  const limits: string[] = []
  if (json === undefined) messages.push(plainText(text))
  else walk(json, '', 0, { messages, codes, limits })
  for (const message of messages) {
    // MiniMax: "insufficient balance (1008)".
    const code = /\((\d{3,5})\)\s*$/.exec(message)?.[1]
    if (code !== undefined) codes.add(code)
  }
  return { json, messages, codes, limits }
}

interface Found {
  readonly messages: string[]
  readonly codes: Set<string>
  readonly limits: string[]
}

function walk(value: unknown, key: string, depth: number, found: Found): void {
  if (depth > MAX_DEPTH || value === null || found.messages.length >= MAX_MESSAGES) return
  if (typeof value === 'string') return takeText(value, key, depth, found)
  if (typeof value === 'number') {
    if (CODE_KEYS.has(key)) found.codes.add(String(value))
    return
  }
  if (Array.isArray(value)) {
    for (const item of value) walk(item, key, depth + 1, found)
    return
  }
  if (!isObject(value)) return
  for (const [name, member] of Object.entries(value)) {
    const lower = name.toLowerCase()
    if (!ECHO_KEYS.has(lower)) walk(member, lower, depth + 1, found)
  }
}

function takeText(text: string, key: string, depth: number, found: Found): void {
  if (LIMIT_KEYS.has(key)) found.limits.push(text.toLowerCase())
  if (CODE_KEYS.has(key) && CODE.test(text)) found.codes.add(text.toLowerCase())
  const bare = key === '' || MESSAGE_KEYS.has(key)
  if (!bare || text === '') return
  const inner = /^\s*[{[]/.test(text) ? parseJson(text) : undefined
  if (inner !== undefined) walk(inner, key, depth + 1, found)
  else found.messages.push(text.slice(0, MAX_MESSAGE))
}

function parseJson(text: string): unknown {
  if (!/^\s*["[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const PIECE =
  /"(message|msg|detail|error|error_description|code|type|status|retryDelay|retry_after)"\s*:\s*("(?:[^"\\]|\\.)*"|\d+(?:\.\d+)?)/g

/** What can be made out of JSON that was cut off: never what the client had sent, which it may repeat. */
function piecesOf(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined
  const pieces = [...text.matchAll(PIECE)].slice(0, MAX_MESSAGES)
  if (pieces.length === 0) return undefined
  return pieces.map(([, name = '', value = '']) => ({ [name]: parseJson(value) ?? Number(value) }))
}

/** The error of an event stream, as far as one event tells of it. */
function firstErrorEvent(text: string): unknown {
  if (!/^(?:event|data|id|:)/m.test(text)) return undefined
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (!line.startsWith('data:')) continue
    const event = parseJson(line.slice(5).trim())
    if (isObject(event) && ('error' in event || /error|failed/.test(String(event.type)))) return event
  }
  return undefined
}

/** What a person would read of a page; of a long one, of its beginning. */
export const plainText = (text: string): string =>
  text
    .slice(0, MAX_BODY)
    .replace(/<(style|script)[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
