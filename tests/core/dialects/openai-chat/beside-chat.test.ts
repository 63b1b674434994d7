import { describe, expect, it } from 'vitest'
import { completions } from '../../../../core/dialects/openai-chat/completions'
import { embeddings } from '../../../../core/dialects/openai-chat/embeddings'
import { openAiChat } from '../../../../core/dialects/openai-chat/openai-chat'
import { requestBodyOf } from '../request-body-of'

const asked = { model: 'a/m', stream: true }

describe('the calls of OpenAI Chat', () => {
  it('have paths of their own', () => {
    expect([openAiChat, completions, embeddings].map((call) => call.path('m', true))).toEqual([
      '/chat/completions',
      '/completions',
      '/embeddings',
    ])
  })

  it('read model and stream from the body; embeddings never stream', () => {
    const text = '{"stream":true,"model":"a\\/m"}'
    expect(openAiChat.readAsked(requestBodyOf(text, openAiChat), '')).toEqual(asked)
    expect(completions.readAsked(requestBodyOf(text, completions), '')).toEqual(asked)
    expect(embeddings.readAsked(requestBodyOf(text, embeddings), '')).toEqual({ ...asked, stream: false })
    expect(openAiChat.readAsked(requestBodyOf('{"model":"m","stream":null}', openAiChat), '').stream).toBe(false)
  })

  it('are translated for chat only', () => {
    expect(openAiChat.translation).not.toBeNull()
    expect([completions.translation, embeddings.translation]).toEqual([null, null])
  })

  it('ask for usage where it can be asked for', () => {
    const text = '{"model":"m","stream":true}'
    expect(completions.canAskForUsage(requestBodyOf(text, completions))).toBe(true)
    expect(embeddings.canAskForUsage(requestBodyOf(text, embeddings))).toBe(false)
  })
})

describe('completions', () => {
  const of = (text: string, finish_reason: string | null = null) =>
    JSON.stringify({ choices: [{ text, index: 0, finish_reason }] })

  it.each([
    ['text', of('x'), 'content'],
    ['no text yet', of(''), 'preamble'],
    ['an end without text', of('', 'stop'), 'content'],
    ['usage', '{"choices":[],"usage":{}}', 'preamble'],
    ['an error', '{"error":{"message":"x"}}', 'fault'],
    ['the end marker', '[DONE]', 'end'],
  ])('%s', (_what, data, kind) => {
    expect(completions.readSign(undefined, data).kind).toBe(kind)
  })

  it('without words are answers where they ended properly: there was nothing to fill in', () => {
    expect(completions.isEmptyAnswer(of('x', 'stop'))).toBe(false)
    expect(completions.isEmptyAnswer(of('', 'stop'))).toBe(false)
    expect(completions.isEmptyAnswer(of(''))).toBe(true)
    expect(completions.isEmptyAnswer('{"choices":[]}')).toBe(true)
  })
})

describe('embeddings', () => {
  it('are never empty, and count input tokens', () => {
    const body = '{"data":[],"usage":{"prompt_tokens":3,"total_tokens":3}}'
    expect(embeddings.isEmptyAnswer(body)).toBe(false)
    expect(embeddings.isEmptyAnswer('{"choices":[]}')).toBe(false)
    expect(embeddings.readUsage(body)).toEqual({ inputTokens: 3, outputTokens: null })
  })
})

describe('an empty answer of OpenAI Chat', () => {
  const of = (message: object, finish_reason = 'stop') => JSON.stringify({ choices: [{ message, finish_reason }] })

  it.each<[string, string, boolean]>([
    ['text', of({ content: 'x' }), false],
    ['a tool call', of({ content: null, tool_calls: [{}] }), false],
    ['reasoning', of({ content: '', reasoning_content: 'x' }), false],
    ['reasoning details', of({ content: '', reasoning_details: [{}] }), false],
    ['an image', of({ content: '', images: [{}] }), false],
    ['nothing', of({ content: null, tool_calls: [] }), true],
    ['nothing, cut off', of({ content: '' }, 'length'), false],
    ['no choice', '{"choices":[]}', true],
    ['no message', '{"choices":[{}]}', true],
    ['something else', '{"object":"list"}', false],
    ['no JSON', 'x', false],
  ])('%s: %s', (_what, body, empty) => {
    expect(openAiChat.isEmptyAnswer(body)).toBe(empty)
  })
})
