import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import type { AnswerEvent } from '../../../../core/dialects/canonical'
import { openAiResponses } from '../../../../core/dialects/openai-responses/openai-responses'
import { createResponsesWriter, responseOf } from '../../../../core/dialects/openai-responses/write-stream'
import { GatewayError } from '../../../../core/errors'
import { contextOf, END, eventsIn, run, START, STOP, said, streamed, translation } from './samples'

const open = (index: number, id: string, name = 'read', freeForm = false): AnswerEvent => ({
  kind: 'tool-call',
  index,
  id,
  name,
  freeForm,
})
const piece = (index: number, text: string): AnswerEvent => ({ kind: 'tool-arguments', index, piece: text })
const close = (index: number): AnswerEvent => ({ kind: 'tool-end', index })
const thought = (text: string): AnswerEvent => ({ kind: 'thinking', text })
const signature = (text: string, more: object = {}): AnswerEvent => ({
  kind: 'thinking-signature',
  signature: text,
  issuer: 'anthropic',
  redacted: false,
  ...more,
})
const typesOf = (text: string): string[] => eventsIn(text).map(({ type }) => type.replace('response.', ''))
const outputOf = (events: readonly AnswerEvent[], body: object = {}) =>
  responseOf(events, contextOf(body as never)).output as Record<string, unknown>[]

/** What the official SDK makes of a stream. */
async function readBySdk(text: string): Promise<OpenAI.Responses.Response> {
  const client = new OpenAI({
    apiKey: 'x',
    baseURL: 'http://127.0.0.1:1/v1',
    maxRetries: 0,
    fetch: async () => new Response(text, { headers: { 'content-type': 'text/event-stream' } }),
  })
  return client.responses.stream({ model: 'm', input: 'x' }).finalResponse()
}

const EVERYTHING = run(
  thought('Let me '),
  thought('think.'),
  signature('SIG'),
  said('Hello'),
  said(' world'),
  open(0, 'call_a'),
  piece(0, '{"p":'),
  piece(0, '"a"}'),
  close(0),
  open(1, 'call_b', 'patch', true),
  piece(1, '*** Begin'),
  close(1),
  { kind: 'refusal', text: 'But no.' },
  { kind: 'image', mediaType: 'image/webp', data: 'QUJD' },
  { kind: 'usage', usage: { input: 10, cachedInput: 4, cacheWrite: null, output: 6, reasoning: 2 } },
)

describe('a stream of the Responses API', () => {
  it('has its events in the official order, with numbers that rise', () => {
    const text = streamed(EVERYTHING)
    expect(typesOf(text)).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'reasoning_summary_part.added',
      'reasoning_summary_text.delta',
      'reasoning_summary_text.delta',
      'reasoning_summary_text.done',
      'reasoning_summary_part.done',
      'output_item.done',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'output_item.added',
      'custom_tool_call_input.delta',
      'custom_tool_call_input.done',
      'output_item.done',
      'output_item.added',
      'content_part.added',
      'refusal.delta',
      'refusal.done',
      'content_part.done',
      'output_item.done',
      'output_item.added',
      'image_generation_call.completed',
      'output_item.done',
      'completed',
    ])
    expect(eventsIn(text).map(({ sequence_number }) => sequence_number)).toEqual(
      eventsIn(text).map((_, index) => index),
    )
  })

  it('ends with the whole answer, whose items are those it told of', () => {
    const events = eventsIn(streamed(EVERYTHING))
    const response = events.at(-1)?.response as Record<string, unknown>
    const done = events.filter(({ type }) => type === 'response.output_item.done')
    expect(response.output).toEqual(done.map(({ item }) => item))
    expect(done.map(({ output_index }) => output_index)).toEqual(done.map((_, index) => index))
    expect(response).toMatchObject({
      id: 'resp_1a2b',
      object: 'response',
      status: 'completed',
      created_at: 1_750_000_000,
      model: 'a/b',
      error: null,
      incomplete_details: null,
    })
    expect(response.usage).toEqual({
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 4, cache_write_tokens: 0 },
      output_tokens: 6,
      output_tokens_details: { reasoning_tokens: 2 },
      total_tokens: 16,
    })
    expect(response.output).toEqual([
      {
        id: 'rs_bw_1',
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'Let me think.' }],
        encrypted_content: 'bw1:anthropic:SIG',
      },
      {
        id: 'msg_2',
        type: 'message',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Hello world', annotations: [], logprobs: [] }],
      },
      {
        id: 'fc_3',
        type: 'function_call',
        status: 'completed',
        call_id: 'call_a',
        name: 'read',
        arguments: '{"p":"a"}',
      },
      {
        id: 'ctc_4',
        type: 'custom_tool_call',
        status: 'completed',
        call_id: 'call_b',
        name: 'patch',
        input: '*** Begin',
      },
      {
        id: 'msg_5',
        type: 'message',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'refusal', refusal: 'But no.' }],
      },
      { id: 'ig_6', type: 'image_generation_call', status: 'completed', output_format: 'webp', result: 'QUJD' },
    ])
  })

  it('is understood by the official SDK', async () => {
    const response = await readBySdk(streamed(EVERYTHING))
    expect(response.output_text).toBe('Hello world')
    expect(response.output.map(({ type }) => type)).toEqual([
      'reasoning',
      'message',
      'function_call',
      'custom_tool_call',
      'message',
      'image_generation_call',
    ])
  })

  it('keeps interleaved calls apart, each with its own index', async () => {
    const events = run(
      open(0, 'a'),
      open(1, 'b'),
      piece(0, '{"p":'),
      piece(1, '{"p":'),
      piece(0, '"a"}'),
      piece(1, '"b"}'),
    )
    const deltas = eventsIn(streamed(events)).filter(({ type }) => type.endsWith('arguments.delta'))
    expect(deltas.map(({ output_index, item_id, delta }) => [output_index, item_id, delta])).toEqual([
      [0, 'fc_1', '{"p":'],
      [1, 'fc_2', '{"p":'],
      [0, 'fc_1', '"a"}'],
      [1, 'fc_2', '"b"}'],
    ])
    const { output } = await readBySdk(streamed(events))
    expect(output).toMatchObject([
      { call_id: 'a', arguments: '{"p":"a"}' },
      { call_id: 'b', arguments: '{"p":"b"}' },
    ])
  })

  it('names a call when it begins and when it ends, and gives it arguments where the model gave none', () => {
    const items = eventsIn(streamed(run(open(0, 'a'), close(0)))).filter(({ item }) => item !== undefined)
    expect(items.map(({ item }) => item)).toEqual([
      { id: 'fc_1', type: 'function_call', status: 'in_progress', call_id: 'a', name: 'read', arguments: '' },
      { id: 'fc_1', type: 'function_call', status: 'completed', call_id: 'a', name: 'read', arguments: '{}' },
    ])
  })

  it('lets arguments that come between two pieces of text not split the text', () => {
    expect(outputOf(run(open(0, 'a'), said('x'), piece(0, '{}'), said('y')))).toMatchObject([
      { type: 'function_call', arguments: '{}' },
      { type: 'message', content: [{ text: 'xy' }] },
    ])
  })

  it('writes text and refusal as two parts of one message', () => {
    expect(outputOf(run(said('x'), { kind: 'refusal', text: 'no' }))).toMatchObject([
      {
        content: [
          { type: 'output_text', text: 'x' },
          { type: 'refusal', refusal: 'no' },
        ],
      },
    ])
  })

  it.each<[AnswerEvent & { kind: 'stop' }, string, string | null]>([
    [{ kind: 'stop', reason: 'stop', sequence: null }, 'completed', null],
    [{ kind: 'stop', reason: 'stop-sequence', sequence: 'X' }, 'completed', null],
    [{ kind: 'stop', reason: 'tool-calls', sequence: null }, 'completed', null],
    [{ kind: 'stop', reason: 'length', sequence: null }, 'incomplete', 'max_output_tokens'],
    [{ kind: 'stop', reason: 'content-filter', sequence: null }, 'incomplete', 'content_filter'],
    [{ kind: 'stop', reason: 'pause', sequence: null }, 'incomplete', 'pause_turn'],
  ])('that stops for %j is %s', (stop, status, reason) => {
    const last = eventsIn(streamed([START, said('x'), stop, END])).at(-1)
    expect(last).toMatchObject({ type: `response.${status}`, response: { status, output: [{ status }] } })
    expect(last?.response).toHaveProperty('incomplete_details', reason === null ? null : { reason })
  })

  it('that breaks off claims no end', () => {
    const writer = translation.createStreamWriter(contextOf())
    const text = [START, said('x'), open(0, 'a')].map((event) => writer.write(event)).join('') + writer.breakOff()
    expect(typesOf(text)).not.toContain('completed')
    expect(typesOf(text).at(-1)).toBe('output_item.added')
  })

  it('repeats what the request asked for', () => {
    const body = {
      instructions: 'I',
      tools: [{ type: 'web_search' }],
      tool_choice: 'auto',
      metadata: { run: '1' },
      temperature: 0,
      previous_response_id: 'resp_0',
      reasoning: { effort: 'low' },
      store: false,
    }
    const [created] = eventsIn(streamed(run(), contextOf(body)))
    expect(created?.response).toMatchObject({
      ...body,
      status: 'in_progress',
      output: [],
      usage: null,
      reasoning: { effort: 'low', summary: null },
      top_p: 1,
      text: { format: { type: 'text' } },
    })
  })
})

describe('reasoning in an answer', () => {
  it('is told apart block by block', () => {
    expect(outputOf(run(thought('a'), signature('A'), thought('b'), signature('B'), said('x')))).toMatchObject([
      { type: 'reasoning', summary: [{ text: 'a' }], encrypted_content: 'bw1:anthropic:A' },
      { type: 'reasoning', summary: [{ text: 'b' }], encrypted_content: 'bw1:anthropic:B' },
      { type: 'message' },
    ])
  })

  it('without a signature has none', () => {
    const [item] = outputOf(run(thought('a'), said('x')))
    expect(item).toEqual({ id: 'rs_bw_1', type: 'reasoning', summary: [{ type: 'summary_text', text: 'a' }] })
  })

  it('that is hidden has no summary, and one that is merely empty has an empty one', () => {
    expect(outputOf(run(signature('A', { redacted: true }), signature('B')))).toMatchObject([
      { summary: [], encrypted_content: 'bw1:anthropic:A' },
      { summary: [{ type: 'summary_text', text: '' }], encrypted_content: 'bw1:anthropic:B' },
    ])
  })

  it('comes back from the client as it was issued', () => {
    const output = outputOf(
      run(thought('a'), signature('S:1'), signature('H', { redacted: true }), signature('E'), said('x')),
    )
    const { turns } = translation.parseRequest({ input: output }, { dropped: () => {} })
    expect(turns[0]?.parts).toEqual([
      { kind: 'thinking', text: 'a', signature: 'S:1', issuer: 'anthropic', redacted: false },
      { kind: 'thinking', text: '', signature: 'H', issuer: 'anthropic', redacted: true },
      { kind: 'thinking', text: '', signature: 'E', issuer: 'anthropic', redacted: false },
      { kind: 'text', text: 'x' },
    ])
  })

  it('of its own dialect keeps its own id and content', () => {
    const own = { issuer: 'openai-responses', redacted: true }
    expect(outputOf(run(signature('rs_up|ENC', own)))).toEqual([
      { id: 'rs_up', type: 'reasoning', summary: [], encrypted_content: 'ENC' },
    ])
    expect(outputOf(run(signature('|ENC', own)))).toMatchObject([{ id: 'rs_bw_1', encrypted_content: 'ENC' }])
  })
})

describe('a complete answer', () => {
  it('is the object the stream would end with', () => {
    const context = contextOf()
    const last = eventsIn(streamed(EVERYTHING, contextOf())).at(-1)
    expect(JSON.parse(translation.writeAnswer(EVERYTHING, context))).toEqual(last?.response)
  })

  it('can be had from the writer once it has ended', () => {
    const writer = createResponsesWriter(contextOf())
    for (const event of EVERYTHING.slice(0, -1)) writer.write(event)
    expect(writer.response()).toBeNull()
    const last = eventsIn(writer.write(END)).at(-1)
    expect(writer.response()).toEqual(last?.response)
    expect(writer.write(STOP)).toBe('')
  })

  it('keeps the id of a Responses upstream', () => {
    expect(responseOf([{ ...START, id: 'resp_up' } as AnswerEvent, END], contextOf()).id).toBe('resp_up')
    expect(responseOf([{ ...START, id: 'chatcmpl-1' } as AnswerEvent, END], contextOf()).id).toBe('resp_1a2b')
  })
})

describe('an error in an open stream', () => {
  const error = new GatewayError('stream_broken', 502, 'Broken.', { field: 'f' })

  it('is what Codex waits for', () => {
    const [event, ...more] = eventsIn(openAiResponses.streamError(error, 'req_1a2b'))
    expect(more).toEqual([])
    expect(event).toMatchObject({
      type: 'response.failed',
      response: { id: 'resp_1a2b', status: 'failed', error: { code: 'server_error', message: 'Broken.' } },
    })
  })

  it('makes the official SDK throw its words', async () => {
    const begun = streamed([START, said('x')])
    await expect(readBySdk(begun + openAiResponses.streamError(error, 'req_1a2b'))).rejects.toThrow('Broken.')
  })

  it.each([
    ['x', 429, 'rate_limit_exceeded'],
    ['x', 503, 'server_error'],
    ['x', 400, 'invalid_prompt'],
    ['context_length_exceeded', 400, 'context_length_exceeded'],
    ['insufficient_quota', 429, 'insufficient_quota'],
  ])('%s with status %i has the code %s', (code, status, wire) => {
    const [event] = eventsIn(openAiResponses.streamError(new GatewayError(code, status, 'W.'), 'r'))
    expect(event?.response).toMatchObject({ error: { code: wire } })
  })
})
