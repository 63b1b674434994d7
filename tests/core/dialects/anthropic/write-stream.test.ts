import Anthropic from '@anthropic-ai/sdk'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeAnswer } from '../../../../core/dialects/anthropic/answer'
import { createStreamParser } from '../../../../core/dialects/anthropic/parse-stream'
import { createStreamWriter } from '../../../../core/dialects/anthropic/write-stream'
import type { AnswerEvent, CanonicalUsage, JsonObject, StopReason } from '../../../../core/dialects/canonical'
import { context, eventsOf, ids } from './support'

const start: AnswerEvent = { kind: 'start', id: 'chatcmpl-1', model: 'gpt' }
const say = (text: string): AnswerEvent => ({ kind: 'text', text })
const think = (text: string): AnswerEvent => ({ kind: 'thinking', text })
const call = (index: number, id: string): AnswerEvent => ({
  kind: 'tool-call',
  index,
  id,
  name: 'read',
  freeForm: false,
})
const args = (index: number, piece: string): AnswerEvent => ({ kind: 'tool-arguments', index, piece })
const done = (index: number): AnswerEvent => ({ kind: 'tool-end', index })
const stop = (reason: StopReason = 'stop', sequence: string | null = null): AnswerEvent => ({
  kind: 'stop',
  reason,
  sequence,
})
const end: AnswerEvent = { kind: 'end' }
const usage = (more: Partial<CanonicalUsage>): AnswerEvent => ({
  kind: 'usage',
  usage: { input: null, cachedInput: null, cacheWrite: null, output: null, reasoning: null, ...more },
})
const sign = (signature: string, issuer: 'gemini' | 'anthropic' = 'gemini', redacted = false): AnswerEvent => ({
  kind: 'thinking-signature',
  signature,
  issuer,
  redacted,
})

function write(...events: readonly AnswerEvent[]): [string, JsonObject][] {
  const writer = createStreamWriter(context())
  return eventsOf(events.map((event) => writer.write(event)).join(''))
}

/** One line for each event: what it does to which block. */
const lines = (...events: readonly AnswerEvent[]): string[] =>
  write(start, ...events)
    .slice(1)
    .map(([name, data]) => {
      const block = data.content_block as JsonObject | undefined
      const delta = data.delta as JsonObject | undefined
      const words = delta?.text ?? delta?.thinking ?? delta?.partial_json ?? delta?.signature ?? delta?.stop_reason
      const what = block === undefined ? words : (block.id ?? block.data ?? block.type)
      return [name.replace('content_block_', ''), data.index, what].filter((part) => part !== undefined).join(' ')
    })

describe('an answer as an Anthropic stream', () => {
  it('has the events the API has, each block with its start and stop', () => {
    expect(write(start, say('Hi'), usage({ input: 12, cachedInput: 2, output: 5 }), stop(), end)).toEqual([
      [
        'message_start',
        {
          type: 'message_start',
          message: {
            id: 'chatcmpl-1',
            type: 'message',
            role: 'assistant',
            model: 'my-combo',
            content: [],
            stop_reason: null,
            stop_sequence: null,
            usage: { input_tokens: 0, output_tokens: 0 },
          },
        },
      ],
      ['content_block_start', { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }],
      ['content_block_delta', { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } }],
      ['content_block_stop', { type: 'content_block_stop', index: 0 }],
      [
        'message_delta',
        {
          type: 'message_delta',
          delta: { stop_reason: 'end_turn', stop_sequence: null },
          usage: { input_tokens: 10, cache_read_input_tokens: 2, output_tokens: 5 },
        },
      ],
      ['message_stop', { type: 'message_stop' }],
    ])
  })

  it('makes an id where the upstream gave none, and counts nothing where nothing is known', () => {
    const events = write({ ...start, id: null } as AnswerEvent, stop(), end)
    expect(events[0]?.[1]).toMatchObject({ message: { id: 'msg_req1' } })
    expect(events[1]?.[1]).toMatchObject({ usage: { output_tokens: 0 } })
  })

  it('writes text, thinking with its foreign signature, and a call one after the other', () => {
    expect(
      lines(think('a'), think('b'), sign('S'), say('x'), call(0, 'c'), args(0, '{}'), done(0), stop(), end),
    ).toEqual([
      'start 0 thinking',
      'delta 0 a',
      'delta 0 b',
      'delta 0 bw1:gemini:S',
      'stop 0',
      'start 1 text',
      'delta 1 x',
      'stop 1',
      'start 2 c',
      'delta 2 {}',
      'stop 2',
      'message_delta tool_use',
      'message_stop',
    ])
  })

  it('carries hidden thinking as a block of its own', () => {
    expect(lines(sign('E', 'gemini', true), sign('S'), say('x'), stop(), end).slice(0, 5)).toEqual([
      'start 0 bw1:gemini:E',
      'stop 0',
      'start 1 thinking',
      'delta 1 bw1:gemini:S',
      'stop 1',
    ])
    expect(lines(think('a'), sign('E', 'gemini', true), think('b')).slice(2, 6)).toEqual([
      'stop 0',
      'start 1 bw1:gemini:E',
      'stop 1',
      'start 2 thinking',
    ])
    expect(lines(sign('redacted:D', 'anthropic', true))).toEqual(['start 0 D', 'stop 0'])
  })

  it('holds the second of two mixed calls until the first is complete', () => {
    expect(
      lines(
        call(0, 'a'),
        call(1, 'b'),
        args(0, '{"p":'),
        args(1, '{"p":'),
        args(0, '"}a\\""}'),
        args(1, '"b"}'),
        stop('tool-calls'),
        end,
      ),
    ).toEqual([
      'start 0 a',
      'delta 0 {"p":',
      'delta 0 "}a\\""}',
      'stop 0',
      'start 1 b',
      'delta 1 {"p":',
      'delta 1 "b"}',
      'stop 1',
      'message_delta tool_use',
      'message_stop',
    ])
  })

  it('streams the first call at once, and what was held as soon as it may', () => {
    const writer = createStreamWriter(context())
    for (const event of [start, call(0, 'a'), call(1, 'b'), args(1, '{"q":')]) writer.write(event)
    expect(eventsOf(writer.write(args(0, '{"p":1')))).toHaveLength(1)
    expect(eventsOf(writer.write(args(0, '}'))).map(([name]) => name)).toEqual([
      'content_block_delta',
      'content_block_stop',
      'content_block_start',
      'content_block_delta',
    ])
    expect(eventsOf(writer.write(args(1, '2}')))).toHaveLength(1)
  })

  it('does not close a complete call before another begins, and swallows white space after its end', () => {
    expect(
      lines(call(0, 'a'), args(0, '{}'), args(0, ' '), call(1, 'b'), args(0, '\n'), stop('tool-calls'), end),
    ).toEqual([
      'start 0 a',
      'delta 0 {}',
      'delta 0  ',
      'stop 0',
      'start 1 b',
      'delta 1 {}',
      'stop 1',
      'message_delta tool_use',
      'message_stop',
    ])
  })

  it('keeps words behind a call that is not complete', () => {
    expect(lines(call(0, 'a'), say('x'), args(0, '{'), say('y'), args(0, '}'), stop(), end)).toEqual([
      'start 0 a',
      'delta 0 {',
      'delta 0 }',
      'stop 0',
      'start 1 text',
      'delta 1 xy',
      'stop 1',
      'message_delta tool_use',
      'message_stop',
    ])
  })

  it.each<[StopReason, string]>([
    ['stop', 'end_turn'],
    ['tool-calls', 'end_turn'],
    ['length', 'max_tokens'],
    ['content-filter', 'refusal'],
    ['stop-sequence', 'stop_sequence'],
    ['pause', 'pause_turn'],
  ])('%s without a call is %s', (reason, word) => {
    expect(lines(say('x'), stop(reason), end)).toContain(`message_delta ${word}`)
  })

  it('says that a refusal is one, and that an image was made', () => {
    expect(lines({ kind: 'refusal', text: 'No.' }, stop(), end)).toContain('message_delta refusal')
    expect(lines({ kind: 'image', mediaType: 'image/png', data: 'AAAA' }, stop(), end)[1]).toBe('delta 0 [image]')
  })

  it('closes the open block and nothing else when the answer breaks off', () => {
    const writer = createStreamWriter(context())
    writer.write(start)
    expect(writer.breakOff()).toBe('')
    writer.write(call(0, 'a'))
    writer.write(call(1, 'b'))
    writer.write(args(1, '{}'))
    expect(eventsOf(writer.breakOff())).toEqual([['content_block_stop', { type: 'content_block_stop', index: 0 }]])
    expect(writer.breakOff()).toBe('')
  })
})

/** As it comes out of its text: without -0. */
const asJson = (value: JsonObject): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject

const content = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), text: fc.string({ minLength: 1 }) }),
  fc.record({ kind: fc.constant('thinking' as const), text: fc.string({ minLength: 1 }) }),
  fc.record({ kind: fc.constant('call' as const), input: fc.dictionary(fc.string(), fc.jsonValue()).map(asJson) }),
)

/** Runs in which the pieces of several calls come mixed. */
const runs = fc
  .array(content, { maxLength: 6 })
  .chain((parts) => fc.tuple(fc.constant(parts), fc.array(fc.nat(5), { minLength: 40, maxLength: 40 })))
  .map(([parts, order]) => {
    const events: AnswerEvent[] = [start]
    const calls: JsonObject[] = []
    const pending: string[][] = []
    const give = (): void => {
      const at = order[events.length % order.length] ?? 0
      const piece = pending[at]?.shift()
      if (piece !== undefined) events.push(args(at, piece))
    }
    for (const part of parts) {
      if (part.kind !== 'call') events.push({ kind: part.kind, text: part.text })
      else {
        events.push(call(calls.length, `c${calls.length}`))
        pending.push(JSON.stringify(part.input).split(/(?<=[,:{])/))
        calls.push(part.input)
      }
      give()
      give()
    }
    for (const [at, pieces] of pending.entries()) for (const piece of pieces) events.push(args(at, piece))
    events.push(usage({ input: 3, output: 4 }), stop(calls.length > 0 ? 'tool-calls' : 'stop'), end)
    return { events, calls }
  })

describe('whatever an answer holds', () => {
  it('its blocks never overlap, and the calls arrive whole', () => {
    fc.assert(
      fc.property(runs, ({ events, calls }) => {
        const inputs: JsonObject[] = []
        let open: { index: number; json: string; tool: boolean } | null = null
        let next = 0
        for (const [name, data] of write(...events)) {
          if (name === 'content_block_start') {
            expect(open).toBeNull()
            expect(data.index).toBe(next++)
            open = { index: next - 1, json: '', tool: (data.content_block as JsonObject).type === 'tool_use' }
          } else if (name === 'content_block_delta') {
            expect(data.index).toBe(open?.index)
            if (open !== null) open.json += (data.delta as { partial_json?: string }).partial_json ?? ''
          } else if (name === 'content_block_stop') {
            if (open?.tool) inputs.push(JSON.parse(open.json) as JsonObject)
            open = null
          }
        }
        expect(open).toBeNull()
        expect(inputs).toEqual(calls)
      }),
    )
  })

  it('the SDK reads the stream as the same message that is written at once', async () => {
    await fc.assert(
      fc.asyncProperty(runs, async ({ events }) => {
        const writer = createStreamWriter(context())
        const wire = events.map((event) => writer.write(event)).join('')
        const answered = async () => new Response(wire, { headers: { 'content-type': 'text/event-stream' } })
        const client = new Anthropic({ apiKey: 'none', baseURL: 'http://gateway.invalid', fetch: answered })
        const asked = { model: 'm', max_tokens: 9, messages: [{ role: 'user' as const, content: 'hi' }] }
        const message = await client.messages.stream(asked).finalMessage()
        const whole = JSON.parse(writeAnswer(events, context())) as JsonObject
        expect(message.content).toEqual(whole.content)
        expect(message.stop_reason).toBe(whole.stop_reason)
        expect(message.usage).toMatchObject({ input_tokens: 3, output_tokens: 4 })
      }),
      { numRuns: 30 },
    )
  })

  it('the parser reads back what the writer wrote', () => {
    fc.assert(
      fc.property(runs, ({ events }) => {
        const parser = createStreamParser(ids())
        const back = write(...events).flatMap(([name, data]) => parser.event(name, JSON.stringify(data)))
        const joined = (kind: 'text' | 'thinking', all: readonly AnswerEvent[]): string =>
          all.map((event) => (event.kind === kind ? event.text : '')).join('')
        for (const kind of ['text', 'thinking'] as const) expect(joined(kind, back)).toBe(joined(kind, events))
        expect(back.slice(-3)).toEqual(events.slice(-3))
      }),
    )
  })
})
