import { describe, expect, it } from 'vitest'
import type { CanonicalRequest, JsonObject, MediaPart, Part, Turn } from '../../../../core/dialects/canonical'
import { objectsOf } from '../../../../core/dialects/json'
import { JSON_INSTRUCTION } from '../../../../core/dialects/json-word'
import { build, refusal } from './support'

const text = (value: string): Part => ({ kind: 'text', text: value })
const call = (id: string, name = 'f'): Part => ({ kind: 'tool-call', id, name, arguments: '{}', freeForm: false })
const result = (callId: string, content: readonly Part[] = [text(`of ${callId}`)], isError = false): Part => ({
  kind: 'tool-result',
  callId,
  name: 'f',
  isError,
  content: content as never,
})
const image = (data = 'AA=='): MediaPart => ({
  kind: 'image',
  media: { kind: 'base64', mediaType: 'image/png', data },
  name: null,
})
const user = (...parts: readonly Part[]): Turn => ({ role: 'user', parts })
const assistant = (...parts: readonly Part[]): Turn => ({ role: 'assistant', parts })
const messagesOf = (...turns: readonly Turn[]) => build({ turns }).messages
const callIds = ([message]: readonly JsonObject[]): readonly string[] =>
  objectsOf(message?.tool_calls).map(({ id }) => String(id))
const png = (data = 'AA==') => ({ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } })
const made = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })

describe('Chat messages from canonical turns', () => {
  it('join all system parts in one message, and plain texts in one text', () => {
    const { messages } = build({
      system: [
        { kind: 'text', text: 'A' },
        { kind: 'text', text: 'B' },
      ],
      turns: [user(text('1'), text('2')), { role: 'system', parts: [text('C')] }, assistant(text('3'))],
    })
    expect(messages).toEqual([
      { role: 'system', content: 'A\n\nB' },
      { role: 'user', content: '1\n\n2' },
      { role: 'system', content: 'C' },
      { role: 'assistant', content: '3' },
    ])
  })

  it('put tool results directly after their calls and the user’s words behind them, whatever the order was', () => {
    expect(
      messagesOf(assistant(call('t1'), call('t2')), user(text('also Paris?'), result('t1'), result('t2'))),
    ).toEqual([
      { role: 'assistant', content: null, tool_calls: [made('t1'), made('t2')] },
      { role: 'tool', tool_call_id: 't1', content: 'of t1' },
      { role: 'tool', tool_call_id: 't2', content: 'of t2' },
      { role: 'user', content: 'also Paris?' },
    ])
  })

  it('bring late results to their calls, over turns between them', () => {
    const messages = messagesOf(
      assistant(call('a'), call('b')),
      { role: 'system', parts: [text('note')] },
      user(result('b')),
      user(text('well'), result('a')),
    )
    expect(messages.map(({ role, tool_call_id }) => tool_call_id ?? role)).toEqual([
      'assistant',
      'b',
      'a',
      'system',
      'user',
    ])
  })

  it('keep parallel calls in one message where they came as turns of their own', () => {
    const messages = messagesOf(assistant(text('x')), assistant(call('a')), assistant(call('b')), user(result('a')))
    expect(messages[0]).toEqual({ role: 'assistant', content: 'x', tool_calls: [made('a'), made('b')] })
  })

  it('say that no result was given where one is missing', () => {
    expect(messagesOf(assistant(call('a'), call('b')), user(result('b'), text('go on'))).slice(1)).toEqual([
      { role: 'tool', tool_call_id: 'b', content: 'of b' },
      { role: 'tool', tool_call_id: 'a', content: 'Error: no result was given.' },
      { role: 'user', content: 'go on' },
    ])
  })

  it('tell results without a call in words', () => {
    expect(messagesOf(user(result('gone'), text('go on')))).toEqual([
      { role: 'user', content: 'Result of an earlier call of f: of gone\n\ngo on' },
    ])
  })

  it('send the images of tool results in the user message right after the tool messages', () => {
    const turns = [
      assistant(call('a'), call('b')),
      user(result('a', [text('shot'), image('AA==')]), result('b', [image('BB==')]), text('see?')),
    ]
    expect(messagesOf(...turns).slice(1)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'shot' },
      { role: 'tool', tool_call_id: 'b', content: 'The result is in the next message.' },
      { role: 'user', content: [png('AA=='), png('BB=='), { type: 'text', text: 'see?' }] },
    ])
    const alone = messagesOf(assistant(call('a')), user(result('a', [image()])), assistant(text('ok')))
    expect(alone.map(({ role }) => role)).toEqual(['assistant', 'tool', 'user', 'assistant'])
    expect(alone[2]).toEqual({ role: 'user', content: [png()] })
  })

  it('say of an error that it is one', () => {
    const messages = messagesOf(
      assistant(call('a'), call('b'), call('c')),
      user(result('a', [text('no such file')], true), result('b', [text('Error 5')], true), result('c', [], true)),
    )
    expect(messages.slice(1).map(({ content }) => content)).toEqual(['Error: no such file', 'Error 5', 'Error:'])
  })

  it('have null as the content of turns of tool calls only, and empty text for an empty result', () => {
    const messages = messagesOf(assistant(call('a')), user(result('a', [])))
    expect(messages[0]?.content).toBeNull()
    expect(messages[1]?.content).toBe('')
  })

  it('carry images, sounds, documents and refusals', () => {
    const media = (kind: MediaPart['kind'], mediaType: string, name: string | null = null): Part => ({
      kind,
      name,
      media: { kind: 'base64', mediaType, data: 'SGk=' },
    })
    const url: Part = { kind: 'image', name: null, media: { kind: 'url', url: 'https://x.example/a', mediaType: null } }
    expect(
      messagesOf(
        user(text('a'), image(), url, media('audio', 'audio/mpeg'), media('audio', 'audio/x-wav')),
        user(media('document', 'application/pdf'), media('document', 'text/markdown', 'a.md')),
        assistant({ kind: 'refusal', text: 'No.' }),
      ),
    ).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          png(),
          { type: 'image_url', image_url: { url: 'https://x.example/a' } },
          { type: 'input_audio', input_audio: { data: 'SGk=', format: 'mp3' } },
          { type: 'input_audio', input_audio: { data: 'SGk=', format: 'wav' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'file', file: { filename: 'document.pdf', file_data: 'data:application/pdf;base64,SGk=' } },
          { type: 'text', text: 'a.md:\nHi' },
        ],
      },
      { role: 'assistant', content: null, refusal: 'No.' },
    ])
  })

  it('show an image an assistant made with the user’s next words', () => {
    expect(messagesOf(assistant(text('here'), image()), user(text('bluer')))).toEqual([
      { role: 'assistant', content: 'here' },
      { role: 'user', content: [png(), { type: 'text', text: 'bluer' }] },
    ])
  })

  it.each<[string, MediaPart]>([
    ['no document by its address', { kind: 'document', name: null, media: { kind: 'url', url: 'x', mediaType: null } }],
    ['no sound by its address', { kind: 'audio', name: null, media: { kind: 'url', url: 'x', mediaType: null } }],
    ['not as audio/flac', { kind: 'audio', name: null, media: { kind: 'base64', data: '', mediaType: 'audio/flac' } }],
  ])('are refused where silence would mislead: %s', (words, part) => {
    expect(refusal(() => messagesOf(user(part)))).toContain(words)
  })

  it('have ids that are not too long, the same in call and result, and leave short ones as they are', () => {
    const long = 'a'.repeat(41)
    const messages = messagesOf(
      assistant(call(long), call(`${long}b`), call('c'.repeat(40)), call(`d${long}`)),
      user(result(`${long}b`), result(long), result('c'.repeat(40))),
    )
    const ids = callIds(messages)
    expect(new Set(ids).size).toBe(4)
    expect(ids.map((id) => id.length)).toEqual([40, 40, 40, 40])
    expect(ids[2]).toBe('c'.repeat(40))
    expect(messages.slice(1).map((message) => message.tool_call_id)).toEqual([ids[1], ids[0], ids[2], ids[3]])
    expect(messagesOf(assistant(call(long)), user(result(long)))[1]?.tool_call_id).toBe(ids[0])
  })

  it('have no two calls of one id, even where a short id is what a long one becomes', () => {
    const long = 'a'.repeat(60)
    const [short = ''] = callIds(messagesOf(assistant(call(long))))
    const messages = messagesOf(assistant(call(short), call(long)), user(result(short), result(long)))
    const ids = callIds(messages)
    expect(ids[0]).toBe(short)
    expect(ids[1]).not.toBe(short)
    expect(ids[1]?.length).toBeLessThanOrEqual(40)
    expect(messages.slice(1).map((message) => message.tool_call_id)).toEqual(ids)
  })

  describe('with reasoning of earlier turns', () => {
    const thinking = (issuer: 'openai-chat' | 'anthropic', signature: string | null, words = 'hm'): Part => ({
      kind: 'thinking',
      text: words,
      issuer,
      signature,
      redacted: words === '',
    })
    const ofTurn = (...parts: readonly Part[]) => messagesOf(assistant(...parts, call('a')), user(result('a')))[0]

    it('leave out what another issuer signed, and turns that hold nothing else', () => {
      expect(ofTurn(thinking('anthropic', 'SIG'), text('Hi'))).toEqual({
        role: 'assistant',
        content: 'Hi',
        tool_calls: [made('a')],
      })
      expect(messagesOf(user(text('x')), assistant(thinking('anthropic', 'SIG')))).toHaveLength(1)
    })

    it('give servers back what they want, in the member it came in, beside tool calls only', () => {
      expect(ofTurn(thinking('openai-chat', 'reasoning_content'))).toMatchObject({ reasoning_content: 'hm' })
      expect(ofTurn(thinking('openai-chat', 'reasoning'))).not.toHaveProperty('reasoning')
      expect(ofTurn(thinking('openai-chat', 'content'), text('Hi'))).toMatchObject({
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
          { type: 'text', text: 'Hi' },
        ],
      })
      expect(messagesOf(assistant(thinking('openai-chat', 'reasoning_content'), text('Hi')))).toEqual([
        { role: 'assistant', content: 'Hi' },
      ])
    })

    it('let no signature name another member', () => {
      expect(ofTurn(thinking('openai-chat', 'role'))).toMatchObject({ role: 'assistant', content: null })
      expect(ofTurn(thinking('openai-chat', null))).not.toHaveProperty('null')
    })

    it('put details and extra content where they were', () => {
      const detail = { type: 'reasoning.text', signature: 'S', index: 0 }
      const extra = { google: { thought_signature: 'G' } }
      expect(
        ofTurn(
          thinking('openai-chat', JSON.stringify({ reasoning_details: detail })),
          thinking('openai-chat', JSON.stringify({ extra_content: extra }), ''),
        ),
      ).toEqual({
        role: 'assistant',
        content: null,
        reasoning_details: [{ ...detail, text: 'hm' }],
        tool_calls: [{ ...made('a'), extra_content: extra }],
      })
    })
  })
})

describe('the other fields of a Chat request', () => {
  it('says only what was said', () => {
    expect(build({}).body).toEqual({ model: 'm', messages: [] })
  })

  it('limits the output under one name, within the model’s own limit', () => {
    const old = { maxTokensField: 'max_tokens' } as const
    expect(build({ maxTokens: 5 }).body).toEqual({ model: 'm', messages: [], max_completion_tokens: 5 })
    expect(build({ maxTokens: 5 }, old).body).toEqual({ model: 'm', messages: [], max_tokens: 5 })
    expect(build({ maxTokens: 5000 }, { ...old, maxOutputTokens: 4096 }).body.max_tokens).toBe(4096)
  })

  it('asks for usage where the stream reports it on request', () => {
    expect(build({}, { stream: true }).body).toMatchObject({ stream: true, stream_options: { include_usage: true } })
    expect(build({}, { stream: true, reportsUsageOnRequest: false }).body).not.toHaveProperty('stream_options')
    expect(build({}).body).not.toHaveProperty('stream_options')
  })

  it.each<[Partial<CanonicalRequest>, object]>([
    [{ temperature: 1.5 }, { temperature: 1.5 }],
    [{ topP: 0.5 }, { top_p: 0.5 }],
    [{ stop: ['a'] }, { stop: ['a'] }],
    [
      { presencePenalty: 1, frequencyPenalty: 0 },
      { presence_penalty: 1, frequency_penalty: 0 },
    ],
    [{ seed: 3 }, { seed: 3 }],
    [
      { user: 'u', verbosity: 'low', cacheKey: 'k' },
      { user: 'u', verbosity: 'low', prompt_cache_key: 'k' },
    ],
    [
      { output: { kind: 'schema', name: 'n', description: null, schema: { type: 'object' }, strict: true } },
      {
        response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' }, strict: true } },
      },
    ],
  ])('%j', (request, members) => {
    const { body, dropped } = build(request)
    expect(body).toEqual({ model: 'm', messages: [], ...members })
    expect(dropped).toEqual([])
  })

  it.each([
    [null, -1, undefined],
    [null, 0, 'none'],
    [null, 1024, 'low'],
    [null, 4096, 'low'],
    [null, 4097, 'medium'],
    [null, 16_384, 'medium'],
    [null, 31_999, 'high'],
    ['minimal', 31_999, 'minimal'],
    ['xhigh', null, 'xhigh'],
  ] as const)('effort %s and budget %s become %s', (effort, budget, word) => {
    expect(build({ reasoning: { effort, budget, show: true } }).body.reasoning_effort).toBe(word)
  })

  it('names what Chat, or an older server, does not know', () => {
    expect(build({ topK: 5, user: 'x'.repeat(65) })).toMatchObject({
      body: { model: 'm', messages: [] },
      dropped: ['topK', 'user'],
    })
    const old = build({ verbosity: 'low', cacheKey: 'k' }, { maxTokensField: 'max_tokens' })
    expect(old).toMatchObject({ dropped: ['verbosity', 'cacheKey'] })
    expect(old.body).toEqual({ model: 'm', messages: [] })
  })

  it.each<[string, Partial<CanonicalRequest>, boolean]>([
    ['is missing', { turns: [user(text('Hi'))] }, true],
    ['stands in a call only', { turns: [assistant(call('json'))] }, true],
    ['stands in a message', { turns: [user(text('as Json, please'))] }, false],
    ['stands in the instructions', { system: [{ kind: 'text', text: 'JSON' }] }, false],
  ])('asks for JSON in words where the word %s', (_where, request, isAdded) => {
    const { body, messages } = build({ output: { kind: 'json' }, ...request })
    expect(body.response_format).toEqual({ type: 'json_object' })
    const plain = build(request).messages
    expect(messages).toEqual(isAdded ? [{ role: 'system', content: JSON_INSTRUCTION }, ...plain] : plain)
  })

  it('asks for JSON behind the other instructions', () => {
    const { messages } = build({ output: { kind: 'json' }, system: [{ kind: 'text', text: 'Be brief.' }] })
    expect(messages).toEqual([{ role: 'system', content: `Be brief.\n\n${JSON_INSTRUCTION}` }])
  })

  it('refuses more stop words than OpenAI takes, and sends all of them to older servers', () => {
    const five = ['a', 'b', 'c', 'd', 'e']
    expect(refusal(() => build({ stop: five }))).toMatch(/^stop: .*at most 4/)
    expect(build({ stop: five.slice(1) }).body.stop).toEqual(five.slice(1))
    expect(build({ stop: five }, { maxTokensField: 'max_tokens' }).body.stop).toEqual(five)
  })

  const tool = { description: null, schema: null, strict: null, freeForm: false }
  it('gives every function an object with properties, and leaves the given schema as it was', () => {
    const schema = Object.freeze({ $schema: 'x', additionalProperties: false })
    const { body } = build({
      tools: [
        { ...tool, name: 'none' },
        { ...tool, name: 'untyped', schema, strict: true },
        { ...tool, name: 'whole', description: 'd', schema: { type: 'object', properties: { a: {} } } },
        { ...tool, name: 'free', freeForm: true },
      ],
    })
    expect(body.tools).toEqual([
      { type: 'function', function: { name: 'none', parameters: { type: 'object', properties: {} } } },
      {
        type: 'function',
        function: { name: 'untyped', parameters: { type: 'object', properties: {}, ...schema }, strict: true },
      },
      {
        type: 'function',
        function: { name: 'whole', description: 'd', parameters: { type: 'object', properties: { a: {} } } },
      },
      { type: 'custom', custom: { name: 'free' } },
    ])
  })

  it('chooses among tools in every form, and only where there are tools', () => {
    const tools = [
      { ...tool, name: 'a' },
      { ...tool, name: 'b', freeForm: true },
    ]
    const chosen = (toolChoice: CanonicalRequest['toolChoice']) => build({ tools, toolChoice }).body.tool_choice
    expect([chosen({ kind: 'auto' }), chosen({ kind: 'none' }), chosen({ kind: 'required' }), chosen(null)]).toEqual([
      'auto',
      'none',
      'required',
      undefined,
    ])
    expect(chosen({ kind: 'tool', name: 'a' })).toEqual({ type: 'function', function: { name: 'a' } })
    expect(chosen({ kind: 'tool', name: 'b' })).toEqual({ type: 'custom', custom: { name: 'b' } })
    expect(build({ tools, parallelToolCalls: false }).body.parallel_tool_calls).toBe(false)
    expect(build({ toolChoice: { kind: 'auto' }, parallelToolCalls: true }).body).toEqual({ model: 'm', messages: [] })
  })
})
