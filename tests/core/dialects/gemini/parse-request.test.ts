import { describe, expect, it } from 'vitest'
import type { JsonObject, Part } from '../../../../core/dialects/canonical'
import { fields } from '../../../../core/dialects/gemini/fields'
import { NOT_OURS, writeSignature } from '../../../../core/dialects/gemini/signature'
import { parsed } from './helpers'

const user = (...parts: JsonObject[]): JsonObject => ({ role: 'user', parts })
const model = (...parts: JsonObject[]): JsonObject => ({ role: 'model', parts })
const turnsOf = (...contents: JsonObject[]) => parsed({ contents }).request.turns
const partsOf = (...parts: JsonObject[]): readonly Part[] => turnsOf(model(...parts))[0]?.parts ?? []
const config = (generationConfig: JsonObject) => parsed({ contents: [], generationConfig }).request

describe('the conversation of a Gemini request', () => {
  it('takes a missing role for the user, and the function role as well', () => {
    expect(
      turnsOf({ parts: [{ text: 'a' }] }, model({ text: 'b' }), { role: 'function', parts: [{ text: 'c' }] }),
    ).toEqual([
      { role: 'user', parts: [{ kind: 'text', text: 'a' }] },
      { role: 'assistant', parts: [{ kind: 'text', text: 'b' }] },
      { role: 'user', parts: [{ kind: 'text', text: 'c' }] },
    ])
  })

  it('takes a single content and a single part without their lists', () => {
    expect(parsed({ contents: { role: 'user', parts: { text: 'a' } } }).request.turns).toEqual([
      { role: 'user', parts: [{ kind: 'text', text: 'a' }] },
    ])
  })

  it('joins what a client kept of a stream chunk by chunk', () => {
    expect(turnsOf(model({ text: 'Hel' }), model({ text: 'lo' }, { text: '' }), model({ text: '!' }))).toEqual([
      { role: 'assistant', parts: [{ kind: 'text', text: 'Hello!' }] },
    ])
    expect(turnsOf(user({ text: 'a' }), user({ text: 'b' }))).toHaveLength(2)
  })

  it('makes no part of empty text, and no turn of nothing', () => {
    expect(turnsOf(user({ text: '' }, { text: 'hi' }), model(), model({ text: '' }), { role: 'user' })).toEqual([
      { role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
    ])
  })

  it('reads instructions in all their forms', () => {
    const texts = [{ kind: 'text', text: 'a' }]
    for (const systemInstruction of [
      'a',
      { text: 'a' },
      { parts: { text: 'a' } },
      { role: 'user', parts: [{ text: 'a' }, { text: '' }] },
    ]) {
      expect(parsed({ contents: [], systemInstruction }).request.system).toEqual(texts)
      expect(parsed({ contents: [], system_instruction: systemInstruction }).request.system).toEqual(texts)
    }
  })

  it('tells code that Google ran as text', () => {
    expect(
      partsOf(
        { executableCode: { language: 'PYTHON', code: 'print(1)' } },
        { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
      ),
    ).toEqual([
      { kind: 'text', text: '```python\nprint(1)\n```' },
      { kind: 'text', text: '```\n1\n```' },
    ])
  })

  it('notes parts and members that no other dialect has', () => {
    const part = { inlineData: { mimeType: 'image/png', data: 'AA==' }, mediaResolution: {}, partMetadata: {} }
    expect(parsed({ contents: [user(part), model({ toolCall: { id: '1' } })] }).dropped).toEqual([
      'contents[].parts[].mediaResolution',
      'contents[].parts[].partMetadata',
      'contents[].parts[].toolCall',
    ])
  })

  it.each<[string, JsonObject]>([
    ['contents[0]: must be an object', { contents: ['hi'] }],
    ['contents[0].role: must be "user" or "model"', { contents: [{ role: 'system', parts: [] }] }],
    ['contents[0].parts[1].text: must be a string', { contents: [user({ text: 'a' }, { text: 1 })] }],
    ['contents[1].parts[0].functionCall.name: must be a string', { contents: [user(), model({ functionCall: {} })] }],
    ['functionCall.args: must be an object', { contents: [model({ functionCall: { name: 'f', args: 'x' } })] }],
    [
      'functionResponse.response: must be an object',
      { contents: [user({ functionResponse: { name: 'f', response: [] } })] },
    ],
    ['functionResponse.name: is missing', { contents: [user({ functionResponse: { response: {} } })] }],
    [
      'systemInstruction.parts[0].text: must be a string',
      { contents: [], systemInstruction: { parts: [{ inlineData: {} }] } },
    ],
    ['inlineData.mimeType: must be a string', { contents: [user({ inlineData: { data: 'x' } })] }],
    ['video cannot be carried', { contents: [user({ inlineData: { mimeType: 'video/mp4', data: 'x' } })] }],
    ['only Google can read this file', { contents: [user({ fileData: { fileUri: 'gs://bucket/a.png' } })] }],
    [
      'only Google can read this file',
      { contents: [user({ fileData: { fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/a' } })] },
    ],
    [
      'only Google can read this file',
      { contents: [user({ fileData: { fileUri: 'https://www.youtube.com/watch?v=a' } })] },
    ],
    ['generationConfig: must be an object', { contents: [], generationConfig: [] }],
    ['generationConfig.topK: must be a number', { contents: [], generationConfig: { topK: 'x' } }],
    [
      'tools[0].functionDeclarations[0].name: must be a string',
      { contents: [], tools: [{ functionDeclarations: [{}] }] },
    ],
  ])('refuses with the place: %s', (words, body) => {
    expect(() => parsed(body)).toThrow(words)
  })
})

describe('images and files of a Gemini request', () => {
  it('are never lost: base64 with its type, URL with its own or the type of its ending', () => {
    const parts = turnsOf(
      user(
        { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } },
        { inline_data: { mime_type: 'application/pdf', data: 'JVBE' } },
        { inlineData: { mimeType: 'audio/wav', data: 'UklG' } },
        { fileData: { fileUri: 'https://example.com/a.JPG?x=1' } },
        { file_data: { file_uri: 'https://example.com/a', mime_type: 'image/webp' } },
        { fileData: { fileUri: 'https://example.com/doc' } },
      ),
    )[0]?.parts
    expect(parts).toEqual([
      { kind: 'image', media: { kind: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' }, name: null },
      { kind: 'document', media: { kind: 'base64', mediaType: 'application/pdf', data: 'JVBE' }, name: null },
      { kind: 'audio', media: { kind: 'base64', mediaType: 'audio/wav', data: 'UklG' }, name: null },
      {
        kind: 'image',
        media: { kind: 'url', url: 'https://example.com/a.JPG?x=1', mediaType: 'image/jpeg' },
        name: null,
      },
      { kind: 'image', media: { kind: 'url', url: 'https://example.com/a', mediaType: 'image/webp' }, name: null },
      { kind: 'document', media: { kind: 'url', url: 'https://example.com/doc', mediaType: null }, name: null },
    ])
  })

  it('are put into the alphabet every API takes', () => {
    const [part] = partsOf({ inlineData: { mimeType: 'image/png', data: '-_-_' } })
    expect(part).toMatchObject({ media: { data: '+/+/' } })
  })

  it('stay in the tool result they belong to', () => {
    const response = { name: 'shot', response: {}, parts: [{ inlineData: { mimeType: 'image/png', data: 'AA==' } }] }
    const turns = turnsOf(model({ functionCall: { name: 'shot' } }), user({ functionResponse: response }))
    expect(turns[1]?.parts).toEqual([
      {
        kind: 'tool-result',
        callId: 'call_0_0',
        name: 'shot',
        isError: false,
        content: [{ kind: 'image', media: { kind: 'base64', mediaType: 'image/png', data: 'AA==' }, name: null }],
      },
    ])
  })
})

describe('calls and their results, which Gemini ties by name and order', () => {
  const call = (name: string, more: JsonObject = {}): JsonObject => ({
    functionCall: { name, args: { n: 1 }, ...more },
  })
  const response = (name: string, output: string, more: JsonObject = {}): JsonObject => ({
    functionResponse: { name, response: { output }, ...more },
  })
  const resultsOf = (...contents: JsonObject[]): unknown =>
    turnsOf(...contents).flatMap(({ parts }) =>
      parts.flatMap((part): unknown[] => {
        if (part.kind === 'tool-call') return [part.id]
        if (part.kind !== 'tool-result') return []
        const [first] = part.content
        return [[part.callId, first?.kind === 'text' ? first.text : null]]
      }),
    )

  it('gives calls the same ids each time the conversation is sent', () => {
    const contents = [user({ text: 'hi' }), model({ text: 'ok' }, call('a'), call('b'))]
    expect(turnsOf(...contents)).toEqual(turnsOf(...structuredClone(contents)))
    expect(turnsOf(...contents)[1]?.parts).toEqual([
      { kind: 'text', text: 'ok' },
      { kind: 'tool-call', id: 'call_1_0', name: 'a', arguments: '{"n":1}', freeForm: false },
      { kind: 'tool-call', id: 'call_1_1', name: 'b', arguments: '{"n":1}', freeForm: false },
    ])
  })

  it('ties parallel results of one function in their order, of others by name', () => {
    expect(
      resultsOf(
        model(call('read'), call('list'), call('read')),
        user(response('list', 'L'), response('read', '1'), response('read', '2')),
      ),
    ).toEqual(['call_0_0', 'call_0_1', 'call_0_2', ['call_0_1', 'L'], ['call_0_0', '1'], ['call_0_2', '2']])
  })

  it('ties by id where both have one, whatever the order', () => {
    expect(
      resultsOf(
        model(call('read', { id: 'x' }), call('read', { id: 'y' })),
        user(response('read', '2', { id: 'y' }), response('read', '1', { id: 'x' })),
      ),
    ).toEqual(['x', 'y', ['y', '2'], ['x', '1']])
  })

  it('ties by name where only the result has an id, as Gemini CLI sends it', () => {
    expect(resultsOf(model(call('read')), user(response('read', '1', { id: 'read-170-abc' })))).toEqual([
      'call_0_0',
      ['call_0_0', '1'],
    ])
  })

  it('ties to the latest turn, not to a call that never got its result', () => {
    expect(
      resultsOf(model(call('read')), user({ text: 'stop' }), model(call('read')), user(response('read', '1'))),
    ).toEqual(['call_0_0', 'call_2_0', ['call_2_0', '1']])
  })

  it('keeps ids apart that a server gave twice', () => {
    expect(
      resultsOf(
        model(call('read', { id: 'read' }), call('read', { id: 'read' })),
        user(response('read', '1', { id: 'read' }), response('read', '2', { id: 'read' })),
      ),
    ).toEqual(['read', 'call_0_1', ['read', '1'], ['call_0_1', '2']])
  })

  it('keeps a result whose call is gone', () => {
    expect(resultsOf(user(response('read', '1', { id: 'x' })))).toEqual([['x', '1']])
    expect(resultsOf(user(response('read', '1')))).toEqual([['call_0_read', '1']])
  })

  it.each<[string, JsonObject, string, boolean]>([
    ['output', { output: 'a' }, 'a', false],
    ['result', { result: 'a' }, 'a', false],
    ['error', { error: 'a' }, 'a', true],
    ['output that is no text', { output: { a: 1 } }, '{"a":1}', false],
    ['output beside an error', { output: 'a', error: 'b' }, '{"output":"a","error":"b"}', true],
    ['output beside an empty error', { output: 'a', error: '' }, '{"output":"a","error":""}', false],
    ['anything', { temperature: 21 }, '{"temperature":21}', false],
    ['nothing', {}, '', false],
  ])('reads a response with %s', (_what, given, text, isError) => {
    const [turn] = turnsOf(user({ functionResponse: { name: 'f', response: given } }))
    expect(turn?.parts[0]).toMatchObject({ isError, content: text === '' ? [] : [{ kind: 'text', text }] })
  })
})

describe('thoughts and their signatures', () => {
  it('reads a signature on a call as hidden reasoning right before it', () => {
    expect(partsOf({ functionCall: { name: 'f' }, thoughtSignature: 'c2ln' })).toEqual([
      { kind: 'thinking', text: '', signature: 'c2ln', issuer: 'gemini', redacted: true },
      { kind: 'tool-call', id: 'call_0_0', name: 'f', arguments: '{}', freeForm: false },
    ])
  })

  it('reads a signature on visible words as hidden reasoning behind them', () => {
    expect(partsOf({ text: 'hi', thought_signature: 'c2ln' })).toEqual([
      { kind: 'text', text: 'hi' },
      { kind: 'thinking', text: '', signature: 'c2ln', issuer: 'gemini', redacted: true },
    ])
  })

  it('joins pieces of a thought, and the signature that came behind them', () => {
    const signature = writeSignature({ issuer: 'anthropic', signature: 'SIG:A' })
    expect(
      partsOf(
        { text: 'a', thought: true },
        { text: 'b', thought: true },
        { text: '', thought: true, thoughtSignature: signature },
      ),
    ).toEqual([{ kind: 'thinking', text: 'ab', signature: 'SIG:A', issuer: 'anthropic', redacted: false }])
  })

  it('knows other issuers’ signatures again, in both alphabets of base64 and in the plain form', () => {
    const issued = { issuer: 'openai-responses', signature: 'rs_1|ÿþ?>~' } as const
    const wire = writeSignature(issued)
    expect(wire).toMatch(/^[\w+/]+=*$/)
    for (const text of [wire, wire.replaceAll('+', '-').replaceAll('/', '_'), 'bw1:openai-responses:rs_1|ÿþ?>~']) {
      expect(partsOf({ functionCall: { name: 'f' }, thoughtSignature: text })[0]).toMatchObject(issued)
    }
  })

  it('takes the word that stands for a missing signature for none', () => {
    expect(partsOf({ functionCall: { name: 'f' }, thoughtSignature: NOT_OURS })).toHaveLength(1)
  })
})

describe('functions of a Gemini request', () => {
  const tools = (...functionDeclarations: JsonObject[]) => parsed({ contents: [], tools: [{ functionDeclarations }] })

  it('have JSON Schema, whichever way theirs was written', () => {
    const google = {
      type: 'OBJECT',
      properties: {
        type: { type: 'STRING', format: 'enum', enum: ['A', 'B'], nullable: true },
        list: { type: 'ARRAY', items: { type: 'INTEGER', enum: ['1', '2'] }, minItems: '1', max_items: '3' },
        any_of: { any_of: [{ type: 'NUMBER' }, { type: 'BOOLEAN' }], nullable: true, example: 1 },
      },
      required: ['type'],
      propertyOrdering: ['list', 'type'],
    }
    const json = {
      type: 'object',
      properties: {
        type: { type: ['string', 'null'], enum: ['A', 'B', null] },
        list: { type: 'array', items: { type: 'integer', enum: [1, 2] }, minItems: 1, maxItems: 3 },
        any_of: { anyOf: [{ type: 'number' }, { type: 'boolean' }, { type: 'null' }], examples: [1] },
      },
      required: ['type'],
    }
    expect(tools({ name: 'f', description: 'd', parameters: google }).request.tools).toEqual([
      { name: 'f', description: 'd', schema: json, strict: null, freeForm: false },
    ])
    expect(tools({ name: 'f', parametersJsonSchema: json }).request.tools[0]?.schema).toBe(json)
    expect(tools({ name: 'f', parameters: json }).request.tools[0]?.schema).toEqual(json)
    expect(tools({ name: 'f' }).request.tools[0]?.schema).toBeNull()
  })

  it('note what only Google looks at', () => {
    const given = { name: 'f', response: { type: 'STRING' }, behavior: 'BLOCKING' }
    expect(tools(given).dropped).toEqual([
      'tools[].functionDeclarations[].response',
      'tools[].functionDeclarations[].behavior',
    ])
  })

  it('refuse what only Google can run, for the model would make up the result', () => {
    for (const name of ['googleSearch', 'google_search', 'urlContext', 'googleMaps', 'computerUse']) {
      expect(() => parsed({ contents: [], tools: [{ [name]: {} }] })).toThrow('only Google can run this tool')
    }
    expect(parsed({ contents: [], tools: [{ codeExecution: {} }] }).dropped).toEqual(['tools[].codeExecution'])
  })

  it.each<[JsonObject, unknown, string[]]>([
    [{ mode: 'AUTO' }, { kind: 'auto' }, ['a', 'b', 'c']],
    [{ mode: 'NONE' }, { kind: 'none' }, ['a', 'b', 'c']],
    [{ mode: 'ANY' }, { kind: 'required' }, ['a', 'b', 'c']],
    [{ mode: 'any', allowed_function_names: ['b'] }, { kind: 'tool', name: 'b' }, ['a', 'b', 'c']],
    [{ mode: 'ANY', allowedFunctionNames: ['c', 'a'] }, { kind: 'required' }, ['a', 'c']],
    [{ mode: 'VALIDATED' }, { kind: 'auto' }, ['a', 'b', 'c']],
    [{ mode: 'VALIDATED', allowedFunctionNames: ['c'] }, { kind: 'auto' }, ['c']],
    [{ mode: 'MODE_UNSPECIFIED' }, null, ['a', 'b', 'c']],
    [{}, null, ['a', 'b', 'c']],
  ])('whether they must be called: %j', (functionCallingConfig, choice, names) => {
    const functionDeclarations = [{ name: 'a' }, { name: 'b' }, { name: 'c' }]
    const { request } = parsed({
      contents: [],
      tools: [{ functionDeclarations }],
      toolConfig: { functionCallingConfig },
    })
    expect(request.toolChoice).toEqual(choice)
    expect(request.tools.map(({ name }) => name)).toEqual(names)
  })

  it('refuse a mode nobody knows', () => {
    expect(() => parsed({ contents: [], toolConfig: { functionCallingConfig: { mode: 'X' } } })).toThrow('must be AUTO')
  })
})

describe('limits and wishes of a Gemini request', () => {
  it('are read in both spellings', () => {
    const camel = {
      maxOutputTokens: 5,
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      stopSequences: ['END'],
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
      seed: 7,
    }
    const snake = {
      max_output_tokens: 5,
      temperature: 0.5,
      top_p: 0.9,
      top_k: 40,
      stop_sequences: ['END'],
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      seed: 7,
    }
    const { maxOutputTokens, stopSequences, ...same } = camel
    const wanted = { ...same, maxTokens: maxOutputTokens, stop: stopSequences }
    expect(config(camel)).toMatchObject(wanted)
    expect(parsed({ contents: [], generation_config: snake }).request).toEqual(config(camel))
  })

  it.each<[JsonObject, unknown]>([
    [{}, null],
    [{ responseMimeType: 'text/plain' }, { kind: 'text' }],
    [{ responseMimeType: 'application/json' }, { kind: 'json' }],
    [
      { responseMimeType: 'application/json', responseSchema: { type: 'STRING' } },
      { kind: 'schema', name: 'answer', description: null, schema: { type: 'string' }, strict: null },
    ],
    [
      { response_json_schema: { type: 'STRING' } },
      { kind: 'schema', name: 'answer', description: null, schema: { type: 'STRING' }, strict: null },
    ],
  ])('form of the output: %j', (given, output) => {
    expect(config(given).output).toEqual(output)
  })

  it.each<[JsonObject, unknown]>([
    [{ thinkingBudget: 0 }, { effort: null, budget: 0, show: null }],
    [
      { thinking_budget: -1, include_thoughts: true },
      { effort: null, budget: -1, show: true },
    ],
    [{ thinkingLevel: 'HIGH' }, { effort: 'high', budget: null, show: null }],
    [{ thinkingLevel: 'THINKING_LEVEL_UNSPECIFIED' }, { effort: null, budget: null, show: null }],
  ])('thinking: %j', (thinkingConfig, reasoning) => {
    expect(config({ thinkingConfig }).reasoning).toEqual(reasoning)
  })

  it.each<[JsonObject, string]>([
    [{ candidateCount: 2 }, 'candidateCount: only one candidate'],
    [{ responseModalities: ['TEXT', 'IMAGE'] }, 'responseModalities[1]: only TEXT'],
    [{ responseMimeType: 'text/x.enum' }, 'responseMimeType: must be'],
    [{ thinkingConfig: { thinkingLevel: 'X' } }, 'thinkingLevel: must be'],
  ])('refuses %j', (given, words) => {
    expect(() => config(given)).toThrow(words)
  })

  it('notes what is left out, but not what says nothing', () => {
    const generationConfig = {
      speechConfig: {},
      responseLogprobs: false,
      candidateCount: 1,
      responseModalities: ['TEXT'],
    }
    expect(parsed({ contents: [], generationConfig }).dropped).toEqual(['generationConfig.speechConfig'])
  })
})

describe('the table of Gemini’s fields', () => {
  it('says the fate of each towards all the others, once', () => {
    const names = fields.map(({ field }) => field)
    expect(new Set(names).size).toBe(names.length)
    for (const { to } of fields)
      expect(Object.keys(to).sort()).toEqual(['anthropic', 'openai-chat', 'openai-responses'])
  })

  it('knows both spellings of every top-level field', () => {
    const names = new Set(fields.map(({ field }) => field))
    for (const name of names) {
      if (!/[.[]/.test(name)) expect(names).toContain(name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
    }
  })

  /** A body in which the field of a nested row has the row's example. */
  function bodyWith(field: string, example: unknown): JsonObject {
    const value = field
      .split('.')
      .reverse()
      .reduce<unknown>((inner, step) => {
        const name = step.replace('[]', '')
        return { [name]: step.endsWith('[]') ? [inner] : inner }
      }, example) as JsonObject
    return { contents: [], ...value }
  }

  const nested = fields.filter(({ field }) => field.includes('.'))
  it.each(nested.filter(({ to }) => Object.values(to).every((fate) => fate === 'refused')))(
    'refuses $field where it says so',
    ({ field, example }) => {
      const path = field.replaceAll('[]', '[0]')
      expect(() => parsed(bodyWith(field, example))).toThrow(path)
    },
  )

  it.each(
    nested.filter(
      ({ to, field }) => Object.values(to).every((fate) => fate === 'dropped') && !/declarations\[/i.test(field),
    ),
  )('notes $field where it is dropped everywhere', ({ field, example }) => {
    expect(parsed(bodyWith(field, example)).dropped).toContain(field)
  })
})
