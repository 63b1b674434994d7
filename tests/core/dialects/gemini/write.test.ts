import { describe, expect, it } from 'vitest'
import type { AnswerEvent, JsonObject, StopReason } from '../../../../core/dialects/canonical'
import { parseAnswer, writeAnswer } from '../../../../core/dialects/gemini/answer'
import { createStreamParser } from '../../../../core/dialects/gemini/parse-stream'
import { createStreamWriter } from '../../../../core/dialects/gemini/write-stream'
import { context, countedIds } from './helpers'

const usage = { input: 10, cachedInput: 4, cacheWrite: null, output: 12, reasoning: 7 }
const start: AnswerEvent = { kind: 'start', id: 'up_1', model: 'upstream-model' }
const ending = (reason: StopReason = 'stop'): AnswerEvent[] => [
  { kind: 'usage', usage },
  { kind: 'stop', reason, sequence: null },
  { kind: 'end' },
]
const call = (index: number, ...pieces: string[]): AnswerEvent[] => [
  { kind: 'tool-call', index, id: `id_${index}`, name: 'read', freeForm: false },
  ...pieces.map((piece) => ({ kind: 'tool-arguments', index, piece }) as const),
]
const end = (index: number): AnswerEvent => ({ kind: 'tool-end', index })
const signature = (redacted: boolean, text = 'SIG'): AnswerEvent => ({
  kind: 'thinking-signature',
  signature: text,
  issuer: 'anthropic',
  redacted,
})

/** What is written for each event; every piece is whole server-sent events. */
function written(...events: AnswerEvent[]): JsonObject[] {
  const writer = createStreamWriter(context())
  const text = events.map((event) => writer.write(event)).join('')
  expect(text).toMatch(/^(?:data: [^\n]+\n\n)*$/)
  return text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => JSON.parse(event.slice('data: '.length)) as JsonObject)
}

interface Chunk {
  candidates: { content: { parts: JsonObject[] }; finishReason?: string; finishMessage?: string }[]
}
const partsOf = (chunks: JsonObject[]): JsonObject[] =>
  (chunks as unknown as Chunk[]).flatMap(({ candidates }) => candidates.flatMap(({ content }) => content.parts))
const reasonsOf = (chunks: JsonObject[]): unknown[] =>
  (chunks as unknown as Chunk[]).map(({ candidates }) => candidates[0]?.finishReason)

describe('a stream written in Gemini’s form', () => {
  it('is one whole answer per event, and only the last says why it ended and what it cost', () => {
    const identity = { modelVersion: 'combo/one', responseId: 'req_1' }
    const text = (words: string) => ({
      candidates: [{ content: { parts: [{ text: words }], role: 'model' }, index: 0 }],
      ...identity,
    })
    expect(written(start, { kind: 'text', text: 'Hé' }, { kind: 'text', text: '\n"🌍' }, ...ending())).toEqual([
      text('Hé'),
      text('\n"🌍'),
      {
        candidates: [{ content: { parts: [{ text: '' }], role: 'model' }, finishReason: 'STOP', index: 0 }],
        usageMetadata: {
          promptTokenCount: 10,
          cachedContentTokenCount: 4,
          candidatesTokenCount: 5,
          thoughtsTokenCount: 7,
          totalTokenCount: 22,
        },
        ...identity,
      },
    ])
  })

  it('tells a call whole, as soon as it is complete', () => {
    const writer = createStreamWriter(context())
    const texts = [...call(0, '{"p":', '"a"}'), end(0)].map((event) => writer.write(event))
    expect(texts.slice(0, 3)).toEqual(['', '', ''])
    expect(texts[3]).toContain('"functionCall":{"id":"id_0","name":"read","args":{"p":"a"}}')
  })

  it('keeps calls apart whose arguments alternate, in their order', () => {
    const [first, ...arguments0] = call(0, '{"p":', '"a"}')
    const [second, ...arguments1] = call(1, '{"p":', '"b"}')
    const mixed = [first, second, arguments0[0], arguments1[0], arguments0[1], arguments1[1], end(1), end(0)]
    const parts = partsOf(written(...(mixed as AnswerEvent[]), ...ending('tool-calls')))
    expect(parts).toEqual([
      { functionCall: { id: 'id_0', name: 'read', args: { p: 'a' } } },
      { functionCall: { id: 'id_1', name: 'read', args: { p: 'b' } } },
      { text: '' },
    ])
  })

  it('tells calls whose end nobody announced', () => {
    expect(partsOf(written(...call(0, '{}'), ...call(1), ...ending('tool-calls')))).toEqual([
      { functionCall: { id: 'id_0', name: 'read', args: {} } },
      { functionCall: { id: 'id_1', name: 'read', args: {} } },
      { text: '' },
    ])
  })

  it('lets the tool refuse arguments that are no JSON, but tells no call that was cut off', () => {
    const broken = [...call(0, '{"p":'), end(0)]
    expect(partsOf(written(...broken, ...ending('tool-calls')))[0]).toEqual({
      functionCall: { id: 'id_0', name: 'read', args: { _raw: '{"p":' } },
    })
    expect(partsOf(written(...broken, ...ending('length')))).toEqual([{ text: '' }])
    const freeForm: AnswerEvent[] = [
      { kind: 'tool-call', index: 0, id: 'a', name: 'patch', freeForm: true },
      { kind: 'tool-arguments', index: 0, piece: '*** Begin' },
      end(0),
    ]
    expect(partsOf(written(...freeForm, ...ending()))[0]).toMatchObject({
      functionCall: { args: { input: '*** Begin' } },
    })
  })

  it('carries other issuers’ signatures in base64, on the call behind hidden reasoning', () => {
    const [part] = partsOf(written(signature(true), ...call(0, '{}'), end(0), ...ending()))
    expect(Buffer.from(String(part?.thoughtSignature), 'base64').toString()).toBe('bw1:anthropic:SIG')
    expect(part).toMatchObject({ functionCall: { name: 'read' } })
  })

  it('loses no signature where no call comes', () => {
    const thought = { text: '', thought: true, thoughtSignature: expect.any(String) }
    expect(partsOf(written(signature(true), { kind: 'text', text: 'a' }, ...ending()))).toEqual([
      thought,
      { text: 'a' },
      { text: '' },
    ])
    expect(partsOf(written(signature(true, '1'), signature(true, '2'), ...ending()))).toEqual([
      thought,
      thought,
      { text: '' },
    ])
    expect(partsOf(written({ kind: 'thinking', text: 'hm' }, signature(false), ...ending()))).toEqual([
      { text: 'hm', thought: true },
      thought,
      { text: '' },
    ])
  })

  it('carries images and refusals', () => {
    expect(
      partsOf(
        written({ kind: 'image', mediaType: 'image/png', data: 'AA==' }, { kind: 'refusal', text: 'no' }, ...ending()),
      ),
    ).toEqual([{ inlineData: { mimeType: 'image/png', data: 'AA==' } }, { text: 'no' }, { text: '' }])
  })

  it.each<[StopReason, string]>([
    ['stop', 'STOP'],
    ['tool-calls', 'STOP'],
    ['stop-sequence', 'STOP'],
    ['length', 'MAX_TOKENS'],
    ['content-filter', 'SAFETY'],
    ['pause', 'OTHER'],
  ])('%s is %s, in the last event only', (reason, word) => {
    expect(reasonsOf(written({ kind: 'text', text: 'a' }, ...ending(reason)))).toEqual([undefined, word])
  })

  it('says nothing more when it breaks off, so that no end is claimed', () => {
    const writer = createStreamWriter(context())
    for (const event of call(0, '{"p":')) writer.write(event)
    expect(writer.breakOff()).toBe('')
  })

  it('comes back as the events it was made of', () => {
    const events: AnswerEvent[] = [
      { kind: 'start', id: 'req_1', model: 'combo/one' },
      { kind: 'thinking', text: 'hm' },
      { kind: 'text', text: 'ok' },
      signature(true),
      ...call(0, '{"p":"a"}'),
      end(0),
      ...call(1, '{}'),
      end(1),
      ...ending('tool-calls'),
    ]
    const parser = createStreamParser(countedIds())
    const back = written(...events).flatMap((chunk) => parser.event(undefined, JSON.stringify(chunk)))
    expect([...back, ...parser.end()]).toEqual(events)
  })
})

describe('a whole answer written in Gemini’s form', () => {
  const events: AnswerEvent[] = [
    start,
    { kind: 'thinking', text: 'h' },
    { kind: 'thinking', text: 'm' },
    signature(false),
    { kind: 'text', text: 'Hel' },
    { kind: 'text', text: 'lo' },
    signature(true, 'HIDDEN'),
    ...call(0, '{"p":', '"a"}'),
    ...call(1, '{}'),
    ...ending('tool-calls'),
  ]

  it('has joined parts, the reason and the usage', () => {
    expect(JSON.parse(writeAnswer(events, context()))).toEqual({
      candidates: [
        {
          content: {
            parts: [
              { text: 'hm', thought: true, thoughtSignature: Buffer.from('bw1:anthropic:SIG').toString('base64') },
              { text: 'Hello' },
              {
                functionCall: { id: 'id_0', name: 'read', args: { p: 'a' } },
                thoughtSignature: Buffer.from('bw1:anthropic:HIDDEN').toString('base64'),
              },
              { functionCall: { id: 'id_1', name: 'read', args: {} } },
            ],
            role: 'model',
          },
          finishReason: 'STOP',
          index: 0,
        },
      ],
      usageMetadata: {
        promptTokenCount: 10,
        cachedContentTokenCount: 4,
        candidatesTokenCount: 5,
        thoughtsTokenCount: 7,
        totalTokenCount: 22,
      },
      modelVersion: 'combo/one',
      responseId: 'req_1',
    })
  })

  it('says the same as the stream', () => {
    const whole = parseAnswer(JSON.parse(writeAnswer(events, context())) as JsonObject, countedIds())
    const parser = createStreamParser(countedIds())
    const chunks = written(...events).flatMap((chunk) => parser.event(undefined, JSON.stringify(chunk)))
    const streamed = [...chunks, ...parser.end()]
    for (const kind of ['start', 'tool-call', 'tool-arguments', 'usage', 'stop', 'end']) {
      const said = (run: readonly AnswerEvent[] | null) => run?.filter((event) => event.kind === kind)
      expect(said(whole)).toEqual(said(streamed))
    }
  })

  it('has no usage where none is known, and shows a pause as unfinished', () => {
    const answer = JSON.parse(
      writeAnswer([{ kind: 'stop', reason: 'pause', sequence: null }, { kind: 'end' }], context()),
    )
    expect(answer.usageMetadata).toBeUndefined()
    expect(answer.candidates[0]).toMatchObject({
      finishReason: 'OTHER',
      finishMessage: expect.any(String),
      content: { parts: [] },
    })
  })
})
