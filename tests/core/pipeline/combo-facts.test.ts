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
import { NO_WISHES } from '../../../core/routing/strategies/auto/wishes'

function factsOf(body: object, call = openAiChat): ComboFacts {
  const bytes = Buffer.from(JSON.stringify(body))
  const scanner = new JsonScanner(call.wantedFields)
  scanner.feed(bytes)
  return new ComboFacts(
    new ClientRequest(call, { model: 'c', stream: false }, new RequestBody([bytes], scanner.end())),
    null,
    NO_WISHES,
  )
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
