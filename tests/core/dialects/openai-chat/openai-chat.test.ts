import { describe, expect, it } from 'vitest'
import { openAiChat } from '../../../../core/dialects/openai-chat/openai-chat'
import { GatewayError } from '../../../../core/errors'
import { requestBodyOf } from '../request-body-of'

const { readSign, readEnd, readUsage, errorBody, streamError, canAskForUsage } = openAiChat
const delta = (value: unknown, finish: unknown = null): string =>
  JSON.stringify({ choices: [{ index: 0, delta: value, finish_reason: finish }] })

describe('what an event of a stream says, OpenAI', () => {
  it.each<[string, string, string]>([
    ['text', delta({ content: 'Hi' }), 'content'],
    ['a space', delta({ content: ' ' }), 'content'],
    ['reasoning', delta({ reasoning_content: 'hm' }), 'content'],
    ['reasoning by its other name', delta({ reasoning: 'hm' }), 'content'],
    ['a refusal', delta({ refusal: 'no' }), 'content'],
    ['a tool call', delta({ tool_calls: [{ index: 0 }] }), 'content'],
    ['a function call', delta({ function_call: { name: 'f' } }), 'content'],
    ['sound', delta({ audio: { data: 'x' } }), 'content'],
    ['content in parts', delta({ content: [{ type: 'text' }] }), 'content'],
    ['text of the second choice', JSON.stringify({ choices: [{ delta: {} }, { delta: { content: 'x' } }] }), 'content'],
    ['an end for its length', delta({}, 'length'), 'content'],
    ['an end for its tools', delta({}, 'tool_calls'), 'content'],
    ['an end by a filter', delta({}, 'content_filter'), 'content'],
    ['a role', delta({ role: 'assistant', content: '' }), 'preamble'],
    ['null content', delta({ content: null, tool_calls: [] }), 'preamble'],
    ['an empty end', delta({}, 'stop'), 'preamble'],
    ['no delta', '{"choices":[{}]}', 'preamble'],
    ['no choice', '{"choices":[null]}', 'preamble'],
    ['choices that are none', '{"choices":"x"}', 'preamble'],
    ['usage', '{"choices":[],"usage":{"prompt_tokens":1}}', 'preamble'],
    ['an error that is none', '{"choices":[],"error":null}', 'preamble'],
    ['half of its JSON', '{"choices":', 'preamble'],
    ['null', 'null', 'preamble'],
    ['a number', '1', 'preamble'],
    ['the end marker', '[DONE]', 'end'],
  ])('%s', (_what, data, kind) => {
    expect(readSign(undefined, data).kind).toBe(kind)
  })

  it.each<[string, unknown, number]>([
    ['a number as its code', { code: 503, message: 'x' }, 503],
    ['a number in words', { code: '429' }, 429],
    ['a status', { code: null, status: 401 }, 401],
    ['a word as its code', { code: 'rate_limit_exceeded' }, 429],
    ['a spent quota', { code: 'insufficient_quota', type: 'insufficient_quota' }, 402],
    ['a word as its type', { code: null, type: 'invalid_request_error' }, 400],
    ['a code nobody knows beside a type', { code: 'x', type: 'overloaded_error' }, 529],
    ['a code that is no failure', { code: 200, message: 'x' }, 502],
    ['nothing known', { message: 'x' }, 502],
    ['mere text', 'boom', 502],
    ['true', true, 502],
  ])('an error with %s', (_what, error, status) => {
    const sign = readSign(undefined, JSON.stringify({ choices: [], error }))
    expect(sign).toEqual({ kind: 'fault', status, text: JSON.stringify({ error }) })
  })
})

describe('what the end of a stream proves, OpenAI', () => {
  const stop = `data: ${delta({}, 'stop')}`
  const done = 'data: [DONE]'
  it.each<[string, string, boolean, string]>([
    ['reason and marker', `${stop}\n\n${done}\n\n`, true, ''],
    ['with CRLF', `${stop}\r\n\r\n${done}\r\n\r\n`, true, ''],
    ['without a space', `${stop}\n\ndata:[DONE]\n\n`, true, ''],
    ['only the marker', `${done}\n\n`, true, ''],
    ['the marker without its blank line', `${stop}\n\n${done}\n`, true, '\n\n'],
    ['only the reason', `${stop}\n\n`, true, `${done}\n\n`],
    ['only the reason, with CRLF', `${stop}\r\n\r\n`, true, `${done}\n\n`],
    ['the reason without its blank line', stop, true, `\n\n${done}\n\n`],
    ['neither', `data: ${delta({ content: 'x' })}\n\n`, false, `${done}\n\n`],
    ['words about the marker', `data: ${delta({ content: '\ndata: [DONE]\n' })}\n\n`, false, `${done}\n\n`],
    ['words about a reason', `data: ${delta({ content: '"finish_reason":"stop"' })}\n\n`, false, `${done}\n\n`],
    ['nothing', '', false, `\n\n${done}\n\n`],
  ])('%s', (_what, tail, complete, closing) => {
    expect(readEnd(tail)).toMatchObject({ complete, closing })
  })

  it('gives the token counts', () => {
    const tail = 'data: {"choices":[],"usage":{"prompt_tokens": 12,"completion_tokens":34}}\n\ndata: [DONE]\n\n'
    expect(readEnd(tail).usage).toEqual({ inputTokens: 12, outputTokens: 34 })
  })
})

describe('token counts of a whole answer, OpenAI', () => {
  it.each<[string, string, [number | null, number | null] | null]>([
    ['both', '{"usage":{"prompt_tokens":1,"completion_tokens":2}}', [1, 2]],
    ['with spaces', '{"usage" : { "prompt_tokens" : 1 , "completion_tokens" :\n2 } }', [1, 2]],
    ['one', '{"usage":{"prompt_tokens":7}}', [7, null]],
    ['the last of several', '{"prompt_tokens":1} {"prompt_tokens":5,"completion_tokens":6}', [5, 6]],
    ['details beside them', '{"prompt_tokens":9,"prompt_tokens_details":{"cached_tokens":4}}', [9, null]],
    ['words about them', '{"content":"\\"prompt_tokens\\":3"}', null],
    ['null', '{"usage":{"prompt_tokens":null}}', null],
    ['none', '{}', null],
  ])('%s', (_what, body, counts) => {
    expect(readUsage(body)).toEqual(counts && { inputTokens: counts[0], outputTokens: counts[1] })
  })
})

describe('whether token counts can be asked for, OpenAI', () => {
  it.each<[string, boolean]>([
    ['{"stream":true}', true],
    ['{"stream":false}', false],
    ['{}', false],
    ['{"stream":true,"stream_options":{"include_usage":true}}', false],
    ['{"stream":true,"stream_options":{"include_usage":false}}', false],
    ['{"stream":true,"stream_options":null}', false],
  ])('%s: %s', (text, can) => {
    expect(canAskForUsage(requestBodyOf(text, openAiChat))).toBe(can)
  })
})

describe('an error in OpenAI’s words', () => {
  it.each([
    [400, 'invalid_request_error'],
    [401, 'authentication_error'],
    [402, 'billing_error'],
    [403, 'permission_error'],
    [404, 'invalid_request_error'],
    [413, 'invalid_request_error'],
    [429, 'rate_limit_error'],
    [500, 'server_error'],
    [503, 'server_error'],
    [504, 'server_error'],
  ])('%i is %s', (status, type) => {
    expect(JSON.parse(errorBody(new GatewayError('a_code', status, 'Words.'), 'req_1'))).toEqual({
      error: { message: 'Words.', type, code: 'a_code', param: null, request_id: 'req_1' },
    })
  })

  it('carries field, time and diagnostics, as an answer and as an event', () => {
    const details = { field: 'model', retryAfterS: 3, diagnostics: { attempts: [] } }
    const error = new GatewayError('a_code', 503, 'Two\nlines.', details)
    const body = errorBody(error, 'req_1')
    expect(JSON.parse(body).error).toMatchObject({ param: 'model', retry_after: 3, diagnostics: { attempts: [] } })
    expect(streamError(error, 'req_1')).toBe(`data: ${body}\n\n`)
    expect(body).not.toContain('\n')
  })

  it('is known as an error to the reader of streams', () => {
    const event = streamError(new GatewayError('a_code', 429, 'Words.'), 'req_1')
    expect(readSign(undefined, event.slice('data: '.length).trim())).toMatchObject({ kind: 'fault', status: 429 })
  })
})
