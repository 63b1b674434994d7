import type { AnswerEvent, CanonicalRequest, JsonObject } from '../../../../core/dialects/canonical'
import { translation } from '../../../../core/dialects/openai-chat/translation'
import type { BuildTarget, WriteContext } from '../../../../core/dialects/translation'
import { GatewayError } from '../../../../core/errors'

/** Ids in order: call_1, call_2 … */
export function ids(): WriteContext['newId'] {
  let n = 0
  return (prefix) => `${prefix}_${++n}`
}

export interface Parsed {
  readonly request: CanonicalRequest
  readonly dropped: readonly string[]
}

export function parse(body: JsonObject): Parsed {
  const dropped = new Set<string>()
  const request = translation.parseRequest(body, { dropped: (field) => dropped.add(field) })
  return { request, dropped: [...dropped] }
}

export const parseMessages = (...messages: readonly JsonObject[]): CanonicalRequest => parse({ messages }).request

/** Field and words of the 400 that `action` throws. */
export function refusal(action: () => unknown): string {
  try {
    action()
  } catch (error) {
    if (error instanceof GatewayError && error.httpStatus === 400) return error.message
    throw error
  }
  throw new Error('it was not refused')
}

export const EMPTY: CanonicalRequest = {
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
  includeUsage: false,
}

const TARGET: BuildTarget = {
  model: 'm',
  stream: false,
  maxTokensField: 'max_completion_tokens',
  reportsUsageOnRequest: true,
  maxOutputTokens: null,
}

export interface Built {
  readonly body: JsonObject
  readonly messages: readonly JsonObject[]
  readonly dropped: readonly string[]
}

export function build(request: Partial<CanonicalRequest>, target: Partial<BuildTarget> = {}): Built {
  const dropped = new Set<string>()
  const notes = { dropped: (field: string) => void dropped.add(field) }
  const body = translation.buildRequest({ ...EMPTY, ...request }, { ...TARGET, ...target }, notes)
  return { body, messages: body.messages as readonly JsonObject[], dropped: [...dropped] }
}

/** Everything a stream of these chunks says; texts are sent as they are, objects as JSON. */
export function parseStream(...data: readonly (JsonObject | string)[]): readonly AnswerEvent[] {
  const parser = translation.createStreamParser(ids())
  const events = data.flatMap((chunk) =>
    parser.event(undefined, typeof chunk === 'string' ? chunk : JSON.stringify(chunk)),
  )
  return [...events, ...parser.end()]
}

export const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
  id: 'c1',
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
})

export function context(more: Partial<WriteContext> = {}): WriteContext {
  const now = 1_796_000_000_500
  const renamedTools = new Map<string, string>()
  return { requestId: 'r1', model: 'a/m', now, request: EMPTY, renamedTools, body: {}, newId: ids(), ...more }
}
