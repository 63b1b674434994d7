import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AnswerEvent } from '../../../../core/dialects/canonical'
import { contextOf, END, eventsIn, idSource, read, run, START, STOP, said, streamed, translation } from './samples'

const event = (type: string, more: object = {}) => ({ type: `response.${type}`, ...more })
const created = event('created', {
  response: { id: 'resp_1', model: 'gpt-5.1', status: 'in_progress', output: [], error: null, usage: null },
})
const completed = (output: object[] = [], more: object = {}) =>
  event('completed', {
    response: { id: 'resp_1', model: 'gpt-5.1', status: 'completed', output, error: null, ...more },
  })
const OPENED: AnswerEvent = { kind: 'start', id: 'resp_1', model: 'gpt-5.1' }
const message = (text: string, id = 'msg_1') => ({
  type: 'message',
  id,
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
})
const callItem = (id: string, name: string, args: string) => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name,
  arguments: args,
})
const contentOf = (events: readonly AnswerEvent[]) =>
  events.filter(({ kind }) => !['start', 'usage', 'stop', 'end'].includes(kind))

describe('a Responses stream, read', () => {
  it('gives text, usage, reason and end in this order', () => {
    expect(
      read([
        created,
        event('in_progress', { response: { id: 'resp_1' } }),
        event('output_item.added', { output_index: 0, item: { type: 'message', id: 'msg_1', content: [] } }),
        event('content_part.added', {
          output_index: 0,
          item_id: 'msg_1',
          content_index: 0,
          part: { type: 'output_text', text: '' },
        }),
        event('output_text.delta', { output_index: 0, item_id: 'msg_1', content_index: 0, delta: 'Hel' }),
        event('output_text.delta', { output_index: 0, item_id: 'msg_1', content_index: 0, delta: 'lo' }),
        event('output_text.done', { output_index: 0, item_id: 'msg_1', content_index: 0, text: 'Hello' }),
        event('content_part.done', {
          output_index: 0,
          item_id: 'msg_1',
          content_index: 0,
          part: { type: 'output_text', text: 'Hello' },
        }),
        event('output_item.done', { output_index: 0, item: message('Hello') }),
        completed([message('Hello')], {
          usage: {
            input_tokens: 9,
            input_tokens_details: { cached_tokens: 3 },
            output_tokens: 4,
            output_tokens_details: { reasoning_tokens: 1 },
            total_tokens: 13,
          },
        }),
      ]),
    ).toEqual([
      OPENED,
      said('Hel'),
      said('lo'),
      { kind: 'usage', usage: { input: 9, cachedInput: 3, cacheWrite: null, output: 4, reasoning: 1 } },
      STOP,
      END,
    ])
  })

  it('gives two calls two indexes, whatever stands before them', () => {
    const events = read([
      created,
      event('output_item.done', { output_index: 0, item: message('x') }),
      event('output_item.added', { output_index: 1, item: callItem('a', 'read', '') }),
      event('output_item.added', { output_index: 2, item: callItem('b', 'read', '') }),
      event('function_call_arguments.delta', { output_index: 2, item_id: 'fc_b', delta: '{"p":"b"}' }),
      event('function_call_arguments.delta', { output_index: 1, item_id: 'fc_a', delta: '{"p":"a"}' }),
      event('output_item.done', { output_index: 1, item: callItem('a', 'read', '{"p":"a"}') }),
      event('output_item.done', { output_index: 2, item: callItem('b', 'read', '{"p":"b"}') }),
      completed(),
    ])
    expect(events.slice(2)).toEqual([
      { kind: 'tool-call', index: 0, id: 'a', name: 'read', freeForm: false },
      { kind: 'tool-call', index: 1, id: 'b', name: 'read', freeForm: false },
      { kind: 'tool-arguments', index: 1, piece: '{"p":"b"}' },
      { kind: 'tool-arguments', index: 0, piece: '{"p":"a"}' },
      { kind: 'tool-end', index: 0 },
      { kind: 'tool-end', index: 1 },
      { kind: 'stop', reason: 'tool-calls', sequence: null },
      END,
    ])
  })

  it('reads free-form calls, refusals and images', () => {
    const events = read([
      created,
      event('output_item.added', {
        output_index: 0,
        item: { type: 'custom_tool_call', id: 'ctc_1', call_id: 'a', name: 'patch', input: '' },
      }),
      event('custom_tool_call_input.delta', { output_index: 0, item_id: 'ctc_1', delta: '***' }),
      event('custom_tool_call_input.done', { output_index: 0, item_id: 'ctc_1', input: '*** Begin' }),
      event('refusal.delta', { output_index: 1, item_id: 'msg_1', content_index: 0, delta: 'No' }),
      event('refusal.done', { output_index: 1, item_id: 'msg_1', content_index: 0, refusal: 'No.' }),
      event('image_generation_call.partial_image', { output_index: 2, partial_image_b64: 'xx' }),
      event('output_item.done', {
        output_index: 2,
        item: { type: 'image_generation_call', id: 'ig_1', result: 'QUJD', output_format: 'jpeg' },
      }),
      completed(),
    ])
    expect(contentOf(events)).toEqual([
      { kind: 'tool-call', index: 0, id: 'a', name: 'patch', freeForm: true },
      { kind: 'tool-arguments', index: 0, piece: '***' },
      { kind: 'tool-arguments', index: 0, piece: ' Begin' },
      { kind: 'refusal', text: 'No' },
      { kind: 'refusal', text: '.' },
      { kind: 'image', mediaType: 'image/jpeg', data: 'QUJD' },
    ])
  })

  it('gives reasoning with the id its signature belongs to, and parts its paragraphs', () => {
    const at = { output_index: 0, item_id: 'rs_1' }
    const summary = [
      { type: 'summary_text', text: 'One.' },
      { type: 'summary_text', text: 'Two.' },
    ]
    expect(
      contentOf(
        read([
          created,
          event('output_item.added', { output_index: 0, item: { type: 'reasoning', id: 'rs_1', summary: [] } }),
          event('reasoning_summary_part.added', { ...at, summary_index: 0, part: summary[0] }),
          event('reasoning_summary_text.delta', { ...at, summary_index: 0, delta: 'One' }),
          event('reasoning_summary_text.delta', { ...at, summary_index: 0, delta: '.' }),
          event('reasoning_summary_text.done', { ...at, summary_index: 0, text: 'One.' }),
          event('reasoning_summary_text.delta', { ...at, summary_index: 1, delta: 'Two.' }),
          event('output_item.done', {
            output_index: 0,
            item: { type: 'reasoning', id: 'rs_1', summary, encrypted_content: 'ENC' },
          }),
          completed([{ type: 'reasoning', id: 'rs_1', summary, encrypted_content: 'ENC' }]),
        ]),
      ),
    ).toEqual([
      { kind: 'thinking', text: 'One' },
      { kind: 'thinking', text: '.' },
      { kind: 'thinking', text: '\n\nTwo.' },
      { kind: 'thinking-signature', signature: 'rs_1|ENC', issuer: 'openai-responses', redacted: false },
    ])
  })

  it('gives hidden reasoning as a signature alone', () => {
    const item = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'ENC' }
    expect(contentOf(read([created, event('output_item.done', { output_index: 0, item }), completed()]))).toEqual([
      { kind: 'thinking-signature', signature: 'rs_1|ENC', issuer: 'openai-responses', redacted: true },
    ])
  })

  it('tells reasoning once where a server sends it as text and as a summary', () => {
    const item = {
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 'short' }],
      content: [{ type: 'reasoning_text', text: 'long' }],
    }
    const at = { output_index: 0, item_id: 'rs_1' }
    const events = read([
      created,
      event('reasoning_text.delta', { ...at, content_index: 0, delta: 'long' }),
      event('reasoning_summary_text.delta', { ...at, summary_index: 0, delta: 'short' }),
      event('output_item.done', { output_index: 0, item }),
      completed([item]),
    ])
    expect(contentOf(events)).toEqual([{ kind: 'thinking', text: 'long' }])
  })

  it.each<[string, object[]]>([
    [
      'whole items without deltas',
      [
        event('output_item.done', { output_index: 0, item: message('Hi') }),
        event('output_item.done', { output_index: 1, item: callItem('a', 'f', '{"x":1}') }),
      ],
    ],
    ['only the closing event', []],
    [
      'items under other ids at the end',
      [
        event('output_item.added', { output_index: 0, item: message('', 'other') }),
        event('output_text.delta', { output_index: 0, item_id: 'another', content_index: 0, delta: 'Hi' }),
        event('output_item.done', { output_index: 0, item: message('Hi', 'third') }),
        event('output_item.done', { output_index: 1, item: callItem('a', 'f', '{"x":1}') }),
      ],
    ],
    [
      'deltas that name no item',
      [
        { type: 'response.output_text.delta', delta: 'Hi' },
        event('output_item.done', { item: message('Hi') }),
        event('output_item.done', { item: callItem('a', 'f', '{"x":1}') }),
      ],
    ],
    [
      'arguments before their item',
      [
        event('output_text.done', { output_index: 0, item_id: 'msg_1', content_index: 0, text: 'Hi' }),
        event('function_call_arguments.delta', { output_index: 1, item_id: 'fc_a', delta: '{"x"' }),
      ],
    ],
  ])('loses nothing and says nothing twice: %s', (_what, events) => {
    expect(contentOf(read([created, ...events, completed([message('Hi'), callItem('a', 'f', '{"x":1}')])]))).toEqual([
      said('Hi'),
      { kind: 'tool-call', index: 0, id: 'a', name: 'f', freeForm: false },
      { kind: 'tool-arguments', index: 0, piece: '{"x":1}' },
      { kind: 'tool-end', index: 0 },
    ])
  })

  it.each<[string, string]>([
    ['max_output_tokens', 'length'],
    ['content_filter', 'content-filter'],
    ['pause_turn', 'pause'],
    ['something_new', 'length'],
  ])('that is incomplete for %s stops for %s, even with a call begun', (reason, stop) => {
    const events = read([
      created,
      event('output_item.added', { output_index: 0, item: callItem('a', 'f', '') }),
      event('incomplete', { response: { status: 'incomplete', incomplete_details: { reason }, output: [] } }),
    ])
    expect(events.slice(-2)).toEqual([{ kind: 'stop', reason: stop, sequence: null }, END])
  })

  it('without its closing event has no end', () => {
    const events = read([created, event('output_item.done', { output_index: 0, item: message('Hi') })])
    expect(events).toEqual([OPENED, said('Hi')])
  })

  it('passes over what it does not know', () => {
    const parser = translation.createStreamParser(idSource())
    for (const data of ['[DONE]', '{"type":', 'null', '"x"', '[]', '{}'])
      expect(parser.event(undefined, data)).toEqual([])
    expect(
      read([
        created,
        event('web_search_call.searching', { output_index: 0 }),
        event('telepathy'),
        { type: 'keepalive' },
      ]),
    ).toEqual([OPENED])
  })

  it('says nothing after its end', () => {
    expect(
      read([created, completed(), event('output_text.delta', { delta: 'x' }), completed([message('x')])]),
    ).toHaveLength(3)
  })
})

describe('a failure inside a Responses stream', () => {
  it.each<[string, object, number, unknown]>([
    [
      'a failed response',
      event('failed', { response: { status: 'failed', error: { code: 'rate_limit_exceeded', message: 'x' } } }),
      429,
      { code: 'rate_limit_exceeded', message: 'x' },
    ],
    [
      'an error event',
      { type: 'error', code: 'insufficient_quota', message: 'x', param: null },
      402,
      { type: 'error', code: 'insufficient_quota', message: 'x', param: null },
    ],
    [
      'an error event with the error inside',
      { type: 'error', error: { type: 'invalid_request_error', code: null, message: 'x' } },
      400,
      { type: 'invalid_request_error', code: null, message: 'x' },
    ],
    ['a numeric code', { type: 'error', error: { code: 503 } }, 503, { code: 503 }],
    [
      'a fault of the request',
      event('failed', { response: { error: { code: 'invalid_image_url' } } }),
      400,
      { code: 'invalid_image_url' },
    ],
    ['a code nobody knows', event('failed', { response: { error: { code: 'oops' } } }), 502, { code: 'oops' }],
    ['no word at all', event('failed', { response: {} }), 502, null],
    ['a chat-like error', { error: { message: 'x', code: 429 } }, 429, { message: 'x', code: 429 }],
    [
      'a completed response that failed',
      event('completed', { response: { status: 'failed', output: [], error: { code: 'server_error' } } }),
      502,
      { code: 'server_error' },
    ],
  ])('%s', (_what, failure, status, error) => {
    expect(read([created, failure]).at(-1)).toEqual({ kind: 'fault', status, text: JSON.stringify({ error }) })
  })

  it('is the last that is said', () => {
    const events = read([
      created,
      { type: 'error', code: 'x' },
      event('failed', { response: { error: { code: 'y' } } }),
      completed(),
    ])
    expect(events.map(({ kind }) => kind)).toEqual(['start', 'fault'])
  })
})

describe('a complete Responses answer, read', () => {
  const parse = (body: object) => translation.parseAnswer(body as never, idSource())

  it('is the same run of events', () => {
    const output = [
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'E' },
      message('Hi'),
      callItem('a', 'f', ''),
    ]
    expect(
      parse({
        id: 'resp_1',
        object: 'response',
        model: 'gpt-5.1',
        status: 'completed',
        output,
        usage: { input_tokens: 1, output_tokens: 2 },
      }),
    ).toEqual([
      OPENED,
      { kind: 'thinking', text: 'hm' },
      { kind: 'thinking-signature', signature: 'rs_1|E', issuer: 'openai-responses', redacted: false },
      said('Hi'),
      { kind: 'tool-call', index: 0, id: 'a', name: 'f', freeForm: false },
      { kind: 'tool-end', index: 0 },
      { kind: 'usage', usage: { input: 1, cachedInput: null, cacheWrite: null, output: 2, reasoning: null } },
      { kind: 'stop', reason: 'tool-calls', sequence: null },
      END,
    ])
  })

  it('that failed is a fault, one that is under way has no end, and another object is none', () => {
    expect(
      parse({ object: 'response', status: 'failed', error: { code: 'server_error' }, output: [] })?.at(-1),
    ).toMatchObject({ kind: 'fault', status: 502 })
    expect(parse({ object: 'response', status: 'queued', output: [] })).toEqual([START])
    expect(parse({ object: 'chat.completion', choices: [] })).toBeNull()
    expect(parse({ error: { message: 'x' } })).toBeNull()
  })
})

const contents = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('text' as const), text: fc.string({ minLength: 1 }) }),
    fc.record({ kind: fc.constant('refusal' as const), text: fc.string({ minLength: 1 }) }),
    fc.record({
      kind: fc.constant('call' as const),
      name: fc.stringMatching(/^[a-z]{1,9}$/),
      pieces: fc.array(fc.string({ minLength: 1 }), { minLength: 1 }),
      freeForm: fc.boolean(),
    }),
  ),
  { maxLength: 6 },
)

/** Neighbouring pieces of one kind as one. */
function joined(events: readonly AnswerEvent[]): unknown[] {
  const found: Record<string, unknown>[] = []
  for (const one of events) {
    const last = found.at(-1)
    const same = last?.kind === one.kind
    if (same && (one.kind === 'text' || one.kind === 'refusal')) last.text = `${last.text}${one.text}`
    else if (same && one.kind === 'tool-arguments') last.piece = `${last.piece}${one.piece}`
    else found.push({ ...one })
  }
  return found
}

it('what the writer wrote is what the parser reads', () => {
  fc.assert(
    fc.property(contents, (parts) => {
      let calls = 0
      const content = parts.flatMap((part): AnswerEvent[] => {
        if (part.kind !== 'call') return [part]
        const index = calls++
        const pieces = part.pieces.map((piece): AnswerEvent => ({ kind: 'tool-arguments', index, piece }))
        return [
          { kind: 'tool-call', index, id: `call_${index}`, name: part.name, freeForm: part.freeForm },
          ...pieces,
          { kind: 'tool-end', index },
        ]
      })
      const events = run(...content)
      const back = contentOf(read(eventsIn(streamed(events, contextOf()))))
      expect(joined(back)).toEqual(joined(content))
      const whole = translation.parseAnswer(JSON.parse(translation.writeAnswer(events, contextOf())), idSource()) ?? []
      expect(joined(contentOf(whole))).toEqual(joined(content))
    }),
  )
})
