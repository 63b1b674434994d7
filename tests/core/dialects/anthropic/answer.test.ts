import { describe, expect, it } from 'vitest'
import { parseAnswer, writeAnswer } from '../../../../core/dialects/anthropic/answer'
import type { AnswerEvent, JsonObject } from '../../../../core/dialects/canonical'
import { context, ids } from './support'

const message = (more: JsonObject): JsonObject => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  content: [],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 5 },
  ...more,
})
const parse = (more: JsonObject): readonly AnswerEvent[] | null => parseAnswer(message(more), ids())
const write = (...events: readonly AnswerEvent[]): JsonObject =>
  JSON.parse(writeAnswer(events, context())) as JsonObject

describe('a complete answer of Anthropic', () => {
  it('is read as the events a stream would have given', () => {
    const content = [
      { type: 'thinking', thinking: 'a', signature: 'SIG' },
      { type: 'redacted_thinking', data: 'D' },
      { type: 'text', text: 'x' },
      { type: 'tool_use', id: 'toolu_1', name: 'read', input: { p: 1 } },
    ]
    expect(parse({ content, stop_reason: 'tool_use' })).toEqual([
      { kind: 'start', id: 'msg_1', model: 'claude' },
      { kind: 'thinking', text: 'a' },
      { kind: 'thinking-signature', signature: 'SIG', issuer: 'anthropic', redacted: false },
      { kind: 'thinking-signature', signature: 'redacted:D', issuer: 'anthropic', redacted: true },
      { kind: 'text', text: 'x' },
      { kind: 'tool-call', index: 0, id: 'toolu_1', name: 'read', freeForm: false },
      { kind: 'tool-arguments', index: 0, piece: '{"p":1}' },
      { kind: 'tool-end', index: 0 },
      { kind: 'usage', usage: { input: 10, cachedInput: null, cacheWrite: null, output: 5, reasoning: null } },
      { kind: 'stop', reason: 'tool-calls', sequence: null },
      { kind: 'end' },
    ])
  })

  it('may hold nothing', () => {
    expect(parse({})?.map(({ kind }) => kind)).toEqual(['start', 'usage', 'stop', 'end'])
  })

  it.each<[string, JsonObject]>([
    ['an error', { type: 'error', error: {} }],
    ['another dialect', { choices: [] }],
    ['content of another kind', { type: 'message', content: 'x' }],
  ])('is not %s', (_what, body) => {
    expect(parseAnswer(body, ids())).toBeNull()
  })

  it('comes back as it was through its own events', () => {
    const content = [
      { type: 'thinking', thinking: 'a', signature: 'SIG' },
      { type: 'thinking', thinking: '', signature: 'HIDDEN' },
      { type: 'redacted_thinking', data: 'D' },
      { type: 'text', text: 'x' },
      { type: 'tool_use', id: 'toolu_1', name: 'read', input: { p: 1 } },
      { type: 'tool_use', id: 'toolu_2', name: 'read', input: {} },
    ]
    const given = message({ content, stop_reason: 'tool_use', model: 'my-combo' })
    expect(write(...(parseAnswer(given, ids()) ?? []))).toEqual(given)
  })
})

describe('a complete answer written for an Anthropic client', () => {
  it('joins mixed pieces of calls and keeps the order of blocks', () => {
    const call = (index: number): AnswerEvent => ({
      kind: 'tool-call',
      index,
      id: `c${index}`,
      name: 'read',
      freeForm: false,
    })
    const args = (index: number, piece: string): AnswerEvent => ({ kind: 'tool-arguments', index, piece })
    expect(
      write(
        { kind: 'start', id: null, model: null },
        { kind: 'text', text: 'x' },
        { kind: 'text', text: 'y' },
        call(0),
        call(1),
        args(0, '{"p":'),
        args(1, ''),
        args(0, '1}'),
        { kind: 'stop', reason: 'stop', sequence: null },
        { kind: 'end' },
      ),
    ).toEqual({
      id: 'msg_req1',
      type: 'message',
      role: 'assistant',
      model: 'my-combo',
      content: [
        { type: 'text', text: 'xy' },
        { type: 'tool_use', id: 'c0', name: 'read', input: { p: 1 } },
        { type: 'tool_use', id: 'c1', name: 'read', input: {} },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: { input_tokens: 0, output_tokens: 0 },
    })
  })

  it('carries foreign signatures, also of hidden thinking', () => {
    const sign = (redacted: boolean): AnswerEvent => ({
      kind: 'thinking-signature',
      signature: 'S',
      issuer: 'openai-responses',
      redacted,
    })
    expect(
      write({ kind: 'thinking', text: 'a' }, sign(false), sign(true), { kind: 'thinking', text: 'b' }).content,
    ).toEqual([
      { type: 'thinking', thinking: 'a', signature: 'bw1:openai-responses:S' },
      { type: 'redacted_thinking', data: 'bw1:openai-responses:S' },
      { type: 'thinking', thinking: 'b', signature: '' },
    ])
  })

  it('does not lay hidden thinking over the shown', () => {
    const hidden = { kind: 'thinking-signature', signature: 'E', issuer: 'gemini', redacted: true } as const
    expect(write({ kind: 'thinking', text: 'a' }, hidden).content).toEqual([
      { type: 'thinking', thinking: 'a', signature: '' },
      { type: 'redacted_thinking', data: 'bw1:gemini:E' },
    ])
  })

  it('tells a refusal by its reason', () => {
    expect(write({ kind: 'refusal', text: 'No.' }, { kind: 'stop', reason: 'stop', sequence: null })).toMatchObject({
      content: [{ type: 'text', text: 'No.' }],
      stop_reason: 'refusal',
    })
  })
})
