// A client's Messages request into the canonical form.
import { badInput } from '../../errors'
import type {
  CanonicalRequest,
  Effort,
  JsonObject,
  OutputFormat,
  Reasoning,
  TextPart,
  ToolChoice,
  ToolDefinition,
  Turn,
} from '../canonical'
import { isObject, maybeBoolean, maybeNumber, maybeString, needArray, needObject, needString } from '../json'
import type { FieldNotes } from '../translation'
import { noteExtras, parseContent, textPart } from './parse-content'

/** @throws GatewayError 400 naming the field */
export function parseRequest(body: JsonObject, notes: FieldNotes): CanonicalRequest {
  const { system, turns } = parseConversation(body, notes)
  const choice = isObject(body.tool_choice) ? body.tool_choice : null
  return {
    system,
    turns,
    tools: parseTools(body.tools, notes),
    toolChoice: parseToolChoice(body.tool_choice),
    parallelToolCalls: negated(
      maybeBoolean(choice?.disable_parallel_tool_use, 'tool_choice.disable_parallel_tool_use'),
    ),
    maxTokens: maybeNumber(body.max_tokens, 'max_tokens'),
    temperature: maybeNumber(body.temperature, 'temperature'),
    topP: maybeNumber(body.top_p, 'top_p'),
    topK: maybeNumber(body.top_k, 'top_k'),
    stop: list(body.stop_sequences, 'stop_sequences').map((text, at) => needString(text, `stop_sequences[${at}]`)),
    presencePenalty: null,
    frequencyPenalty: null,
    seed: null,
    output: parseOutput(body),
    reasoning: parseReasoning(body, notes),
    verbosity: null,
    user: parseUser(body.metadata),
    cacheKey: null,
    includeUsage: true,
  }
}

const negated = (value: boolean | null): boolean | null => (value === null ? null : !value)

const list = (value: unknown, field: string): readonly unknown[] =>
  value === undefined || value === null ? [] : needArray(value, field)

function parseConversation(body: JsonObject, notes: FieldNotes): { system: readonly TextPart[]; turns: Turn[] } {
  const system = parseSystem(body.system, 'system', notes)
  const turns: Turn[] = []
  const reading = { notes, toolNames: new Map<string, string>() }
  for (const [at, value] of needArray(body.messages, 'messages').entries()) {
    const field = `messages[${at}]`
    const message = needObject(value, field)
    const role = message.role
    if (role === 'system') {
      const parts = parseSystem(message.content, `${field}.content`, notes)
      if (turns.length === 0) system.push(...parts)
      else if (parts.length > 0) turns.push({ role, parts })
      continue
    }
    if (role !== 'user' && role !== 'assistant') throw badInput(`${field}.role`, 'must be "user" or "assistant".')
    const parts = parseContent(message.content, `${field}.content`, reading)
    if (parts.length > 0) turns.push({ role, parts })
  }
  return { system, turns }
}

/** A line that Claude Code adds for Anthropic's billing; it changes with every request and spoils others' caches. */
const BILLING_LINE = 'x-anthropic-billing-header:'

function parseSystem(value: unknown, field: string, notes: FieldNotes): TextPart[] {
  if (value === undefined || value === null) return []
  if (typeof value === 'string') return textPart(value)
  return needArray(value, field).flatMap((element, at) => {
    const place = `${field}[${at}]`
    const block = needObject(element, place)
    noteExtras(block, 'system[]', notes)
    if (block.type !== 'text') throw badInput(`${place}.type`, 'must be "text".')
    const text = needString(block.text, `${place}.text`)
    if (!text.startsWith(BILLING_LINE)) return textPart(text)
    notes.dropped('system[].x-anthropic-billing-header')
    return []
  })
}

const TOOL_EXTRAS = ['cache_control', 'input_examples', 'defer_loading', 'allowed_callers', 'eager_input_streaming']

function parseTools(value: unknown, notes: FieldNotes): readonly ToolDefinition[] {
  return list(value, 'tools').flatMap((element, at) => {
    const field = `tools[${at}]`
    const tool = needObject(element, field)
    const type = maybeString(tool.type, `${field}.type`) ?? 'custom'
    if (type.startsWith('tool_search_tool')) {
      // It finds tools that are sent along anyway.
      notes.dropped('tools[].tool_search_tool')
      return []
    }
    if (type !== 'custom') {
      throw badInput(
        `${field}.type`,
        `"${type}" is a tool only Anthropic's models know. Leave it out, or choose a model of a provider that speaks Anthropic Messages.`,
      )
    }
    for (const name of TOOL_EXTRAS) {
      if (tool[name] !== undefined && tool[name] !== null && tool[name] !== false) notes.dropped(`tools[].${name}`)
    }
    return [
      {
        name: needString(tool.name, `${field}.name`),
        description: maybeString(tool.description, `${field}.description`),
        schema: tool.input_schema == null ? null : needObject(tool.input_schema, `${field}.input_schema`),
        strict: maybeBoolean(tool.strict, `${field}.strict`),
        freeForm: false,
      },
    ]
  })
}

function parseToolChoice(value: unknown): ToolChoice | null {
  if (value === undefined || value === null) return null
  const choice = needObject(value, 'tool_choice')
  switch (choice.type) {
    case 'auto':
    case 'none':
      return { kind: choice.type }
    case 'any':
      return { kind: 'required' }
    case 'tool':
      return { kind: 'tool', name: needString(choice.name, 'tool_choice.name') }
    default:
      throw badInput('tool_choice.type', 'must be "auto", "any", "tool" or "none".')
  }
}

/** `output_format` is the older place of `output_config.format`. */
function parseOutput(body: JsonObject): OutputFormat | null {
  const config = body.output_config == null ? {} : needObject(body.output_config, 'output_config')
  const [value, field] =
    config.format == null ? [body.output_format, 'output_format'] : [config.format, 'output_config.format']
  if (value === undefined || value === null) return null
  const format = needObject(value, field)
  if (format.type !== 'json_schema') throw badInput(`${field}.type`, 'must be "json_schema".')
  return {
    kind: 'schema',
    name: 'answer',
    description: null,
    schema: needObject(format.schema, `${field}.schema`),
    strict: null,
  }
}

const EFFORT_WORDS: Readonly<Record<string, Effort>> = {
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'xhigh',
  max: 'xhigh',
}

function parseReasoning(body: JsonObject, notes: FieldNotes): Reasoning | null {
  const config = body.output_config == null ? {} : needObject(body.output_config, 'output_config')
  if (config.task_budget != null) notes.dropped('output_config.task_budget')
  const effort = parseEffort(config.effort)
  if (body.thinking === undefined || body.thinking === null) {
    return effort === null ? null : { effort, budget: null, show: null }
  }
  const thinking = needObject(body.thinking, 'thinking')
  const display = maybeString(thinking.display, 'thinking.display')
  const show = display === null ? null : display !== 'omitted'
  switch (thinking.type) {
    case 'enabled': {
      const budget = maybeNumber(thinking.budget_tokens, 'thinking.budget_tokens')
      if (budget === null) throw badInput('thinking.budget_tokens', 'is missing. Give a number of tokens.')
      return { effort, budget, show }
    }
    case 'adaptive':
      return { effort, budget: -1, show }
    case 'disabled':
    case 'between_tools':
      if (effort !== null) notes.dropped('output_config.effort')
      return { effort: null, budget: 0, show: null }
    default:
      throw badInput('thinking.type', 'must be "enabled", "adaptive" or "disabled".')
  }
}

function parseEffort(value: unknown): Effort | null {
  const word = maybeString(value, 'output_config.effort')
  if (word === null) return null
  const effort = Object.hasOwn(EFFORT_WORDS, word) ? EFFORT_WORDS[word] : undefined
  if (effort === undefined) {
    throw badInput('output_config.effort', 'must be "low", "medium", "high", "xhigh" or "max".')
  }
  return effort
}

function parseUser(value: unknown): string | null {
  if (value === undefined || value === null) return null
  return maybeString(needObject(value, 'metadata').user_id, 'metadata.user_id')
}
