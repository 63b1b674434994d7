// The items of a Responses request → turns. What the model said between two messages of the user (reasoning, text,
// calls) is one turn, so that parallel calls stay together and reasoning stays beside the calls it led to.
import { badInput, GatewayError } from '../../errors'
import type { JsonObject, Part, TextPart, ThinkingPart, ToolCallPart, ToolResultPart, Turn } from '../canonical'
import { isObject, maybeString, needArray, needObject, needString, objectsOf, textOf } from '../json'
import type { FieldNotes } from '../translation'
import { builtInArguments } from './built-in-tools'
import { type ClientTools, toolNames } from './client-tools'
import { parseContent, parseUrl, textParts } from './parse-content'
import { OWN, readSignature } from './signature'

export interface Conversation {
  /** Messages of the system before the first turn. */
  readonly system: readonly TextPart[]
  readonly turns: readonly Turn[]
}

/** @throws GatewayError 400 naming the item */
export function parseInput(input: unknown, tools: ClientTools, notes: FieldNotes): Conversation {
  const parser = new InputParser(tools, notes)
  if (typeof input === 'string') parser.add('user', textParts(input))
  else if (input !== undefined && input !== null) {
    needArray(input, 'input').forEach((item, index) => {
      parser.item(needObject(item, `input[${index}]`), `input[${index}]`)
    })
  }
  return parser
}

interface OpenTurn {
  readonly role: Turn['role']
  readonly parts: Part[]
  /** Further parts of the same kind belong to it. */
  readonly kind: 'message' | 'said' | 'results'
}

class InputParser implements Conversation {
  readonly system: TextPart[] = []
  readonly turns: OpenTurn[] = []
  private readonly callNames = new Map<string, string>()

  constructor(
    private readonly tools: ClientTools,
    private readonly notes: FieldNotes,
  ) {}

  add(role: Turn['role'], parts: readonly Part[], kind: OpenTurn['kind'] = 'message'): void {
    if (parts.length === 0) return
    const last = this.turns.at(-1)
    if (last !== undefined && kind !== 'message' && last.kind === kind) last.parts.push(...parts)
    else this.turns.push({ role, parts: [...parts], kind })
  }

  item(item: JsonObject, path: string): void {
    const type = item.type ?? (item.role === undefined ? 'item_reference' : 'message')
    switch (type) {
      case 'message':
        return this.message(item, path)
      case 'reasoning':
        return this.said(parseReasoning(item, path))
      case 'function_call':
        return this.call(item, path, needString(item.arguments, `${path}.arguments`) || '{}', false)
      case 'custom_tool_call':
        return this.call(item, path, needString(item.input, `${path}.input`), true)
      case 'tool_search_call':
      case 'local_shell_call':
      case 'shell_call':
      case 'apply_patch_call':
        return this.builtInCall(item, path)
      case 'function_call_output':
      case 'custom_tool_call_output':
      case 'local_shell_call_output':
        return this.result(item, path, parseContent(item.output, `${path}.output`, this.notes))
      case 'shell_call_output':
      case 'apply_patch_call_output':
        return this.result(item, path, textParts(outputText(item.output)))
      case 'tool_search_output':
        return this.result(item, path, textParts(foundTools(toolNames(this.tools, item.tools))))
      case 'additional_tools':
        return
      case 'image_generation_call':
        return this.image(item, path)
      case 'item_reference':
        throw new GatewayError(
          'previous_response_not_found',
          400,
          `${path}: the item "${textOf(item.id) ?? ''}" is not known here. Send the item itself instead of a reference to it.`,
          { field: path },
        )
    }
    const name = needString(type, `${path}.type`)
    if (LEFT_OUT.has(name)) return this.notes.dropped(`input[].${name}`)
    throw badInput(path, ONLY_THERE.has(name) ? onlyThere(name) : `items of type "${name}" are not known.`)
  }

  private message(item: JsonObject, path: string): void {
    const parts = parseContent(item.content, `${path}.content`, this.notes)
    switch (item.role) {
      case 'user':
        return this.add('user', parts)
      case 'assistant':
        return this.said(parts)
      case 'system':
      case 'developer': {
        const texts = parts.filter((part) => part.kind === 'text')
        if (this.turns.length > 0 || texts.length < parts.length) return this.add('system', parts)
        this.system.push(...texts)
        return
      }
      default:
        throw badInput(`${path}.role`, 'must be user, assistant, system or developer.')
    }
  }

  private said(parts: readonly Part[]): void {
    this.add('assistant', parts, 'said')
  }

  private call(item: JsonObject, path: string, args: string, freeForm: boolean): void {
    const namespace = maybeString(item.namespace, `${path}.namespace`)
    const name = this.tools.nameOf(namespace, needString(item.name, `${path}.name`))
    this.addCall({ kind: 'tool-call', id: callId(item, path), name, arguments: args, freeForm })
  }

  private builtInCall(item: JsonObject, path: string): void {
    const found = builtInArguments(item)
    if (found === null) return
    const args = isObject(found.args) ? JSON.stringify(found.args) : '{}'
    const name = this.tools.nameOf(null, found.kind)
    this.addCall({ kind: 'tool-call', id: callId(item, path), name, arguments: args, freeForm: false })
  }

  private addCall(call: ToolCallPart): void {
    this.callNames.set(call.id, call.name)
    this.said([call])
  }

  private result(item: JsonObject, path: string, content: readonly Part[]): void {
    const id = callId(item, path)
    const result: ToolResultPart = {
      kind: 'tool-result',
      callId: id,
      name: this.callNames.get(id) ?? null,
      isError: item.status === 'failed',
      content: content.map((part) =>
        part.kind === 'refusal' ? { kind: 'text', text: part.text } : part,
      ) as ToolResultPart['content'],
    }
    this.add('user', [result], 'results')
  }

  private image(item: JsonObject, path: string): void {
    const result = textOf(item.result) ?? ''
    if (result === '') return
    const url = result.startsWith('data:')
      ? result
      : `data:image/${textOf(item.output_format) ?? 'png'};base64,${result}`
    this.said([{ kind: 'image', media: parseUrl(url, `${path}.result`), name: null }])
  }
}

function callId(item: JsonObject, path: string): string {
  const id = textOf(item.call_id) ?? textOf(item.id)
  if (id === null || id === '') throw badInput(`${path}.call_id`, 'must be a string.')
  return id
}

function parseReasoning(item: JsonObject, path: string): readonly ThinkingPart[] {
  const text = textsOf(item.summary) || textsOf(item.content)
  const encrypted = maybeString(item.encrypted_content, `${path}.encrypted_content`) ?? ''
  if (encrypted === '') {
    return text === '' ? [] : [{ kind: 'thinking', text, signature: null, issuer: OWN, redacted: false }]
  }
  // An empty summary that is there at all marks reasoning whose text was merely empty.
  const redacted = text === '' && objectsOf(item.summary).length === 0
  return [{ kind: 'thinking', text, redacted, ...readSignature(maybeString(item.id, `${path}.id`), encrypted) }]
}

const textsOf = (parts: unknown): string =>
  objectsOf(parts)
    .map((part) => textOf(part.text) ?? '')
    .filter((text) => text !== '')
    .join('\n\n')

const outputText = (output: unknown): string =>
  typeof output === 'string' ? output : output === undefined || output === null ? '' : JSON.stringify(output)

const foundTools = (names: readonly string[]): string =>
  names.length === 0 ? 'No tools were found.' : `These tools can be called now: ${names.join(', ')}.`

/** Traces of tools that ran at OpenAI: what they found is in the text that followed. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'mcp_list_tools',
  'mcp_call',
  'mcp_approval_request',
  'mcp_approval_response',
  'program',
  'program_output',
  'configuration_update',
])

/** Without them the conversation would mean something else. */
const ONLY_THERE: ReadonlySet<string> = new Set([
  'compaction',
  'compaction_summary',
  'context_compaction',
  'compaction_trigger',
  'computer_call',
  'computer_call_output',
])

const onlyThere = (type: string): string =>
  `items of type "${type}" can be read by a provider that speaks OpenAI Responses only. Choose a model of such a provider.`
