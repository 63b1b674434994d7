// Token counts as upstreams report them. Read from small pieces of an answer, never by parsing the whole of it.

export interface Usage {
  readonly inputTokens: number | null
  readonly outputTokens: number | null
}

const count = (text: string, name: string): number | null => {
  const found = text.lastIndexOf(`"${name}"`)
  if (found < 0) return null
  const digits = /^"\s*:\s*(\d{1,12})/.exec(text.slice(found + name.length + 1, found + name.length + 40))
  return digits ? Number(digits[1]) : null
}

/** Reads the last two counters of these names in `text`; null when neither is there. */
export function readCounters(text: string, input: string, output: string): Usage | null {
  const inputTokens = count(text, input)
  const outputTokens = count(text, output)
  return inputTokens === null && outputTokens === null ? null : { inputTokens, outputTokens }
}
