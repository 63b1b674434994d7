import { describe, expect, it } from 'vitest'
import { parse, parseMessages, refusal } from './support'

const user = (content: unknown) => ({ role: 'user', content })
const call = (id: string, name = 'f', more: object = {}) => ({
  id,
  type: 'function',
  function: { name, arguments: '{"p":1}' },
  ...more,
})
const text = (value: string) => ({ kind: 'text', text: value })

describe('messages of a Chat request', () => {
  it('gives leading system and developer messages as the system, later ones as turns', () => {
    const { system, turns } = parseMessages(
      { role: 'system', content: 'A' },
      { role: 'developer', content: [{ type: 'text', text: 'B' }] },
      user('Hi'),
      { role: 'system', content: 'C' },
    )
    expect(system).toEqual([text('A'), text('B')])
    expect(turns).toEqual([
      { role: 'user', parts: [text('Hi')] },
      { role: 'system', parts: [text('C')] },
    ])
  })

  it('makes no part of empty and null content', () => {
    const { system, turns } = parseMessages(
      { role: 'system', content: '' },
      user([
        { type: 'text', text: '' },
        { type: 'text', text: 'hi' },
      ]),
      { role: 'assistant', content: '', tool_calls: [call('a')] },
      { role: 'tool', tool_call_id: 'a', content: '' },
      { role: 'assistant', content: null, tool_calls: [call('b')] },
    )
    const made = { kind: 'tool-call', name: 'f', arguments: '{"p":1}', freeForm: false }
    expect(system).toEqual([])
    expect(turns).toEqual([
      { role: 'user', parts: [text('hi')] },
      { role: 'assistant', parts: [{ ...made, id: 'a' }] },
      { role: 'user', parts: [{ kind: 'tool-result', callId: 'a', name: 'f', isError: false, content: [] }] },
      { role: 'assistant', parts: [{ ...made, id: 'b' }] },
    ])
  })

  it('keeps the results of parallel calls in order, in one turn with the words after them', () => {
    const { turns } = parseMessages(
      { role: 'assistant', tool_calls: [call('a', 'read'), call('b', 'write')] },
      { role: 'tool', tool_call_id: 'a', content: '1' },
      { role: 'tool', tool_call_id: 'b', content: [{ type: 'text', text: '2' }] },
      user('go on'),
      user('now'),
    )
    expect(turns.slice(1)).toEqual([
      {
        role: 'user',
        parts: [
          { kind: 'tool-result', callId: 'a', name: 'read', isError: false, content: [text('1')] },
          { kind: 'tool-result', callId: 'b', name: 'write', isError: false, content: [text('2')] },
          text('go on'),
        ],
      },
      { role: 'user', parts: [text('now')] },
    ])
  })

  it('reads images from data URLs and addresses, sounds and files', () => {
    const { turns } = parseMessages(
      user([
        { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
        { type: 'image_url', image_url: { url: 'https://x.example/a.png' } },
        { type: 'image_url', image_url: 'data:image/svg+xml;charset=utf-8,%3Csvg/%3E' },
        { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
        { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBE' } },
        { type: 'file', file: { file_data: 'JVBE' } },
      ]),
    )
    const base64 = (mediaType: string, data: string) => ({ kind: 'base64', mediaType, data })
    expect(turns[0]?.parts).toEqual([
      { kind: 'image', media: base64('image/png', 'iVBORw0KGgo='), name: null },
      { kind: 'image', media: { kind: 'url', url: 'https://x.example/a.png', mediaType: null }, name: null },
      { kind: 'image', media: base64('image/svg+xml', Buffer.from('<svg/>').toString('base64')), name: null },
      { kind: 'audio', media: base64('audio/mpeg', 'AAAA'), name: null },
      { kind: 'document', media: base64('application/pdf', 'JVBE'), name: 'a.pdf' },
      { kind: 'document', media: base64('application/pdf', 'JVBE'), name: null },
    ])
  })

  it('reads refusals, free-form calls and images of an assistant', () => {
    const { turns } = parseMessages({
      role: 'assistant',
      content: [{ type: 'refusal', refusal: 'No.' }],
      images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }],
      tool_calls: [{ id: 'x', type: 'custom', custom: { name: 'sh', input: 'ls' } }],
    })
    expect(turns[0]?.parts).toEqual([
      { kind: 'refusal', text: 'No.' },
      { kind: 'image', media: { kind: 'base64', mediaType: 'image/png', data: 'AA==' }, name: null },
      { kind: 'tool-call', id: 'x', name: 'sh', arguments: 'ls', freeForm: true },
    ])
  })

  it('reads the form before tools, giving ids to calls and results', () => {
    const { request } = parse({
      functions: [{ name: 'f', parameters: { type: 'object' } }],
      function_call: { name: 'f' },
      messages: [
        { role: 'assistant', content: null, function_call: { name: 'f', arguments: '' } },
        { role: 'function', name: 'f', content: 'done' },
      ],
    })
    expect(request).toMatchObject({ parallelToolCalls: false, toolChoice: { kind: 'tool', name: 'f' } })
    expect(request.tools).toMatchObject([{ name: 'f', schema: { type: 'object' }, freeForm: false }])
    expect(request.turns.map(({ parts }) => parts[0])).toEqual([
      { kind: 'tool-call', id: 'call', name: 'f', arguments: '{}', freeForm: false },
      { kind: 'tool-result', callId: 'call', name: 'f', isError: false, content: [text('done')] },
    ])
  })

  it('makes ids unique where a server gave the same one in every turn, or none, and keeps results with their calls', () => {
    const turn = (id: string, result: string) => [
      { role: 'assistant', tool_calls: [call(id)] },
      { role: 'tool', tool_call_id: id, content: result },
    ]
    const { turns } = parseMessages(...turn('call_0', '1'), ...turn('call_0', '2'), ...turn('', '3'), ...turn('', '4'))
    const parts = turns.flatMap((each) => each.parts)
    const callIds = parts.flatMap((part) => (part.kind === 'tool-call' ? [part.id] : []))
    const resultIds = parts.flatMap((part) => (part.kind === 'tool-result' ? [part.callId] : []))
    expect(new Set(callIds).size).toBe(4)
    expect(resultIds).toEqual(callIds)
  })

  it('takes signatures out of tool calls, each before what it belongs to', () => {
    const own = { breakwater: { signature: 'bw1:anthropic:SIG:1', thinking: 'hm' } }
    const { turns } = parseMessages(
      { role: 'assistant', content: 'Hi', tool_calls: [call('a', 'f', { extra_content: own }), call('b')] },
      {
        role: 'assistant',
        content: 'Hi',
        tool_calls: [
          call('c', 'f', { extra_content: { google: { thought_signature: 'G' } } }),
          call('d', 'f', { extra_content: { breakwater: { signature: 'bw1:openai-responses:R' } } }),
          call('e', 'f', { extra_content: { breakwater: { signature: 'made up' } } }),
        ],
      },
    )
    const thinking = (words: string, issuer: string, signature: string) => ({
      kind: 'thinking',
      text: words,
      signature,
      issuer,
      redacted: words === '',
    })
    expect(turns.map(({ parts }) => parts.filter(({ kind }) => kind === 'thinking'))).toEqual([
      [thinking('hm', 'anthropic', 'SIG:1')],
      [thinking('', 'gemini', 'G'), thinking('', 'openai-responses', 'R')],
    ])
    expect(turns[0]?.parts.map(({ kind }) => kind)).toEqual(['thinking', 'text', 'tool-call', 'tool-call'])
    expect(turns[1]?.parts.map(({ kind }) => kind)).toEqual([
      'text',
      'thinking',
      'tool-call',
      'thinking',
      'tool-call',
      'tool-call',
    ])
  })

  it.each<[string, object]>([
    ['messages: is empty', { messages: [] }],
    ['messages[0]: must be an object', { messages: ['x'] }],
    ['messages[0].role: must be', { messages: [{ role: 'robot', content: 'x' }] }],
    ['messages[0].content: must be a text or a list', { messages: [user(7)] }],
    ['messages[0].content[0]: must be an object', { messages: [user(['x'])] }],
    ['messages[0].content[1].type: must be text, image_url', { messages: [user([{ type: 'text', text: 'x' }, {}])] }],
    ['messages[0].content[0].text: must be a string', { messages: [user([{ type: 'text' }])] }],
    [
      'messages[0].content[0].image_url.url: must be a string',
      { messages: [user([{ type: 'image_url', image_url: {} }])] },
    ],
    [
      'messages[0].content[0].image_url: must be data:',
      { messages: [user([{ type: 'image_url', image_url: 'data:x' }])] },
    ],
    [
      'messages[0].content[0].file.file_id: A file uploaded',
      { messages: [user([{ type: 'file', file: { file_id: 'f' } }])] },
    ],
    [
      'messages[0].content: may hold only text',
      { messages: [{ role: 'system', content: [{ type: 'refusal', refusal: 'x' }] }] },
    ],
    ['messages[0].audio: Sound', { messages: [{ role: 'assistant', audio: { id: 'a' } }] }],
    [
      'messages[0].tool_calls[0].function: must be an object',
      { messages: [{ role: 'assistant', tool_calls: [{ id: 'a' }] }] },
    ],
    ['messages[0].tool_calls[0].function.name', { messages: [{ role: 'assistant', tool_calls: [{ function: {} }] }] }],
    ['temperature: must be a number', { messages: [user('x')], temperature: 'hot' }],
    ['stop[1]: must be a string', { messages: [user('x')], stop: ['a', 1] }],
    ['reasoning_effort: must be one of', { messages: [user('x')], reasoning_effort: 'lots' }],
    ['response_format.type: must be', { messages: [user('x')], response_format: { type: 'xml' } }],
    ['tools[0].type: must be function or custom', { messages: [user('x')], tools: [{ type: 'web_search' }] }],
    [
      'tools[0].function.parameters: must be an object',
      { messages: [user('x')], tools: [{ type: 'function', function: { name: 'f', parameters: 1 } }] },
    ],
    ['tool_choice: must be auto', { messages: [user('x')], tool_choice: 'maybe' }],
  ])('%s', (words, body) => {
    expect(refusal(() => parse(body as never))).toContain(words)
  })
})

describe('what else a Chat request says', () => {
  const of = (more: object) => parse({ messages: [user('x')], ...more })

  it.each<[string, object, object]>([
    ['max_completion_tokens before max_tokens', { max_tokens: 1, max_completion_tokens: 2 }, { maxTokens: 2 }],
    ['max_tokens alone', { max_tokens: 1, max_completion_tokens: null }, { maxTokens: 1 }],
    ['one stop word', { stop: 'END' }, { stop: ['END'] }],
    ['several stop words', { stop: ['A', '', 'B'] }, { stop: ['A', 'B'] }],
    ['no stop word', { stop: null }, { stop: [] }],
    ['usage at the end', { stream_options: { include_usage: true } }, { includeUsage: true }],
    ['no usage at the end', { stream_options: null }, { includeUsage: false }],
    ['a safety identifier before the user', { user: 'u', safety_identifier: 's' }, { user: 's' }],
    ['a cache key and verbosity', { prompt_cache_key: 'k', verbosity: 'low' }, { cacheKey: 'k', verbosity: 'low' }],
    ['an effort', { reasoning_effort: 'high' }, { reasoning: { effort: 'high', budget: null, show: null } }],
    ['the greatest effort', { reasoning_effort: 'max' }, { reasoning: { effort: 'xhigh' } }],
    ['a budget', { reasoning: { max_tokens: 9 } }, { reasoning: { effort: null, budget: 9 } }],
    [
      'hidden reasoning',
      { reasoning: { effort: 'low', exclude: true } },
      { reasoning: { effort: 'low', show: false } },
    ],
    ['thinking switched off', { thinking: { type: 'disabled' } }, { reasoning: { effort: null, budget: 0 } }],
    ['thinking switched on', { thinking: { type: 'enabled' } }, { reasoning: { effort: null, budget: -1 } }],
    ['JSON', { response_format: { type: 'json_object' } }, { output: { kind: 'json' } }],
    [
      'a schema',
      {
        response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' }, strict: true } },
      },
      { output: { kind: 'schema', name: 'n', description: null, schema: { type: 'object' }, strict: true } },
    ],
  ])('%s', (_what, body, expected) => {
    expect(of(body).request).toMatchObject(expected)
  })

  const tools = ['a', 'b', 'c'].map((name) => ({ type: 'function', function: { name } }))
  const named = (name: string) => ({ type: 'function', function: { name } })
  it.each<[string, unknown, unknown, readonly string[]]>([
    ['auto', 'auto', { kind: 'auto' }, ['a', 'b', 'c']],
    ['none', 'none', { kind: 'none' }, ['a', 'b', 'c']],
    ['required', 'required', { kind: 'required' }, ['a', 'b', 'c']],
    ['one tool', named('b'), { kind: 'tool', name: 'b' }, ['a', 'b', 'c']],
    ['one free-form tool', { type: 'custom', custom: { name: 'b' } }, { kind: 'tool', name: 'b' }, ['a', 'b', 'c']],
    [
      'some tools',
      { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [named('c'), named('a')] } },
      { kind: 'required' },
      ['a', 'c'],
    ],
    ['nothing', null, null, ['a', 'b', 'c']],
  ])('a tool choice of %s', (_what, tool_choice, choice, names) => {
    const { request } = of({ tools, tool_choice })
    expect(request.toolChoice).toEqual(choice)
    expect(request.tools.map(({ name }) => name)).toEqual(names)
  })

  it('refuses to allow a tool that is not there, and a grammar', () => {
    const tool_choice = { type: 'allowed_tools', allowed_tools: { tools: [named('z')] } }
    expect(refusal(() => of({ tools, tool_choice }))).toContain('tool_choice.allowed_tools.tools[0]: names a tool')
    const grammar = { type: 'custom', custom: { name: 'g', format: { type: 'grammar', grammar: {} } } }
    expect(refusal(() => of({ tools: [grammar] }))).toContain('tools[0].custom.format: A grammar')
    const free = { type: 'custom', custom: { name: 'g', format: { type: 'text' } } }
    expect(of({ tools: [free] }).request.tools).toMatchObject([{ name: 'g', freeForm: true, schema: null }])
  })

  it('names what it leaves out below the top level, without indexes, and nothing that says nothing', () => {
    const { dropped } = parse({
      stream_options: { include_usage: true, include_obfuscation: false, other: 1 },
      tools: [{ ...named('f'), cache_control: {} }],
      messages: [
        { role: 'user', name: 'Ann', content: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }] },
        user([{ type: 'image_url', image_url: { url: 'https://x.example', detail: 'low' } }]),
        user([{ type: 'image_url', image_url: { url: 'https://x.example', detail: 'auto' } }]),
        { role: 'assistant', content: 'y', annotations: [], audio: null, function_call: null, refusal: null },
      ],
    })
    expect([...dropped].sort()).toEqual([
      'messages[].content[].cache_control',
      'messages[].content[].image_url.detail',
      'messages[].name',
      'stream_options.other',
      'tools[].cache_control',
    ])
  })

  it('leaves the body as it was', () => {
    const body = { messages: [user('x'), { role: 'assistant', tool_calls: [call('a')] }], tools }
    const before = structuredClone(body)
    parse(body)
    expect(body).toEqual(before)
  })
})
