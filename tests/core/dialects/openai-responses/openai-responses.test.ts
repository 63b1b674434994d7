import type OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { DIALECTS } from '../../../../core/contract/kinds'
import { compact } from '../../../../core/dialects/openai-responses/compact'
import { fields } from '../../../../core/dialects/openai-responses/fields'
import { openAiResponses, readAnswerId } from '../../../../core/dialects/openai-responses/openai-responses'
import { GatewayError } from '../../../../core/errors'
import { requestBodyOf } from '../request-body-of'
import { contextOf, END, parse, run, said, streamed } from './samples'

const { readSign, readEnd, readUsage, isEmptyAnswer, errorBody, streamError } = openAiResponses
const of = (type: string, more: object = {}): string => JSON.stringify({ type, ...more })
const item = (what: object): object => ({ item: what })

describe('what an event of a stream says, Responses', () => {
  it.each<[string, string, string]>([
    ['text', of('response.output_text.delta', { delta: 'x' }), 'content'],
    ['a refusal', of('response.refusal.delta', { delta: 'x' }), 'content'],
    ['a summary of reasoning', of('response.reasoning_summary_text.delta', { delta: 'x' }), 'content'],
    ['reasoning', of('response.reasoning_text.delta', { delta: 'x' }), 'content'],
    ['arguments', of('response.function_call_arguments.delta', { delta: '{' }), 'content'],
    ['free-form input', of('response.custom_tool_call_input.delta', { delta: 'x' }), 'content'],
    ['a call', of('response.output_item.added', item({ type: 'function_call', name: 'f' })), 'content'],
    [
      'a whole message',
      of('response.output_item.done', item({ type: 'message', content: [{ type: 'output_text', text: 'x' }] })),
      'content',
    ],
    [
      'a whole refusal',
      of('response.output_item.done', item({ type: 'message', content: [{ type: 'refusal', refusal: 'x' }] })),
      'content',
    ],
    ['an incomplete answer', of('response.incomplete', { response: { output: [] } }), 'content'],
    ['everything at once', of('response.completed', { response: { output: [{ type: 'function_call' }] } }), 'content'],
    ['empty text', of('response.output_text.delta', { delta: '' }), 'preamble'],
    ['the start', of('response.created', { response: { error: null } }), 'preamble'],
    ['an empty message', of('response.output_item.added', item({ type: 'message', content: [] })), 'preamble'],
    ['reasoning that begins', of('response.output_item.added', item({ type: 'reasoning', summary: [] })), 'preamble'],
    [
      'encrypted reasoning',
      of('response.output_item.done', item({ type: 'reasoning', summary: [], encrypted_content: 'E' })),
      'preamble',
    ],
    ['an item that is none', of('response.output_item.added', { item: null }), 'preamble'],
    ['an empty part', of('response.content_part.added', { part: { type: 'output_text', text: '' } }), 'preamble'],
    ['half of its JSON', '{"type":', 'preamble'],
    ['null', 'null', 'preamble'],
    ['the end', of('response.completed', { response: { output: [] } }), 'end'],
    ['the mark some servers add', '[DONE]', 'end'],
  ])('%s', (_what, data, kind) => {
    expect(readSign(undefined, data).kind).toBe(kind)
  })

  it('is told by the event’s name where the data does not say it', () => {
    expect(readSign('response.output_text.delta', '{"delta":"x"}').kind).toBe('content')
    expect(readSign('response.created', 'not even JSON').kind).toBe('preamble')
    expect(readSign('error', '{"code":"rate_limit_exceeded"}')).toMatchObject({ kind: 'fault', status: 429 })
  })

  it.each<[string, string, number]>([
    ['a quota that is spent', of('error', { code: 'insufficient_quota', message: 'x' }), 402],
    ['an error inside', of('error', { error: { type: 'rate_limit_error' } }), 429],
    ['a failed response', of('response.failed', { response: { error: { code: 'server_is_overloaded' } } }), 503],
    ['a cancelled one', of('response.cancelled', { response: {} }), 502],
    ['an error of no type', '{"error":{"code":401}}', 401],
  ])('%s is a fault', (_what, data, status) => {
    expect(readSign(undefined, data)).toMatchObject({ kind: 'fault', status })
  })

  it('knows the errors of the gateway itself', () => {
    const data = /data: (.*)/.exec(streamError(new GatewayError('x', 429, 'W.'), 'req_1'))?.[1] ?? ''
    expect(readSign('response.failed', data)).toMatchObject({ kind: 'fault', status: 429 })
  })
})

describe('what the end of a stream proves, Responses', () => {
  const whole = streamed(
    run(said('x'), {
      kind: 'usage',
      usage: { input: 5, cachedInput: null, cacheWrite: null, output: 7, reasoning: null },
    }),
  )
  const open = whole.slice(0, whole.indexOf('event: response.completed'))

  it.each<[string, string, boolean, string]>([
    ['the closing event', whole, true, ''],
    ['with CRLF', whole.replaceAll('\n', '\r\n'), true, ''],
    ['without its blank line', whole.trimEnd(), true, '\n\n'],
    ['only the last of a long closing event', whole.slice(-300), true, ''],
    ['an incomplete answer', 'event: response.incomplete\ndata: {"type":"response.incomplete"}\n\n', true, ''],
    ['no event names', 'data: {"type":"response.completed","response":{}}\n\n', true, ''],
    ['a mark behind it', `${whole}data: [DONE]\n\n`, true, ''],
    ['a comment behind it', `${whole}: bye\n\n`, true, ''],
    ['no closing event', open, false, ''],
    ['half of it', whole.slice(0, -40), false, '\n\n'],
    [
      'words about it',
      open.replace(
        '"x"',
        JSON.stringify('event: response.completed\n{"type":"response.completed","usage":{"input_tokens":1}}'),
      ),
      false,
      '',
    ],
    ['nothing', '', false, '\n\n'],
  ])('%s', (_what, tail, complete, closing) => {
    expect(readEnd(tail)).toMatchObject({ complete, closing })
  })

  it('gives the token counts', () => {
    expect(readEnd(whole).usage).toEqual({ inputTokens: 5, outputTokens: 7 })
    expect(
      readUsage('{"usage":{"input_tokens":1,"input_tokens_details":{"cached_tokens":9},"output_tokens":2}}'),
    ).toEqual({ inputTokens: 1, outputTokens: 2 })
    expect(readUsage('{"usage":null}')).toBeNull()
  })
})

describe('a whole answer, Responses', () => {
  const empty = (output: unknown, status = 'completed') =>
    isEmptyAnswer(JSON.stringify({ object: 'response', status, output }))

  it.each<[string, unknown, boolean]>([
    ['no item', [], true],
    ['an empty message', [{ type: 'message', content: [{ type: 'output_text', text: '' }] }], true],
    ['only encrypted reasoning', [{ type: 'reasoning', summary: [], encrypted_content: 'E' }], true],
    ['reasoning to read', [{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'x' }] }], false],
    ['words', [{ type: 'message', content: [{ type: 'output_text', text: 'x' }] }], false],
    ['a call', [{ type: 'function_call', name: 'f' }], false],
    ['no list', undefined, false],
  ])('with %s', (_what, output, isEmpty) => {
    expect(empty(output)).toBe(isEmpty)
  })

  it('that was cut short may be without content', () => {
    expect(empty([], 'incomplete')).toBe(false)
  })

  it('of a compaction is never empty', () => {
    expect(compact.isEmptyAnswer('{"object":"response.compaction","output":[]}')).toBe(false)
    expect(compact.path('m', false)).toBe('/responses/compact')
    expect(compact.translation).toBeNull()
  })
})

describe('the id of an answer', () => {
  it.each<[string, string | null]>([
    [streamed(run(said('x'))).slice(0, 200), 'resp_1a2b'],
    [
      'event: response.created\ndata: {"type":"response.created","response":{"id":"gen-1.2:x","object":"response"',
      'gen-1.2:x',
    ],
    ['{\n  "id": "resp_abc",\n  "object": "response"', 'resp_abc'],
    ['{"object":"response","previous_response_id":"resp_0","id":"resp_1"', 'resp_1'],
    ['{"object":"response","previous_response_id":"resp_0"', null],
    ['data: {"type":"response.output_text.delta","item_id":"msg_1"', null],
    ['', null],
  ])('%s', (start, id) => {
    expect(readAnswerId(start)).toBe(id)
  })
})

it('an error has OpenAI’s form', () => {
  const error = new GatewayError('a_code', 503, 'W.', { field: 'model', retryAfterS: 3 })
  expect(JSON.parse(errorBody(error, 'req_1'))).toEqual({
    error: { message: 'W.', type: 'server_error', code: 'a_code', param: 'model', retry_after: 3, request_id: 'req_1' },
  })
})

it('model and stream are read off the body', () => {
  expect(
    openAiResponses.readAsked(requestBodyOf('{"model":"a/b","stream":true}', openAiResponses), '/v1/responses'),
  ).toEqual({ model: 'a/b', stream: true })
  expect(openAiResponses.readAsked(requestBodyOf('{"model":"a/b"}', openAiResponses), '/v1/responses')).toEqual({
    model: 'a/b',
    stream: false,
  })
})

describe('the table of fields', () => {
  const others = DIALECTS.filter((dialect) => dialect !== 'openai-responses')

  it('names each field once, with its fate towards every other dialect', () => {
    expect(new Set(fields.map(({ field }) => field)).size).toBe(fields.length)
    for (const { to } of fields) expect(Object.keys(to).sort()).toEqual([...others].sort())
  })

  it('has every field of the API', () => {
    const all: Record<keyof OpenAI.Responses.ResponseCreateParamsStreaming, true> = {
      access_programs: true,
      background: true,
      background_options: true,
      context_management: true,
      conversation: true,
      image: true,
      include: true,
      input: true,
      instructions: true,
      max_output_tokens: true,
      max_tool_calls: true,
      metadata: true,
      model: true,
      moderation: true,
      parallel_tool_calls: true,
      previous_response_id: true,
      prompt: true,
      prompt_cache_key: true,
      prompt_cache_options: true,
      prompt_cache_retention: true,
      reasoning: true,
      safety_identifier: true,
      service_tier: true,
      store: true,
      stream: true,
      stream_options: true,
      temperature: true,
      text: true,
      tool_choice: true,
      tools: true,
      top_logprobs: true,
      top_p: true,
      truncation: true,
      user: true,
    }
    const known = new Set(fields.map(({ field }) => field))
    expect(Object.keys(all).filter((field) => !known.has(field))).toEqual([])
  })

  it('has examples that the parser takes', () => {
    for (const { field, example, to } of fields) {
      if (/[.[]/.test(field) || to.gemini === 'refused') continue
      expect(() => parse({ input: 'x', [field]: example }), field).not.toThrow()
    }
  })
})

it('an answer without content still ends', () => {
  expect(streamed([END], contextOf())).toContain('response.completed')
})
