// The canonical form → a Chat request.
import { badInput } from '../../errors'
import type { CanonicalRequest, JsonObject, OutputFormat, ToolChoice, ToolDefinition } from '../canonical'
import { hasJsonWord, JSON_INSTRUCTION } from '../json-word'
import type { BuildTarget, FieldNotes } from '../translation'
import { buildMessages } from './build-messages'
import { effortWord } from './effort'

/** Longer ids of users are refused by OpenAI. */
const MAX_USER_LENGTH = 64
const MAX_STOPS = 4

/** @throws GatewayError 400 naming what Chat cannot carry */
export function buildRequest(request: CanonicalRequest, target: BuildTarget, notes: FieldNotes): JsonObject {
  const { temperature, topP, presencePenalty, frequencyPenalty, seed, output } = request
  if (request.topK !== null) notes.dropped('topK')
  return given({
    model: target.model,
    messages: buildMessages(withJsonWord(request)),
    stream: target.stream ? true : null,
    stream_options: target.stream && target.reportsUsageOnRequest ? { include_usage: true } : null,
    [target.maxTokensField]: maxTokens(request, target),
    temperature,
    top_p: topP,
    stop: stopWords(request, target),
    presence_penalty: presencePenalty,
    frequency_penalty: frequencyPenalty,
    seed,
    ...toolMembers(request),
    response_format: output === null ? null : responseFormat(output),
    reasoning_effort: effortWord(request.reasoning),
    user: userOf(request, notes),
    ...newerMembers(request, target, notes),
  })
}

/** The members that are not null. */
function given(members: JsonObject): JsonObject {
  const kept: Record<string, unknown> = {}
  for (const name in members) {
    const value = members[name]
    if (value !== null && value !== undefined) kept[name] = value
  }
  return kept
}

function maxTokens({ maxTokens: wanted }: CanonicalRequest, { maxOutputTokens: limit }: BuildTarget): number | null {
  return wanted === null || limit === null ? wanted : Math.min(wanted, limit)
}

/** JSON mode is refused where no message holds the word. */
function withJsonWord(request: CanonicalRequest): CanonicalRequest {
  const { output, system, turns } = request
  if (output?.kind !== 'json' || hasJsonWord([{ parts: system }, ...turns])) return request
  return { ...request, system: [...system, { kind: 'text', text: JSON_INSTRUCTION }] }
}

/** OpenAI takes no more stop words; older compatible servers do. Leaving some out would change the answer. */
function stopWords({ stop }: CanonicalRequest, { maxTokensField }: BuildTarget): readonly string[] | null {
  if (maxTokensField === 'max_completion_tokens' && stop.length > MAX_STOPS) {
    throw badInput('stop', `OpenAI Chat takes at most ${MAX_STOPS} stop sequences. Send fewer.`)
  }
  return stop.length === 0 ? null : stop
}

function userOf({ user }: CanonicalRequest, notes: FieldNotes): string | null {
  if (user === null || user.length <= MAX_USER_LENGTH) return user
  notes.dropped('user')
  return null
}

/** Fields that only servers which know `max_completion_tokens` know too: the older ones refuse the whole request. */
function newerMembers({ verbosity, cacheKey }: CanonicalRequest, target: BuildTarget, notes: FieldNotes): JsonObject {
  if (target.maxTokensField === 'max_completion_tokens') return { verbosity, prompt_cache_key: cacheKey }
  if (verbosity !== null) notes.dropped('verbosity')
  if (cacheKey !== null) notes.dropped('cacheKey')
  return {}
}

/** Without tools, a choice among them is refused. */
function toolMembers({ tools, toolChoice, parallelToolCalls }: CanonicalRequest): JsonObject {
  if (tools.length === 0) return {}
  return {
    tools: tools.map(buildTool),
    tool_choice: toolChoice === null ? null : buildChoice(toolChoice, tools),
    parallel_tool_calls: parallelToolCalls,
  }
}

function buildTool({ name, description, schema, strict, freeForm }: ToolDefinition): JsonObject {
  if (freeForm) return { type: 'custom', custom: given({ name, description }) }
  return { type: 'function', function: given({ name, description, parameters: parametersOf(schema), strict }) }
}

/** Chat wants an object with properties at the top, where other dialects take any schema or none. */
function parametersOf(schema: JsonObject | null): JsonObject {
  if (schema === null) return { type: 'object', properties: {} }
  const typed = schema.type === undefined ? { type: 'object', ...schema } : schema
  return typed.type === 'object' && typed.properties === undefined ? { ...typed, properties: {} } : typed
}

function buildChoice(choice: ToolChoice, tools: readonly ToolDefinition[]): unknown {
  if (choice.kind !== 'tool') return choice.kind
  const { name } = choice
  const isFreeForm = tools.some((tool) => tool.freeForm && tool.name === name)
  return isFreeForm ? { type: 'custom', custom: { name } } : { type: 'function', function: { name } }
}

function responseFormat(output: OutputFormat): JsonObject | null {
  switch (output.kind) {
    case 'text':
      return null
    case 'json':
      return { type: 'json_object' }
    case 'schema': {
      const { name, description, schema, strict } = output
      return { type: 'json_schema', json_schema: given({ name, description, schema, strict }) }
    }
  }
}
