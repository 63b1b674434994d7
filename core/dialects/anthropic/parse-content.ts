// The content of a client's message: strings and blocks into parts. What only Anthropic's own servers can read is
// refused with its place where it belongs to the question, and left out with a note where it is history.
import { badInput } from '../../errors'
import type { JsonObject, Media, MediaPart, Part, TextPart, ToolResultPart } from '../canonical'
import { isObject, maybeBoolean, maybeString, needArray, needObject, needString } from '../json'
import type { FieldNotes } from '../translation'
import { readThinking } from './signature'

export interface Reading {
  readonly notes: FieldNotes
  /** Tool names by the id of the call, as far as the conversation has been read. */
  readonly toolNames: Map<string, string>
}

/** Traces of tools that ran on Anthropic's servers. The text around them says what came of it. */
const SERVER_BLOCKS = new Set([
  'server_tool_use',
  'web_search_tool_result',
  'web_fetch_tool_result',
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
  'text_editor_code_execution_tool_result',
  'tool_search_tool_result',
  'advisor_tool_result',
  'mcp_tool_use',
  'mcp_tool_result',
  'mcp_tool_listing',
  'fallback',
])

export const textPart = (text: string): TextPart[] => (text === '' ? [] : [{ kind: 'text', text }])

/** @throws GatewayError 400 naming the place */
export function parseContent(content: unknown, field: string, reading: Reading): readonly Part[] {
  if (typeof content === 'string') return textPart(content)
  return needArray(content, field).flatMap((block, at) => {
    const place = `${field}[${at}]`
    return parseBlock(needObject(block, place), place, reading)
  })
}

function parseBlock(block: JsonObject, field: string, reading: Reading): readonly Part[] {
  noteExtras(block, 'messages[].content[]', reading.notes)
  const type = needString(block.type, `${field}.type`)
  switch (type) {
    case 'thinking':
    case 'redacted_thinking': {
      const part = readThinking(block)
      return part === null ? [] : [part]
    }
    case 'tool_use': {
      const id = needString(block.id, `${field}.id`)
      const name = needString(block.name, `${field}.name`)
      reading.toolNames.set(id, name)
      return [{ kind: 'tool-call', id, name, arguments: JSON.stringify(block.input ?? {}), freeForm: false }]
    }
    case 'tool_result':
      return [parseToolResult(block, field, reading)]
    case 'compaction':
      // The summary that stands for all that was said before it.
      return textPart(maybeString(block.content, `${field}.content`) ?? '')
    default:
      if (!SERVER_BLOCKS.has(type)) return parseShown(block, type, field, reading.notes)
      reading.notes.dropped(`messages[].content[].${type}`)
      return []
  }
}

function parseToolResult(block: JsonObject, field: string, { notes, toolNames }: Reading): ToolResultPart {
  const callId = needString(block.tool_use_id, `${field}.tool_use_id`)
  return {
    kind: 'tool-result',
    callId,
    name: toolNames.get(callId) ?? null,
    isError: maybeBoolean(block.is_error, `${field}.is_error`) ?? false,
    content: parseResultContent(block.content, `${field}.content`, notes),
  }
}

function parseResultContent(content: unknown, field: string, notes: FieldNotes): ToolResultPart['content'] {
  if (content === undefined || content === null) return []
  if (typeof content === 'string') return textPart(content)
  return needArray(content, field).flatMap((value, at) => {
    const place = `${field}[${at}]`
    const block = needObject(value, place)
    noteExtras(block, 'messages[].content[].content[]', notes)
    const type = needString(block.type, `${place}.type`)
    if (type === 'tool_reference') return textPart(needString(block.tool_name, `${place}.tool_name`))
    return parseShown(block, type, place, notes)
  })
}

/** Blocks that may stand in a message and in a tool result alike. */
function parseShown(
  block: JsonObject,
  type: string,
  field: string,
  notes: FieldNotes,
): readonly (TextPart | MediaPart)[] {
  switch (type) {
    case 'text':
      return textPart(needString(block.text, `${field}.text`))
    case 'image':
      if (isObject(block.transformations)) notes.dropped('messages[].content[].transformations')
      return [{ kind: 'image', media: parseSource(block.source, `${field}.source`, 'image/png'), name: null }]
    case 'document':
      return parseDocument(block, field, notes)
    case 'search_result':
      return parseSearchResult(block, field, notes)
    default:
      throw badInput(
        `${field}.type`,
        `"${type}" is a block only Anthropic can read. Leave it out, or choose a model of a provider that speaks Anthropic Messages.`,
      )
  }
}

function parseDocument(block: JsonObject, field: string, notes: FieldNotes): readonly (TextPart | MediaPart)[] {
  const place = `${field}.source`
  const source = needObject(block.source, place)
  const title = maybeString(block.title, `${field}.title`)
  const about = textPart(maybeString(block.context, `${field}.context`) ?? '')
  if (source.type === 'text') {
    const text = needString(source.data, `${place}.data`)
    return [...about, ...textPart(title === null ? text : `${title}\n\n${text}`)]
  }
  if (source.type !== 'content') {
    return [...about, { kind: 'document', media: parseSource(source, place, 'application/pdf'), name: title }]
  }
  const shown = parseResultContent(source.content, `${place}.content`, notes)
  return [...about, ...textPart(title ?? ''), ...shown]
}

function parseSearchResult(block: JsonObject, field: string, notes: FieldNotes): readonly (TextPart | MediaPart)[] {
  const title = needString(block.title, `${field}.title`)
  const source = needString(block.source, `${field}.source`)
  return [...textPart(`${title} (${source})`), ...parseResultContent(block.content, `${field}.content`, notes)]
}

function parseSource(value: unknown, field: string, mediaType: string): Media {
  const source = needObject(value, field)
  switch (source.type) {
    case 'base64':
      return {
        kind: 'base64',
        mediaType: maybeString(source.media_type, `${field}.media_type`) ?? mediaType,
        data: needString(source.data, `${field}.data`),
      }
    case 'url':
      return { kind: 'url', url: needString(source.url, `${field}.url`), mediaType: null }
    case 'file':
      throw badInput(`${field}.type`, 'is "file", which only Anthropic can open. Send the bytes as base64, or a url.')
    default:
      throw badInput(`${field}.type`, 'must be "base64" or "url".')
  }
}

/** Notes the members of a block that no other dialect knows. */
export function noteExtras(block: JsonObject, path: string, notes: FieldNotes): void {
  for (const name of ['cache_control', 'citations', 'caller', 'toolset_name']) {
    const value = block[name]
    if (value !== undefined && value !== null) notes.dropped(`${path}.${name}`)
  }
}
