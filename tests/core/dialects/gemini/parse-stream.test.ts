import { describe, expect, it } from 'vitest'
import type { AnswerEvent, JsonObject } from '../../../../core/dialects/canonical'
import { parseAnswer } from '../../../../core/dialects/gemini/answer'
import { createStreamParser } from '../../../../core/dialects/gemini/parse-stream'
import { writeSignature } from '../../../../core/dialects/gemini/signature'
import { countedIds } from './helpers'

const chunk = (parts: JsonObject[], finishReason?: string, more: JsonObject = {}): JsonObject => ({
  candidates: [
    { content: { role: 'model', parts }, ...(finishReason === undefined ? {} : { finishReason }), index: 0 },
  ],
  ...more,
})

/** The events of a stream of these chunks that was closed properly. */
function eventsOf(...chunks: (JsonObject | string)[]): AnswerEvent[] {
  const parser = createStreamParser(countedIds())
  const events = chunks.flatMap((one) => parser.event(undefined, typeof one === 'string' ? one : JSON.stringify(one)))
  return [...events, ...parser.end()]
}

const contentOf = (...chunks: (JsonObject | string)[]): AnswerEvent[] =>
  eventsOf(...chunks).filter(({ kind }) => kind !== 'start' && kind !== 'stop' && kind !== 'end' && kind !== 'usage')
const stopOf = (...chunks: JsonObject[]): unknown => {
  const stop = eventsOf(...chunks).find((event) => event.kind === 'stop')
  return stop?.kind === 'stop' ? stop.reason : null
}
const call = (p: string, more: JsonObject = {}): JsonObject => ({
  functionCall: { name: 'read', args: { p }, ...more },
})

describe('a stream of Gemini’s', () => {
  it('is told in order: start, content, usage, stop, end', () => {
    const usageMetadata = {
      promptTokenCount: 10,
      cachedContentTokenCount: 4,
      toolUsePromptTokenCount: 2,
      candidatesTokenCount: 5,
      thoughtsTokenCount: 7,
      totalTokenCount: 24,
    }
    expect(
      eventsOf(
        chunk([{ text: 'Hel' }], undefined, {
          responseId: 'r',
          modelVersion: 'm',
          usageMetadata: { promptTokenCount: 10 },
        }),
        chunk([{ text: 'lo' }], 'STOP', { usageMetadata, responseId: 'r' }),
      ),
    ).toEqual([
      { kind: 'start', id: 'r', model: 'm' },
      { kind: 'text', text: 'Hel' },
      { kind: 'text', text: 'lo' },
      { kind: 'usage', usage: { input: 12, cachedInput: 4, cacheWrite: null, output: 12, reasoning: 7 } },
      { kind: 'stop', reason: 'stop', sequence: null },
      { kind: 'end' },
    ])
  })

  it('gives parallel calls of different chunks an index and an id each', () => {
    expect(contentOf(chunk([call('a')]), chunk([call('b', { id: 'x' })]), chunk([], 'STOP'))).toEqual([
      { kind: 'tool-call', index: 0, id: 'call_1', name: 'read', freeForm: false },
      { kind: 'tool-arguments', index: 0, piece: '{"p":"a"}' },
      { kind: 'tool-end', index: 0 },
      { kind: 'tool-call', index: 1, id: 'x', name: 'read', freeForm: false },
      { kind: 'tool-arguments', index: 1, piece: '{"p":"b"}' },
      { kind: 'tool-end', index: 1 },
    ])
  })

  it('takes a call without arguments', () => {
    expect(contentOf(chunk([{ functionCall: { name: 'now' } }]))[1]).toMatchObject({ piece: '{}' })
  })

  it('tells thoughts apart from words, and where their signatures belong', () => {
    expect(
      contentOf(
        chunk([{ text: 'hm', thought: true }]),
        chunk([{ text: '!', thought: true, thoughtSignature: 'A' }]),
        chunk([{ ...call('a'), thoughtSignature: 'B' }]),
        chunk([{ text: 'ok', thoughtSignature: 'C' }]),
        chunk([{ text: '', thoughtSignature: writeSignature({ issuer: 'anthropic', signature: 'D' }) }], 'STOP'),
      ),
    ).toMatchObject([
      { kind: 'thinking', text: 'hm' },
      { kind: 'thinking', text: '!' },
      { kind: 'thinking-signature', signature: 'A', issuer: 'gemini', redacted: false },
      { kind: 'thinking-signature', signature: 'B', issuer: 'gemini', redacted: true },
      { kind: 'tool-call', index: 0 },
      { kind: 'tool-arguments' },
      { kind: 'tool-end' },
      { kind: 'text', text: 'ok' },
      { kind: 'thinking-signature', signature: 'C', issuer: 'gemini', redacted: true },
      { kind: 'thinking-signature', signature: 'D', issuer: 'anthropic', redacted: true },
    ])
  })

  it('carries images and code', () => {
    expect(
      contentOf(
        chunk([
          { inlineData: { mimeType: 'image/png', data: 'AA==' } },
          { inlineData: { mimeType: 'audio/wav', data: 'x' } },
        ]),
        chunk([{ executableCode: { language: 'PYTHON', code: '1' } }]),
      ),
    ).toEqual([
      { kind: 'image', mediaType: 'image/png', data: 'AA==' },
      { kind: 'text', text: '```python\n1\n```' },
    ])
  })

  it('ignores what cannot be read', () => {
    expect(
      contentOf(
        '{"candidates":',
        'null',
        '[1]',
        '{"candidates":7}',
        '{"candidates":[null]}',
        chunk([{ text: 'x' }, null as never]),
      ),
    ).toEqual([{ kind: 'text', text: 'x' }])
    expect(contentOf('{"candidates":[{"content":{"parts":[{"functionCall":{}}]}}]}')).toEqual([])
  })

  it('keeps long answers whole and in order', () => {
    const words = Array.from({ length: 500 }, (_, i) => `w${i} 北京🌍`)
    const events = contentOf(...words.map((text) => chunk([{ text }])))
    expect(events.map((event) => (event.kind === 'text' ? event.text : ''))).toEqual(words)
  })
})

describe('why Gemini stopped', () => {
  const reads = chunk([call('a')])
  const said = chunk([{ text: 'x' }])
  it.each<[string, JsonObject[], unknown]>([
    ['STOP with a call is a wait for results', [reads, chunk([], 'STOP')], 'tool-calls'],
    ['STOP', [said, chunk([], 'STOP')], 'stop'],
    ['MAX_TOKENS with a call begun is a cut', [reads, chunk([], 'MAX_TOKENS')], 'length'],
    ['MAX_TOKENS without content', [chunk([], 'MAX_TOKENS')], 'length'],
    ['SAFETY', [said, chunk([], 'SAFETY')], 'content-filter'],
    ['RECITATION without content', [chunk([], 'RECITATION')], 'content-filter'],
    ['IMAGE_SAFETY', [chunk([], 'IMAGE_SAFETY')], 'content-filter'],
    ['a refused prompt', [{ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }], 'content-filter'],
    ['OTHER after content is no proper end', [said, chunk([], 'OTHER')], 'length'],
    ['an unknown reason is no proper end', [said, chunk([], 'NEW_REASON')], 'length'],
    ['no reason', [said], null],
    ['a reason that is none', [said, chunk([], 'FINISH_REASON_UNSPECIFIED')], null],
  ])('%s', (_what, chunks, reason) => {
    expect(stopOf(...chunks)).toBe(reason)
  })

  it('is told once, at the end, where every chunk says STOP', () => {
    const events = eventsOf(chunk([{ text: 'a' }], 'STOP'), chunk([call('a')], 'STOP'), chunk([{ text: 'b' }], 'STOP'))
    expect(events.map(({ kind }) => kind)).toEqual([
      'start',
      'text',
      'tool-call',
      'tool-arguments',
      'tool-end',
      'text',
      'stop',
      'end',
    ])
    expect(stopOf(chunk([call('a')], 'STOP'), chunk([{ text: 'b' }], 'STOP'))).toBe('tool-calls')
  })

  it.each([
    ['MALFORMED_FUNCTION_CALL', [], 502],
    ['MALFORMED_FUNCTION_CALL', [{ text: 'I will read it.' }], 502],
    ['UNEXPECTED_TOOL_CALL', [{ text: 'x' }], 502],
    ['MISSING_THOUGHT_SIGNATURE', [], 400],
    ['OTHER', [], 502],
  ])('%s after %j is a failure, never a clean stop', (reason, parts, status) => {
    const events = eventsOf(chunk(parts), chunk([], reason))
    const last = events.at(-1)
    expect(last).toMatchObject({ kind: 'fault', status, text: expect.stringContaining(reason) })
    expect(events.some(({ kind }) => kind === 'stop' || kind === 'end')).toBe(false)
    expect(last?.kind === 'fault' && JSON.parse(last.text)).toMatchObject({ error: { code: status } })
  })

  it('repeats the words Google has for it', () => {
    const bad = { candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'print(read(' }] }
    expect(eventsOf(bad).at(-1)).toMatchObject({ text: expect.stringContaining('print(read(') })
  })

  it('an answer that breaks off is not complete, but its usage is told', () => {
    expect(eventsOf(chunk([{ text: 'x' }], undefined, { usageMetadata: { promptTokenCount: 3 } })).slice(2)).toEqual([
      { kind: 'usage', usage: { input: 3, cachedInput: null, cacheWrite: null, output: null, reasoning: null } },
    ])
    expect(eventsOf()).toEqual([])
  })
})

describe('an error inside a stream of Gemini’s', () => {
  it('is a failure with the code found inside, and nothing follows', () => {
    const error = { code: 429, message: 'Slow down.', status: 'RESOURCE_EXHAUSTED' }
    expect(eventsOf(chunk([{ text: 'a' }]), { error }, chunk([{ text: 'b' }], 'STOP'))).toEqual([
      { kind: 'start', id: null, model: null },
      { kind: 'text', text: 'a' },
      { kind: 'fault', status: 429, text: JSON.stringify({ error }) },
    ])
  })
})

describe('a whole answer of Gemini’s', () => {
  it('is the same run of events', () => {
    const body = chunk([{ text: 'a' }, call('b')], 'STOP', { responseId: 'r', usageMetadata: { promptTokenCount: 1 } })
    expect(parseAnswer(body, countedIds())).toEqual(eventsOf(body))
  })

  it('is complete where a server forgot to say why it stopped', () => {
    expect(parseAnswer(chunk([{ text: 'a' }]), countedIds())?.at(-1)).toEqual({ kind: 'end' })
    expect(parseAnswer(chunk([]), countedIds())?.some(({ kind }) => kind === 'end')).toBe(false)
  })

  it('is not what another dialect says', () => {
    expect(parseAnswer({ choices: [] }, countedIds())).toBeNull()
    expect(parseAnswer({ error: { code: 500 } }, countedIds())).toBeNull()
  })
})
