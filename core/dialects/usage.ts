// Token counts as upstreams report them. Read from small pieces of an answer, never by parsing the whole of it.

export interface Usage {
  readonly inputTokens: number | null
  readonly outputTokens: number | null
}

/** Gives a reader of the last two counters of these names in a text; null when neither is there. */
export function counters(input: string, output: string): (text: string) => Usage | null {
  const inputMark = `"${input}"`
  const outputMark = `"${output}"`
  return (text) => {
    const inputTokens = countAfter(text, inputMark)
    const outputTokens = countAfter(text, outputMark)
    return inputTokens === null && outputTokens === null ? null : { inputTokens, outputTokens }
  }
}

const COLON = 0x3a
const MAX_DIGITS = 12

/** By hand: a regular expression and its slices cost more than all else that is read of a short answer. */
function countAfter(text: string, mark: string): number | null {
  // Finding nothing is what takes time, and searching from the front is the faster way to do that.
  if (!text.includes(mark)) return null
  const found = text.lastIndexOf(mark)
  const colon = skipSpace(text, found + mark.length)
  if (text.charCodeAt(colon) !== COLON) return null
  const start = skipSpace(text, colon + 1)
  let value = 0
  let at = start
  for (; at < start + MAX_DIGITS; at++) {
    const digit = text.charCodeAt(at) - 0x30
    if (!(digit >= 0 && digit <= 9)) break
    value = value * 10 + digit
  }
  return at === start ? null : value
}

function skipSpace(text: string, from: number): number {
  let at = from
  for (let c = text.charCodeAt(at); c === 0x20 || (c >= 0x09 && c <= 0x0d); c = text.charCodeAt(at)) at++
  return at
}
