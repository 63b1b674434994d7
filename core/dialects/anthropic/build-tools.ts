// Tool definitions and the choice among them.
import { badInput } from '../../errors'
import type { CanonicalRequest, JsonObject, ToolDefinition } from '../canonical'
import { isObject } from '../json'
import type { FieldNotes } from '../translation'

/**
 * `called`: tools of the conversation. Where they are called and none is offered, they are defined all the same:
 * the API refuses calls without definitions.
 * @throws GatewayError 400
 */
export function buildTools(request: CanonicalRequest, called: ReadonlySet<string>, notes: FieldNotes): JsonObject {
  if (request.tools.length === 0) {
    if (called.size === 0) return {}
    const tools = [...called].map((name) => ({ name, input_schema: EMPTY_SCHEMA }))
    return { tools, tool_choice: { type: 'none' } }
  }
  if (request.tools.some(({ strict }) => strict === true)) notes.dropped('tools[].strict')
  const choice = toolChoice(request)
  return { tools: request.tools.map(toolOf), ...(choice === null ? {} : { tool_choice: choice }) }
}

function toolOf(tool: ToolDefinition): JsonObject {
  if (tool.freeForm) {
    throw badInput('tools', `"${tool.name}" takes free text, and Anthropic has no such tools. Define it as a function.`)
  }
  return {
    name: tool.name,
    ...(tool.description === null || tool.description === '' ? {} : { description: tool.description }),
    input_schema: inputSchema(tool),
  }
}

/** A choice among no tools is refused, and so is forbidding parallel calls where none may be made. */
function toolChoice({ toolChoice: choice, parallelToolCalls }: CanonicalRequest): JsonObject | null {
  const single = parallelToolCalls === false ? { disable_parallel_tool_use: true } : {}
  switch (choice?.kind) {
    case undefined:
      return parallelToolCalls === false ? { type: 'auto', ...single } : null
    case 'none':
      return { type: 'none' }
    case 'auto':
      return { type: 'auto', ...single }
    case 'required':
      return { type: 'any', ...single }
    case 'tool':
      return { type: 'tool', name: choice.name, ...single }
  }
}

const EMPTY_SCHEMA: JsonObject = { type: 'object', properties: {} }
const COMBINERS = ['anyOf', 'oneOf', 'allOf'] as const

/** The API takes only `type: "object"` at the top, and none of anyOf, oneOf and allOf beside it. */
function inputSchema({ name, schema }: ToolDefinition): JsonObject {
  if (schema === null) return EMPTY_SCHEMA
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? 'object']
  if (!types.includes('object')) {
    throw badInput('tools', `The arguments of "${name}" must be described as an object, not as ${types.join(' or ')}.`)
  }
  if (COMBINERS.some((word) => Array.isArray(schema[word]))) return flattened(schema)
  return schema.type === 'object' ? schema : { ...schema, type: 'object' }
}

/** One object of all the variants' properties; required is what every variant would require. */
function flattened(schema: JsonObject): JsonObject {
  const { anyOf, oneOf, allOf, ...rest } = schema
  const all = objects(allOf)
  const some = [...objects(anyOf), ...objects(oneOf)]
  const properties = Object.assign({}, ...[...some, ...all, schema].map((part) => part.properties))
  const required = new Set([schema, ...all].flatMap((part) => (Array.isArray(part.required) ? part.required : [])))
  return { ...rest, type: 'object', properties, ...(required.size === 0 ? {} : { required: [...required] }) }
}

const objects = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])
