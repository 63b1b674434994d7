// The model's name in an answer, as the client wrote it. Claude Code throws its thinking away when an answer names
// another model than it asked for, and the next turn of a tool loop is then refused.
import { type JsonNotes, JsonScanner, JsonSyntaxError } from '../../http/json-scanner'

const START = Buffer.from('"message_start"')
const DATA = Buffer.from('data:')

/** `bytes`: the beginning of a stream, up to its first content, or a whole answer. As they came where it names none. */
export function renameModel(bytes: Buffer, name: string): Buffer {
  const at = bytes.indexOf(START)
  if (at < 0) return renamed(bytes, 0, bytes.length, 'model', name)
  const from = bytes.lastIndexOf(DATA, at)
  if (from < 0) return bytes
  const end = bytes.indexOf(0x0a, at)
  return renamed(bytes, from + DATA.length, end < 0 ? bytes.length : end, 'message.model', name)
}

function renamed(bytes: Buffer, from: number, to: number, field: string, name: string): Buffer {
  const found = notesOf(bytes.subarray(from, to), field)?.fields.get(field)
  if (found?.kind !== 'string') return bytes
  const { start, end } = found
  return Buffer.concat([bytes.subarray(0, from + start), Buffer.from(JSON.stringify(name)), bytes.subarray(from + end)])
}

function notesOf(json: Buffer, field: string): JsonNotes | null {
  const scanner = new JsonScanner(new Set([field.split('.', 1)[0] as string, field]))
  try {
    scanner.feed(json)
    return scanner.end()
  } catch (error) {
    if (error instanceof JsonSyntaxError) return null
    throw error
  }
}
