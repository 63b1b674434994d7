import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DIALECTS, type Dialect } from '../../../core/contract/kinds'
import type { CanonicalRequest, JsonObject } from '../../../core/dialects/canonical'
import type { DialectModule } from '../../../core/dialects/dialect'
import { dialectModules } from '../../../core/dialects/dialects'
import { embeddings } from '../../../core/dialects/openai-chat/embeddings'
import { ClientRequest } from '../../../core/pipeline/client-request'
import { moreWords, quietQuestion, readQuestion, toolFreeQuestion, withNote } from '../../../core/pipeline/own-question'
import { requestBodyOf } from '../dialects/request-body-of'

function requestOf(body: object, dialect: DialectModule, stream = false): ClientRequest {
  const read = requestBodyOf(JSON.stringify(body), dialect)
  const method = stream ? 'streamGenerateContent' : 'generateContent'
  return new ClientRequest(dialect, dialect.readAsked(read, `/v1beta/models/c:${method}`), read)
}

const SCHEMA = { type: 'object', properties: {} }
/** The same conversation, with a tool that was called once, and a stream. */
const ASKED: Readonly<Record<Dialect, object>> = {
  'openai-chat': {
    ...{
      model: 'c',
      stream: true,
      stream_options: { include_usage: true },
      max_completion_tokens: 9,
      service_tier: 'x',
    },
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        tool_calls: [{ id: 'k', type: 'function', function: { name: 'look', arguments: '{"a":1}' } }],
      },
      { role: 'tool', tool_call_id: 'k', content: 'seen' },
    ],
    tools: [{ type: 'function', function: { name: 'look', parameters: SCHEMA } }],
    ...{ tool_choice: 'auto', parallel_tool_calls: true },
  },
  anthropic: {
    ...{ model: 'c', stream: true, max_tokens: 9, service_tier: 'x', system: 'Be kind.' },
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'k', name: 'look', input: { a: 1 } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'k', content: 'seen' }] },
    ],
    ...{ tools: [{ name: 'look', input_schema: SCHEMA }], tool_choice: { type: 'auto' } },
  },
  'openai-responses': {
    ...{ model: 'c', stream: true, max_output_tokens: 99, service_tier: 'x', instructions: 'Be kind.' },
    input: [
      { role: 'user', content: 'Hi' },
      { type: 'function_call', call_id: 'k', name: 'look', arguments: '{"a":1}' },
      { type: 'function_call_output', call_id: 'k', output: 'seen' },
    ],
    ...{ tools: [{ type: 'function', name: 'look', parameters: SCHEMA }], tool_choice: 'auto' },
  },
  gemini: {
    ...{ system_instruction: { parts: [{ text: 'Be kind.' }] }, safetySettings: ['x'] },
    contents: [
      { role: 'user', parts: [{ text: 'Hi' }] },
      { role: 'model', parts: [{ functionCall: { name: 'look', args: { a: 1 } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'look', response: { result: 'seen' } } }] },
    ],
    ...{ tools: [{ functionDeclarations: [{ name: 'look' }] }], generationConfig: { maxOutputTokens: 9 } },
  },
}
const asked = (dialect: Dialect) => requestOf(ASKED[dialect], dialectModules[dialect], true)
const read = (client: ClientRequest): CanonicalRequest => {
  const { request, fault } = readQuestion(client)
  if (request === null) throw fault
  return request
}
const textOf = ({ turns }: CanonicalRequest, at: number): string =>
  (turns.at(at)?.parts ?? []).map((part) => (part.kind === 'text' ? part.text : part.kind)).join(' ')
const WORDS = { prompt: 'Be brief.', message: 'Go on.' }

describe.each(DIALECTS)('in %s', (dialect) => {
  it('a question aside is whole, without tools, and tells of calls in words', () => {
    const client = asked(dialect)
    const quiet = quietQuestion(client, read(client), WORDS)
    expect(quiet.asked).toEqual({ model: 'c', stream: false })
    const body = quiet.json()
    for (const name of ['tools', 'tool_choice', 'toolConfig', 'parallel_tool_calls', 'stream_options', 'service_tier'])
      expect(body).not.toHaveProperty(name)
    expect(body.stream ?? false).toBe(false)
    const request = read(quiet)
    expect(request.system.map(({ text }) => text).join('\n\n')).toBe('Be kind.\n\nBe brief.')
    expect(textOf(request, -1)).toContain('Go on.')
    expect(request.turns[0]).toEqual({ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] })
    const all = request.turns.map((_turn, at) => textOf(request, at)).join(' ')
    expect(all).toMatch(/called look: \{"a":1\}.*result of look.*seen/s)
    expect(all).not.toMatch(/tool-call|tool-result/)
    expect(request.maxTokens).toBe(dialect === 'openai-responses' ? 99 : 9)
  })

  it('more words leave everything else as the client wrote it', () => {
    const client = asked(dialect)
    const more = moreWords(client, WORDS)
    expect(more.asked).toEqual(client.asked)
    const before = read(client)
    const after = read(more)
    expect(after.system.map(({ text }) => text).join('\n\n')).toBe('Be kind.\n\nBe brief.')
    expect(textOf(after, -1)).toContain('Go on.')
    // Chat puts what a user says behind a tool's result into the same turn.
    const kept = dialect === 'openai-chat' ? before.turns.length - 1 : before.turns.length
    expect(after.turns.slice(0, kept)).toEqual(before.turns.slice(0, kept))
    expect(after.tools).toEqual(before.tools)
    const others = (json: JsonObject): object =>
      Object.fromEntries(
        Object.entries(json).filter(
          ([name]) => !/^(messages|system|input|instructions|contents|system_?instruction)$/i.test(name),
        ),
      )
    expect(others(more.json())).toEqual(others(client.json()))
    expect(JSON.stringify(more.json())).toContain(dialect === 'anthropic' ? '"cache_control"' : '')
  })

  it('a question without tools still streams', () => {
    const client = asked(dialect)
    const free = toolFreeQuestion(client, read(client), WORDS)
    expect(free.asked).toEqual(client.asked)
    expect(free.json()).not.toHaveProperty('tools')
    if (dialect !== 'gemini') expect(free.json()).toMatchObject({ stream: true })
  })

  it('no more words are the very same request', () => {
    const client = asked(dialect)
    expect(moreWords(client, { prompt: null, message: null })).toBe(client)
    expect(moreWords(client, { prompt: '', message: null })).toBe(client)
  })

  it('any words arrive as they are', () => {
    const client = asked(dialect)
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (message) => {
        const added = message.toWellFormed()
        expect(JSON.stringify(moreWords(client, { prompt: null, message: added }).json())).toContain(
          JSON.stringify(added),
        )
      }),
    )
  })
})

describe('an instruction', () => {
  it.each<[string, Dialect, object, object]>([
    [
      'goes first where there is none',
      'openai-chat',
      { messages: [{ role: 'user', content: 'Hi' }] },
      {
        messages: [
          { role: 'system', content: 'P' },
          { role: 'user', content: 'Hi' },
        ],
      },
    ],
    [
      'follows the developer’s parts',
      'openai-chat',
      { messages: [{ role: 'developer', content: [{ type: 'text', text: 'D' }] }] },
      {
        messages: [
          {
            role: 'developer',
            content: [
              { type: 'text', text: 'D' },
              { type: 'text', text: 'P' },
            ],
          },
        ],
      },
    ],
    ['is the whole of it where there is none', 'anthropic', { messages: [] }, { messages: [], system: 'P' }],
    [
      'follows cached parts',
      'anthropic',
      { system: [{ type: 'text', text: 'S', cache_control: {} }] },
      {
        system: [
          { type: 'text', text: 'S', cache_control: {} },
          { type: 'text', text: 'P' },
        ],
      },
    ],
    ['follows a text', 'openai-responses', { instructions: 'I', input: 'Hi' }, { instructions: 'I\n\nP', input: 'Hi' }],
    [
      'follows a bare text',
      'gemini',
      { systemInstruction: 'S' },
      { systemInstruction: { parts: [{ text: 'S' }, { text: 'P' }] } },
    ],
    [
      'follows a single part',
      'gemini',
      { systemInstruction: { parts: { text: 'S' } } },
      { systemInstruction: { parts: [{ text: 'S' }, { text: 'P' }] } },
    ],
    [
      'follows a text in place of its parts',
      'gemini',
      { systemInstruction: { text: 'S' } },
      { systemInstruction: { parts: [{ text: 'S' }, { text: 'P' }] } },
    ],
  ])('%s (%s)', (_how, dialect, body, expected) => {
    const client = requestOf(body, dialectModules[dialect])
    expect(moreWords(client, { prompt: 'P', message: null }).json()).toEqual(expected)
  })
})

describe('a note', () => {
  it('is one more instruction', () => {
    const client = requestOf({ system: 'S', messages: [] }, dialectModules.anthropic)
    expect(withNote(client, 'N').json()).toEqual({ system: 'S\n\nN', messages: [] })
  })

  it('is a message where instructions must stay as they are', () => {
    const note = { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'N' }] }
    const client = requestOf({ instructions: 'I', input: 'Hi' }, dialectModules['openai-responses'])
    expect(withNote(client, 'N').json()).toEqual({ instructions: 'I', input: [note, words('Hi')] })
  })
})

describe('a message', () => {
  it.each<[Dialect, object, object]>([
    ['openai-responses', { input: 'Hi' }, { input: [words('Hi'), words('M')] }],
    [
      'gemini',
      { contents: { parts: [{ text: 'Hi' }] } },
      { contents: [{ parts: [{ text: 'Hi' }] }, { role: 'user', parts: [{ text: 'M' }] }] },
    ],
  ])('follows a single one (%s)', (dialect, body, expected) => {
    const client = requestOf(body, dialectModules[dialect])
    expect(moreWords(client, { prompt: null, message: 'M' }).json()).toEqual(expected)
  })
})

function words(text: string): object {
  return { type: 'message', role: 'user', content: [{ type: 'input_text', text }] }
}

describe('whether a model may call tools', () => {
  const TOOL = ASKED as Readonly<Record<Dialect, { readonly tools?: unknown }>>
  it.each<[boolean, Dialect, object]>([
    [false, 'openai-chat', { messages: [{ role: 'user', content: 'Hi' }] }],
    [false, 'openai-chat', { messages: [{ role: 'user', content: 'Hi' }], tools: [] }],
    [
      false,
      'openai-chat',
      { messages: [{ role: 'user', content: 'Hi' }], tools: TOOL['openai-chat'].tools, tool_choice: 'none' },
    ],
    [true, 'openai-chat', { messages: [{ role: 'user', content: 'Hi' }], functions: [{ name: 'f' }] }],
    [
      false,
      'anthropic',
      { messages: [{ role: 'user', content: 'Hi' }], tools: TOOL.anthropic.tools, tool_choice: { type: 'none' } },
    ],
    [true, 'gemini', { contents: [{ parts: [{ text: 'Hi' }] }], tools: [{ googleSearch: {} }] }],
    [true, 'openai-responses', { input: 'Hi', tools: [{ type: 'web_search' }] }],
  ])('is %s (%s)', (expected, dialect, body) => {
    expect(readQuestion(requestOf(body, dialectModules[dialect])).usesTools).toBe(expected)
  })

  it('does not depend on tools that only one provider can run: the conversation is read without them', () => {
    const body = { contents: [{ parts: [{ text: 'Hi' }] }], tools: [{ googleSearch: {} }] }
    expect(readQuestion(requestOf(body, dialectModules.gemini)).request?.turns).toHaveLength(1)
  })
})

it('a call that is no conversation cannot be asked in other words', () => {
  const { request, fault } = readQuestion(requestOf({ model: 'c', input: 'Hi' }, embeddings))
  expect([request, fault?.httpStatus]).toEqual([null, 400])
  expect(fault?.message).toContain('Choose a model')
})

it('a conversation that cannot be read says what is wrong with it', () => {
  const { request, fault } = readQuestion(requestOf({ messages: [{ role: 'king' }] }, dialectModules['openai-chat']))
  expect([request, fault?.details.field]).toEqual([null, 'messages[0].role'])
})
