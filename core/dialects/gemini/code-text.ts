// Code that Gemini ran on its own side, and what came of it: other dialects have no part for it, but its words are kept.
import type { JsonObject } from '../canonical'
import { isObject, textOf } from '../json'

/** Markdown of an executableCode or codeExecutionResult part; null for any other part. */
export function codeText(part: JsonObject): string | null {
  if (isObject(part.executableCode)) {
    const language = textOf(part.executableCode.language)?.toLowerCase() ?? ''
    return `\`\`\`${/^[a-z]+$/.test(language) ? language : ''}\n${textOf(part.executableCode.code) ?? ''}\n\`\`\``
  }
  if (isObject(part.codeExecutionResult)) {
    return `\`\`\`\n${textOf(part.codeExecutionResult.output) ?? ''}\n\`\`\``
  }
  return null
}
