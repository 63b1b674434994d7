import { describe, expect, it } from 'vitest'
import { anthropic } from '../../../../core/dialects/anthropic/anthropic'
import { GatewayError } from '../../../../core/errors'
import { requestBodyOf } from '../request-body-of'

const { readSign, readEnd, readUsage, errorBody, streamError, canAskForUsage } = anthropic
const of = (type: string, more: object = {}): string => JSON.stringify({ type, ...more })
const blockStart = (content_block: unknown): string => of('content_block_start', { content_block })
const ended = (stop_reason: string | null): string => of('message_delta', { delta: { stop_reason } })

describe('what an event of a stream says, Anthropic', () => {
  it.each<[string, string, string]>([
    ['a delta', of('content_block_delta', { delta: { type: 'text_delta', text: 'x' } }), 'content'],
    ['thinking', of('content_block_delta', { delta: { type: 'thinking_delta', thinking: 'x' } }), 'content'],
    ['a tool use', blockStart({ type: 'tool_use', id: 't' }), 'content'],
    ['a block nobody knows yet', blockStart({ type: 'image' }), 'content'],
    ['a text block that has begun', blockStart({ type: 'text', text: 'x' }), 'content'],
    ['a thinking block that has begun', blockStart({ type: 'thinking', thinking: 'x' }), 'content'],
    ['an end for its length', ended('max_tokens'), 'content'],
    ['an end for its tools', ended('tool_use'), 'content'],
    ['a refusal', ended('refusal'), 'content'],
    ['an empty text block', blockStart({ type: 'text', text: '' }), 'preamble'],
    ['an empty thinking block', blockStart({ type: 'thinking' }), 'preamble'],
    ['a block that is none', blockStart(null), 'preamble'],
    ['an empty end', ended('end_turn'), 'preamble'],
    ['an end without a reason', ended(null), 'preamble'],
    ['the start', of('message_start', { message: {} }), 'preamble'],
    ['a ping', of('ping'), 'preamble'],
    ['the end of a block', of('content_block_stop'), 'preamble'],
    ['half of its JSON', '{"type":', 'preamble'],
    ['null', 'null', 'preamble'],
    ['the end', of('message_stop'), 'end'],
  ])('%s', (_what, data, kind) => {
    expect(readSign(undefined, data).kind).toBe(kind)
  })

  it('is told by the event’s name where the data does not say it', () => {
    expect(readSign('message_stop', '{}').kind).toBe('end')
    expect(readSign('error', '{"error":{"type":"rate_limit_error"}}')).toMatchObject({ kind: 'fault', status: 429 })
    expect(readSign('ping', of('message_stop')).kind).toBe('end')
  })

  it.each([
    ['invalid_request_error', 400],
    ['authentication_error', 401],
    ['billing_error', 402],
    ['permission_error', 403],
    ['not_found_error', 404],
    ['request_too_large', 413],
    ['rate_limit_error', 429],
    ['timeout_error', 504],
    ['overloaded_error', 529],
    ['api_error', 502],
    ['something_new', 502],
  ])('an error of type %s stands for %i', (type, status) => {
    const data = of('error', { error: { type, message: 'x' } })
    expect(readSign('error', data)).toEqual({ kind: 'fault', status, text: data })
  })

  it('an error with a number stands for it', () => {
    const data = of('error', { error: { type: 'api_error', code: 503 } })
    expect(readSign('error', data)).toMatchObject({ kind: 'fault', status: 503 })
  })

  it('an error without any type stands for 502', () => {
    expect(readSign('error', of('error'))).toMatchObject({ kind: 'fault', status: 502 })
  })
})

describe('what the end of a stream proves, Anthropic', () => {
  const reason = `event: message_delta\ndata: ${ended('end_turn')}`
  const stop = `event: message_stop\ndata: ${of('message_stop')}`
  const said = (text: string): string => `data: ${of('content_block_delta', { delta: { text } })}\n\n`

  it.each<[string, string, boolean, string]>([
    ['reason and end', `${reason}\n\n${stop}\n\n`, true, ''],
    ['with CRLF', `${reason}\n\n${stop}\n\n`.replaceAll('\n', '\r\n'), true, ''],
    ['only the end', `${stop}\n\n`, true, ''],
    ['the end without its blank line', `${reason}\n\n${stop}`, true, '\n\n'],
    ['only the reason', `${reason}\n\n`, true, `${stop}\n\n`],
    ['the reason without its blank line', reason, true, `\n\n${stop}\n\n`],
    ['neither', said('x'), false, `${stop}\n\n`],
    ['words about the end', said('event: message_stop {"type":"message_stop"}'), false, `${stop}\n\n`],
    ['words about a reason', said('"stop_reason": "end_turn"'), false, `${stop}\n\n`],
    ['a reason that is null', `data: ${ended(null)}\n\n`, false, `${stop}\n\n`],
  ])('%s', (_what, tail, complete, closing) => {
    expect(readEnd(tail)).toMatchObject({ complete, closing })
  })

  it('gives the token counts it has', () => {
    expect(readEnd(`data: {"usage":{"output_tokens":15}}\n\n`).usage).toEqual({ inputTokens: null, outputTokens: 15 })
  })
})

describe('token counts of a whole answer, Anthropic', () => {
  it.each<[string, string, [number | null, number | null] | null]>([
    ['both', '{"usage":{"input_tokens":1,"output_tokens":2}}', [1, 2]],
    ['cache counts before them', '{"cache_read_input_tokens":9,"input_tokens":1}', [1, null]],
    ['cache counts behind them', '{"input_tokens":1,"cache_creation_input_tokens":9}', [1, null]],
    ['those of the other dialect', '{"prompt_tokens":1,"completion_tokens":2}', null],
    ['none', '{}', null],
  ])('%s', (_what, body, counts) => {
    expect(readUsage(body)).toEqual(counts && { inputTokens: counts[0], outputTokens: counts[1] })
  })

  it('need not be asked for', () => {
    expect(canAskForUsage(requestBodyOf('{"stream":true}', anthropic))).toBe(false)
  })
})

describe('an error in Anthropic’s words', () => {
  it.each([
    [400, 'invalid_request_error'],
    [401, 'authentication_error'],
    [402, 'billing_error'],
    [403, 'permission_error'],
    [404, 'not_found_error'],
    [405, 'invalid_request_error'],
    [413, 'request_too_large'],
    [429, 'rate_limit_error'],
    [500, 'api_error'],
    [502, 'api_error'],
    [503, 'overloaded_error'],
    [504, 'timeout_error'],
    [529, 'overloaded_error'],
  ])('%i is %s', (status, type) => {
    expect(JSON.parse(errorBody(new GatewayError('a_code', status, 'Words.'), 'req_1'))).toEqual({
      type: 'error',
      error: { type, message: 'Words.', code: 'a_code' },
      request_id: 'req_1',
    })
  })

  it('carries field, time and diagnostics, as an answer and as an event', () => {
    const details = { field: 'model', retryAfterS: 3, diagnostics: { attempts: [] } }
    const error = new GatewayError('a_code', 503, 'Two\nlines.', details)
    const body = errorBody(error, 'req_1')
    expect(JSON.parse(body).error).toMatchObject({ param: 'model', retry_after: 3, diagnostics: { attempts: [] } })
    expect(streamError(error, 'req_1')).toBe(`event: error\ndata: ${body}\n\n`)
    expect(readSign('error', body)).toMatchObject({ kind: 'fault', status: 529 })
  })
})
