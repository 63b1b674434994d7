// A canonical request as the body of POST /v1/messages.
import type { CanonicalRequest, JsonObject, OutputFormat, ToolChoice } from '../canonical'
import type { BuildTarget, FieldNotes } from '../translation'
import { hasWords, textBlocks } from './build-content'
import { type BuiltConversation, buildConversation } from './build-messages'
import { buildSampling, decideDepth } from './build-thinking'
import { buildTools } from './build-tools'
import { modelTraits } from './model-traits'
import { outputSchema } from './output-schema'

/** @throws GatewayError 400 naming what the Messages API cannot carry */
export function buildRequest(request: CanonicalRequest, target: BuildTarget, notes: FieldNotes): JsonObject {
  noteUnknown(request, notes)
  const traits = modelTraits(target.model)
  const talk = buildConversation(request.system, request.turns, traits.takesPrefill, notes)
  const obstacles = { forced: isForced(request), unthinkingLoop: !talk.thinkingIsWhole }
  const depth = decideDepth(request, target, traits, obstacles, notes)
  const format = buildFormat(request.output, traits.takesOutputSchema)
  const config = {
    ...(depth.effort === null ? {} : { effort: depth.effort }),
    ...(format.schema === null ? {} : { format: { type: 'json_schema', schema: format.schema } }),
  }
  const { system, messages } = markCache(talk, format.instruction, request.tools.length > 0)
  const stop = request.stop.filter(hasWords)
  if (stop.length < request.stop.length) notes.dropped('stop')
  const thinks = depth.thinking !== null && (depth.thinking.type === 'enabled' || depth.thinking.type === 'adaptive')
  return {
    model: target.model,
    max_tokens: depth.maxTokens,
    ...(system.length === 0 ? {} : { system }),
    messages,
    ...buildTools(request, talk.calledTools, notes),
    ...(depth.thinking === null ? {} : { thinking: depth.thinking }),
    ...(Object.keys(config).length === 0 ? {} : { output_config: config }),
    ...buildSampling(request, traits, thinks, notes),
    ...(stop.length === 0 ? {} : { stop_sequences: stop }),
    ...buildUser(request.user, notes),
    ...(target.stream ? { stream: true } : {}),
  }
}

function noteUnknown(request: CanonicalRequest, notes: FieldNotes): void {
  for (const name of ['presencePenalty', 'frequencyPenalty'] as const) {
    if (request[name] !== null && request[name] !== 0) notes.dropped(name)
  }
  for (const name of ['seed', 'verbosity', 'cacheKey'] as const) {
    if (request[name] !== null) notes.dropped(name)
  }
}

const FORCED: readonly ToolChoice['kind'][] = ['required', 'tool']

const isForced = ({ tools, toolChoice }: CanonicalRequest): boolean =>
  tools.length > 0 && toolChoice !== null && FORCED.includes(toolChoice.kind)

interface Format {
  readonly schema: JsonObject | null
  /** Said in words where the API has no field for it. */
  readonly instruction: string
}

const NO_FORMAT: Format = { schema: null, instruction: '' }

function buildFormat(output: OutputFormat | null, takesSchema: boolean): Format {
  switch (output?.kind) {
    case 'json':
      return { schema: null, instruction: 'Respond with one valid JSON object and nothing else: no code fence.' }
    case 'schema': {
      const schema = takesSchema ? outputSchema(output.schema) : null
      if (schema !== null) return { schema, instruction: '' }
      const about = output.description === null ? '' : ` (${output.description})`
      return {
        schema: null,
        instruction: `Respond with JSON${about} and nothing else: no code fence. It must follow this JSON Schema:\n${JSON.stringify(output.schema)}`,
      }
    }
    default:
      return NO_FORMAT
  }
}

/** The longest `metadata.user_id` the API takes. */
const USER_ID_LIMIT = 256

function buildUser(user: string | null, notes: FieldNotes): JsonObject {
  if (user === null || user === '') return {}
  if (user.length <= USER_ID_LIMIT) return { metadata: { user_id: user } }
  notes.dropped('user')
  return {}
}

const CACHE = { cache_control: { type: 'ephemeral' } }

/**
 * Other dialects cache by themselves; here the places must be marked. The instructions are one; the end of the
 * conversation is another where it is likely to go on (tools, or an answer already given). A single question is not
 * marked: writing to the cache costs more than it would ever save.
 */
function markCache(
  { system, messages }: BuiltConversation,
  instruction: string,
  hasTools: boolean,
): { readonly system: readonly JsonObject[]; readonly messages: BuiltConversation['messages'] } {
  const marked = lastMarked([...system, ...textBlocks(instruction)])
  const last = messages.at(-1)
  if (last?.role !== 'user' || (!hasTools && messages.length === 1)) return { system: marked, messages }
  return { system: marked, messages: [...messages.slice(0, -1), { ...last, content: lastMarked(last.content) }] }
}

function lastMarked(blocks: readonly JsonObject[]): readonly JsonObject[] {
  const last = blocks.at(-1)
  return last === undefined ? blocks : [...blocks.slice(0, -1), { ...last, ...CACHE }]
}
