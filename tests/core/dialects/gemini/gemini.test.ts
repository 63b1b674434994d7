import { describe, expect, it } from 'vitest'
import { countedRequest, countTokens, countTokensFor } from '../../../../core/dialects/gemini/count-tokens'
import { batchEmbed, embed, embedFor } from '../../../../core/dialects/gemini/embed'
import { gemini } from '../../../../core/dialects/gemini/gemini'
import { GatewayError } from '../../../../core/errors'
import { requestBodyOf } from '../request-body-of'

const { readSign, readEnd, readUsage, isEmptyAnswer, errorBody, streamError } = gemini
const chunk = (parts: unknown, finishReason?: string): string =>
  JSON.stringify({ candidates: [{ content: { role: 'model', parts }, finishReason, index: 0 }] })

describe('where a call to Gemini goes', () => {
  it.each([
    ['gemini-2.5-pro', '/models/gemini-2.5-pro'],
    ['models/gemini-2.5-pro', '/models/gemini-2.5-pro'],
    ['models/models/gemini-2.5-pro', '/models/gemini-2.5-pro'],
    ['tunedModels/mine', '/tunedModels/mine'],
    ['google/gemma 3', '/models/google/gemma%203'],
    ['qwen3:8b', '/models/qwen3%3A8b'],
    ['a?b#c', '/models/a%3Fb%23c'],
  ])('%s', (model, path) => {
    expect(gemini.path(model, false)).toBe(`${path}:generateContent`)
    expect(gemini.path(model, true)).toBe(`${path}:streamGenerateContent?alt=sse`)
    expect(countTokens.path(model, true)).toBe(`${path}:countTokens`)
    expect(embed.path(model, false)).toBe(`${path}:embedContent`)
    expect(batchEmbed.path(model, false)).toBe(`${path}:batchEmbedContents`)
  })

  it.each([['../files'], ['a/../../b'], ['a//b'], ['./a'], ['']])('never goes where no model is: %j', (model) => {
    expect(() => gemini.path(model, false)).toThrow('is no name of a model')
  })

  it('gives the key in a header, never in the address', () => {
    expect(gemini.authHeaders('AIza-1')).toEqual([['x-goog-api-key', 'AIza-1']])
  })
})

describe('model and stream, read from the URL', () => {
  const body = requestBodyOf('{"contents":[]}', gemini)
  it.each([
    ['/v1beta/models/anthropic/claude-x:streamGenerateContent', 'anthropic/claude-x', true],
    ['/v1beta/models/gemini-2.5-pro:generateContent', 'gemini-2.5-pro', false],
    ['/v1/models/gemini-2.5-pro:generateContent', 'gemini-2.5-pro', false],
    ['/v1alpha/models/gemini-2.5-pro:generateContent', 'gemini-2.5-pro', false],
    ['/v1beta/models/models/gemini-2.5-pro:generateContent', 'gemini-2.5-pro', false],
    ['/v1beta/models/ollama/qwen3:8b:streamGenerateContent', 'ollama/qwen3:8b', true],
    ['/v1beta/models/ollama%2Fqwen3%3A8b:streamGenerateContent', 'ollama/qwen3:8b', true],
    ['/v1beta/models/models%2Fa:generateContent', 'a', false],
    ['/v1beta/tunedModels/mine:generateContent', 'tunedModels/mine', false],
    ['/models/a:generateContent', 'a', false],
    ['/v1beta/models/%E5%8C%97:generateContent', '北', false],
  ])('%s', (path, model, stream) => {
    expect(gemini.readAsked(body, path)).toEqual({ model, stream })
  })

  it.each([
    ['/v1beta/models/:generateContent', 'model: is missing'],
    ['/v1beta/models/a', 'The URL names no method'],
    ['/v1beta/models/%E5%8:generateContent', 'not encoded properly'],
  ])('refuses %s', (path, words) => {
    expect(() => gemini.readAsked(body, path)).toThrow(words)
    expect(() => gemini.readAsked(body, path)).toThrow(GatewayError)
  })
})

describe('what is checked before a request is read', () => {
  it.each([
    ['{"contents":[{}]}'],
    ['{"contents":{"parts":[]}}'],
    ['{"contents":[],"tools":null,"generation_config":{}}'],
  ])('takes %s', (text) => {
    expect(() => gemini.checkRequest(requestBodyOf(text, gemini))).not.toThrow()
  })

  it.each([
    ['[]', 'must be a JSON object'],
    ['{}', 'contents: is missing'],
    ['{"contents":null}', 'contents: is missing'],
    ['{"contents":"hi"}', 'contents: must be a list'],
    ['{"contents":["hi"]}', 'contents: must hold only objects'],
    ['{"contents":[],"contents":[]}', 'contents: is given twice'],
    ['{"contents":[],"tools":"x"}', 'tools: must be a list'],
    ['{"contents":[],"generationConfig":[]}', 'generationConfig: must be an object'],
  ])('refuses %s', (text, words) => {
    expect(() => gemini.checkRequest(requestBodyOf(text, gemini))).toThrow(words)
  })
})

describe('what an event of a stream says, Gemini', () => {
  it.each<[string, string, string]>([
    ['text', chunk([{ text: 'Hi' }]), 'content'],
    ['a space', chunk([{ text: ' ' }]), 'content'],
    ['a thought', chunk([{ text: 'hm', thought: true }]), 'content'],
    ['a call', chunk([{ functionCall: { name: 'f' } }]), 'content'],
    ['an image', chunk([{ inlineData: { mimeType: 'image/png', data: 'x' } }]), 'content'],
    ['an end for its length', chunk([], 'MAX_TOKENS'), 'content'],
    ['an end by a filter', chunk([], 'SAFETY'), 'content'],
    ['a refused prompt', '{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"}}', 'content'],
    ['empty text', chunk([{ text: '' }]), 'preamble'],
    ['an empty end', chunk([{ text: '' }], 'STOP'), 'preamble'],
    ['a signature alone', chunk([{ text: '', thoughtSignature: 'x' }], 'STOP'), 'preamble'],
    ['usage', '{"usageMetadata":{"promptTokenCount":1}}', 'preamble'],
    ['no candidates', '{"candidates":[]}', 'preamble'],
    ['candidates that are none', '{"candidates":"x"}', 'preamble'],
    ['a reason that is none', chunk([], 'FINISH_REASON_UNSPECIFIED'), 'preamble'],
    ['an error that is none', '{"candidates":[],"error":null}', 'preamble'],
    ['half of its JSON', '{"candidates":', 'preamble'],
    ['null', 'null', 'preamble'],
  ])('%s', (_what, data, kind) => {
    expect(readSign(undefined, data).kind).toBe(kind)
  })

  it.each<[string, unknown, number]>([
    ['a number as its code', { code: 503, message: 'x', status: 'UNAVAILABLE' }, 503],
    ['a word only', { message: 'x', status: 'RESOURCE_EXHAUSTED' }, 429],
    ['a code that is no failure', { code: 200 }, 502],
    ['mere text', 'boom', 502],
  ])('an error with %s', (_what, error, status) => {
    expect(readSign(undefined, JSON.stringify({ error }))).toEqual({
      kind: 'fault',
      status,
      text: JSON.stringify({ error }),
    })
  })

  it.each([['MALFORMED_FUNCTION_CALL'], ['UNEXPECTED_TOOL_CALL'], ['OTHER'], ['SOMETHING_NEW']])(
    'an answer that ends with %s and nothing else is a failure, so that another target can answer',
    (reason) => {
      const sign = readSign(undefined, chunk([], reason))
      expect(sign).toMatchObject({ kind: 'fault', status: 502, text: expect.stringContaining(reason) })
    },
  )
})

describe('what the end of a stream proves, Gemini', () => {
  const usage = '"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":5,"thoughtsTokenCount":7}'
  it.each<[string, string, boolean, string]>([
    ['a reason', `data: ${chunk([{ text: 'x' }], 'STOP')}\n\n`, true, ''],
    ['a reason, with CRLF', `data: ${chunk([], 'STOP')}\r\n\r\n`, true, ''],
    ['a reason without its blank line', `data: ${chunk([], 'STOP')}`, true, '\n\n'],
    ['a refused prompt', 'data: {"promptFeedback":{"blockReason": "SAFETY"}}\n\n', true, ''],
    ['no reason', `data: ${chunk([{ text: 'x' }])}\n\n`, false, ''],
    ['words about a reason', `data: ${chunk([{ text: '"finishReason":"STOP"' }])}\n\n`, false, ''],
  ])('%s', (_what, tail, complete, closing) => {
    expect(readEnd(tail)).toMatchObject({ complete, closing })
  })

  it('counts thoughts as output', () => {
    expect(readEnd(`data: {${usage}}\n\n`).usage).toEqual({ inputTokens: 10, outputTokens: 12 })
    expect(readUsage(`{${usage}}`)).toEqual({ inputTokens: 10, outputTokens: 12 })
    expect(readUsage('{"promptTokenCount":3}')).toEqual({ inputTokens: 3, outputTokens: null })
    expect(readUsage('{"promptTokenCount":3,"thoughtsTokenCount":4}')).toEqual({ inputTokens: 3, outputTokens: 4 })
    expect(readUsage('{}')).toBeNull()
  })
})

describe('whether a whole answer is empty, Gemini', () => {
  it.each<[string, string, boolean]>([
    ['text', chunk([{ text: 'x' }], 'STOP'), false],
    ['a call', chunk([{ functionCall: { name: 'f' } }], 'STOP'), false],
    ['nothing for its length', chunk([], 'MAX_TOKENS'), false],
    ['nothing by a filter', '{"candidates":[{"finishReason":"RECITATION"}]}', false],
    ['a refused prompt', '{"promptFeedback":{"blockReason":"OTHER"}}', false],
    ['nothing', chunk([], 'STOP'), true],
    ['a call that went wrong', '{"candidates":[{"finishReason":"MALFORMED_FUNCTION_CALL"}]}', true],
    ['no candidate', '{"usageMetadata":{}}', true],
  ])('%s: %s', (_what, body, empty) => {
    expect(isEmptyAnswer(body)).toBe(empty)
  })
})

describe("an error in Google's words", () => {
  it.each([
    [400, 'INVALID_ARGUMENT'],
    [401, 'UNAUTHENTICATED'],
    [403, 'PERMISSION_DENIED'],
    [404, 'NOT_FOUND'],
    [413, 'INVALID_ARGUMENT'],
    [429, 'RESOURCE_EXHAUSTED'],
    [500, 'INTERNAL'],
    [502, 'INTERNAL'],
    [503, 'UNAVAILABLE'],
    [504, 'DEADLINE_EXCEEDED'],
  ])('%i is %s', (status, word) => {
    const { error } = JSON.parse(errorBody(new GatewayError('a_code', status, 'Words.'), 'req_1'))
    expect(error).toMatchObject({ code: status, message: 'Words.', status: word })
    expect(error.details[0]).toMatchObject({ reason: 'a_code', metadata: { requestId: 'req_1' } })
  })

  it('says how long to wait where Google says it, and carries field and diagnostics', () => {
    const details = { field: 'contents', retryAfterS: 3, diagnostics: { attempts: [] } }
    const error = new GatewayError('a_code', 503, 'Two\nlines.', details)
    const body = errorBody(error, 'req_1')
    expect(JSON.parse(body).error).toMatchObject({
      diagnostics: { attempts: [] },
      details: [
        { '@type': 'type.googleapis.com/google.rpc.ErrorInfo' },
        { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [{ field: 'contents' }] },
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '3s' },
      ],
    })
    expect(streamError(error, 'req_1')).toBe(`data: ${body}\n\n`)
    expect(body).not.toContain('\n')
  })

  it('is known as an error to the reader of streams', () => {
    const event = streamError(new GatewayError('a_code', 429, 'Words.'), 'req_1')
    expect(readSign(undefined, event.slice('data: '.length).trim())).toMatchObject({ kind: 'fault', status: 429 })
  })
})

describe('what keeps a silent stream alive, Gemini', () => {
  it('is an event that says nothing, for a comment breaks clients that read every line as JSON', () => {
    const lines = gemini.heartbeat.split('\n').filter((line) => line !== '')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^data: /)
    expect(readSign(undefined, lines[0]?.slice('data: '.length) ?? '')).toEqual({ kind: 'preamble' })
  })
})

describe('counting tokens, Gemini', () => {
  it('takes contents or a whole request, in both spellings', () => {
    for (const text of ['{"contents":[]}', '{"generateContentRequest":{}}', '{"generate_content_request":{}}']) {
      expect(() => countTokens.checkRequest(requestBodyOf(text, countTokens))).not.toThrow()
    }
    for (const text of ['{}', '{"generateContentRequest":[]}', '{"contents":1}']) {
      expect(() => countTokens.checkRequest(requestBodyOf(text, countTokens))).toThrow(GatewayError)
    }
  })

  it('finds the request to count', () => {
    expect(countedRequest({ contents: [] })).toEqual({ contents: [] })
    expect(countedRequest({ generateContentRequest: { contents: [1] } })).toEqual({ contents: [1] })
  })

  it('names the upstream’s own model inside a whole request', () => {
    const body = { generateContentRequest: { model: 'models/google/gemini', contents: [] } }
    expect(countTokensFor(body, 'gemini')).toEqual({
      generateContentRequest: { model: 'models/gemini', contents: [] },
    })
    expect(body.generateContentRequest.model).toBe('models/google/gemini')
    expect(countTokensFor({ contents: [] }, 'gemini')).toBeNull()
  })

  it('reads the count', () => {
    expect(countTokens.readUsage('{"totalTokens": 31}')).toEqual({ inputTokens: 31, outputTokens: null })
  })
})

describe('embedding, Gemini', () => {
  it('needs a content, or a list of requests', () => {
    const checks: [typeof embed, string, boolean][] = [
      [embed, '{"content":{"parts":[]}}', true],
      [embed, '{"content":[]}', false],
      [embed, '{}', false],
      [batchEmbed, '{"requests":[]}', true],
      [batchEmbed, '{"requests":{}}', false],
    ]
    for (const [call, text, fine] of checks) {
      const check = () => call.checkRequest(requestBodyOf(text, call))
      if (fine) expect(check).not.toThrow()
      else expect(check).toThrow(GatewayError)
    }
  })

  it('names the upstream’s own model in every request, which Google demands', () => {
    expect(embedFor({ requests: [{ model: 'models/google/e', content: 1 }, { content: 2 }] }, 'e')).toEqual({
      requests: [
        { model: 'models/e', content: 1 },
        { model: 'models/e', content: 2 },
      ],
    })
    expect(embedFor({ model: 'models/google/e', content: 1 }, 'e')).toEqual({ model: 'models/e', content: 1 })
    expect(embedFor({ content: 1 }, 'e')).toBeNull()
  })
})
