// A Responses request → the canonical form. What the API keeps for later (store, previous_response_id) is the
// gateway's own work and was done before.
import { badInput } from '../../errors'
import {
  type CanonicalRequest,
  EFFORTS,
  type Effort,
  type JsonObject,
  type OutputFormat,
  type Reasoning,
  type ToolChoice,
} from '../canonical'
import { maybeBoolean, maybeNumber, maybeString, needArray, needObject, needString } from '../json'
import type { FieldNotes } from '../translation'
import { type ClientTool, ClientTools } from './client-tools'
import { textParts } from './parse-content'
import { parseInput } from './parse-input'

/** @throws GatewayError 400 naming the field */
export function parseRequest(body: JsonObject, notes: FieldNotes): CanonicalRequest {
  const tools = new ClientTools(body, notes)
  const { system, turns } = parseInput(body.input, tools, notes)
  const chosen = parseToolChoice(body.tool_choice, tools)
  const text = body.text === undefined || body.text === null ? {} : needObject(body.text, 'text')
  noteIncludes(body.include, notes)
  return {
    system: [...textParts(maybeString(body.instructions, 'instructions') ?? ''), ...system],
    turns: turns.map(({ role, parts }) => ({ role, parts })),
    tools: chosen.tools.map(({ definition }) => definition),
    toolChoice: chosen.choice,
    parallelToolCalls: maybeBoolean(body.parallel_tool_calls, 'parallel_tool_calls'),
    maxTokens: maybeNumber(body.max_output_tokens, 'max_output_tokens'),
    temperature: maybeNumber(body.temperature, 'temperature'),
    topP: maybeNumber(body.top_p, 'top_p'),
    topK: null,
    stop: [],
    presencePenalty: null,
    frequencyPenalty: null,
    seed: null,
    output: parseFormat(text.format),
    reasoning: parseReasoning(body.reasoning, notes),
    verbosity: maybeString(text.verbosity, 'text.verbosity'),
    user: maybeString(body.safety_identifier, 'safety_identifier') ?? maybeString(body.user, 'user'),
    cacheKey: maybeString(body.prompt_cache_key, 'prompt_cache_key'),
    includeUsage: true,
  }
}

interface Chosen {
  readonly choice: ToolChoice | null
  readonly tools: readonly ClientTool[]
}

const CHOICES = 'must be "auto", "none", "required", or an object that names a tool.'

function parseToolChoice(value: unknown, tools: ClientTools): Chosen {
  const { all } = tools
  if (value === undefined || value === null) return { choice: null, tools: all }
  if (value === 'auto' || value === 'none') return { choice: { kind: value }, tools: all }
  if (value === 'required') return { choice: { kind: value }, tools: someTool(all, tools) }
  if (typeof value === 'string') throw badInput('tool_choice', CHOICES)
  const choice = needObject(value, 'tool_choice')
  if (choice.type === 'allowed_tools') return parseAllowed(choice, tools)
  return { choice: { kind: 'tool', name: chosenName(choice, 'tool_choice', tools) }, tools: all }
}

function parseAllowed(choice: JsonObject, tools: ClientTools): Chosen {
  const mode = needString(choice.mode, 'tool_choice.mode')
  if (mode !== 'auto' && mode !== 'required') throw badInput('tool_choice.mode', 'must be "auto" or "required".')
  const names = new Set<string>()
  needArray(choice.tools, 'tool_choice.tools').forEach((tool, index) => {
    const path = `tool_choice.tools[${index}]`
    const allowed = needObject(tool, path)
    // A tool that runs at OpenAI was left out with a note already.
    if (!tools.hosted.has(String(allowed.type))) names.add(chosenName(allowed, path, tools))
  })
  const left = tools.all.filter(({ definition }) => names.has(definition.name))
  return { choice: { kind: mode }, tools: mode === 'required' ? someTool(left, tools) : left }
}

/** @throws GatewayError 400 where a call is demanded of tools that all run at OpenAI */
function someTool(left: readonly ClientTool[], { hosted }: ClientTools): readonly ClientTool[] {
  if (left.length === 0 && hosted.size > 0) throw badInput('tool_choice', onlyHosted([...hosted].join(', ')))
  return left
}

const onlyHosted = (types: string): string =>
  `demands a tool that runs at OpenAI (${types}). Choose a model of a provider that speaks OpenAI Responses, or leave it out.`

const NAMED = new Set<unknown>(['function', 'custom'])
const BY_TYPE = new Set<unknown>(['apply_patch', 'shell', 'local_shell', 'tool_search'])

function chosenName(choice: JsonObject, path: string, tools: ClientTools): string {
  const type = needString(choice.type, `${path}.type`)
  if (NAMED.has(type)) {
    const namespace = maybeString(choice.namespace, `${path}.namespace`)
    return tools.nameOf(namespace, needString(choice.name, `${path}.name`))
  }
  const name = tools.nameOf(null, type)
  if (BY_TYPE.has(type) && tools.get(name) !== undefined) return name
  throw badInput(path, onlyHosted(type))
}

function parseFormat(value: unknown): OutputFormat | null {
  if (value === undefined || value === null) return null
  const format = needObject(value, 'text.format')
  switch (format.type) {
    case 'text':
      return { kind: 'text' }
    case 'json_object':
      return { kind: 'json' }
    case 'json_schema':
      return {
        kind: 'schema',
        name: needString(format.name, 'text.format.name'),
        description: maybeString(format.description, 'text.format.description'),
        schema: needObject(format.schema, 'text.format.schema'),
        strict: maybeBoolean(format.strict, 'text.format.strict'),
      }
    default:
      throw badInput('text.format.type', 'must be text, json_object or json_schema.')
  }
}

function parseReasoning(value: unknown, notes: FieldNotes): Reasoning | null {
  if (value === undefined || value === null) return null
  const reasoning = needObject(value, 'reasoning')
  const effort = parseEffort(maybeString(reasoning.effort, 'reasoning.effort'))
  const summary =
    maybeString(reasoning.summary, 'reasoning.summary') ??
    maybeString(reasoning.generate_summary, 'reasoning.generate_summary')
  if (reasoning.context !== undefined && reasoning.context !== null && reasoning.context !== 'auto') {
    notes.dropped('reasoning.context')
  }
  if (reasoning.mode !== undefined && reasoning.mode !== null && reasoning.mode !== 'standard') {
    notes.dropped('reasoning.mode')
  }
  if (effort === null && summary === null) return null
  return { effort, budget: null, show: summary === null ? null : summary !== 'none' }
}

function parseEffort(word: string | null): Effort | null {
  if (word === null) return null
  // The most of all has no word of its own in the other dialects.
  if (word === 'max') return 'xhigh'
  const effort = EFFORTS.find((known) => known === word)
  if (effort === undefined) throw badInput('reasoning.effort', `must be one of ${EFFORTS.join(', ')}, max.`)
  return effort
}

function noteIncludes(value: unknown, notes: FieldNotes): void {
  if (value === undefined || value === null) return
  for (const name of needArray(value, 'include')) {
    if (name !== 'reasoning.encrypted_content') notes.dropped(`include[].${String(name)}`)
  }
}
