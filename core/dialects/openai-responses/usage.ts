// Token counts between the Responses form and the canonical one.
import type { CanonicalUsage, JsonObject } from '../canonical'
import { isObject, numberOf } from '../json'

export function canonicalUsage(usage: unknown): CanonicalUsage | null {
  if (!isObject(usage)) return null
  const input = isObject(usage.input_tokens_details) ? usage.input_tokens_details : {}
  const output = isObject(usage.output_tokens_details) ? usage.output_tokens_details : {}
  return {
    input: numberOf(usage.input_tokens),
    cachedInput: numberOf(input.cached_tokens),
    cacheWrite: numberOf(input.cache_write_tokens),
    output: numberOf(usage.output_tokens),
    reasoning: numberOf(output.reasoning_tokens),
  }
}

/** Clients read every one of these as a number. */
export function wireUsage(usage: CanonicalUsage | null): JsonObject | null {
  if (usage === null) return null
  const input = usage.input ?? 0
  const output = usage.output ?? 0
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: usage.cachedInput ?? 0, cache_write_tokens: usage.cacheWrite ?? 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
    total_tokens: input + output,
  }
}
