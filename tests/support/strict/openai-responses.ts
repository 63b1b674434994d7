// What OpenAI's Responses API refuses, as it words it.
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
import { checkImage } from './openai-chat.ts'
import { isObject, type Json, objects, onlyKnown, Refused, words } from './rules.ts'

const FIELDS = words(`access_programs background background_options context_management conversation include input
  instructions max_output_tokens max_tool_calls metadata model moderation parallel_tool_calls previous_response_id prompt
  prompt_cache_key prompt_cache_options prompt_cache_retention reasoning safety_identifier service_tier store stream
  stream_options temperature text tool_choice tools top_logprobs top_p truncation user client_metadata`)

const INCLUDABLE = words(`file_search_call.results web_search_call.results web_search_call.action.sources
  message.input_image.image_url computer_call_output.output.image_url code_interpreter_call.outputs
  reasoning.encrypted_content message.output_text.logprobs`)

interface ItemRule {
  readonly fields: ReadonlySet<string>
  /** How an id of such an item begins. */
  readonly id: string
}

const ITEMS: Readonly<Record<string, ItemRule>> = {
  message: { fields: words('type role content id status phase'), id: 'msg' },
  function_call: { fields: words('type id call_id name arguments status namespace caller'), id: 'fc' },
  function_call_output: { fields: words('type id call_id output status caller'), id: 'fc' },
  custom_tool_call: { fields: words('type id call_id name input status namespace caller'), id: 'ctc' },
  custom_tool_call_output: { fields: words('type id call_id output status caller'), id: 'ctc' },
  reasoning: { fields: words('type id summary content encrypted_content status'), id: 'rs' },
}
/** Items with rules of their own that nothing here needs. */
const OTHER_ITEMS = words('item_reference web_search_call file_search_call local_shell_call local_shell_call_output')

const INPUT_PARTS: Readonly<Record<string, ReadonlySet<string>>> = {
  input_text: words('type text prompt_cache_breakpoint'),
  input_image: words('type image_url file_id detail prompt_cache_breakpoint'),
  input_file: words('type file_data file_id file_url filename detail prompt_cache_breakpoint'),
}
const OUTPUT_PARTS: Readonly<Record<string, ReadonlySet<string>>> = {
  output_text: words('type text annotations logprobs'),
  refusal: words('type refusal'),
}

/** What the server knows of reasoning it gave out. */
export interface IssuedReasoning {
  knowsContent(encrypted: string): boolean
  knowsId(id: string): boolean
}

/** @throws Refused */
export function checkResponses(body: Json, issued: IssuedReasoning): void {
  onlyKnown(body, FIELDS, unknownParameter)
  if (typeof body.model !== 'string') throw missing('model')
  checkSettings(body)
  checkTools(body)
  checkText(body)
  const { input } = body
  if (input === undefined) throw missing('input')
  if (typeof input === 'string') return
  if (!Array.isArray(input)) throw invalidType('input', 'one of a string or an array of input items')
  input.forEach((item, i) => void checkItem(item, `input[${i}]`))
  const items = objects(input)
  checkPairs(items, 'function_call', 'function_call_output', 'function call')
  checkPairs(items, 'custom_tool_call', 'custom_tool_call_output', 'custom tool call')
  checkReasoning(items, body, issued)
}

function checkSettings(body: Json): void {
  checkWhole(body.max_output_tokens, 16, 'max_output_tokens')
  checkRange(body.temperature, 0, 2, 'temperature')
  checkRange(body.top_p, 0, 1, 'top_p')
  for (const flag of ['stream', 'store', 'background', 'parallel_tool_calls']) checkFlag(body[flag], flag)
  if (body.stream_options != null && body.stream !== true)
    throw new Refused("The 'stream_options' parameter is only allowed when 'stream' is enabled.", 'stream_options')
  if (body.stream_options != null)
    onlyKnown(body.stream_options as Json, words('include_obfuscation'), (one) =>
      unknownParameter(`stream_options.${one}`),
    )
  for (const [i, wanted] of (Array.isArray(body.include) ? body.include : []).entries())
    if (!INCLUDABLE.has(wanted)) throw invalidValue(`include[${i}]`, wanted)
  if (body.instructions != null && typeof body.instructions !== 'string') throw invalidType('instructions', 'a string')
  if (body.reasoning == null) return
  const reasoning = body.reasoning
  if (!isObject(reasoning)) throw invalidType('reasoning', 'an object')
  onlyKnown(reasoning, words('effort summary generate_summary context mode'), (one) =>
    unknownParameter(`reasoning.${one}`),
  )
  if (!EFFORTS.has((reasoning.effort ?? null) as string | null))
    throw invalidValue('reasoning.effort', reasoning.effort)
  if (![undefined, null, 'auto', 'concise', 'detailed'].includes(reasoning.summary as string))
    throw invalidValue('reasoning.summary', reasoning.summary)
}

function checkTools({ tools, tool_choice: choice }: Json): void {
  if (tools != null && !Array.isArray(tools)) throw invalidType('tools', 'an array of objects')
  const list = objects(tools)
  list.forEach((tool, i) => {
    const at = `tools[${i}]`
    if (typeof tool.type !== 'string') throw missing(`${at}.type`)
    if (tool.type !== 'function') return
    onlyKnown(
      tool,
      words('type name description parameters strict defer_loading allowed_callers output_schema'),
      (one) => unknownParameter(`${at}.${one}`),
    )
    checkName(tool.name, `${at}.name`)
    checkFlag(tool.strict, `${at}.strict`)
    checkSchema(tool.parameters, tool.strict, String(tool.name), `${at}.parameters`)
  })
  if (choice == null) return
  if (typeof choice === 'string') {
    if (!['none', 'auto', 'required'].includes(choice)) throw invalidValue('tool_choice', choice)
    if (choice === 'required' && list.length === 0)
      throw new Refused("Tool choice 'required' must be specified with 'tools' parameter.", 'tool_choice')
    return
  }
  if (!isObject(choice)) throw invalidType('tool_choice', 'a string or an object')
  if (choice.type !== 'function') return
  if (typeof choice.name !== 'string') throw missing('tool_choice.name')
  if (!list.some(({ name }) => name === choice.name))
    throw new Refused(`Tool choice '${choice.name}' not found in 'tools' parameter.`, 'tool_choice')
}

function checkText({ text, input }: Json): void {
  if (text == null) return
  if (!isObject(text)) throw invalidType('text', 'an object')
  onlyKnown(text, words('format verbosity'), (one) => unknownParameter(`text.${one}`))
  if (text.format == null) return
  if (!isObject(text.format)) throw invalidType('text.format', 'an object')
  const { format } = text
  if (format.type === 'text') return
  if (format.type === 'json_object') {
    if (/json/i.test(JSON.stringify(input))) return
    throw new Refused(
      "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
      'input',
    )
  }
  if (format.type !== 'json_schema') throw invalidValue('text.format.type', format.type)
  onlyKnown(format, words('type name description schema strict'), (one) => unknownParameter(`text.format.${one}`))
  checkName(format.name, 'text.format.name')
  if (!isObject(format.schema)) throw missing('text.format.schema')
  checkSchema(format.schema, format.strict, 'response_format', 'text.format.schema')
}

function checkItem(item: unknown, at: string): void {
  if (!isObject(item)) throw invalidType(at, 'an object')
  const type = item.type ?? ('role' in item ? 'message' : undefined)
  if (typeof type !== 'string') throw missing(`${at}.type`)
  if (OTHER_ITEMS.has(type)) return
  const rule = ITEMS[type]
  if (rule === undefined) throw invalidValue(`${at}.type`, type)
  onlyKnown(item, rule.fields, (member) => unknownParameter(`${at}.${member}`))
  if (item.id != null && !String(item.id).startsWith(rule.id))
    throw new Refused(
      `Invalid '${at}.id': '${String(item.id)}'. Expected an ID that begins with '${rule.id}'.`,
      `${at}.id`,
    )
  if (type === 'message') checkMessage(item, at)
  if (type.includes('_call')) checkCallItem(item, type, at)
  if (type === 'reasoning' && !Array.isArray(item.summary)) throw missing(`${at}.summary`)
}

function checkMessage({ role, content }: Json, at: string): void {
  if (!['user', 'assistant', 'system', 'developer'].includes(role as string)) throw invalidValue(`${at}.role`, role)
  if (typeof content === 'string') return
  if (!Array.isArray(content)) throw invalidType(`${at}.content`, 'one of a string or array of objects')
  content.forEach(
    (part, i) => void checkPart(part, role === 'assistant' ? OUTPUT_PARTS : INPUT_PARTS, `${at}.content[${i}]`),
  )
}

function checkPart(part: unknown, allowed: Readonly<Record<string, ReadonlySet<string>>>, at: string): void {
  if (!isObject(part)) throw invalidType(at, 'an object')
  const known = typeof part.type === 'string' ? allowed[part.type] : undefined
  if (known === undefined)
    throw new Refused(
      `Invalid value: '${String(part.type)}'. Supported values are: ${Object.keys(allowed).join(', ')}.`,
      `${at}.type`,
      { code: 'invalid_value' },
    )
  onlyKnown(part, known, (member) => unknownParameter(`${at}.${member}`))
  if (part.type === 'input_image' && part.file_id == null) checkImage(part.image_url, `${at}.image_url`)
  if (part.type === 'input_text' && typeof part.text !== 'string') throw missing(`${at}.text`)
}

function checkCallItem(item: Json, type: string, at: string): void {
  if (typeof item.call_id !== 'string' || item.call_id === '') throw missing(`${at}.call_id`)
  if (item.call_id.length > 64)
    throw new Refused(
      `Invalid '${at}.call_id': string too long. Expected a string with maximum length 64.`,
      `${at}.call_id`,
    )
  if (type.endsWith('_output')) {
    if (typeof item.output === 'string') return
    if (!Array.isArray(item.output)) throw missing(`${at}.output`)
    item.output.forEach((part, i) => void checkPart(part, INPUT_PARTS, `${at}.output[${i}]`))
    return
  }
  checkName(item.name, `${at}.name`)
  const said = type === 'function_call' ? 'arguments' : 'input'
  if (typeof item[said] !== 'string') throw missing(`${at}.${said}`)
}

function checkPairs(items: readonly Json[], call: string, output: string, what: string): void {
  const calls = new Set<unknown>()
  const answered = new Set<unknown>()
  for (const { type, call_id: id } of items) {
    if (type === call) calls.add(id)
    if (type !== output) continue
    if (!calls.has(id)) throw new Refused(`No tool call found for ${what} output with call_id ${String(id)}.`, 'input')
    answered.add(id)
  }
  for (const id of calls)
    if (!answered.has(id)) throw new Refused(`No tool output found for ${what} ${String(id)}.`, 'input')
}

function checkReasoning(items: readonly Json[], body: Json, issued: IssuedReasoning): void {
  items.forEach((item, i) => {
    if (item.type !== 'reasoning') return
    const { id, encrypted_content: encrypted } = item
    if (typeof encrypted === 'string') {
      if (!issued.knowsContent(encrypted))
        throw new Refused('The encrypted content for item could not be verified.', `input[${i}]`, {
          code: 'invalid_encrypted_content',
        })
    } else if (body.store === false || !issued.knowsId(String(id))) {
      throw new Refused(`Item with id '${String(id)}' not found.`, 'input', { status: 404 })
    }
    const next = items[i + 1]
    const follows = next !== undefined && (next.role === 'assistant' || /^(reasoning|.*_call)$/.test(String(next.type)))
    if (!follows)
      throw new Refused(
        `Item '${String(id)}' of type 'reasoning' was provided without its required following item.`,
        'input',
      )
  })
}
