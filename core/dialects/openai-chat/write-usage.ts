// Token counts in Chat's words.
import type { CanonicalUsage, JsonObject } from '../canonical'

export function writeUsage({ input, cachedInput, cacheWrite, output, reasoning }: CanonicalUsage): JsonObject {
  const written = cacheWrite === null ? {} : { cache_write_tokens: cacheWrite }
  return {
    prompt_tokens: input ?? 0,
    completion_tokens: output ?? 0,
    total_tokens: (input ?? 0) + (output ?? 0),
    prompt_tokens_details: { cached_tokens: cachedInput ?? 0, ...written },
    completion_tokens_details: { reasoning_tokens: reasoning ?? 0 },
  }
}
