import type { CanonicalRequest, JsonObject } from '../../../../core/dialects/canonical'
import { needArray } from '../../../../core/dialects/json'
import type { BuildTarget, FieldNotes, WriteContext } from '../../../../core/dialects/translation'

export interface Notes extends FieldNotes {
  readonly said: string[]
}

export function takeNotes(): Notes {
  const said: string[] = []
  return { said, dropped: (field) => void said.push(field) }
}

export const asking: CanonicalRequest = {
  system: [],
  turns: [{ role: 'user', parts: [{ kind: 'text', text: 'hi' }] }],
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

export const target = (model = 'claude-sonnet-4-5', more: Partial<BuildTarget> = {}): BuildTarget => ({
  model,
  stream: false,
  maxTokensField: 'max_tokens',
  reportsUsageOnRequest: false,
  maxOutputTokens: null,
  ...more,
})

export const context = (request: CanonicalRequest = asking): WriteContext => {
  let made = 0
  return {
    requestId: 'req1',
    model: 'my-combo',
    now: 1_700_000_000_000,
    request,
    renamedTools: new Map(),
    body: {},
    newId: (prefix) => `${prefix}_${++made}`,
  }
}

export const ids = (): WriteContext['newId'] => context().newId

/** Server-sent events as [name, data]. */
export function eventsOf(text: string): [string, JsonObject][] {
  return text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const [event, data] = block.split('\n')
      if (!event?.startsWith('event: ') || !data?.startsWith('data: ')) throw new Error(`Not an event: ${block}`)
      return [event.slice(7), JSON.parse(data.slice(6)) as JsonObject]
    })
}

export const blocksOf = (body: JsonObject, message: number): readonly JsonObject[] => {
  const found = needArray(body.messages, 'messages')[message] as JsonObject
  return needArray(found.content, 'content') as readonly JsonObject[]
}
