// Token counts of Chat answers, in the forms compatible servers give them.
import type { CanonicalUsage, JsonObject } from '../canonical'
import { isObject, numberOf } from '../json'

/** The counts in a chunk or a whole answer; null when there are none. */
export function readUsage(answer: JsonObject): CanonicalUsage | null {
  const usage = usageOf(answer)
  if (usage === null) return null
  const input = numberOf(usage.prompt_tokens)
  const output = numberOf(usage.completion_tokens)
  if (input === null && output === null) return null
  const inputDetails = isObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {}
  const outputDetails = isObject(usage.completion_tokens_details) ? usage.completion_tokens_details : {}
  return {
    input,
    cachedInput:
      numberOf(inputDetails.cached_tokens) ?? numberOf(usage.prompt_cache_hit_tokens) ?? numberOf(usage.cached_tokens),
    cacheWrite: numberOf(inputDetails.cache_write_tokens) ?? numberOf(usage.cache_creation_input_tokens),
    output: wholeOutput(input, output, numberOf(usage.total_tokens)),
    reasoning: numberOf(outputDetails.reasoning_tokens) ?? numberOf(usage.reasoning_tokens),
  }
}

function usageOf({ usage, x_groq, choices }: JsonObject): JsonObject | null {
  if (isObject(usage)) return usage
  if (isObject(x_groq) && isObject(x_groq.usage)) return x_groq.usage
  // Moonshot puts them into the choice.
  const choice: unknown = Array.isArray(choices) ? choices[0] : null
  return isObject(choice) && isObject(choice.usage) ? choice.usage : null
}

/** xAI and Google leave reasoning out of the completion's count, but not out of the total. */
const wholeOutput = (input: number | null, output: number | null, total: number | null): number | null =>
  input === null || output === null || total === null ? output : Math.max(output, total - input)
