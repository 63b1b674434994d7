// A generateContent request → the canonical form. Both spellings of every member are read (members.ts).
import type { CanonicalRequest, JsonObject } from '../canonical'
import type { FieldNotes } from '../translation'
import { messageOf } from './members'
import { parseConfig } from './parse-config'
import { parseContents, parseSystem } from './parse-contents'
import { parseTools } from './parse-tools'

/** @throws GatewayError 400 naming the field */
export function parseRequest(body: JsonObject, notes: FieldNotes): CanonicalRequest {
  const request = messageOf(body, '')
  return {
    system: parseSystem(request.systemInstruction),
    turns: parseContents(request.contents, notes),
    ...parseTools(request.tools, request.toolConfig, notes),
    ...parseConfig(request.generationConfig, notes),
    parallelToolCalls: null,
    verbosity: null,
    user: null,
    cacheKey: null,
    includeUsage: true,
  }
}
