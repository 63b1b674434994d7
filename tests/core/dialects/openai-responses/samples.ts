// What the tests of this dialect share: a request's context, ids that count, and streams as lists of their events.
import type { AnswerEvent, CanonicalRequest, JsonObject } from '../../../../core/dialects/canonical'
import { openAiResponses } from '../../../../core/dialects/openai-responses/openai-responses'
import type { BuildTarget, Translation, WriteContext } from '../../../../core/dialects/translation'

export const translation = openAiResponses.translation as Translation

export const idSource = (): ((prefix: string) => string) => {
  let count = 0
  return (prefix) => `${prefix}_${++count}`
}

export interface Parsed {
  readonly request: CanonicalRequest
  readonly dropped: readonly string[]
}

export function parse(body: JsonObject): Parsed {
  const dropped: string[] = []
  const request = translation.parseRequest({ model: 'm', ...body }, { dropped: (field) => void dropped.push(field) })
  return { request, dropped }
}

export const target: BuildTarget = {
  model: 'gpt-5.1',
  stream: false,
  maxTokensField: 'max_tokens',
  reportsUsageOnRequest: false,
  maxOutputTokens: null,
}

export function build(request: Partial<CanonicalRequest>, more: Partial<BuildTarget> = {}) {
  const dropped: string[] = []
  const whole: CanonicalRequest = { ...parse({ input: [] }).request, ...request }
  const notes = { dropped: (field: string) => void dropped.push(field) }
  const body = translation.buildRequest(whole, { ...target, ...more }, notes) as Record<string, unknown> & {
    input: Record<string, unknown>[]
  }
  return { body, dropped }
}

export function contextOf(body: JsonObject = {}): WriteContext {
  const whole = { model: 'a/b', input: 'hi', ...body }
  return {
    requestId: 'req_1a2b',
    model: 'a/b',
    now: 1_750_000_000_123,
    request: translation.parseRequest(whole, { dropped: () => {} }),
    renamedTools: new Map(),
    body: whole,
    newId: idSource(),
  }
}

export type WireEvent = Record<string, unknown> & { type: string; sequence_number: number }

/** The data of each event, whose name was checked to be its type. */
export function eventsIn(text: string): WireEvent[] {
  if (text === '') return []
  if (!text.endsWith('\n\n')) throw new Error('half an event')
  return text
    .slice(0, -2)
    .split('\n\n')
    .map((block) => {
      const found = /^event: (.+)\ndata: (.+)$/.exec(block)
      const data = JSON.parse(found?.[2] ?? 'null') as WireEvent
      if (found?.[1] !== data.type) throw new Error(`the event ${found?.[1]} holds ${data.type}`)
      return data
    })
}

export function streamed(events: readonly AnswerEvent[], context: WriteContext = contextOf()): string {
  const writer = translation.createStreamWriter(context)
  return events.map((event) => writer.write(event)).join('')
}

export const START: AnswerEvent = { kind: 'start', id: null, model: null }
export const STOP: AnswerEvent = { kind: 'stop', reason: 'stop', sequence: null }
export const END: AnswerEvent = { kind: 'end' }
export const said = (text: string): AnswerEvent => ({ kind: 'text', text })

/** A whole run around the given content. */
export const run = (...content: AnswerEvent[]): AnswerEvent[] => [START, ...content, STOP, END]

/** Events as an upstream sends them → events of the answer. */
export function read(events: readonly object[]): AnswerEvent[] {
  const parser = translation.createStreamParser(idSource())
  const found = events.flatMap((event) => [...parser.event((event as WireEvent).type, JSON.stringify(event))])
  return [...found, ...parser.end()]
}
