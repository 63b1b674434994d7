import type { CanonicalRequest, JsonObject, Turn } from '../../../../core/dialects/canonical'
import { parseRequest } from '../../../../core/dialects/gemini/parse-request'
import type { BuildTarget, WriteContext } from '../../../../core/dialects/translation'

export interface Notes {
  readonly names: string[]
  dropped(field: string): void
}

export function createNotes(): Notes {
  const names: string[] = []
  return { names, dropped: (field) => void names.push(field) }
}

/** A request as the parser reads it, with what it left out. */
export function parsed(body: JsonObject): { request: CanonicalRequest; dropped: readonly string[] } {
  const notes = createNotes()
  return { request: parseRequest(body, notes), dropped: notes.names }
}

export const emptyRequest: CanonicalRequest = {
  system: [],
  turns: [],
  tools: [],
  toolChoice: null,
  parallelToolCalls: null,
  maxTokens: null,
  temperature: null,
  topP: null,
  topK: null,
  stop: [],
  presencePenalty: null,
  frequencyPenalty: null,
  seed: null,
  output: null,
  reasoning: null,
  verbosity: null,
  user: null,
  cacheKey: null,
  includeUsage: true,
}

export const says = (role: Turn['role'], text: string): Turn => ({ role, parts: [{ kind: 'text', text }] })

export const target = (model = 'gemini-2.5-flash'): BuildTarget => ({
  model,
  stream: false,
  maxTokensField: 'max_tokens',
  reportsUsageOnRequest: false,
  maxOutputTokens: null,
})

/** Ids that count, so that tests can name them. */
export function countedIds(): WriteContext['newId'] {
  let count = 0
  return (prefix) => `${prefix}_${++count}`
}

export const context = (): WriteContext => ({
  requestId: 'req_1',
  model: 'combo/one',
  now: 0,
  request: emptyRequest,
  renamedTools: new Map(),
  body: {},
  newId: countedIds(),
})
