// Built-in tools of the Responses API that run at the client: another dialect's model knows none of them, so they are
// offered to it as plain functions, and its calls are turned back into the items the client waits for.
import type { JsonObject, ToolDefinition } from '../canonical'
import { isObject, textOf } from '../json'

export const BUILT_IN = ['tool_search', 'local_shell', 'shell', 'apply_patch'] as const
export type BuiltIn = (typeof BUILT_IN)[number]

/** The tool as a function; null where it does not run at the client. */
export function builtInOf(tool: JsonObject): { kind: BuiltIn; definition: ToolDefinition } | null {
  switch (tool.type) {
    case 'tool_search':
      if (tool.execution !== 'client') return null
      return define(
        'tool_search',
        textOf(tool.description) ?? SEARCH,
        isObject(tool.parameters) ? tool.parameters : QUERY,
      )
    case 'local_shell':
      return define('local_shell', 'Runs a command on the user’s computer and returns its output.', COMMAND)
    case 'shell':
      if (isObject(tool.environment) && tool.environment.type !== 'local') return null
      return define('shell', 'Runs shell commands on the user’s computer and returns their output.', COMMANDS)
    case 'apply_patch':
      return define('apply_patch', 'Creates, deletes or updates one file. `diff` is a V4A diff.', OPERATION)
    default:
      return null
  }
}

const define = (kind: BuiltIn, description: string, schema: JsonObject) => ({
  kind,
  definition: { name: kind, description, schema, strict: null, freeForm: false },
})

const SEARCH = 'Searches for further tools. Those it finds can be called afterwards.'
const text = { type: 'string' }
const list = { type: 'array', items: text }
const object = (properties: JsonObject, required: readonly string[]): JsonObject => ({
  type: 'object',
  properties,
  required,
})
const QUERY = object({ query: text }, ['query'])
const COMMAND = object(
  { command: list, working_directory: text, timeout_ms: { type: 'integer' }, env: { type: 'object' }, user: text },
  ['command'],
)
const COMMANDS = object({ commands: list, timeout_ms: { type: 'integer' }, max_output_length: { type: 'integer' } }, [
  'commands',
])
const OPERATION = object(
  { type: { type: 'string', enum: ['create_file', 'update_file', 'delete_file'] }, path: text, diff: text },
  ['type', 'path'],
)

const ID_PREFIXES: Readonly<Record<BuiltIn, string>> = {
  tool_search: 'tsc',
  local_shell: 'lsh',
  shell: 'sh',
  apply_patch: 'apc',
}

export const builtInIdPrefix = (kind: BuiltIn): string => ID_PREFIXES[kind]

/** A call as the item its client knows. */
export function builtInItem(kind: BuiltIn, id: string, callId: string, args: JsonObject, status: string): JsonObject {
  const item = { id, type: `${kind}_call`, status, call_id: callId }
  switch (kind) {
    case 'tool_search':
      return { ...item, execution: 'client', arguments: args }
    case 'local_shell':
      return { ...item, action: { env: {}, ...args, type: 'exec' } }
    case 'shell':
      return { ...item, action: { timeout_ms: null, max_output_length: null, ...args }, environment: { type: 'local' } }
    case 'apply_patch':
      return { ...item, operation: args }
  }
}

/** The arguments a call item holds; null where the item is none of these. */
export function builtInArguments(item: JsonObject): { kind: BuiltIn; args: unknown } | null {
  switch (item.type) {
    case 'tool_search_call':
      return { kind: 'tool_search', args: item.arguments }
    case 'local_shell_call': {
      if (!isObject(item.action)) return { kind: 'local_shell', args: item.action }
      const { type: _, ...args } = item.action
      return { kind: 'local_shell', args }
    }
    case 'shell_call':
      return { kind: 'shell', args: item.action }
    case 'apply_patch_call':
      return { kind: 'apply_patch', args: item.operation }
    default:
      return null
  }
}
