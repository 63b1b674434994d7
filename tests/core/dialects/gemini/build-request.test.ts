import { describe, expect, it } from 'vitest'
import type {
  CanonicalRequest,
  JsonObject,
  Part,
  ThinkingPart,
  ToolResultPart,
  Turn,
} from '../../../../core/dialects/canonical'
import { buildRequest } from '../../../../core/dialects/gemini/build-request'
import { NOT_OURS } from '../../../../core/dialects/gemini/signature'
import { createNotes, emptyRequest, says, target } from './helpers'

type Wishes = Partial<CanonicalRequest>

function built(wishes: Wishes, model?: string): { body: JsonObject; dropped: readonly string[] } {
  const notes = createNotes()
  const request = { ...emptyRequest, turns: [says('user', 'hi')], ...wishes }
  return { body: buildRequest(request, target(model), notes), dropped: notes.names }
}

const contentsOf = (turns: readonly Turn[], model?: string): unknown => built({ turns }, model).body.contents
const configOf = (wishes: Wishes, model?: string): unknown => built(wishes, model).body.generationConfig

const call = (id: string, name = 'read', args = '{"p":"a"}'): Part => ({
  kind: 'tool-call',
  id,
  name,
  arguments: args,
  freeForm: false,
})
const result = (callId: string, text: string, more: Partial<ToolResultPart> = {}): ToolResultPart => ({
  kind: 'tool-result',
  callId,
  name: null,
  isError: false,
  content: text === '' ? [] : [{ kind: 'text', text }],
  ...more,
})
const text = (words: string): Part => ({ kind: 'text', text: words })
const thinking = (more: Partial<ThinkingPart>): ThinkingPart => ({
  kind: 'thinking',
  text: '',
  signature: null,
  issuer: 'gemini',
  redacted: false,
  ...more,
})
const response = (id: string, output: string, name = 'read'): JsonObject => ({
  functionResponse: { id, name, response: { output } },
})
const functionCall = (id: string): JsonObject => ({ functionCall: { id, name: 'read', args: { p: 'a' } } })
const hi = { role: 'user', parts: [{ text: 'hi' }] }

describe('the conversation, for Gemini', () => {
  it('has instructions apart, in order', () => {
    const system = [{ kind: 'text', text: 'A' } as const, { kind: 'text', text: 'B' } as const]
    expect(built({ system }).body).toEqual({
      contents: [hi],
      systemInstruction: { parts: [{ text: 'A' }, { text: 'B' }] },
    })
  })

  it('makes the user say an instruction that stands alone, for Gemini wants something to be said', () => {
    expect(built({ system: [{ kind: 'text', text: 'A' }], turns: [] }).body).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'A' }] }],
    })
    expect(() => built({ turns: [] })).toThrow('Send a message with text')
  })

  it('begins with the user, and lets the sides take turns', () => {
    const turns = [
      says('assistant', 'a'),
      says('user', 'b'),
      says('system', 'c'),
      says('user', 'd'),
      says('assistant', 'e'),
    ]
    expect(contentsOf(turns)).toEqual([
      { role: 'user', parts: [{ text: 'Hello.' }] },
      { role: 'model', parts: [{ text: 'a' }] },
      { role: 'user', parts: [{ text: 'b' }, { text: 'c' }, { text: 'd' }] },
      { role: 'model', parts: [{ text: 'e' }] },
    ])
  })

  it('gives the results of all calls first, in the order of the calls, in one content', () => {
    const turns: Turn[] = [
      says('user', 'hi'),
      { role: 'assistant', parts: [text('ok'), call('t1'), call('t2')] },
      { role: 'user', parts: [text('also Paris?'), result('t2', 'two')] },
      { role: 'user', parts: [result('t1', 'one')] },
    ]
    expect(contentsOf(turns)).toEqual([
      hi,
      { role: 'model', parts: [{ text: 'ok' }, functionCall('t1'), functionCall('t2')] },
      { role: 'user', parts: [response('t1', 'one'), response('t2', 'two'), { text: 'also Paris?' }] },
    ])
  })

  it('keeps parallel calls together that came in turns of their own', () => {
    const turns: Turn[] = [
      says('user', 'hi'),
      { role: 'assistant', parts: [call('t1')] },
      { role: 'assistant', parts: [call('t2')] },
      { role: 'user', parts: [result('t1', 'one'), result('t2', '')] },
    ]
    expect(contentsOf(turns)).toEqual([
      hi,
      { role: 'model', parts: [functionCall('t1'), functionCall('t2')] },
      { role: 'user', parts: [response('t1', 'one'), response('t2', '')] },
    ])
  })

  it('says that a result is missing where Gemini would refuse the call without one', () => {
    const missing = { functionResponse: { id: 't1', name: 'read', response: { error: 'No result was given.' } } }
    const asked: Turn = { role: 'assistant', parts: [call('t1')] }
    expect(contentsOf([says('user', 'hi'), asked, says('user', 'stop')])).toMatchObject([
      hi,
      {},
      { role: 'user', parts: [missing, { text: 'stop' }] },
    ])
    expect(contentsOf([says('user', 'hi'), asked])).toMatchObject([hi, {}, { role: 'user', parts: [missing] }])
    expect(contentsOf([says('user', 'hi'), asked, { role: 'user', parts: [] }, says('assistant', 'x')])).toMatchObject([
      hi,
      {},
      { parts: [missing] },
      { role: 'model' },
    ])
  })

  it('tells a result in words where its call is gone', () => {
    expect(contentsOf([{ role: 'user', parts: [result('t9', 'nine', { name: 'read' }), text('go on')] }])).toEqual([
      { role: 'user', parts: [{ text: 'Result of read: nine' }, { text: 'go on' }] },
    ])
    const twice: Turn = { role: 'user', parts: [result('t1', 'one'), result('t1', 'two')] }
    expect(contentsOf([says('user', 'hi'), { role: 'assistant', parts: [call('t1')] }, twice])).toMatchObject([
      hi,
      {},
      { parts: [response('t1', 'one'), { text: 'Result of t1: two' }] },
    ])
  })

  it('marks failed results', () => {
    const turns: Turn[] = [
      says('user', 'hi'),
      { role: 'assistant', parts: [call('t1')] },
      { role: 'user', parts: [result('t1', 'boom', { isError: true })] },
    ]
    expect(contentsOf(turns)).toMatchObject([
      hi,
      {},
      { parts: [{ functionResponse: { response: { error: 'boom' } } }] },
    ])
  })

  it('drops turns that say nothing, and no empty text goes up', () => {
    const turns: Turn[] = [says('user', 'hi'), { role: 'assistant', parts: [] }, says('user', 'there')]
    expect(contentsOf(turns)).toEqual([{ role: 'user', parts: [{ text: 'hi' }, { text: 'there' }] }])
  })

  it('carries images, those of tool results right behind the results', () => {
    const image: Part = { kind: 'image', media: { kind: 'base64', mediaType: 'image/png', data: 'AA==' }, name: null }
    const inline = { inlineData: { mimeType: 'image/png', data: 'AA==' } }
    const turns: Turn[] = [
      { role: 'user', parts: [text('look'), image] },
      { role: 'assistant', parts: [call('t1'), call('t2')] },
      { role: 'user', parts: [result('t1', '', { content: [image] }), result('t2', 'two'), text('and?')] },
    ]
    expect(contentsOf(turns)).toMatchObject([
      { parts: [{ text: 'look' }, inline] },
      {},
      { parts: [response('t1', 'See the attached file.'), response('t2', 'two'), inline, { text: 'and?' }] },
    ])
  })

  it('carries URLs as they are, with the type where it is known', () => {
    const url = (address: string, mediaType: string | null): Part => ({
      kind: 'image',
      media: { kind: 'url', url: address, mediaType },
      name: null,
    })
    const parts = [url('https://e.com/a.png', null), url('https://e.com/a', 'image/gif'), url('https://e.com/a', null)]
    expect(contentsOf([{ role: 'user', parts }])).toEqual([
      {
        role: 'user',
        parts: [
          { fileData: { mimeType: 'image/png', fileUri: 'https://e.com/a.png' } },
          { fileData: { mimeType: 'image/gif', fileUri: 'https://e.com/a' } },
          { fileData: { fileUri: 'https://e.com/a' } },
        ],
      },
    ])
  })

  it('keeps the arguments of a call whatever they are', () => {
    const parts: Part[] = [
      call('a', 'f', ''),
      call('b', 'f', '{"p":'),
      call('c', 'f', '[1]'),
      { kind: 'tool-call', id: 'd', name: 'patch', arguments: '*** Begin', freeForm: true },
    ]
    const args = [{}, { _raw: '{"p":' }, { _raw: '[1]' }, { input: '*** Begin' }]
    expect(contentsOf([says('user', 'hi'), { role: 'assistant', parts }])).toMatchObject([
      hi,
      { parts: args.map((value) => ({ functionCall: { args: value } })) },
      {},
    ])
  })
})

describe('thoughts, for Gemini', () => {
  const modelSaid = (...parts: Part[]): unknown => {
    const contents = contentsOf([says('user', 'hi'), { role: 'assistant', parts }]) as { parts: unknown }[]
    return contents[1]?.parts
  }

  it('puts the signature of hidden reasoning onto the call behind it', () => {
    expect(modelSaid(thinking({ signature: 'S', redacted: true }), call('t1'), call('t2'))).toEqual([
      { ...functionCall('t1'), thoughtSignature: 'S' },
      functionCall('t2'),
    ])
  })

  it('puts one that belongs to no call onto the words before it, or alone', () => {
    const hidden = thinking({ signature: 'S', redacted: true })
    expect(modelSaid(text('a'), hidden)).toEqual([{ text: 'a', thoughtSignature: 'S' }])
    expect(modelSaid(hidden, text('a'))).toEqual([{ text: '', thoughtSignature: 'S' }, { text: 'a' }])
  })

  it('gives a shown thought a part of its own', () => {
    expect(modelSaid(thinking({ text: 'hm', signature: 'S' }), thinking({ text: 'ah' }), text('a'))).toEqual([
      { text: 'hm', thought: true, thoughtSignature: 'S' },
      { text: 'ah', thought: true },
      { text: 'a' },
    ])
  })

  it('leaves out reasoning of other issuers and keeps its calls and results', () => {
    const foreign = thinking({ text: 'a é b', signature: 'SIG_A', issuer: 'anthropic' })
    expect(modelSaid(foreign, call('t1'))).toEqual([functionCall('t1')])
    expect(contentsOf([says('user', 'hi'), { role: 'assistant', parts: [foreign] }, says('user', 'go')])).toEqual([
      { role: 'user', parts: [{ text: 'hi' }, { text: 'go' }] },
    ])
  })

  it('marks calls that another model made in the running turn, for Gemini 3 refuses calls without a signature', () => {
    const turns: Turn[] = [
      says('user', 'hi'),
      { role: 'assistant', parts: [call('t0')] },
      { role: 'user', parts: [result('t0', 'x')] },
      says('assistant', 'done'),
      says('user', 'more'),
      { role: 'assistant', parts: [call('t1'), call('t2')] },
      { role: 'user', parts: [result('t1', 'x'), result('t2', 'x')] },
      { role: 'assistant', parts: [thinking({ signature: 'S', redacted: true }), call('t3')] },
      { role: 'user', parts: [result('t3', 'x')] },
    ]
    const signatures = (model: string): unknown =>
      (contentsOf(turns, model) as { role: string; parts: JsonObject[] }[])
        .filter(({ role }) => role === 'model')
        .flatMap(({ parts }) => parts.map((part) => part.thoughtSignature))
    const none = undefined
    expect(signatures('gemini-3-pro-preview')).toEqual([none, none, NOT_OURS, none, 'S'])
    expect(signatures('models/gemini-flash-latest')).toEqual([none, none, NOT_OURS, none, 'S'])
    expect(signatures('gemini-2.5-pro')).toEqual([none, none, none, none, 'S'])
    expect(signatures('gemma-3-27b')).toEqual([none, none, none, none, 'S'])
  })

  it.each<[string, CanonicalRequest['reasoning'], unknown]>([
    ['gemini-2.5-flash', null, undefined],
    ['gemini-2.5-flash', { effort: 'none', budget: null, show: null }, { thinkingBudget: 0 }],
    ['gemini-2.5-flash', { effort: 'minimal', budget: null, show: null }, { thinkingBudget: 512 }],
    ['gemini-2.5-flash', { effort: 'medium', budget: null, show: false }, { thinkingBudget: 8192 }],
    ['gemini-2.5-flash', { effort: 'xhigh', budget: null, show: null }, { thinkingBudget: 24576 }],
    ['gemini-2.5-pro', { effort: 'xhigh', budget: null, show: null }, { thinkingBudget: 32768 }],
    ['gemini-2.5-pro', { effort: 'none', budget: null, show: null }, { thinkingBudget: 128 }],
    ['gemini-2.5-flash', { effort: null, budget: 31999, show: true }, { thinkingBudget: 24576, includeThoughts: true }],
    ['gemini-2.5-flash', { effort: 'low', budget: 4000, show: true }, { thinkingBudget: 4000, includeThoughts: true }],
    ['gemini-2.5-flash', { effort: null, budget: -1, show: null }, { thinkingBudget: -1 }],
    ['gemini-2.5-flash', { effort: null, budget: 100, show: null }, { thinkingBudget: 512 }],
    ['gemini-2.5-flash', { effort: null, budget: null, show: null }, undefined],
    ['gemini-3-pro-preview', { effort: 'high', budget: null, show: null }, { thinkingBudget: 24576 }],
    ['models/gemini-2.0-flash', { effort: 'high', budget: null, show: true }, undefined],
    ['gemma-3-27b', { effort: 'none', budget: null, show: true }, undefined],
  ])('how much to think: %s, %j', (model, reasoning, thinkingConfig) => {
    expect((configOf({ reasoning }, model) as JsonObject | undefined)?.thinkingConfig).toEqual(thinkingConfig)
  })

  it('notes where a model cannot think at all', () => {
    expect(built({ reasoning: { effort: 'high', budget: null, show: null } }, 'gemini-2.0-flash').dropped).toEqual([
      'reasoning',
    ])
  })
})

describe('limits and wishes, for Gemini', () => {
  it('limits the output under its own name', () => {
    expect(configOf({ maxTokens: 4096 })).toEqual({ maxOutputTokens: 4096 })
    expect(built({}).body.generationConfig).toBeUndefined()
  })

  it('never asks for more than the model can give', () => {
    const request = { ...emptyRequest, turns: [says('user', 'hi')], maxTokens: 100_000 }
    const body = buildRequest(request, { ...target(), maxOutputTokens: 65_536 }, createNotes())
    expect(body.generationConfig).toEqual({ maxOutputTokens: 65_536 })
  })

  it('carries sampling, and leaves out penalties that are none', () => {
    expect(
      configOf({
        temperature: 0,
        topP: 0.9,
        topK: 40,
        stop: ['END'],
        seed: 7,
        presencePenalty: 0,
        frequencyPenalty: 0.5,
      }),
    ).toEqual({ temperature: 0, topP: 0.9, topK: 40, stopSequences: ['END'], seed: 7, frequencyPenalty: 0.5 })
  })

  it('refuses more stop sequences than Gemini knows', () => {
    expect(() => built({ stop: ['1', '2', '3', '4', '5', '6'] })).toThrow('stop: Gemini takes at most 5')
  })

  it('notes what Gemini has no word for', () => {
    const { dropped, body } = built({
      parallelToolCalls: false,
      verbosity: 'low',
      user: 'u',
      cacheKey: 'k',
      seed: 2 ** 40,
      tools: [{ name: 'f', description: null, schema: null, strict: true, freeForm: false }],
    })
    expect(dropped).toEqual(['parallelToolCalls', 'verbosity', 'user', 'cacheKey', 'tools[].strict', 'seed'])
    expect(body).toEqual({ contents: [hi], tools: [{ functionDeclarations: [{ name: 'f' }] }] })
  })

  it.each<[CanonicalRequest['output'], unknown]>([
    [{ kind: 'text' }, undefined],
    [{ kind: 'json' }, { responseMimeType: 'application/json' }],
    [
      {
        kind: 'schema',
        name: 'n',
        description: 'd',
        schema: { type: 'object', properties: { a: { type: ['string', 'null'] } }, additionalProperties: false },
        strict: true,
      },
      {
        responseMimeType: 'application/json',
        responseSchema: {
          type: 'OBJECT',
          description: 'd',
          properties: { a: { type: 'STRING', nullable: true } },
        },
      },
    ],
    [
      { kind: 'schema', name: 'n', description: null, schema: { type: 'object' }, strict: null },
      { responseMimeType: 'application/json' },
    ],
  ])('form of the output: %j', (output, config) => {
    expect(configOf({ output })).toEqual(config)
  })
})

describe('functions, for Gemini', () => {
  const schema = { type: 'object', properties: { p: { type: 'string', format: 'uri' } }, additionalProperties: false }
  const tool = { name: 'f', description: 'd', schema, strict: null, freeForm: false }

  it('have a cleaned copy of their schema', () => {
    expect(
      built({ tools: [tool, { ...tool, name: 'g', description: null, schema: { type: 'object' } }] }).body.tools,
    ).toEqual([
      {
        functionDeclarations: [
          { name: 'f', description: 'd', parameters: { type: 'OBJECT', properties: { p: { type: 'STRING' } } } },
          { name: 'g' },
        ],
      },
    ])
    expect(schema.additionalProperties).toBe(false)
  })

  it('refuse free text, which Gemini cannot give', () => {
    expect(() => built({ tools: [{ ...tool, schema: null, freeForm: true }] })).toThrow('the tool "f" takes free text')
  })

  it.each<[CanonicalRequest['toolChoice'], unknown]>([
    [{ kind: 'auto' }, { mode: 'AUTO' }],
    [{ kind: 'none' }, { mode: 'NONE' }],
    [{ kind: 'required' }, { mode: 'ANY' }],
    [
      { kind: 'tool', name: 'f' },
      { mode: 'ANY', allowedFunctionNames: ['f'] },
    ],
  ])('whether they must be called: %j', (toolChoice, functionCallingConfig) => {
    expect(built({ tools: [tool], toolChoice }).body.toolConfig).toEqual({ functionCallingConfig })
    expect(built({ toolChoice }).body.toolConfig).toBeUndefined()
  })
})
