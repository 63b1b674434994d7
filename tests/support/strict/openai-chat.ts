// What OpenAI's Chat Completions API refuses, as it words it.
import {
  checkFlag,
  checkName,
  checkRange,
  checkSchema,
  checkWhole,
  EFFORTS,
  invalidType,
  invalidValue,
  missing,
  unknownParameter,
} from './openai.ts'
import { dataUrl, IMAGE_TYPES, isBase64, isObject, type Json, objects, onlyKnown, Refused, words } from './rules.ts'

const FIELDS = words(`messages model audio frequency_penalty function_call functions logit_bias logprobs
  max_completion_tokens max_tokens metadata modalities moderation n parallel_tool_calls prediction presence_penalty
  prompt_cache_key prompt_cache_options prompt_cache_retention reasoning_effort response_format safety_identifier seed
  service_tier stop store stream stream_options temperature tool_choice tools top_logprobs top_p user verbosity
  web_search_options`)

const MESSAGE_FIELDS: Readonly<Record<string, ReadonlySet<string>>> = {
  system: words('role content name'),
  developer: words('role content name'),
  user: words('role content name'),
  // `parsed` comes from the official package, whose own tool loop sends it back.
  assistant: words('role content name refusal audio tool_calls function_call annotations parsed'),
  tool: words('role content tool_call_id'),
}

/** Members of compatible servers that think aloud and want their thoughts back. */
const THOUGHTS = words('reasoning reasoning_content reasoning_details')

const PART_FIELDS: Readonly<Record<string, ReadonlySet<string>>> = {
  text: words('type text'),
  refusal: words('type refusal'),
  image_url: words('type image_url'),
  input_audio: words('type input_audio'),
  file: words('type file'),
}
const USER_PARTS = words('text image_url input_audio file')
const OTHER_PARTS = words('text')
const ASSISTANT_PARTS = words('text refusal')

export interface ChatLeave {
  /** The server gives out thoughts, so it also takes them back. */
  readonly thoughts: boolean
}

/** @throws Refused */
export function checkChat(body: Json, leave: ChatLeave = { thoughts: false }): void {
  onlyKnown(
    body,
    FIELDS,
    (member) => new Refused(`Unrecognized request argument supplied: ${member}`, null, { code: null }),
  )
  if (typeof body.model !== 'string') throw missing('model')
  checkLimits(body)
  checkTools(body)
  checkFormat(body)
  if (!Array.isArray(body.messages)) throw missing('messages')
  if (body.messages.length === 0)
    throw new Refused("Invalid 'messages': empty array. Expected an array with minimum length 1.", 'messages')
  body.messages.forEach((message, i) => void checkMessage(message, `messages[${i}]`, leave))
  checkResults(objects(body.messages))
}

function checkLimits(body: Json): void {
  if (body.max_tokens != null && body.max_completion_tokens != null)
    throw new Refused(
      "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
      'max_tokens',
      { code: 'invalid_parameter_combination' },
    )
  checkWhole(body.max_tokens, 1, 'max_tokens')
  checkWhole(body.max_completion_tokens, 1, 'max_completion_tokens')
  checkWhole(body.n, 1, 'n')
  checkWhole(body.seed, Number.MIN_SAFE_INTEGER, 'seed')
  checkRange(body.temperature, 0, 2, 'temperature')
  checkRange(body.top_p, 0, 1, 'top_p')
  checkRange(body.presence_penalty, -2, 2, 'presence_penalty')
  checkRange(body.frequency_penalty, -2, 2, 'frequency_penalty')
  checkFlag(body.stream, 'stream')
  if (body.stream_options != null) {
    if (body.stream !== true)
      throw new Refused("The 'stream_options' parameter is only allowed when 'stream' is enabled.", 'stream_options')
    onlyKnown(body.stream_options as Json, words('include_usage include_obfuscation'), (member) =>
      unknownParameter(`stream_options.${member}`),
    )
  }
  if (Array.isArray(body.stop) && (body.stop.length > 4 || body.stop.length === 0))
    throw new Refused("Invalid 'stop': expected 1 to 4 sequences.", 'stop')
  if (!EFFORTS.has((body.reasoning_effort ?? null) as string | null))
    throw invalidValue('reasoning_effort', body.reasoning_effort)
}

function checkTools(body: Json): void {
  const { tools } = body
  if (tools == null) {
    for (const member of ['tool_choice', 'parallel_tool_calls'])
      if (body[member] != null) throw new Refused(`'${member}' is only allowed when 'tools' are specified.`, member)
    return
  }
  if (!Array.isArray(tools)) throw invalidType('tools', 'an array of objects')
  if (tools.length === 0) throw new Refused("Invalid 'tools': empty array. Expected minimum length 1.", 'tools')
  checkFlag(body.parallel_tool_calls, 'parallel_tool_calls')
  tools.forEach((tool, i) => void checkTool(tool, `tools[${i}]`))
  const choice = body.tool_choice
  if (choice == null) return
  if (typeof choice === 'string') {
    if (!['none', 'auto', 'required'].includes(choice)) throw invalidValue('tool_choice', choice)
    return
  }
  if (!isObject(choice)) throw invalidType('tool_choice', 'a string or an object')
  if (choice.type === 'function' && !isObject(choice.function)) throw missing('tool_choice.function')
  if (!['function', 'custom', 'allowed_tools'].includes(choice.type as string))
    throw invalidValue('tool_choice.type', choice.type)
}

function checkTool(tool: unknown, at: string): void {
  if (!isObject(tool)) throw invalidType(at, 'an object')
  if (tool.type === 'custom') return
  if (tool.type !== 'function') throw invalidValue(`${at}.type`, tool.type)
  onlyKnown(tool, words('type function'), (member) => unknownParameter(`${at}.${member}`))
  if (!isObject(tool.function)) throw missing(`${at}.function`)
  const given = tool.function
  onlyKnown(given, words('name description parameters strict'), (member) =>
    unknownParameter(`${at}.function.${member}`),
  )
  checkName(given.name, `${at}.function.name`)
  checkFlag(given.strict, `${at}.function.strict`)
  checkSchema(given.parameters, given.strict, String(given.name), `${at}.function.parameters`)
}

function checkFormat(body: Json): void {
  const format = body.response_format
  if (format == null) return
  if (!isObject(format)) throw invalidType('response_format', 'an object')
  if (format.type === 'text') return
  if (format.type === 'json_object') {
    if (!/json/i.test(JSON.stringify(body.messages)))
      throw new Refused(
        "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
        'messages',
      )
    return
  }
  if (format.type !== 'json_schema') throw invalidValue('response_format.type', format.type)
  if (!isObject(format.json_schema)) throw missing('response_format.json_schema')
  const given = format.json_schema
  onlyKnown(given, words('name description schema strict'), (member) =>
    unknownParameter(`response_format.json_schema.${member}`),
  )
  checkName(given.name, 'response_format.json_schema.name')
  checkSchema(given.schema, given.strict, 'response_format', 'response_format.json_schema.schema')
}

function checkMessage(message: unknown, at: string, leave: ChatLeave): void {
  if (!isObject(message)) throw invalidType(at, 'an object')
  const role = message.role
  const known = typeof role === 'string' ? MESSAGE_FIELDS[role] : undefined
  if (known === undefined) throw invalidValue(`${at}.role`, role)
  for (const member of Object.keys(message)) {
    if (known.has(member) || (leave.thoughts && role === 'assistant' && THOUGHTS.has(member))) continue
    throw unknownParameter(`${at}.${member}`)
  }
  checkContent(message, at)
  if (role === 'tool' && typeof message.tool_call_id !== 'string') throw missing(`${at}.tool_call_id`)
  if (message.tool_calls != null) checkCalls(message.tool_calls, `${at}.tool_calls`, leave)
}

function checkContent({ role, content, tool_calls, refusal, audio }: Json, at: string): void {
  if (content == null) {
    if (role === 'assistant' && (tool_calls != null || refusal != null || audio != null)) return
    throw new Refused(`Invalid value for 'content': expected a string, got null.`, `${at}.content`)
  }
  if (typeof content === 'string') return
  if (!Array.isArray(content)) throw invalidType(`${at}.content`, 'one of a string or array of objects')
  if (content.length === 0) throw new Refused(`Invalid '${at}.content': empty array.`, `${at}.content`)
  const allowed = role === 'user' ? USER_PARTS : role === 'assistant' ? ASSISTANT_PARTS : OTHER_PARTS
  content.forEach((part, i) => void checkPart(part, allowed, `${at}.content[${i}]`))
}

function checkPart(part: unknown, allowed: ReadonlySet<string>, at: string): void {
  if (!isObject(part)) throw invalidType(at, 'an object')
  const { type } = part
  const known = typeof type === 'string' && allowed.has(type) ? PART_FIELDS[type] : undefined
  if (known === undefined) throw invalidValue(`${at}.type`, type)
  onlyKnown(part, known, (member) => unknownParameter(`${at}.${member}`))
  if (type === 'text' && typeof part.text !== 'string') throw missing(`${at}.text`)
  if (type !== 'image_url') return
  if (!isObject(part.image_url)) throw invalidType(`${at}.image_url`, 'an object')
  onlyKnown(part.image_url, words('url detail'), (member) => unknownParameter(`${at}.image_url.${member}`))
  checkImage(part.image_url.url, `${at}.image_url.url`)
}

/** Of both OpenAI APIs. */
export function checkImage(url: unknown, at: string): void {
  if (typeof url !== 'string') throw missing(at)
  if (/^https?:\/\//.test(url)) return
  const data = dataUrl(url)
  if (data === null)
    throw new Refused(`Invalid '${at}'. Expected a valid URL, but got a value with an invalid format.`, at)
  if (!IMAGE_TYPES.has(data.mediaType) || !isBase64(data.data))
    throw new Refused(`You uploaded an unsupported image (${data.mediaType}).`, at, { code: 'invalid_image_format' })
}

function checkCalls(calls: unknown, at: string, leave: ChatLeave): void {
  if (!Array.isArray(calls)) throw invalidType(at, 'an array of objects')
  if (calls.length === 0) throw new Refused(`Invalid '${at}': empty array. Expected minimum length 1.`, at)
  calls.forEach((call, i) => void checkCall(call, `${at}[${i}]`, leave))
}

function checkCall(call: unknown, at: string, leave: ChatLeave): void {
  if (!isObject(call)) throw invalidType(at, 'an object')
  onlyKnown(call, words(`id type function custom ${leave.thoughts ? 'extra_content' : ''}`), (member) =>
    unknownParameter(`${at}.${member}`),
  )
  if (typeof call.id !== 'string') throw missing(`${at}.id`)
  if (call.id.length > 40)
    throw new Refused(`Invalid '${at}.id': string too long. Expected a string with maximum length 40.`, `${at}.id`)
  if (call.type !== 'function') {
    if (call.type === 'custom') return
    throw invalidValue(`${at}.type`, call.type)
  }
  if (!isObject(call.function)) throw missing(`${at}.function`)
  checkName(call.function.name, `${at}.function.name`)
  if (typeof call.function.arguments !== 'string') throw invalidType(`${at}.function.arguments`, 'a string')
}

/** Every call is answered by tool messages right after it, and nothing else is. */
function checkResults(messages: readonly Json[]): void {
  let open = new Set<string>()
  const close = (): void => {
    if (open.size === 0) return
    throw new Refused(
      `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. ` +
        `The following tool_call_ids did not have response messages: ${[...open].join(', ')}`,
      'messages',
    )
  }
  let answering = false
  messages.forEach((message, i) => {
    if (message.role === 'tool') {
      if (!answering)
        throw new Refused(
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
          `messages[${i}].role`,
        )
      if (!open.delete(message.tool_call_id as string))
        throw new Refused(
          `Invalid parameter: 'tool_call_id' of '${String(message.tool_call_id)}' not found.`,
          'messages',
        )
      return
    }
    close()
    const ids = objects(message.tool_calls).map(({ id }) => id as string)
    open = new Set(ids)
    answering = ids.length > 0
    if (open.size !== ids.length) throw new Refused(`Duplicate tool call ids in 'messages[${i}]'.`, 'messages')
  })
  close()
}
