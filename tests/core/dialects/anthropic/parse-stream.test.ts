import { describe, expect, it } from 'vitest'
import { createStreamParser } from '../../../../core/dialects/anthropic/parse-stream'
import type { AnswerEvent, JsonObject } from '../../../../core/dialects/canonical'
import { ids } from './support'

type Wire = readonly [string, JsonObject]

const start = (usage: JsonObject = { input_tokens: 10, output_tokens: 1 }): Wire => [
  'message_start',
  { message: { id: 'msg_1', model: 'claude', usage } },
]
const open = (index: number, content_block: JsonObject): Wire => ['content_block_start', { index, content_block }]
const delta = (index: number, type: string, more: JsonObject): Wire => [
  'content_block_delta',
  { index, delta: { type, ...more } },
]
const close = (index: number): Wire => ['content_block_stop', { index }]
const reason = (stop_reason: string | null, more: JsonObject = {}, usage: JsonObject = { output_tokens: 5 }): Wire => [
  'message_delta',
  { delta: { stop_reason, ...more }, usage },
]
const stop: Wire = ['message_stop', {}]
const words = (text: string): readonly Wire[] => [
  open(0, { type: 'text', text: '' }),
  delta(0, 'text_delta', { text }),
  close(0),
]
const tool = (index: number, id: string): Wire => open(index, { type: 'tool_use', id, name: 'read', input: {} })

function read(...events: readonly Wire[]): AnswerEvent[] {
  const parser = createStreamParser(ids())
  const all = events.flatMap(([type, more]) => parser.event(type, JSON.stringify({ type, ...more })))
  return [...all, ...parser.end()]
}
const kinds = (events: readonly AnswerEvent[]): string[] => events.map(({ kind }) => kind)
const stopOf = (...events: readonly Wire[]): AnswerEvent | undefined =>
  read(...events).find(({ kind }) => kind === 'stop')

describe('an Anthropic stream', () => {
  it('is start, content, usage, stop and end, in this order', () => {
    expect(read(start(), ['ping', {}], ...words('Hi'), reason('end_turn'), stop)).toEqual([
      { kind: 'start', id: 'msg_1', model: 'claude' },
      { kind: 'text', text: 'Hi' },
      { kind: 'usage', usage: { input: 10, cachedInput: null, cacheWrite: null, output: 5, reasoning: null } },
      { kind: 'stop', reason: 'stop', sequence: null },
      { kind: 'end' },
    ])
  })

  it('counts tool calls from 0, whatever block they are, and keeps mixed pieces with their call', () => {
    const events = read(
      start(),
      ...words('x'),
      tool(1, 'toolu_a'),
      tool(2, 'toolu_b'),
      delta(1, 'input_json_delta', { partial_json: '{"p":' }),
      delta(2, 'input_json_delta', { partial_json: '{}' }),
      delta(1, 'input_json_delta', { partial_json: '1}' }),
      close(1),
      close(2),
      reason('tool_use'),
      stop,
    )
    expect(events.slice(2, -3)).toEqual([
      { kind: 'tool-call', index: 0, id: 'toolu_a', name: 'read', freeForm: false },
      { kind: 'tool-call', index: 1, id: 'toolu_b', name: 'read', freeForm: false },
      { kind: 'tool-arguments', index: 0, piece: '{"p":' },
      { kind: 'tool-arguments', index: 1, piece: '{}' },
      { kind: 'tool-arguments', index: 0, piece: '1}' },
      { kind: 'tool-end', index: 0 },
      { kind: 'tool-end', index: 1 },
    ])
  })

  it('takes arguments that came whole with the call, and {} where none came', () => {
    const events = read(
      start(),
      open(0, { type: 'tool_use', id: 'a', name: 'read', input: { p: 1 } }),
      close(0),
      tool(1, 'b'),
      delta(1, 'input_json_delta', { partial_json: '' }),
      close(1),
      reason('tool_use'),
      stop,
    )
    expect(events.filter(({ kind }) => kind === 'tool-arguments')).toEqual([
      { kind: 'tool-arguments', index: 0, piece: '{"p":1}' },
      { kind: 'tool-arguments', index: 1, piece: '{}' },
    ])
  })

  it('makes up an id where a server gives none', () => {
    const events = read(start(), open(0, { type: 'tool_use', name: 'read', input: {} }), close(0))
    expect(events[1]).toMatchObject({ kind: 'tool-call', id: 'call_1' })
  })

  it('gives thinking piece by piece and its signature at its end', () => {
    expect(
      read(
        start(),
        open(0, { type: 'thinking', thinking: '', signature: '' }),
        delta(0, 'thinking_delta', { thinking: 'a' }),
        delta(0, 'thinking_delta', { thinking: 'b' }),
        delta(0, 'signature_delta', { signature: 'SIG' }),
        close(0),
        open(1, { type: 'thinking', thinking: '', signature: '' }),
        delta(1, 'signature_delta', { signature: 'HIDDEN' }),
        close(1),
        open(2, { type: 'redacted_thinking', data: 'D' }),
        close(2),
      ).slice(1),
    ).toEqual([
      { kind: 'thinking', text: 'a' },
      { kind: 'thinking', text: 'b' },
      { kind: 'thinking-signature', signature: 'SIG', issuer: 'anthropic', redacted: false },
      { kind: 'thinking-signature', signature: 'HIDDEN', issuer: 'anthropic', redacted: true },
      { kind: 'thinking-signature', signature: 'redacted:D', issuer: 'anthropic', redacted: true },
    ])
  })

  it('says nothing of citations, of tools that ran on the server, and of blocks nobody knows', () => {
    const events = read(
      start(),
      open(0, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }),
      delta(0, 'input_json_delta', { partial_json: '{"query":"x"}' }),
      close(0),
      open(1, { type: 'web_search_tool_result', tool_use_id: 's', content: [] }),
      close(1),
      open(2, { type: 'text', text: '' }),
      delta(2, 'citations_delta', { citation: {} }),
      delta(2, 'text_delta', { text: 'x' }),
      close(2),
      open(3, { type: 'hologram' }),
      reason('end_turn'),
      stop,
    )
    expect(kinds(events)).toEqual(['start', 'text', 'usage', 'stop', 'end'])
  })

  it.each<[string, string]>([
    ['end_turn', 'stop'],
    ['tool_use', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['stop_sequence', 'stop-sequence'],
    ['refusal', 'content-filter'],
    ['pause_turn', 'pause'],
    ['something_new', 'stop'],
  ])('ends for %s without a call as %s', (word, expected) => {
    expect(stopOf(start(), ...words('x'), reason(word), stop)).toMatchObject({ reason: expected })
  })

  it.each<[string, string]>([
    ['tool_use', 'tool-calls'],
    ['end_turn', 'tool-calls'],
    ['max_tokens', 'length'],
  ])('ends for %s with a call as %s', (word, expected) => {
    expect(stopOf(start(), tool(0, 'a'), close(0), reason(word), stop)).toMatchObject({ reason: expected })
  })

  it('names the stop sequence, and the words of a refusal', () => {
    expect(stopOf(start(), ...words('x'), reason('stop_sequence', { stop_sequence: 'END' }), stop)).toMatchObject({
      sequence: 'END',
    })
    const refused = read(start(), reason('refusal', { stop_details: { type: 'refusal', explanation: 'No.' } }), stop)
    expect(refused[1]).toEqual({ kind: 'refusal', text: 'No.' })
  })

  it('counts cached input as input, and takes nothing back', () => {
    const events = read(
      start({ input_tokens: 3, cache_read_input_tokens: 100, cache_creation_input_tokens: 20, output_tokens: 1 }),
      ...words('x'),
      reason('end_turn', {}, { input_tokens: 0, output_tokens: 9, output_tokens_details: { thinking_tokens: 4 } }),
      stop,
    )
    expect(events.find(({ kind }) => kind === 'usage')).toEqual({
      kind: 'usage',
      usage: { input: 123, cachedInput: 100, cacheWrite: 20, output: 9, reasoning: 4 },
    })
  })
})

describe('an Anthropic stream that ends badly', () => {
  it('is complete when only its end marker is missing', () => {
    expect(kinds(read(start(), ...words('x'), reason('end_turn')))).toEqual(['start', 'text', 'usage', 'stop', 'end'])
  })

  it('is incomplete without a reason', () => {
    expect(kinds(read(start(), ...words('x')))).toEqual(['start', 'text'])
    expect(kinds(read(start(), ...words('x'), reason(null)))).toEqual(['start', 'text'])
  })

  it('is complete with the end marker alone', () => {
    expect(kinds(read(start(), tool(0, 'a'), stop))).toEqual([
      'start',
      'tool-call',
      'tool-arguments',
      'tool-end',
      'usage',
      'stop',
      'end',
    ])
  })

  it('says nothing after its end or after a fault', () => {
    expect(kinds(read(start(), reason('end_turn'), stop, ...words('x'), stop))).toEqual([
      'start',
      'usage',
      'stop',
      'end',
    ])
    const fault = read(start(), ['error', { error: { type: 'overloaded_error', message: 'x' } }], ...words('x'), stop)
    expect(kinds(fault)).toEqual(['start', 'fault'])
  })

  it.each<[string, string, number]>([
    ['an error', '{"type":"error","error":{"type":"rate_limit_error"}}', 429],
    ['an error with a number', '{"type":"error","error":{"type":"api_error","code":503}}', 503],
    ['an error without a type', '{"error":{"message":"x"}}', 502],
  ])('%s is a fault with its text', (_what, data, status) => {
    expect(createStreamParser(ids()).event(undefined, data)).toEqual([{ kind: 'fault', status, text: data }])
  })

  it('begins by itself where message_start is missing', () => {
    expect(kinds(read(...words('x'), reason('end_turn'), stop))).toEqual(['start', 'text', 'usage', 'stop', 'end'])
  })

  it.each([
    '[DONE]',
    '',
    '{"type":',
    'null',
    '[]',
    '"x"',
    '{"type":"content_block_start"}',
    '{"type":"message_delta"}',
  ])('is not disturbed by %j', (data) => {
    const parser = createStreamParser(ids())
    parser.event('message_start', '{"type":"message_start"}')
    expect(parser.event(undefined, data)).toEqual([])
  })
})
