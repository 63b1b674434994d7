import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anthropic } from '../../../../core/dialects/anthropic/anthropic'
import { countTokens } from '../../../../core/dialects/anthropic/count-tokens'
import { translation } from '../../../../core/dialects/anthropic/translation'
import type { JsonObject } from '../../../../core/dialects/canonical'
import { requestBodyOf } from '../request-body-of'
import { takeNotes, target } from './support'

const { fields, parseRequest, buildRequest } = translation
const base: JsonObject = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] }

describe('the table of fields, Anthropic', () => {
  it('says the fate of each field once, towards every other dialect', () => {
    expect(new Set(fields.map(({ field }) => field)).size).toBe(fields.length)
    for (const { to } of fields) expect(Object.keys(to).sort()).toEqual(['gemini', 'openai-chat', 'openai-responses'])
  })

  it('says why a field is refused', () => {
    for (const { to, note } of fields) if (Object.values(to).includes('refused')) expect(note).toBeDefined()
  })

  it('has an example for each that can be read where it is carried or mapped', () => {
    for (const { field, to, example } of fields) {
      if (/[.[]/.test(field) || Object.values(to).includes('refused')) continue
      expect(() => parseRequest({ ...base, [field]: example }, takeNotes()), field).not.toThrow()
    }
  })

  it.each<[string, JsonObject]>([
    ['system[].cache_control', { system: [{ type: 'text', text: 'A', cache_control: {} }] }],
    [
      'messages[].content[].citations',
      { messages: [{ role: 'user', content: [{ type: 'text', text: 'x', citations: [] }] }] },
    ],
    [
      'messages[].content[].content[].cache_control',
      {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'x', cache_control: {} }] },
            ],
          },
        ],
      },
    ],
    ['tools[].input_examples', { tools: [{ name: 'a', input_examples: [{}] }] }],
    ['tools[].allowed_callers', { tools: [{ name: 'a', allowed_callers: ['direct'] }] }],
    ['output_config.task_budget', { output_config: { task_budget: { type: 'tokens', total: 9 } } }],
  ])('names %s among what was left out', (field, more) => {
    const notes = takeNotes()
    parseRequest({ ...base, ...more }, notes)
    expect(notes.said).toEqual([field])
    expect(fields.some((rule) => rule.field === field)).toBe(true)
  })
})

const word = fc.stringMatching(/^[a-z]{1,8}$/)
const textBlock = word.map((text) => ({ type: 'text', text }))
const imageBlock = fc.constantFrom(
  { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
  { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
)
const userMessage = fc
  .array(fc.oneof(textBlock, imageBlock), { minLength: 1, maxLength: 3 })
  .map((content) => ({ role: 'user', content }))
const plainAnswer = fc
  .tuple(fc.option(word), textBlock)
  .map(([thinking, text]) => [
    ...(thinking === null ? [] : [{ type: 'thinking', thinking, signature: `S${thinking}` }]),
    text,
  ])
const toolRound = fc.array(fc.tuple(word, fc.dictionary(word, word), fc.boolean()), { minLength: 1, maxLength: 3 })

/** Conversations as Anthropic takes them: in turn, results behind their calls, nothing empty. */
const conversations = fc
  .tuple(userMessage, fc.array(fc.oneof(plainAnswer, toolRound), { maxLength: 4 }), userMessage)
  .map(([first, rounds, last]) => {
    const messages: JsonObject[] = [first]
    let made = 0
    for (const round of rounds) {
      const calls = round.filter((part) => Array.isArray(part))
      if (calls.length === 0) messages.push({ role: 'assistant', content: round }, last)
      else {
        const ids = calls.map(() => `toolu_${made++}`)
        messages.push(
          {
            role: 'assistant',
            content: calls.map(([name, input], at) => ({ type: 'tool_use', id: ids[at], name, input })),
          },
          {
            role: 'user',
            content: calls.map(([, , isError], at) => ({
              type: 'tool_result',
              tool_use_id: ids[at],
              content: 'ok',
              ...(isError ? { is_error: true } : {}),
            })),
          },
        )
      }
    }
    return messages
  })

const requests = fc
  .record(
    {
      messages: conversations,
      max_tokens: fc.integer({ min: 1, max: 30_000 }),
      system: fc.array(textBlock, { minLength: 1, maxLength: 2 }),
      temperature: fc.double({ min: 0, max: 1, noNaN: true }),
      top_k: fc.integer({ min: 1, max: 100 }),
      stop_sequences: fc.array(word, { minLength: 1, maxLength: 2 }),
      metadata: word.map((user_id) => ({ user_id })),
      tools: fc.array(
        fc.record({ name: word, description: word, input_schema: fc.constant({ type: 'object', properties: {} }) }),
        { minLength: 1, maxLength: 2 },
      ),
      tool_choice: fc.constantFrom(
        { type: 'auto', disable_parallel_tool_use: true },
        { type: 'none' },
        { type: 'any' },
      ),
      output_config: fc.constant({
        format: {
          type: 'json_schema',
          schema: { type: 'object', properties: {}, required: [], additionalProperties: false },
        },
      }),
    },
    { requiredKeys: ['messages', 'max_tokens', 'tools'] },
  )
  .map((body): JsonObject => ({ model: 'claude-sonnet-4-5', ...body }))

const unmarked = (body: JsonObject): unknown =>
  JSON.parse(JSON.stringify(body, (name, value) => (name === 'cache_control' ? undefined : value)))

describe('a Messages request on its way through the canonical form', () => {
  it('comes out as it went in, but for marks of the cache', () => {
    fc.assert(
      fc.property(requests, (body) => {
        const notes = takeNotes()
        const built = buildRequest(parseRequest(body, notes), target(), notes)
        expect(unmarked(built)).toEqual(body)
        expect(notes.said).toEqual([])
      }),
    )
  })

  it('means the same when it is read again', () => {
    const thinking = fc.constantFrom<JsonObject>(
      { thinking: { type: 'adaptive', display: 'omitted' } },
      { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'high' } },
    )
    fc.assert(
      fc.property(conversations, thinking, (messages, more) => {
        const notes = takeNotes()
        const canonical = parseRequest({ ...base, messages, ...more }, notes)
        const again = parseRequest(buildRequest(canonical, target('claude-opus-4-7'), notes), takeNotes())
        expect({ ...again, tools: [], toolChoice: null }).toEqual({ ...canonical, tools: [], toolChoice: null })
      }),
    )
  })
})

describe('the calls of the Anthropic dialect', () => {
  it('go to their paths and read what is asked', () => {
    const body = requestBodyOf('{"model":"a/b","stream":true,"messages":[]}', anthropic)
    expect(anthropic.path('b', true)).toBe('/messages')
    expect(anthropic.readAsked(body, '/v1/messages')).toEqual({ model: 'a/b', stream: true })
    expect(countTokens.path('b', true)).toBe('/messages/count_tokens')
    expect(countTokens.readAsked(body, '/v1/messages/count_tokens')).toEqual({ model: 'a/b', stream: false })
  })

  it('count tokens without translation; the count is neither empty nor spent', () => {
    expect(countTokens.translation).toBeNull()
    expect(countTokens.isEmptyAnswer('{"input_tokens":9}')).toBe(false)
    expect(countTokens.readUsage('{"input_tokens":9}')).toBeNull()
    expect(() => countTokens.checkRequest(requestBodyOf('{"model":"m"}', countTokens))).toThrow(/messages/)
  })
})
