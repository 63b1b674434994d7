// Functions the model may call, and whether it must.
import { badInput } from '../../errors'
import type { JsonObject, ToolChoice, ToolDefinition } from '../canonical'
import { maybeString, needObject, needString } from '../json'
import type { FieldNotes } from '../translation'
import { listOf, messageOf, unknownMembers } from './members'
import { toJsonSchema } from './read-schema'

export interface Tools {
  readonly tools: readonly ToolDefinition[]
  readonly toolChoice: ToolChoice | null
}

/** @throws GatewayError 400 */
export function parseTools(tools: unknown, config: unknown, notes: FieldNotes): Tools {
  const definitions: ToolDefinition[] = []
  for (const [index, entry] of listOf(tools).entries()) {
    const field = `tools[${index}]`
    const tool = messageOf(entry, field)
    for (const name of unknownMembers(tool, FUNCTIONS)) checkServerTool(name, field, notes)
    for (const [at, given] of listOf(tool.functionDeclarations).entries()) {
      definitions.push(parseFunction(given, `${field}.functionDeclarations[${at}]`, notes))
    }
  }
  const { choice, allowed } = parseChoice(config, notes)
  const chosen = allowed === null ? definitions : definitions.filter(({ name }) => allowed.has(name))
  return { tools: chosen, toolChoice: choice }
}

const FUNCTIONS: ReadonlySet<string> = new Set(['functionDeclarations'])

/** Google runs these itself. A model that shall search but cannot would make up what it found. */
const NEEDED: ReadonlySet<string> = new Set([
  'googleSearch',
  'googleSearchRetrieval',
  'googleMaps',
  'urlContext',
  'fileSearch',
  'computerUse',
  'mcpServers',
  'retrieval',
  'enterpriseWebSearch',
])

function checkServerTool(name: string, field: string, notes: FieldNotes): void {
  if (NEEDED.has(name)) {
    throw badInput(
      `${field}.${name}`,
      'only Google can run this tool. Leave it out, or choose a model of a provider that speaks Gemini.',
    )
  }
  notes.dropped(`tools[].${name}`)
}

const KNOWN: ReadonlySet<string> = new Set(['name', 'description', 'parameters', 'parametersJsonSchema'])

function parseFunction(value: unknown, field: string, notes: FieldNotes): ToolDefinition {
  const given = messageOf(value, field)
  for (const name of unknownMembers(given, KNOWN)) notes.dropped(`tools[].functionDeclarations[].${name}`)
  return {
    name: needString(given.name, `${field}.name`),
    description: maybeString(given.description, `${field}.description`) || null,
    schema: schemaOf(given, field),
    strict: null,
    freeForm: false,
  }
}

function schemaOf(given: JsonObject, field: string): JsonObject | null {
  const { parameters, parametersJsonSchema } = given
  if (parametersJsonSchema !== undefined && parametersJsonSchema !== null) {
    return needObject(parametersJsonSchema, `${field}.parametersJsonSchema`)
  }
  if (parameters === undefined || parameters === null) return null
  return toJsonSchema(needObject(parameters, `${field}.parameters`))
}

interface Choice {
  readonly choice: ToolChoice | null
  /** Functions the model is limited to; null for all. */
  readonly allowed: ReadonlySet<string> | null
}

const CALLING: ReadonlySet<string> = new Set(['functionCallingConfig'])
const CALLING_MEMBERS: ReadonlySet<string> = new Set(['mode', 'allowedFunctionNames'])

function parseChoice(config: unknown, notes: FieldNotes): Choice {
  const nothing: Choice = { choice: null, allowed: null }
  if (config === undefined || config === null) return nothing
  const given = messageOf(config, 'toolConfig')
  for (const name of unknownMembers(given, CALLING)) notes.dropped(`toolConfig.${name}`)
  if (given.functionCallingConfig === undefined || given.functionCallingConfig === null) return nothing
  const field = 'toolConfig.functionCallingConfig'
  const calling = messageOf(given.functionCallingConfig, field)
  for (const name of unknownMembers(calling, CALLING_MEMBERS)) notes.dropped(`${field}.${name}`)
  const mode = (maybeString(calling.mode, `${field}.mode`) ?? 'MODE_UNSPECIFIED').toUpperCase()
  const names = listOf(calling.allowedFunctionNames).map((name, at) =>
    needString(name, `${field}.allowedFunctionNames[${at}]`),
  )
  const allowed = names.length === 0 ? null : new Set(names)
  switch (mode) {
    case 'MODE_UNSPECIFIED':
      return nothing
    case 'AUTO':
      return { choice: { kind: 'auto' }, allowed: null }
    case 'VALIDATED':
      // Calls or words, but calls only as declared: models of others check what they can by themselves.
      return { choice: { kind: 'auto' }, allowed }
    case 'NONE':
      return { choice: { kind: 'none' }, allowed: null }
    case 'ANY': {
      const [only] = names
      if (only !== undefined && names.length === 1) return { choice: { kind: 'tool', name: only }, allowed: null }
      return { choice: { kind: 'required' }, allowed }
    }
    default:
      throw badInput(`${field}.mode`, 'must be AUTO, ANY, NONE or VALIDATED.')
  }
}
