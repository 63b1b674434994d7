// The canonical form → a Responses request. It asks the upstream to keep nothing: what is to be kept, the gateway keeps.
import type {
  CanonicalRequest,
  Effort,
  JsonObject,
  OutputFormat,
  Reasoning,
  ToolChoice,
  ToolDefinition,
} from '../canonical'
import { hasJsonWord, JSON_INSTRUCTION } from '../json-word'
import { shortened } from '../shortened'
import type { BuildTarget, FieldNotes } from '../translation'
import { buildInput } from './build-input'

/** Characters; longer ids would be refused. */
const MAX_ID = 64

/** @throws GatewayError 400 naming what the API cannot carry */
export function buildRequest(request: CanonicalRequest, target: BuildTarget, notes: FieldNotes): JsonObject {
  noteDrops(request, notes)
  const { reasoning, tools } = request
  const instructions = request.system.map(({ text }) => text).join('\n\n')
  const input = buildInput(request.turns)
  // Instructions alone are no input.
  const onlySystem = input.length === 0 && instructions !== ''
  const messages = onlySystem ? [developerMessage(instructions)] : input
  const maxTokens = limited(request.maxTokens, target.maxOutputTokens)
  return {
    model: target.model,
    ...(instructions === '' || onlySystem ? {} : { instructions }),
    input: lacksJsonWord(request, onlySystem) ? [developerMessage(JSON_INSTRUCTION), ...messages] : messages,
    stream: target.stream,
    store: false,
    ...(tools.length === 0 ? {} : { tools: tools.map(buildTool), ...buildChoice(request) }),
    ...(maxTokens === null ? {} : { max_output_tokens: maxTokens }),
    ...(request.temperature === null ? {} : { temperature: request.temperature }),
    ...(request.topP === null ? {} : { top_p: request.topP }),
    ...buildText(request),
    ...buildReasoning(reasoning),
    ...(request.user === null ? {} : { user: shortened(request.user, MAX_ID) }),
    ...(request.cacheKey === null ? {} : { prompt_cache_key: shortened(request.cacheKey, MAX_ID) }),
  }
}

/** Fewer tokens the API refuses to be limited to. */
const MIN_OUTPUT_TOKENS = 16

/** A limit above the model's own would be refused, and so would one that is too low for any answer. */
const limited = (asked: number | null, most: number | null): number | null =>
  asked === null ? null : Math.max(Math.min(asked, most ?? asked), MIN_OUTPUT_TOKENS)

/** The API looks for the word in the input, not in the instructions. */
const lacksJsonWord = ({ output, system, turns }: CanonicalRequest, onlySystem: boolean): boolean =>
  output?.kind === 'json' && !hasJsonWord(onlySystem ? [{ parts: system }] : turns)

const developerMessage = (text: string): JsonObject => ({
  type: 'message',
  role: 'developer',
  content: [{ type: 'input_text', text }],
})

function noteDrops(request: CanonicalRequest, notes: FieldNotes): void {
  for (const name of ['topK', 'seed'] as const) {
    if (request[name] !== null) notes.dropped(name)
  }
  for (const name of ['presencePenalty', 'frequencyPenalty'] as const) {
    if (request[name] !== null && request[name] !== 0) notes.dropped(name)
  }
  if (request.stop.length > 0) notes.dropped('stop')
}

function buildTool(tool: ToolDefinition): JsonObject {
  const { name, description, schema, strict, freeForm } = tool
  const about = description === null ? {} : { description }
  if (freeForm) return { type: 'custom', name, ...about }
  // Strict unless told otherwise, the API would refuse schemas that were not written for it.
  return { type: 'function', name, ...about, parameters: schema ?? ANYTHING, strict: strict ?? false }
}

const ANYTHING: JsonObject = { type: 'object', properties: {} }

function buildChoice({ toolChoice, parallelToolCalls, tools }: CanonicalRequest): JsonObject {
  return {
    ...(toolChoice === null ? {} : { tool_choice: choiceOf(toolChoice, tools) }),
    ...(parallelToolCalls === null ? {} : { parallel_tool_calls: parallelToolCalls }),
  }
}

function choiceOf(choice: ToolChoice, tools: readonly ToolDefinition[]): string | JsonObject {
  if (choice.kind !== 'tool') return choice.kind
  const { name } = choice
  return { type: tools.find((tool) => tool.name === name)?.freeForm ? 'custom' : 'function', name }
}

function buildText({ output, verbosity }: CanonicalRequest): JsonObject {
  const text = {
    ...(output === null ? {} : { format: formatOf(output) }),
    ...(verbosity === null ? {} : { verbosity }),
  }
  return Object.keys(text).length === 0 ? {} : { text }
}

function formatOf(output: OutputFormat): JsonObject {
  if (output.kind === 'text') return { type: 'text' }
  if (output.kind === 'json') return { type: 'json_object' }
  const { name, description, schema, strict } = output
  return {
    type: 'json_schema',
    name: name.replace(/[^\w-]/g, '_').slice(0, 64) || 'answer',
    ...(description === null ? {} : { description }),
    schema,
    strict: strict ?? false,
  }
}

/**
 * Thinking that was switched off by a budget of 0 is left to the model: the word for it is refused by models that
 * cannot do without, and by those that never think.
 */
function buildReasoning(reasoning: Reasoning | null): JsonObject {
  if (reasoning === null || (reasoning.effort === null && reasoning.budget === 0)) return {}
  const effort = reasoning.effort ?? effortOf(reasoning.budget)
  const asked = {
    ...(effort === null ? {} : { effort }),
    ...(reasoning.show === true && effort !== 'none' ? { summary: 'auto' } : {}),
  }
  return {
    ...(Object.keys(asked).length === 0 ? {} : { reasoning: asked }),
    // Without it the reasoning is lost with the answer, for nothing is stored.
    ...(effort === 'none' ? {} : { include: ['reasoning.encrypted_content'] }),
  }
}

function effortOf(budget: number | null): Effort | null {
  if (budget === null || budget < 0) return null
  if (budget <= 4096) return 'low'
  return budget <= 16_384 ? 'medium' : 'high'
}
