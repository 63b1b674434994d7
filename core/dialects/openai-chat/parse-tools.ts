// Tools of a Chat request, and which of them may or must be called.
import { badInput } from '../../errors'
import type { JsonObject, ToolChoice, ToolDefinition } from '../canonical'
import { isObject, maybeBoolean, maybeString, needArray, needObject, needString } from '../json'
import type { FieldNotes } from '../translation'
import { noteOthers } from './notes'

export interface ParsedTools {
  readonly tools: readonly ToolDefinition[]
  readonly toolChoice: ToolChoice | null
}

/** `tools` and `tool_choice`, or the older `functions` and `function_call`. @throws GatewayError 400 */
export function parseTools(body: JsonObject, notes: FieldNotes): ParsedTools {
  const legacy = isLegacy(body)
  const tools = legacy ? parseFunctions(body.functions, notes) : parseToolList(body.tools, notes)
  const choice = body.tool_choice ?? body.function_call
  return choice === undefined || choice === null
    ? { tools, toolChoice: null }
    : parseChoice(choice, body.tool_choice === undefined || body.tool_choice === null, tools)
}

/** The client speaks the form before tools: it takes one call at a time, without an id. */
export const isLegacy = (body: JsonObject): boolean => Array.isArray(body.functions) && !Array.isArray(body.tools)

function parseFunctions(functions: unknown, notes: FieldNotes): readonly ToolDefinition[] {
  return needArray(functions, 'functions').map((value, i) => {
    return functionOf(needObject(value, `functions[${i}]`), `functions[${i}]`, 'functions[].', notes)
  })
}

function parseToolList(tools: unknown, notes: FieldNotes): readonly ToolDefinition[] {
  return needArray(tools ?? [], 'tools').map((value, i) => {
    const at = `tools[${i}]`
    const tool = needObject(value, at)
    noteOthers(tool, KNOWN_IN_TOOL, 'tools[].', notes)
    switch (tool.type) {
      case 'function':
        return functionOf(needObject(tool.function, `${at}.function`), `${at}.function`, 'tools[].function.', notes)
      case 'custom':
        return customOf(needObject(tool.custom, `${at}.custom`), `${at}.custom`, notes)
      default:
        throw badInput(`${at}.type`, 'must be function or custom. Tools a provider runs itself cannot be carried over.')
    }
  })
}

const KNOWN_IN_TOOL = new Set(['type', 'function', 'custom'])
const KNOWN_IN_FUNCTION = new Set(['name', 'description', 'parameters', 'strict'])
const KNOWN_IN_CUSTOM = new Set(['name', 'description', 'format'])

function functionOf(tool: JsonObject, at: string, path: string, notes: FieldNotes): ToolDefinition {
  noteOthers(tool, KNOWN_IN_FUNCTION, path, notes)
  const { parameters } = tool
  return {
    name: needString(tool.name, `${at}.name`),
    description: maybeString(tool.description, `${at}.description`),
    schema: parameters === undefined || parameters === null ? null : needObject(parameters, `${at}.parameters`),
    strict: maybeBoolean(tool.strict, `${at}.strict`),
    freeForm: false,
  }
}

function customOf(tool: JsonObject, at: string, notes: FieldNotes): ToolDefinition {
  noteOthers(tool, KNOWN_IN_CUSTOM, 'tools[].custom.', notes)
  if (isObject(tool.format) && tool.format.type !== 'text') {
    throw badInput(`${at}.format`, 'A grammar cannot be carried over. Send a tool that takes any text, or a function.')
  }
  return {
    name: needString(tool.name, `${at}.name`),
    description: maybeString(tool.description, `${at}.description`),
    schema: null,
    strict: null,
    freeForm: true,
  }
}

const WORDS: ReadonlyMap<unknown, ToolChoice> = new Map<unknown, ToolChoice>([
  ['auto', { kind: 'auto' }],
  ['none', { kind: 'none' }],
  ['required', { kind: 'required' }],
  // The word Mistral has for it.
  ['any', { kind: 'required' }],
])

function parseChoice(choice: unknown, legacy: boolean, tools: readonly ToolDefinition[]): ParsedTools {
  const at = legacy ? 'function_call' : 'tool_choice'
  const word = WORDS.get(choice)
  if (word !== undefined) return { tools, toolChoice: word }
  if (!isObject(choice)) throw badInput(at, 'must be auto, none, required, or an object that names a tool.')
  if (legacy) return { tools, toolChoice: { kind: 'tool', name: needString(choice.name, `${at}.name`) } }
  switch (choice.type) {
    case 'function':
    case 'custom': {
      const field = `${at}.${choice.type}`
      const { name } = needObject(choice[choice.type], field)
      return { tools, toolChoice: { kind: 'tool', name: needString(name, `${field}.name`) } }
    }
    case 'allowed_tools':
      return allowed(needObject(choice.allowed_tools, `${at}.allowed_tools`), `${at}.allowed_tools`, tools)
    default:
      throw badInput(`${at}.type`, 'must be function, custom or allowed_tools.')
  }
}

/** Only the tools that may be called go on: no other dialect has a list of allowed ones beside that of all. */
function allowed(list: JsonObject, at: string, tools: readonly ToolDefinition[]): ParsedTools {
  const names = needArray(list.tools, `${at}.tools`).map((value, i) => {
    const tool = needObject(value, `${at}.tools[${i}]`)
    const type = tool.type === 'custom' ? 'custom' : 'function'
    const { name } = needObject(tool[type], `${at}.tools[${i}].${type}`)
    if (!tools.some((known) => known.name === name)) {
      throw badInput(`${at}.tools[${i}]`, 'names a tool that is not in tools.')
    }
    return name
  })
  const toolChoice = WORDS.get(list.mode ?? 'auto')
  if (toolChoice === undefined) throw badInput(`${at}.mode`, 'must be auto or required.')
  return { tools: tools.filter(({ name }) => names.includes(name)), toolChoice }
}
