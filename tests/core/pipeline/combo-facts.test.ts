// What strategies can know of a request, in each of the four dialects.
import { describe, expect, test } from 'vitest'
import { anthropic } from '../../../core/dialects/anthropic/anthropic'
import { gemini } from '../../../core/dialects/gemini/gemini'
import { openAiChat } from '../../../core/dialects/openai-chat/openai-chat'
import { openAiResponses } from '../../../core/dialects/openai-responses/openai-responses'
import { JsonScanner } from '../../../core/http/json-scanner'
import { RequestBody } from '../../../core/http/request-body'
import { ClientRequest } from '../../../core/pipeline/client-request'
import { ComboFacts } from '../../../core/pipeline/combo-facts'
import { needsOf } from '../../../core/pipeline/combo-scene'
import { NO_WISHES } from '../../../core/routing/strategies/auto/wishes'

function factsOf(body: object, call = openAiChat, usualOutput: number | null = null): ComboFacts {
  const bytes = Buffer.from(JSON.stringify(body))
  const scanner = new JsonScanner(call.wantedFields)
  scanner.feed(bytes)
  const client = new ClientRequest(call, { model: 'c', stream: false }, new RequestBody([bytes], scanner.end()))
  const asked = { client, unusableFor: null, request: { headers: {} }, caller: { call, clientKeyId: null } }
  return new ComboFacts(client, needsOf(asked), NO_WISHES, usualOutput)
}

const said = (role: string, content: unknown) => ({ role, content })

describe('a conversation', () => {
  const first = 'Fix the bug in main.ts'
  test.each([
    [
      'Chat',
      openAiChat,
      (more: object[]) => ({ messages: [said('system', 'Be brief'), said('user', first), ...more] }),
    ],
    ['Messages', anthropic, (more: object[]) => ({ system: 'Be brief', messages: [said('user', first), ...more] })],
    ['Responses', openAiResponses, (more: object[]) => ({ input: [said('user', first), ...more] })],
    ['Gemini', gemini, (more: object[]) => ({ contents: [{ parts: [{ text: first }] }, ...more] })],
  ])('of %s is the same in each of its turns, and so is its cache key', (_, call, body) => {
    const begun = factsOf(body([]), call)
    expect(begun.conversation).toMatch(/^[0-9a-f]{16}$/)
    const later = factsOf(body([said('assistant', 'Done'), said('user', 'Now the tests')]), call)
    expect(later.conversation).toBe(begun.conversation)
    expect(later.cacheKey).toBe(begun.cacheKey)
  })

  test('keeps its cache key as it grows; another beginning has another', () => {
    const begin = [said('system', 'Be brief'), said('user', first)]
    const key = factsOf({ messages: begin }).cacheKey
    expect(factsOf({ messages: [...begin, said('assistant', 'Done'), said('user', 'More')] }).cacheKey).toBe(key)
    expect(factsOf({ messages: [said('system', 'Be long'), said('user', first)] }).cacheKey).not.toBe(key)
    expect(factsOf({ messages: begin, tools: [{ type: 'function' }] }).cacheKey).not.toBe(key)
  })

  test('that says nothing is none', () => {
    expect(factsOf({ messages: [] }).conversation).toBeNull()
    expect(factsOf({ messages: ['odd', null, 7] }).cacheKey).toBeNull()
  })

  test('brings its own cache key', () => {
    expect(factsOf({ prompt_cache_key: 'mine', input: 'Hi' }, openAiResponses).cacheKey).toBe('mine')
  })
})

test('the task is told by what the user said last', () => {
  const talk = [said('user', 'Write a plan'), said('assistant', 'Done'), said('user', 'Why does this crash?')]
  expect(factsOf({ messages: talk }).task).toBe('debugging')
  expect(factsOf({ input: 'Implement a parser' }, openAiResponses).task).toBe('coding')
  expect(factsOf({ messages: [said('user', [{ type: 'text', text: 'Hello' }])] }).task).toBeNull()
})

describe('how long the answer becomes', () => {
  const one = { messages: [said('user', 'Hi')] }
  test.each<[what: string, usual: number | null, body: object, expected: number | null]>([
    ['nobody knows before the first answer', null, one, null],
    ['as the answers so far', 340, one, 340],
    ['no longer than the client wants', 340, { ...one, max_tokens: 16 }, 16],
    ['as the answers so far, within what the client wants', 340, { ...one, max_completion_tokens: 4_096 }, 340],
    ['a short one where the client wants it, before the first answer', null, { ...one, max_output_tokens: 100 }, 100],
    [
      'the usual where the client would take a long one',
      null,
      { generationConfig: { maxOutputTokens: 60_000 } },
      1_000,
    ],
  ])('%s', (_what, usual, body, expected) => {
    expect(factsOf(body, openAiChat, usual).outputTokens).toBe(expected)
  })
})

describe('how demanding it is', () => {
  const tools = [{ type: 'function', function: { name: 'read' } }]
  test.each<[what: string, body: object, expected: number | null]>([
    ['a greeting: not at all', { messages: [said('user', 'Hi')] }, 0],
    ['nothing said: unknown', { messages: [] }, null],
    ['a bug to be found', { messages: [said('user', 'Why does it crash? See the traceback')] }, 20],
    [
      'the same with tools and thought',
      {
        ...{ messages: [said('user', 'Why does it crash? See the traceback')], tools, reasoning_effort: 'high' },
      },
      50,
    ],
    ['a long conversation of an agent', { messages: [said('user', 'x'.repeat(200_000))], tools }, 55],
    ['an image', { messages: [said('user', [{ type: 'image_url', image_url: { url: 'data:' } }])] }, 30],
  ])('%s', (_what, body, expected) => {
    expect(factsOf(body).specificity).toBe(expected)
  })

  test.each<[string, object, typeof anthropic]>([
    ['Messages', { messages: [said('user', 'Hi')], thinking: { type: 'enabled', budget_tokens: 1024 } }, anthropic],
    ['Responses', { input: 'Hi', reasoning: { effort: 'medium' } }, openAiResponses],
    [
      'Gemini',
      { contents: [{ parts: [{ text: 'Hi' }] }], generationConfig: { thinkingConfig: { thinkingBudget: 512 } } },
      gemini,
    ],
  ])('thought is asked for in %s too', (_name, body, call) => {
    expect(factsOf(body, call).specificity).toBe(15)
  })
})
