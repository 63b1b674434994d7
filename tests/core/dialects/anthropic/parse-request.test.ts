import { describe, expect, it } from 'vitest'
import { parseRequest } from '../../../../core/dialects/anthropic/parse-request'
import type { CanonicalRequest, JsonObject } from '../../../../core/dialects/canonical'
import { GatewayError } from '../../../../core/errors'
import { takeNotes } from './support'

const parse = (more: JsonObject): { request: CanonicalRequest; notes: string[] } => {
  const notes = takeNotes()
  return { request: parseRequest({ messages: [], ...more }, notes), notes: notes.said }
}
const user = (...content: JsonObject[]): JsonObject => ({ messages: [{ role: 'user', content }] })
const parts = (...content: JsonObject[]) => parse(user(...content)).request.turns[0]?.parts
const image = (source: JsonObject): JsonObject => ({ type: 'image', source })
const fieldOf = (more: JsonObject): string | undefined => {
  try {
    parse(more)
    return undefined
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    expect(error.httpStatus).toBe(400)
    return error.details.field
  }
}

describe('the conversation of a Messages request', () => {
  it('takes instructions as a string, as blocks, and as the system messages before the first turn', () => {
    expect(parse({ system: 'A' }).request.system).toEqual([{ kind: 'text', text: 'A' }])
    const { request } = parse({
      system: [
        { type: 'text', text: 'A' },
        { type: 'text', text: 'B' },
      ],
      messages: [
        { role: 'system', content: 'C' },
        { role: 'user', content: 'hi' },
        { role: 'system', content: [{ type: 'text', text: 'D' }] },
      ],
    })
    expect(request.system.map(({ text }) => text)).toEqual(['A', 'B', 'C'])
    expect(request.turns.map(({ role }) => role)).toEqual(['user', 'system'])
  })

  it('names cache marks it leaves out, and carries none of them', () => {
    const mark = { cache_control: { type: 'ephemeral' } }
    const { request, notes } = parse({
      system: [
        { type: 'text', text: 'A', ...mark },
        { type: 'text', text: 'B' },
      ],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi', ...mark }] }],
      tools: [{ name: 'read', input_schema: { type: 'object' }, ...mark }],
    })
    expect(JSON.stringify(request)).not.toContain('ephemeral')
    expect(notes).toEqual(['system[].cache_control', 'messages[].content[].cache_control', 'tools[].cache_control'])
  })

  it('leaves out the billing line, which would spoil the cache of every other provider', () => {
    const { request, notes } = parse({ system: [{ type: 'text', text: 'x-anthropic-billing-header: cch=1;' }] })
    expect(request.system).toEqual([])
    expect(notes).toEqual(['system[].x-anthropic-billing-header'])
  })

  it('makes no part of an empty text and no turn of an empty message', () => {
    const { request } = parse({
      system: '',
      messages: [
        { role: 'user', content: '' },
        { role: 'user', content: [{ type: 'text', text: '' }] },
      ],
    })
    expect(request).toMatchObject({ system: [], turns: [] })
  })

  it('takes images as bytes and as an address, in a message and in a tool result', () => {
    const bytes = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' }
    const asBytes = {
      kind: 'image',
      media: { kind: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
      name: null,
    }
    const url = { type: 'url', url: 'https://example.com/a.png' }
    const asUrl = {
      kind: 'image',
      media: { kind: 'url', url: 'https://example.com/a.png', mediaType: null },
      name: null,
    }
    expect(parts(image(bytes), image(url))).toEqual([asBytes, asUrl])
    expect(parts({ type: 'tool_result', tool_use_id: 't', content: [image(bytes)] })).toEqual([
      { kind: 'tool-result', callId: 't', name: null, isError: false, content: [asBytes] },
    ])
  })

  it('takes documents of all kinds but files', () => {
    const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' }
    expect(parts({ type: 'document', source: pdf, title: 'a.pdf', context: 'The bill.' })).toEqual([
      { kind: 'text', text: 'The bill.' },
      {
        kind: 'document',
        media: { kind: 'base64', mediaType: 'application/pdf', data: 'JVBERi0=' },
        name: 'a.pdf',
      },
    ])
    expect(parts({ type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } })).toMatchObject([
      { kind: 'document', media: { kind: 'url', url: 'https://example.com/a.pdf' } },
    ])
    expect(parts({ type: 'document', title: 'T', source: { type: 'text', data: 'words' } })).toEqual([
      { kind: 'text', text: 'T\n\nwords' },
    ])
    const content = [{ type: 'text', text: 'x' }, image({ type: 'url', url: 'https://example.com/b.png' })]
    expect(parts({ type: 'document', source: { type: 'content', content } })).toMatchObject([
      { kind: 'text', text: 'x' },
      { kind: 'image' },
    ])
  })

  it('takes search results as text', () => {
    const result = {
      type: 'search_result',
      title: 'T',
      source: 'https://example.com',
      content: [{ type: 'text', text: 'x' }],
    }
    expect(parts(result)).toEqual([
      { kind: 'text', text: 'T (https://example.com)' },
      { kind: 'text', text: 'x' },
    ])
  })

  it('keeps calls and results in the order and with the ids of the client', () => {
    const { request } = parse({
      messages: [
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: { p: 'ä' } }] },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'also Paris?' },
            { type: 'tool_result', tool_use_id: 'toolu_1' },
            { type: 'tool_result', tool_use_id: 'toolu_2', is_error: true, content: 'no' },
          ],
        },
      ],
    })
    expect(request.turns).toEqual([
      {
        role: 'assistant',
        parts: [{ kind: 'tool-call', id: 'toolu_1', name: 'read', arguments: '{"p":"ä"}', freeForm: false }],
      },
      {
        role: 'user',
        parts: [
          { kind: 'text', text: 'also Paris?' },
          { kind: 'tool-result', callId: 'toolu_1', name: 'read', isError: false, content: [] },
          {
            kind: 'tool-result',
            callId: 'toolu_2',
            name: null,
            isError: true,
            content: [{ kind: 'text', text: 'no' }],
          },
        ],
      },
    ])
  })

  it('leaves out what Anthropic’s servers did, with a note, and keeps the summary of a compaction', () => {
    const { request, notes } = parse({
      messages: [
        {
          role: 'assistant',
          content: [
            { type: 'compaction', content: 'What was said.' },
            { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
            { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
            { type: 'text', text: 'Found.' },
          ],
        },
      ],
    })
    expect(request.turns[0]?.parts).toEqual([
      { kind: 'text', text: 'What was said.' },
      { kind: 'text', text: 'Found.' },
    ])
    expect(notes).toEqual(['messages[].content[].server_tool_use', 'messages[].content[].web_search_tool_result'])
  })
})

describe('thinking of earlier turns', () => {
  it('is Anthropic’s own, value for value', () => {
    expect(parts({ type: 'thinking', thinking: 'a é b', signature: 'SIG_A' })).toEqual([
      { kind: 'thinking', text: 'a é b', signature: 'SIG_A', issuer: 'anthropic', redacted: false },
    ])
  })

  it('tells a foreign issuer by the form of the signature, in both kinds of block', () => {
    expect(
      parts(
        { type: 'thinking', thinking: 'a', signature: 'bw1:gemini:S:1=' },
        { type: 'redacted_thinking', data: 'bw1:openai-responses:E' },
        { type: 'thinking', thinking: 'a', signature: 'bw1:nobody:S' },
      ),
    ).toEqual([
      { kind: 'thinking', text: 'a', signature: 'S:1=', issuer: 'gemini', redacted: false },
      { kind: 'thinking', text: '', signature: 'E', issuer: 'openai-responses', redacted: true },
      { kind: 'thinking', text: 'a', signature: 'bw1:nobody:S', issuer: 'anthropic', redacted: false },
    ])
  })

  it('may be unsigned, and may be nothing', () => {
    expect(parts({ type: 'thinking', thinking: 'a', signature: '' }, { type: 'thinking', thinking: '' })).toEqual([
      { kind: 'thinking', text: 'a', signature: null, issuer: 'anthropic', redacted: false },
    ])
  })
})

describe('tools and settings of a Messages request', () => {
  it('takes the client’s own tools, and drops a tool search', () => {
    const schema = { type: 'object', properties: {} }
    const { request, notes } = parse({
      tools: [
        { name: 'a', input_schema: schema },
        { type: 'custom', name: 'b', description: 'B', input_schema: schema, strict: true, defer_loading: true },
        { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' },
      ],
    })
    expect(request.tools).toEqual([
      { name: 'a', description: null, schema, strict: null, freeForm: false },
      { name: 'b', description: 'B', schema, strict: true, freeForm: false },
    ])
    expect(notes).toEqual(['tools[].defer_loading', 'tools[].tool_search_tool'])
  })

  it.each<[unknown, unknown, boolean | null]>([
    [undefined, null, null],
    [{ type: 'auto' }, { kind: 'auto' }, null],
    [{ type: 'auto', disable_parallel_tool_use: true }, { kind: 'auto' }, false],
    [{ type: 'any', disable_parallel_tool_use: false }, { kind: 'required' }, true],
    [{ type: 'tool', name: 'a' }, { kind: 'tool', name: 'a' }, null],
    [{ type: 'none' }, { kind: 'none' }, null],
  ])('the choice %j', (tool_choice, toolChoice, parallelToolCalls) => {
    expect(parse({ tool_choice }).request).toMatchObject({ toolChoice, parallelToolCalls })
  })

  it.each<[JsonObject, unknown]>([
    [{}, null],
    [{ thinking: { type: 'enabled', budget_tokens: 2048 } }, { effort: null, budget: 2048, show: null }],
    [
      { thinking: { type: 'adaptive', display: 'omitted' }, output_config: { effort: 'max' } },
      { effort: 'xhigh', budget: -1, show: false },
    ],
    [{ thinking: { type: 'adaptive', display: 'summarized' } }, { effort: null, budget: -1, show: true }],
    [{ thinking: { type: 'disabled' } }, { effort: null, budget: 0, show: null }],
    [{ output_config: { effort: 'low' } }, { effort: 'low', budget: null, show: null }],
  ])('the thinking of %j', (more, reasoning) => {
    expect(parse(more).request.reasoning).toEqual(reasoning)
  })

  it('takes the schema of the answer from its new and its old place', () => {
    const format = { type: 'json_schema', schema: { type: 'object' } }
    const output = { kind: 'schema', schema: { type: 'object' } }
    expect(parse({ output_config: { format } }).request.output).toMatchObject(output)
    expect(parse({ output_format: format }).request.output).toMatchObject(output)
  })

  it('takes the numbers, the stop words and the user', () => {
    expect(
      parse({
        max_tokens: 9,
        temperature: 0.5,
        top_p: 0.9,
        top_k: 4,
        stop_sequences: ['END'],
        metadata: { user_id: 'u' },
      }).request,
    ).toMatchObject({ maxTokens: 9, temperature: 0.5, topP: 0.9, topK: 4, stop: ['END'], user: 'u' })
  })
})

describe('what cannot be read is named with its place', () => {
  it.each<[string, JsonObject]>([
    ['messages', { messages: 'hi' }],
    ['messages[0]', { messages: [1] }],
    ['messages[0].role', { messages: [{ role: 'tool', content: 'x' }] }],
    ['messages[0].content', { messages: [{ role: 'user' }] }],
    ['messages[0].content[1]', { messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }, 'x'] }] }],
    ['messages[0].content[0].type', user({ text: 'x' })],
    ['messages[0].content[0].type', user({ type: 'container_upload', file_id: 'f' })],
    ['messages[0].content[0].text', user({ type: 'text', text: 1 })],
    ['messages[0].content[0].source.type', user(image({ type: 'file', file_id: 'f' }))],
    ['messages[0].content[0].source.data', user(image({ type: 'base64', media_type: 'image/png' }))],
    ['messages[0].content[0].tool_use_id', user({ type: 'tool_result', content: 'x' })],
    [
      'messages[0].content[0].content[0].source.type',
      user({ type: 'tool_result', tool_use_id: 't', content: [image({ type: 'file', file_id: 'f' })] }),
    ],
    ['system[0].type', { system: [{ type: 'image' }] }],
    ['tools[1].type', { tools: [{ name: 'a' }, { type: 'web_search_20250305', name: 'web_search' }] }],
    ['tools[0].type', { tools: [{ type: 'bash_20250124', name: 'bash' }] }],
    ['tools[0].name', { tools: [{ input_schema: {} }] }],
    ['tools[0].input_schema', { tools: [{ name: 'a', input_schema: 'x' }] }],
    ['tool_choice.type', { tool_choice: { type: 'some' } }],
    ['max_tokens', { max_tokens: '9' }],
    ['stop_sequences[0]', { stop_sequences: [1] }],
    ['thinking.budget_tokens', { thinking: { type: 'enabled' } }],
    ['thinking.type', { thinking: { type: 'on' } }],
    ['output_config.effort', { output_config: { effort: 'toString' } }],
    ['output_config.format.type', { output_config: { format: { type: 'json' } } }],
    ['metadata.user_id', { metadata: { user_id: 1 } }],
  ])('%s', (field, more) => {
    expect(fieldOf(more)).toBe(field)
  })
})
