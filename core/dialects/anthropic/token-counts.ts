// Token counts. Anthropic counts the input read from and written to its cache apart from the rest; the canonical
// form counts them within the input, as the other dialects do.
import type { CanonicalUsage, JsonObject } from '../canonical'
import { isObject, numberOf } from '../json'

export interface Counts {
  input: number | null
  cacheRead: number | null
  cacheWrite: number | null
  output: number | null
  thinking: number | null
}

export const noCounts = (): Counts => ({ input: null, cacheRead: null, cacheWrite: null, output: null, thinking: null })

/** Takes what a `usage` object says into `counts`. Counts of a stream only grow: a later zero takes nothing back. */
export function addCounts(counts: Counts, usage: unknown): void {
  if (!isObject(usage)) return
  counts.input = later(counts.input, usage.input_tokens)
  counts.cacheRead = later(counts.cacheRead, usage.cache_read_input_tokens)
  counts.cacheWrite = later(counts.cacheWrite, usage.cache_creation_input_tokens)
  counts.output = later(counts.output, usage.output_tokens)
  const details = usage.output_tokens_details
  if (isObject(details)) counts.thinking = later(counts.thinking, details.thinking_tokens)
}

function later(before: number | null, value: unknown): number | null {
  const now = numberOf(value)
  return now === null ? before : Math.max(before ?? 0, now)
}

/** null where nothing was counted. */
export function usageOf({ input, cacheRead, cacheWrite, output, thinking }: Counts): CanonicalUsage | null {
  if (input === null && output === null) return null
  return {
    input: input === null ? null : input + (cacheRead ?? 0) + (cacheWrite ?? 0),
    cachedInput: cacheRead,
    cacheWrite,
    output,
    reasoning: thinking,
  }
}

/** The `usage` of an answer. `output_tokens` is always there; SDKs refuse its absence. */
export function wireUsage(usage: CanonicalUsage | null): JsonObject {
  if (usage === null) return { output_tokens: 0 }
  const { input, cachedInput, cacheWrite, output, reasoning } = usage
  return {
    ...(input === null ? {} : { input_tokens: Math.max(0, input - (cachedInput ?? 0) - (cacheWrite ?? 0)) }),
    ...(cachedInput === null ? {} : { cache_read_input_tokens: cachedInput }),
    ...(cacheWrite === null ? {} : { cache_creation_input_tokens: cacheWrite }),
    output_tokens: output ?? 0,
    ...(reasoning === null ? {} : { output_tokens_details: { thinking_tokens: reasoning } }),
  }
}
