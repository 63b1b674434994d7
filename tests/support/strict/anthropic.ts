// What Anthropic's Messages API refuses, as it words it.
import { eachSchema, IMAGE_TYPES, isBase64, isObject, type Json, objects, onlyKnown, Refused, words } from './rules.ts'

const FIELDS = words(`max_tokens messages model cache_control container context_management diagnostics inference_geo
  mcp_servers metadata output_config output_format service_tier speed stop_sequences stream system temperature thinking
  tool_choice tools top_k top_p`)
/** Of a token count. */
const COUNT_FIELDS = words(`messages model cache_control context_management mcp_servers output_config output_format
  system thinking tool_choice tools speed`)

const BLOCKS: Readonly<Record<string, ReadonlySet<string>>> = {
  text: words('type text cache_control citations'),
  image: words('type source cache_control'),
  document: words('type source cache_control citations context title'),
  search_result: words('type source title content cache_control citations'),
  thinking: words('type thinking signature'),
  redacted_thinking: words('type data'),
  tool_use: words('type id name input cache_control caller'),
  tool_result: words('type tool_use_id content is_error cache_control'),
}
const USER_BLOCKS = words('text image document search_result tool_result')
const ASSISTANT_BLOCKS = words('text thinking redacted_thinking tool_use')
const RESULT_BLOCKS = words('text image document search_result tool_reference')

const TOOL_FIELDS = words(`name description input_schema cache_control type strict eager_input_streaming defer_loading
  allowed_callers input_examples`)
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/
const TOOL_ID = /^[a-zA-Z0-9_-]+$/
const MOST_CACHE_MARKS = 4
const LEAST_BUDGET = 1024

/** What the server knows of thoughts it gave out. */
export interface IssuedThoughts {
  /** The text that was signed so; undefined where it never gave out such a signature. */
  textOf(signature: string): string | undefined
}

const extra = (at: string): Refused => new Refused(`${at}: Extra inputs are not permitted`)
const required = (at: string): Refused => new Refused(`${at}: Field required`)

/** @throws Refused */
export function checkMessages(body: Json, issued: IssuedThoughts, counting = false): void {
  onlyKnown(body, counting ? COUNT_FIELDS : FIELDS, extra)
  if (typeof body.model !== 'string') throw required('model')
  if (!counting) checkLimits(body)
  checkThinking(body)
  checkSystem(body.system)
  checkTools(body)
  checkOutput(body)
  if (!Array.isArray(body.messages)) throw required('messages')
  if (body.messages.length === 0) throw new Refused('messages: at least one message is required')
  const messages = objects(body.messages)
  if (messages[0]?.role !== 'user') throw new Refused('messages: first message must use the "user" role')
  messages.forEach((message, i) => void checkMessage(message, i, i === messages.length - 1, issued))
  checkResults(messages)
  checkThoughtsKept(messages, body)
  checkCacheMarks(body)
}

function checkLimits(body: Json): void {
  if (body.max_tokens === undefined) throw required('max_tokens')
  if (!Number.isInteger(body.max_tokens) || (body.max_tokens as number) < 1)
    throw new Refused('max_tokens: Input should be greater than or equal to 1')
  const { temperature } = body
  if (temperature !== undefined && (typeof temperature !== 'number' || temperature < 0 || temperature > 1))
    throw new Refused('temperature: range: 0..1')
  for (const [i, one] of (Array.isArray(body.stop_sequences) ? body.stop_sequences : []).entries())
    if (typeof one !== 'string' || one.trim() === '')
      throw new Refused(`stop_sequences.${i}: each stop sequence must contain non-whitespace`)
  if (isObject(body.metadata)) onlyKnown(body.metadata, words('user_id'), (one) => extra(`metadata.${one}`))
}

function checkThinking(body: Json): void {
  const { thinking } = body
  if (thinking === undefined) return
  if (!isObject(thinking)) throw new Refused('thinking: Input should be a valid dictionary')
  if (!['enabled', 'adaptive', 'disabled'].includes(thinking.type as string))
    throw new Refused("thinking: Input tag found using 'type' does not match any of the expected tags")
  onlyKnown(thinking, words('type budget_tokens display'), (one) => extra(`thinking.${one}`))
  if (thinking.type === 'disabled') return
  if (thinking.type === 'enabled') {
    if (typeof thinking.budget_tokens !== 'number') throw required('thinking.enabled.budget_tokens')
    if (thinking.budget_tokens < LEAST_BUDGET)
      throw new Refused('thinking.enabled.budget_tokens: Input should be greater than or equal to 1024')
    if (typeof body.max_tokens === 'number' && body.max_tokens <= thinking.budget_tokens)
      throw new Refused('`max_tokens` must be greater than `thinking.budget_tokens`.')
  }
  if (body.temperature !== undefined && body.temperature !== 1)
    throw new Refused('`temperature` may only be set to 1 when thinking is enabled.')
  if (body.top_k !== undefined) throw new Refused('`top_k` must be unset when thinking is enabled.')
  if (isObject(body.tool_choice) && ['any', 'tool'].includes(body.tool_choice.type as string))
    throw new Refused('Thinking may not be enabled when tool_choice forces tool use.')
}

function checkSystem(system: unknown): void {
  if (system === undefined || typeof system === 'string') return
  if (!Array.isArray(system)) throw new Refused('system: Input should be a valid list')
  objects(system).forEach((block, i) => {
    if (block.type !== 'text') throw new Refused(`system.${i}.type: Input should be 'text'`)
    onlyKnown(block, BLOCKS.text as ReadonlySet<string>, (one) => extra(`system.${i}.${one}`))
    checkTextBlock(block, 'system')
  })
}

function checkTools(body: Json): void {
  const tools = objects(body.tools)
  if (body.tool_choice !== undefined && tools.length === 0)
    throw new Refused('tool_choice may only be specified while providing tools')
  tools.forEach((tool, i) => {
    if (typeof tool.type === 'string' && tool.type !== 'custom') return
    const at = `tools.${i}.custom`
    onlyKnown(tool, TOOL_FIELDS, (one) => extra(`${at}.${one}`))
    if (typeof tool.name !== 'string') throw required(`${at}.name`)
    if (!TOOL_NAME.test(tool.name))
      throw new Refused(`${at}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`)
    if (!isObject(tool.input_schema)) throw required(`${at}.input_schema`)
    if (tool.input_schema.type === undefined) throw required(`${at}.input_schema.type`)
    if (tool.input_schema.type !== 'object') throw new Refused(`${at}.input_schema.type: Input should be 'object'`)
    for (const member of ['oneOf', 'allOf', 'anyOf'])
      if (member in tool.input_schema)
        throw new Refused(`${at}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`)
  })
  if (new Set(tools.map(({ name }) => name)).size !== tools.length)
    throw new Refused('tools: Tool names must be unique.')
  if (body.tool_choice === undefined) return
  const choice = body.tool_choice
  if (!isObject(choice) || !['auto', 'any', 'tool', 'none'].includes(choice.type as string))
    throw new Refused("tool_choice: Input tag does not match any of the expected tags: 'auto', 'any', 'tool', 'none'")
  onlyKnown(choice, words('type name disable_parallel_tool_use'), (one) => extra(`tool_choice.${one}`))
  if (choice.type === 'tool' && !tools.some(({ name }) => name === choice.name))
    throw new Refused(`Tool '${String(choice.name)}' not found in provided tools`)
}

function checkOutput({ output_config: config, output_format: format }: Json): void {
  if (config !== undefined && !isObject(config)) throw new Refused('output_config: Input should be a valid dictionary')
  if (isObject(config)) {
    onlyKnown(config, words('effort format task_budget'), (one) => extra(`output_config.${one}`))
    const effort = config.effort ?? 'high'
    if (!['low', 'medium', 'high', 'xhigh', 'max'].includes(effort as string))
      throw new Refused(`output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'`)
    if (config.format != null) checkFormat(config.format, 'output_config.format')
  }
  if (format != null) checkFormat(format, 'output_format')
}

function checkFormat(format: unknown, at: string): void {
  if (!isObject(format) || format.type !== 'json_schema') throw new Refused(`${at}.type: Input should be 'json_schema'`)
  onlyKnown(format, words('type schema'), (one) => extra(`${at}.${one}`))
  if (!isObject(format.schema)) throw required(`${at}.schema`)
  eachSchema(format.schema, at, (schema) => {
    if (schema.type === 'object' && schema.additionalProperties !== false)
      throw new Refused(`${at}.schema: For 'object' type, 'additionalProperties' must be explicitly set to false`)
    for (const member of ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength'])
      if (member in schema)
        throw new Refused(`${at}.schema: For '${String(schema.type)}' type, property '${member}' is not supported`)
  })
}

function checkMessage({ role, content, ...others }: Json, i: number, last: boolean, issued: IssuedThoughts): void {
  const at = `messages.${i}`
  const [other] = Object.keys(others)
  if (other !== undefined) throw extra(`${at}.${other}`)
  if (role !== 'user' && role !== 'assistant') throw new Refused(`${at}.role: Input should be 'user' or 'assistant'`)
  if (content === undefined) throw required(`${at}.content`)
  const nothing = content === '' || (Array.isArray(content) && content.length === 0)
  if (nothing && !(last && role === 'assistant'))
    throw new Refused(`${at}: all messages must have non-empty content except for the optional final assistant message`)
  if (last && role === 'assistant' && typeof content === 'string' && content !== content.trimEnd())
    throw new Refused('messages: final assistant content cannot end with trailing whitespace')
  if (typeof content === 'string') return
  if (!Array.isArray(content)) throw new Refused(`${at}.content: Input should be a valid list`)
  const allowed = role === 'user' ? USER_BLOCKS : ASSISTANT_BLOCKS
  content.forEach((block, j) => void checkBlock(block, allowed, `${at}.content.${j}`, issued))
}

function checkBlock(block: unknown, allowed: ReadonlySet<string>, at: string, issued: IssuedThoughts): void {
  if (!isObject(block)) throw new Refused(`${at}: Input should be a valid dictionary`)
  const { type } = block
  const known = typeof type === 'string' && allowed.has(type) ? BLOCKS[type] : undefined
  if (known === undefined)
    throw new Refused(`${at}: Input tag '${String(type)}' found using 'type' does not match any of the expected tags`)
  onlyKnown(block, known, (one) => extra(`${at}.${String(type)}.${one}`))
  switch (type) {
    case 'text':
      return checkTextBlock(block, 'messages')
    case 'image':
    case 'document':
      return checkSource(block.source, type, `${at}.${type}.source`)
    case 'thinking':
      return checkThought(block, at, issued)
    case 'tool_use':
      return checkUse(block, `${at}.tool_use`)
    case 'tool_result':
      return checkResult(block, `${at}.tool_result`, issued)
  }
}

function checkTextBlock({ text, cache_control: mark }: Json, at: string): void {
  if (typeof text !== 'string') throw required(`${at}.text`)
  if (text === '')
    throw new Refused(
      mark == null
        ? `${at}: text content blocks must be non-empty`
        : 'cache_control cannot be set for empty text blocks',
    )
  if (text.trim() === '') throw new Refused(`${at}: text content blocks must contain non-whitespace text`)
}

function checkSource(source: unknown, type: 'image' | 'document', at: string): void {
  if (!isObject(source)) throw required(at)
  if (source.type === 'url') {
    if (typeof source.url !== 'string' || !source.url.startsWith('https://'))
      throw new Refused(`${at}.url: Only HTTPS URLs are supported.`)
    return
  }
  if (source.type !== 'base64') return
  onlyKnown(source, words('type media_type data'), (one) => extra(`${at}.base64.${one}`))
  if (type === 'image' && !IMAGE_TYPES.has(source.media_type as string))
    throw new Refused(`${at}.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`)
  if (!isBase64(source.data)) throw new Refused(`${at}.base64: invalid base64 data`)
}

function checkThought({ thinking, signature }: Json, at: string, issued: IssuedThoughts): void {
  if (typeof signature !== 'string') throw required(`${at}.thinking.signature`)
  if (issued.textOf(signature) !== thinking) throw new Refused(`${at}: Invalid \`signature\` in \`thinking\` block`)
}

function checkUse({ id, name, input }: Json, at: string): void {
  if (typeof id !== 'string' || !TOOL_ID.test(id))
    throw new Refused(`${at}.id: String should match pattern '^[a-zA-Z0-9_-]+$'`)
  if (typeof name !== 'string' || !TOOL_NAME.test(name))
    throw new Refused(`${at}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`)
  if (!isObject(input)) throw new Refused(`${at}.input: Input should be a valid dictionary`)
}

function checkResult({ tool_use_id: id, content, is_error: isError }: Json, at: string, issued: IssuedThoughts): void {
  if (typeof id !== 'string' || !TOOL_ID.test(id))
    throw new Refused(`${at}.tool_use_id: String should match pattern '^[a-zA-Z0-9_-]+$'`)
  const nothing = content === undefined || content === '' || (Array.isArray(content) && content.length === 0)
  if (isError === true && nothing) throw new Refused(`${at}: content cannot be empty if \`is_error\` is true`)
  if (!Array.isArray(content)) return
  content.forEach((block, i) => void checkBlock(block, RESULT_BLOCKS, `${at}.content.${i}`, issued))
  if (isError === true && content.some((block) => block.type !== 'text'))
    throw new Refused(`${at}: all content must be type "text" if \`is_error\` is true`)
}

const blocksOf = ({ content }: Json, type: string): Json[] => objects(content).filter((block) => block.type === type)

/** Results stand first in the message right after their calls, one each. */
function checkResults(messages: readonly Json[]): void {
  messages.forEach((message, i) => {
    const calls = message.role === 'assistant' ? blocksOf(message, 'tool_use').map(({ id }) => id) : []
    const next = messages[i + 1]
    if (new Set(calls).size !== calls.length) throw new Refused(`messages.${i}: \`tool_use\` ids must be unique`)
    const results = new Set(next === undefined ? [] : leadingResults(next).map(({ tool_use_id: id }) => id))
    const missed = calls.filter((id) => !results.has(id))
    if (missed.length > 0)
      throw new Refused(
        `messages.${i + 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ` +
          `${missed.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
      )
    const before = messages[i - 1]
    const called = new Set(before === undefined ? [] : blocksOf(before, 'tool_use').map(({ id }) => id))
    for (const { tool_use_id: id } of blocksOf(message, 'tool_result')) {
      if (called.delete(id)) continue
      throw new Refused(
        `messages.${i}.content: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${String(id)}. Each ` +
          '`tool_result` block must have a corresponding `tool_use` block in the previous message.',
      )
    }
  })
}

function leadingResults({ content }: Json): readonly Json[] {
  const blocks = objects(content)
  const end = blocks.findIndex(({ type }) => type !== 'tool_result')
  return end < 0 ? blocks : blocks.slice(0, end)
}

/** While a tool loop goes on with thinking, its turns begin with the thoughts they came with. */
function checkThoughtsKept(messages: readonly Json[], { thinking }: Json): void {
  if (!isObject(thinking) || thinking.type !== 'enabled') return
  const last = messages.at(-1)
  if (last === undefined || blocksOf(last, 'tool_result').length === 0) return
  const at = messages.length - 2
  const first = objects(messages[at]?.content)[0]
  if (first?.type === 'thinking' || first?.type === 'redacted_thinking') return
  throw new Refused(
    `messages.${at}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${String(first?.type)}\`. ` +
      'When `thinking` is enabled, a final `assistant` message must start with a thinking block.',
  )
}

function checkCacheMarks(body: Json): void {
  let marks = 0
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    if (!isObject(value)) return
    if (value.cache_control != null) marks++
    if (value.type === 'tool_use') return
    visit(value.content)
  }
  visit(body.system)
  visit(body.messages)
  visit(body.tools)
  if (marks > MOST_CACHE_MARKS)
    throw new Refused(`A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`)
}
