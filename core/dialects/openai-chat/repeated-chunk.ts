// Chunks of a stream that differ in nothing but their text: nearly all of a long answer. One of them, once read, says
// what stands around the text, so that the next ones need not be read whole.
import type { JsonObject } from '../canonical'
import { isObject, parseJson } from '../json'

/** Servers that pad every chunk in another way are not worth more tries. */
const MAX_TRIES = 5
const PROBE = '\u0000'

export class RepeatedChunk {
  private before = ''
  private after = ''
  private tries = 0

  /** The text of a chunk that is otherwise the same as the one that was learnt; null where it has to be read. */
  textOf(data: string): string | null {
    const { before, after } = this
    const end = data.length - after.length
    // Compared as slices: startsWith and endsWith go character by character.
    if (before === '' || data.slice(0, before.length) !== before || data.slice(end) !== after) return null
    // A text that is one JSON string is the only thing that can stand here without changing what is around it.
    const text = parseJson(data.slice(before.length, end))
    return typeof text === 'string' ? text : null
  }

  /** To be told of a chunk that said nothing but a text, and of its JSON. */
  learn(data: string, chunk: JsonObject): void {
    const text = onlyTextOf(chunk)
    if (text === null || this.tries >= MAX_TRIES) return
    this.tries++
    const token = JSON.stringify(text)
    const at = placeOf(token, data)
    if (at < 0) return
    const before = data.slice(0, at)
    const after = data.slice(at + token.length)
    // The same characters may stand elsewhere: only at the right place does another text there change the answer's.
    const probed = parseJson(before + JSON.stringify(PROBE) + after)
    if (!isObject(probed) || onlyTextOf(probed) !== PROBE) return
    this.before = before
    this.after = after
  }
}

/** Where a text begins, in either way servers put spaces; -1 where it is written in another way than ours. */
function placeOf(token: string, data: string): number {
  for (const key of ['"content":', '"content": ']) {
    const at = data.indexOf(key + token)
    if (at >= 0) return at + key.length
  }
  return -1
}

/** The text of a chunk in which it is the only thing that counts; null of others. */
function onlyTextOf({ choices, usage, x_groq, error }: JsonObject): string | null {
  if (!Array.isArray(choices) || choices.length !== 1 || !areEmpty(usage, x_groq, error)) return null
  const choice: unknown = choices[0]
  if (!isObject(choice) || !isObject(choice.delta)) return null
  if (!areEmpty(choice.finish_reason, choice.usage, choice.error)) return null
  const { role: _, content, ...others } = choice.delta
  return typeof content === 'string' && areEmpty(...Object.values(others)) ? content : null
}

/** What says nothing wherever it stands in a chunk. */
const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

const areEmpty = (...values: readonly unknown[]): boolean => values.every(isEmpty)
