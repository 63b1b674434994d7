// Complete answers as runs of events, for what must hold for every answer.
import fc from 'fast-check'
import type { AnswerEvent, CanonicalRequest } from '../../core/dialects/canonical'
import type { WriteContext } from '../../core/dialects/translation'

export const plainRequest: CanonicalRequest = {
  system: [],
  turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }],
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

export function writeContext(): WriteContext {
  let count = 0
  return {
    requestId: 'req_1',
    model: 'fake/m1',
    now: 1_796_014_800_000,
    request: plainRequest,
    renamedTools: new Map(),
    body: {},
    newId: (prefix) => `${prefix}_${++count}`,
  }
}

const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== '')
const visible: fc.Arbitrary<AnswerEvent[]> = words.map((text) => [{ kind: 'text', text }])
const thought: fc.Arbitrary<AnswerEvent[]> = words.map((text) => [{ kind: 'thinking', text }])

const call = fc.record({
  name: fc.stringMatching(/^[a-z][a-z0-9_]{0,12}$/),
  input: fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), words, { maxKeys: 3 }),
  cuts: fc.array(fc.nat(), { maxLength: 3 }),
})

/** Text and reasoning in any order, then calls, then the end. */
export const wholeAnswer: fc.Arbitrary<AnswerEvent[]> = fc
  .record({
    blocks: fc.array(fc.oneof(visible, thought), { maxLength: 5 }),
    last: visible,
    calls: fc.array(call, { maxLength: 3 }),
    hasUsage: fc.boolean(),
  })
  .map(({ blocks, last, calls, hasUsage }) => [
    { kind: 'start', id: 'x', model: 'm' },
    ...blocks.flat(),
    ...last,
    ...calls.flatMap(({ name, input, cuts }, index) => callEvents(index, name, JSON.stringify(input), cuts)),
    ...(hasUsage ? [USAGE] : []),
    { kind: 'stop', reason: calls.length > 0 ? 'tool-calls' : 'stop', sequence: null },
    { kind: 'end' },
  ])

const USAGE: AnswerEvent = {
  kind: 'usage',
  usage: { input: 10, cachedInput: 4, cacheWrite: null, output: 5, reasoning: null },
}

function callEvents(index: number, name: string, json: string, cuts: readonly number[]): AnswerEvent[] {
  const places = [0, ...cuts.map((place) => place % (json.length + 1)), json.length].sort((a, b) => a - b)
  const pieces = places.slice(1).map((to, i) => json.slice(places[i], to))
  return [
    { kind: 'tool-call', index, id: `call_${index}`, name, freeForm: false },
    ...pieces.filter((piece) => piece !== '').map((piece): AnswerEvent => ({ kind: 'tool-arguments', index, piece })),
    { kind: 'tool-end', index },
  ]
}
