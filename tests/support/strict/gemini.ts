// What Google's Gemini API refuses, as it words it. Its JSON is protocol buffers: a name that is not in the message is
// an error at any depth, in camelCase and in snake_case alike.
import { isBase64, isObject, type Json, objects, Refused, words } from './rules.ts'

const FIELDS = words(`contents systemInstruction tools toolConfig safetySettings generationConfig cachedContent model
  serviceTier store`)
const CONFIG = words(`stopSequences responseMimeType responseSchema responseJsonSchema responseModalities candidateCount
  maxOutputTokens temperature topP topK seed presencePenalty frequencyPenalty responseLogprobs logprobs speechConfig
  thinkingConfig imageConfig mediaResolution enableEnhancedCivicAnswers`)
const TOOL = words(
  'functionDeclarations googleSearch googleSearchRetrieval codeExecution urlContext computerUse fileSearch',
)
const DECLARATION = words('name description parameters parametersJsonSchema response responseJsonSchema behavior')
const PART = words(`text inlineData fileData functionCall functionResponse executableCode codeExecutionResult thought
  thoughtSignature videoMetadata mediaResolution partMetadata`)
const PART_DATA = words('text inlineData fileData functionCall functionResponse executableCode codeExecutionResult')
const SCHEMA = words(`type format title description nullable enum maxItems minItems properties required minProperties
  maxProperties minLength maxLength pattern example anyOf propertyOrdering default items minimum maximum`)
const TYPES = words('STRING NUMBER INTEGER BOOLEAN ARRAY OBJECT NULL')
const FUNCTION_NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/

/** Google's documented words for a call that another model made: they pass where a signature is demanded. */
const NO_SIGNATURE = words('skip_thought_signature_validator context_engineering_is_the_way_to_go')

const camel = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The same message with its names in camelCase. @throws Refused for a name the message does not have */
function message(value: unknown, known: ReadonlySet<string>, at: string): Json {
  if (!isObject(value)) throw new Refused(`Invalid value at '${at}' (type.googleapis.com), expected an object`)
  const read: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    if (!known.has(camel(name)))
      throw new Refused(
        `Invalid JSON payload received. Unknown name "${name}"${at === '' ? '' : ` at '${at}'`}: Cannot find field.`,
      )
    read[camel(name)] = member
  }
  return read
}

const repeated = (value: unknown, at: string): readonly unknown[] => {
  if (value === undefined || value === null) return []
  // A single message is taken for a list of one.
  if (!Array.isArray(value)) {
    if (isObject(value)) return [value]
    throw new Refused(`Invalid value at '${at}', expected a list`)
  }
  return value
}

export interface IssuedSignatures {
  knows(signature: string): boolean
}

export interface GeminiLeave {
  /** The model thinks and demands its signatures back in a tool loop. */
  readonly thinks: boolean
}

/** @throws Refused */
export function checkGemini(body: Json, issued: IssuedSignatures, leave: GeminiLeave = { thinks: false }): void {
  const read = message(body, FIELDS, '')
  checkTools(read)
  checkConfig(read.generationConfig)
  if (read.systemInstruction != null) checkContent(read.systemInstruction, 'system_instruction', issued)
  const contents = repeated(read.contents, 'contents').map((content, i) =>
    checkContent(content, `contents[${i}]`, issued),
  )
  if (contents.length === 0) throw new Refused('* GenerateContentRequest.contents: contents is not specified')
  checkTurns(contents)
  if (leave.thinks) checkSignatures(contents)
}

function checkConfig(value: unknown): void {
  if (value == null) return
  const config = message(value, CONFIG, 'generation_config')
  const stops = repeated(config.stopSequences, 'generation_config.stop_sequences')
  if (stops.length > 5) throw new Refused('The number of stop sequences must not exceed 5.')
  if (typeof config.temperature === 'number' && (config.temperature < 0 || config.temperature > 2))
    throw new Refused('* GenerateContentRequest.generation_config.temperature: must be in the range [0.0, 2.0]')
  for (const name of ['maxOutputTokens', 'candidateCount', 'seed', 'topK'])
    if (config[name] != null && !Number.isInteger(config[name]))
      throw new Refused(`Invalid value at 'generation_config.${name}' (TYPE_INT32), ${JSON.stringify(config[name])}`)
  const json = config.responseMimeType === 'application/json'
  if (config.responseSchema != null && config.responseJsonSchema != null)
    throw new Refused('Only one of response_schema and response_json_schema may be set.')
  if ((config.responseSchema != null || config.responseJsonSchema != null) && !json)
    throw new Refused(
      "* GenerateContentRequest.generation_config.response_mime_type: must be 'application/json' with a response schema",
    )
  if (config.responseSchema != null) checkSchema(config.responseSchema, 'generation_config.response_schema')
  if (config.thinkingConfig == null) return
  const thinking = message(
    config.thinkingConfig,
    words('includeThoughts thinkingBudget thinkingLevel'),
    'generation_config.thinking_config',
  )
  if (thinking.thinkingBudget != null && thinking.thinkingLevel != null)
    throw new Refused('You can only set only one of thinking budget and thinking level.')
  if (thinking.thinkingBudget != null && !Number.isInteger(thinking.thinkingBudget))
    throw new Refused("Invalid value at 'generation_config.thinking_config.thinking_budget' (TYPE_INT32)")
  const level = thinking.thinkingLevel
  if (level != null && !/^(minimal|low|medium|high|thinking_level_unspecified)$/i.test(String(level)))
    throw new Refused("Invalid value at 'generation_config.thinking_config.thinking_level' (TYPE_ENUM)")
}

function checkTools({ tools, toolConfig }: Json): void {
  const names = new Set<unknown>()
  repeated(tools, 'tools').forEach((tool, i) => {
    const read = message(tool, TOOL, `tools[${i}]`)
    repeated(read.functionDeclarations, `tools[${i}].function_declarations`).forEach((one, j) => {
      const at = `tools[${i}].function_declarations[${j}]`
      const declaration = message(one, DECLARATION, at)
      checkFunctionName(declaration.name, `${at}.name`)
      if (names.has(declaration.name))
        throw new Refused(`Duplicate function declaration found: ${String(declaration.name)}`)
      names.add(declaration.name)
      if (declaration.parameters != null && declaration.parametersJsonSchema != null)
        throw new Refused(`* ${at}: only one of parameters and parameters_json_schema may be set.`)
      if (declaration.parameters != null) checkSchema(declaration.parameters, `${at}.parameters`)
    })
  })
  if (toolConfig == null) return
  const config = message(toolConfig, words('functionCallingConfig retrievalConfig'), 'tool_config')
  if (config.functionCallingConfig == null) return
  const calling = message(
    config.functionCallingConfig,
    words('mode allowedFunctionNames'),
    'tool_config.function_calling_config',
  )
  if (calling.mode != null && !/^(MODE_UNSPECIFIED|AUTO|ANY|NONE|VALIDATED)$/i.test(String(calling.mode)))
    throw new Refused("Invalid value at 'tool_config.function_calling_config.mode' (TYPE_ENUM)")
  const allowed = repeated(calling.allowedFunctionNames, 'allowed_function_names')
  if (allowed.length === 0) return
  if (!/^(ANY|VALIDATED)$/i.test(String(calling.mode)))
    throw new Refused('allowed_function_names should be set only when function calling mode is ANY or VALIDATED.')
  const unknown = allowed.find((name) => !names.has(name))
  if (unknown !== undefined)
    throw new Refused(`allowed_function_names contains a function that is not declared: ${String(unknown)}`)
}

function checkFunctionName(name: unknown, at: string): void {
  if (typeof name === 'string' && FUNCTION_NAME.test(name)) return
  throw new Refused(
    `* GenerateContentRequest.${at}: Invalid function name. Must start with a letter or an underscore. Must be ` +
      'alphameric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.',
  )
}

/** The subset of an OpenAPI schema that a Schema message is. */
function checkSchema(value: unknown, at: string): void {
  const schema = message(value, SCHEMA, at)
  const { type } = schema
  if (Array.isArray(type))
    throw new Refused(`Invalid JSON payload received. Proto field is not repeating, cannot start list at '${at}.type'.`)
  if (type != null && !TYPES.has(String(type).toUpperCase()))
    throw new Refused(`Invalid value at '${at}.type' (type.googleapis.com/google.ai.Type), "${String(type)}"`)
  const kind = String(type ?? '').toUpperCase()
  if (type == null && schema.anyOf == null) throw new Refused(`* ${at}.type: must be specified`)
  if (kind === 'STRING' && schema.format != null && !['enum', 'date-time'].includes(String(schema.format)))
    throw new Refused(`* ${at}.format: only 'enum' and 'date-time' are supported for STRING type`)
  if (schema.enum != null) {
    if (kind !== 'STRING') throw new Refused(`* ${at}.enum: only allowed for STRING type`)
    for (const one of repeated(schema.enum, `${at}.enum`)) {
      if (typeof one !== 'string') throw new Refused(`Invalid value at '${at}.enum' (TYPE_STRING), ${String(one)}`)
      if (one === '') throw new Refused(`* ${at}.enum: cannot be empty`)
    }
  }
  if (schema.properties != null && !isObject(schema.properties))
    throw new Refused(`Invalid value at '${at}.properties'`)
  const properties = isObject(schema.properties) ? schema.properties : {}
  if (kind === 'OBJECT' && schema.properties != null && Object.keys(properties).length === 0)
    throw new Refused(`* ${at}.properties: should be non-empty for OBJECT type`)
  for (const [i, name] of repeated(schema.required, `${at}.required`).entries())
    if (!Object.hasOwn(properties, String(name))) throw new Refused(`* ${at}.required[${i}]: property is not defined`)
  for (const [name, one] of Object.entries(properties)) checkSchema(one, `${at}.properties[${name}]`)
  if (kind === 'ARRAY' && schema.items == null) throw new Refused(`* ${at}.items: missing field.`)
  if (schema.items != null) checkSchema(schema.items, `${at}.items`)
  repeated(schema.anyOf, `${at}.any_of`).forEach((one, i) => void checkSchema(one, `${at}.any_of[${i}]`))
  for (const name of ['minItems', 'maxItems', 'minLength', 'maxLength', 'minimum', 'maximum'])
    if (schema[name] != null && !Number.isFinite(Number(schema[name])))
      throw new Refused(`Invalid value at '${at}.${name}'`)
}

export interface Content {
  readonly role: string
  readonly parts: readonly Json[]
}

function checkContent(value: unknown, at: string, issued: IssuedSignatures): Content {
  const { role = 'user', parts } = message(value, words('role parts'), at)
  const system = at === 'system_instruction'
  if (!system && role !== 'user' && role !== 'model' && role !== 'function')
    throw new Refused('Please use a valid role: user, model.')
  const list = repeated(parts, `${at}.parts`)
  if (list.length === 0) throw new Refused(`* GenerateContentRequest.${at}.parts: contents.parts must not be empty.`)
  return { role: String(role), parts: list.map((part, i) => checkPart(part, `${at}.parts[${i}]`, issued)) }
}

function checkPart(value: unknown, at: string, issued: IssuedSignatures): Json {
  const part = message(value, PART, at)
  const data = Object.keys(part).filter((name) => PART_DATA.has(name) && part[name] != null)
  if (data.length === 0 || (data[0] === 'text' && part.text === '' && part.thoughtSignature == null))
    throw new Refused(
      `* GenerateContentRequest.${at}.data: required oneof field 'data' must have one initialized field`,
    )
  if (data.length > 1) throw new Refused(`Invalid value at '${at}' (oneof), oneof field 'data' is already set.`)
  if (part.inlineData != null) {
    const blob = message(part.inlineData, words('mimeType data'), `${at}.inline_data`)
    if (!isBase64(blob.data))
      throw new Refused(`Invalid value at '${at}.inline_data.data' (TYPE_BYTES), Base64 decoding failed`)
    if (typeof blob.mimeType !== 'string' || !blob.mimeType.includes('/'))
      throw new Refused(`Unsupported MIME type: ${String(blob.mimeType)}`)
    return { ...part, inlineData: blob }
  }
  if (part.fileData != null) {
    const file = message(part.fileData, words('mimeType fileUri'), `${at}.file_data`)
    if (typeof file.fileUri !== 'string') throw new Refused(`* ${at}.file_data.file_uri: must be specified`)
    return { ...part, fileData: file }
  }
  const signature = part.thoughtSignature
  if (signature != null) {
    if (NO_SIGNATURE.has(signature as string)) return part
    if (!isBase64(signature))
      throw new Refused(`Invalid value at '${at}.thought_signature' (TYPE_BYTES), Base64 decoding failed`)
    if (!issued.knows(signature)) throw new Refused('Thought signature is not valid.')
  }
  if (part.functionCall != null) {
    const call = message(part.functionCall, words('id name args'), `${at}.function_call`)
    checkFunctionName(call.name, `${at}.function_call.name`)
    if (call.args != null && !isObject(call.args))
      throw new Refused(`Invalid value at '${at}.function_call.args' (Struct)`)
    return { ...part, functionCall: call }
  }
  if (part.functionResponse != null) {
    const known = words('id name response parts scheduling willContinue')
    const response = message(part.functionResponse, known, `${at}.function_response`)
    checkFunctionName(response.name, `${at}.function_response.name`)
    if (!isObject(response.response))
      throw new Refused(
        `Invalid value at '${at}.function_response.response' (type.googleapis.com/google.protobuf.Struct)`,
      )
    return { ...part, functionResponse: response }
  }
  return part
}

const having = ({ parts }: Content, member: string): readonly Json[] => parts.filter((part) => part[member] != null)

/** Calls come after the user, their responses right after them, as many, with the same names. */
function checkTurns(contents: readonly Content[]): void {
  if (contents[0]?.role === 'model') throw new Refused('Please ensure that the conversation starts with a user role.')
  if (having(contents.at(-1) as Content, 'functionCall').length > 0)
    throw new Refused('Please ensure that multiturn requests end with a user role or a function response.')
  contents.forEach((content, i) => {
    const calls = having(content, 'functionCall')
    if (calls.length > 0 && content.role !== 'model')
      throw new Refused('Please ensure that function calls are made by the model role.')
    const responses = having(content, 'functionResponse')
    const before = i === 0 ? [] : having(contents[i - 1] as Content, 'functionCall')
    if (responses.length > 0 && before.length === 0)
      throw new Refused('Please ensure that function response turn comes immediately after a function call turn.')
    if (responses.length !== before.length)
      throw new Refused(
        'Please ensure that the number of function response parts is equal to the number of function call parts of ' +
          'the function call turn.',
      )
    const names = (parts: readonly Json[], member: string): string =>
      parts
        .map((part) => (part[member] as Json).name)
        .sort()
        .join()
    if (names(responses, 'functionResponse') !== names(before, 'functionCall'))
      throw new Refused('Please ensure that function responses have the names of the function calls before them.')
    const ids = before.map(({ functionCall }) => (functionCall as Json).id).filter((id) => id != null)
    for (const { functionResponse } of responses) {
      const { id } = functionResponse as Json
      if (id != null && !ids.includes(id))
        throw new Refused(`Function response id ${String(id)} does not match any call.`)
    }
  })
}

/** In the tool loop that goes on, the first call of every step bears the signature it came with. */
function checkSignatures(contents: readonly Content[]): void {
  const asked = contents.findLastIndex((content) => content.role === 'user' && having(content, 'text').length > 0)
  contents.forEach((content, i) => {
    const [call] = having(content, 'functionCall')
    if (i < asked || call === undefined || call.thoughtSignature != null) return
    throw new Refused(
      `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly. ` +
        `Additional data, function call \`${String((call.functionCall as Json).name)}\`, position ${i}.`,
    )
  })
}

export const geminiMessage = message
export { objects }
