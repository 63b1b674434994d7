// The canonical form → a generateContent request.
import { badInput, GatewayError } from '../../errors'
import type { CanonicalRequest, JsonObject, OutputFormat, ToolChoice, ToolDefinition } from '../canonical'
import type { BuildTarget, FieldNotes } from '../translation'
import { buildContents } from './build-contents'
import { cleanParameters, cleanSchema } from './clean-schema'
import { thinkingConfig } from './thinking-config'

/** @throws GatewayError 400 naming what Gemini cannot carry */
export function buildRequest(request: CanonicalRequest, target: BuildTarget, notes: FieldNotes): JsonObject {
  noteDrops(request, notes)
  const tools = request.tools.map((tool) => functionDeclaration(tool, notes))
  const config = generationConfig(request, target, notes)
  return {
    ...conversation(request, target.model),
    ...(tools.length === 0 ? {} : { tools: [{ functionDeclarations: tools }] }),
    ...(tools.length === 0 || request.toolChoice === null ? {} : { toolConfig: toolConfig(request.toolChoice) }),
    ...(Object.keys(config).length === 0 ? {} : { generationConfig: config }),
  }
}

function noteDrops({ parallelToolCalls, verbosity, user, cacheKey }: CanonicalRequest, notes: FieldNotes): void {
  // Gemini always may call several functions at once.
  if (parallelToolCalls === false) notes.dropped('parallelToolCalls')
  if (verbosity !== null) notes.dropped('verbosity')
  if (user !== null) notes.dropped('user')
  if (cacheKey !== null) notes.dropped('cacheKey')
}

function conversation(request: CanonicalRequest, model: string): JsonObject {
  const contents = buildContents(request, model)
  const system = request.system.map(({ text }) => ({ text }))
  if (contents.length === 0) {
    // Gemini wants something said by the user: an instruction alone is just that.
    if (system.length === 0)
      throw new GatewayError('bad_input', 400, 'The request says nothing. Send a message with text.')
    return { contents: [{ role: 'user', parts: system }] }
  }
  return system.length === 0 ? { contents } : { contents, systemInstruction: { parts: system } }
}

function functionDeclaration(tool: ToolDefinition, notes: FieldNotes): JsonObject {
  if (tool.freeForm) {
    const message = `the tool "${tool.name}" takes free text, which Gemini cannot call. Declare it with a JSON schema.`
    throw badInput('tools', message)
  }
  if (tool.strict === true) notes.dropped('tools[].strict')
  const parameters = tool.schema === null ? null : cleanParameters(tool.schema)
  return {
    name: tool.name,
    ...(tool.description === null ? {} : { description: tool.description }),
    ...(parameters === null ? {} : { parameters }),
  }
}

function toolConfig(choice: ToolChoice): JsonObject {
  switch (choice.kind) {
    case 'auto':
      return { functionCallingConfig: { mode: 'AUTO' } }
    case 'none':
      return { functionCallingConfig: { mode: 'NONE' } }
    case 'required':
      return { functionCallingConfig: { mode: 'ANY' } }
    case 'tool':
      return { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [choice.name] } }
  }
}

const MAX_STOPS = 5
const INT32 = 2 ** 31

function generationConfig(request: CanonicalRequest, target: BuildTarget, notes: FieldNotes): JsonObject {
  const { maxTokens, stop, seed, output } = request
  if (stop.length > MAX_STOPS) throw badInput('stop', `Gemini takes at most ${MAX_STOPS} stop sequences. Send fewer.`)
  const fitsSeed = seed === null || (Number.isInteger(seed) && seed >= -INT32 && seed < INT32)
  if (!fitsSeed) notes.dropped('seed')
  const thinking = thinkingConfig(request.reasoning, target.model, notes)
  const config = {
    maxOutputTokens: maxTokens === null ? null : Math.min(maxTokens, target.maxOutputTokens ?? maxTokens),
    temperature: request.temperature,
    topP: request.topP,
    topK: request.topK,
    stopSequences: stop.length === 0 ? null : stop,
    // Zero is what they are without a word, and some models refuse the very word.
    presencePenalty: request.presencePenalty || null,
    frequencyPenalty: request.frequencyPenalty || null,
    seed: fitsSeed ? seed : null,
    ...outputForm(output),
    thinkingConfig: thinking,
  }
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null))
}

function outputForm(output: OutputFormat | null): JsonObject {
  if (output === null || output.kind === 'text') return {}
  if (output.kind === 'json') return { responseMimeType: 'application/json' }
  const { schema, description } = output
  const described = description === null || schema.description !== undefined ? schema : { ...schema, description }
  const cleaned = cleanSchema(described)
  // "Any object" says no more than JSON does, and older models refuse it.
  const says = cleaned.type !== 'OBJECT' || cleaned.properties !== undefined
  return { responseMimeType: 'application/json', ...(says ? { responseSchema: cleaned } : {}) }
}
