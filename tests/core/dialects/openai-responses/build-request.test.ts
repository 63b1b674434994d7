import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CanonicalRequest, Part, Turn } from '../../../../core/dialects/canonical'
import { JSON_INSTRUCTION } from '../../../../core/dialects/json-word'
import { build, parse, translation } from './samples'

const text = (words: string): Part => ({ kind: 'text', text: words })
const call = (id: string, more: object = {}): Part =>
  ({ kind: 'tool-call', id, name: 'read', arguments: '{}', freeForm: false, ...more }) as Part
const result = (id: string, words = 'r', more: object = {}): Part =>
  ({
    kind: 'tool-result',
    callId: id,
    name: 'read',
    isError: false,
    content: words === '' ? [] : [text(words)],
    ...more,
  }) as Part
const user = (...parts: Part[]): Turn => ({ role: 'user', parts })
const assistant = (...parts: Part[]): Turn => ({ role: 'assistant', parts })
const inputOf = (...turns: Turn[]) => build({ turns }).body.input
const thinking = (signature: string | null, more: object = {}): Part =>
  ({ kind: 'thinking', text: '', signature, issuer: 'openai-responses', redacted: true, ...more }) as Part

describe('a request to a Responses upstream', () => {
  it('asks it to keep nothing', () => {
    expect(build({ turns: [user(text('hi'))] }, { stream: true }).body).toEqual({
      model: 'gpt-5.1',
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] }],
      stream: true,
      store: false,
    })
  })

  it('says the limit of tokens under one name, and not above the model’s own', () => {
    expect(build({ maxTokens: 4096 }).body).toMatchObject({ max_output_tokens: 4096 })
    expect(build({ maxTokens: 4096 }).body).not.toHaveProperty('max_tokens')
    expect(build({ maxTokens: 4096 }, { maxOutputTokens: 1000 }).body.max_output_tokens).toBe(1000)
    expect(build({}, { maxOutputTokens: 1000 }).body).not.toHaveProperty('max_output_tokens')
  })

  it('raises a limit that is refused as too low', () => {
    expect(build({ maxTokens: 5 }).body.max_output_tokens).toBe(16)
    expect(build({ maxTokens: 16 }).body.max_output_tokens).toBe(16)
  })

  it.each<[string, Partial<CanonicalRequest>, boolean]>([
    ['is missing', { turns: [user(text('Hi'))] }, true],
    ['stands in the instructions only', { system: [{ kind: 'text', text: 'JSON' }], turns: [user(text('Hi'))] }, true],
    ['stands in a result only', { turns: [assistant(call('a')), user(result('a', 'json'))] }, true],
    ['stands in a message', { turns: [user(text('as Json, please'))] }, false],
    ['stands in instructions that are all there is', { system: [{ kind: 'text', text: 'JSON' }] }, false],
  ])('asks for JSON in words where the word %s', (_where, request, isAdded) => {
    const { input } = build({ output: { kind: 'json' }, ...request }).body
    const added = input.filter(({ content }) => JSON.stringify(content ?? '').includes(JSON_INSTRUCTION))
    expect(added).toHaveLength(isAdded ? 1 : 0)
    if (isAdded) expect(input[0]).toMatchObject({ role: 'developer', content: [{ text: JSON_INSTRUCTION }] })
    expect(build({ ...request }).body.input).toEqual(isAdded ? input.slice(1) : input)
  })

  it('has the system as instructions, and as a message where there is nothing else', () => {
    const system = [
      { kind: 'text' as const, text: 'A' },
      { kind: 'text' as const, text: 'B' },
    ]
    const whole = build({ system, turns: [user(text('x')), { role: 'system', parts: [text('C')] }] }).body
    expect(whole.instructions).toBe('A\n\nB')
    expect(whole.input[1]).toEqual({ type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'C' }] })
    const alone = build({ system }).body
    expect(alone).not.toHaveProperty('instructions')
    expect(alone.input).toMatchObject([{ role: 'developer', content: [{ text: 'A\n\nB' }] }])
  })

  it('has results before the words beside them, in their order', () => {
    const input = inputOf(
      assistant(call('t1'), call('t2')),
      user(text('also Paris?'), result('t1', '1'), result('t2', '2')),
    )
    expect(input.map(({ type, call_id, output }) => [type, call_id, output])).toEqual([
      ['function_call', 't1', undefined],
      ['function_call', 't2', undefined],
      ['function_call_output', 't1', '1'],
      ['function_call_output', 't2', '2'],
      ['message', undefined, undefined],
    ])
  })

  it('has a result for every call, and no result without its call', () => {
    const input = inputOf(
      assistant(call('a'), call('b', { freeForm: true, arguments: 'x' })),
      user(result('a', ''), result('z', 'old')),
      assistant(call('c')),
    )
    expect(input).toMatchObject([
      { type: 'function_call', call_id: 'a' },
      { type: 'custom_tool_call', call_id: 'b', input: 'x' },
      { type: 'custom_tool_call_output', call_id: 'b', output: 'No result was given for this call.' },
      { type: 'function_call_output', call_id: 'a', output: '' },
      { type: 'message', role: 'user', content: [{ text: 'Result of an earlier call of read:' }, { text: 'old' }] },
      { type: 'function_call', call_id: 'c' },
      { type: 'function_call_output', call_id: 'c' },
    ])
  })

  it('shortens ids that are too long, on both sides alike', () => {
    const long = 'x'.repeat(90)
    const [first, second] = inputOf(assistant(call(long)), user(result(long)))
    expect(first?.call_id).toHaveLength(64)
    expect(second?.call_id).toBe(first?.call_id)
  })

  it('shortens ids of users and caches that are too long', () => {
    const { body } = build({ user: 'u'.repeat(150), cacheKey: 'k'.repeat(65) })
    expect([String(body.user).length, String(body.prompt_cache_key).length]).toEqual([64, 64])
  })

  it('tells of a failure that has no words', () => {
    expect(inputOf(assistant(call('a')), user(result('a', '', { isError: true })))[1]?.output).toBe('The call failed.')
  })

  it('sends images, also those inside of results and those the model made', () => {
    const image: Part = {
      kind: 'image',
      name: null,
      media: { kind: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
    }
    const wire = { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'auto' }
    const linked: Part = {
      kind: 'image',
      name: null,
      media: { kind: 'url', url: 'https://a.example/x.png', mediaType: null },
    }
    expect(
      inputOf(
        user(image, linked),
        assistant(call('a'), image),
        user(result('a', 'see', { content: [text('see'), image] })),
      ),
    ).toMatchObject([
      { content: [wire, { image_url: 'https://a.example/x.png' }] },
      { type: 'function_call' },
      { type: 'message', role: 'user', content: [wire] },
      { type: 'function_call_output', output: [{ type: 'input_text', text: 'see' }, wire] },
    ])
  })

  it('sends documents, and refuses sound', () => {
    const pdf: Part = {
      kind: 'document',
      name: null,
      media: { kind: 'base64', mediaType: 'application/pdf', data: 'QQ==' },
    }
    const linked: Part = {
      kind: 'document',
      name: null,
      media: { kind: 'url', url: 'https://a.example/x.pdf', mediaType: null },
    }
    expect(inputOf(user(pdf, linked))[0]?.content).toEqual([
      { type: 'input_file', filename: 'document.pdf', file_data: 'data:application/pdf;base64,QQ==' },
      { type: 'input_file', file_url: 'https://a.example/x.pdf' },
    ])
    const sound: Part = { kind: 'audio', name: null, media: { kind: 'base64', mediaType: 'audio/wav', data: 'QQ==' } }
    expect(() => inputOf(user(sound))).toThrow('audio')
  })

  it('writes what the model said as output, runs of text in one message', () => {
    expect(
      inputOf(assistant(text('a'), text('b'), { kind: 'refusal', text: 'c' }, call('x'), text('d')), user(result('x'))),
    ).toMatchObject([
      {
        role: 'assistant',
        content: [
          { type: 'output_text', text: 'a' },
          { type: 'output_text', text: 'b' },
          { type: 'refusal', refusal: 'c' },
        ],
      },
      { type: 'function_call' },
      { role: 'assistant', content: [{ type: 'output_text', text: 'd' }] },
      { type: 'function_call_output' },
    ])
  })

  it('brings reasoning back to its issuer only, right before what it led to', () => {
    const foreign = thinking('S', { issuer: 'anthropic', text: 'secret' })
    const turn = assistant(
      thinking('rs_1|E1'),
      foreign,
      call('a'),
      thinking('|E2', { text: 'hm' }),
      text('x'),
      thinking('rs_3|E3'),
    )
    const input = inputOf(turn, user(result('a')), assistant(thinking(null, { text: 'unsigned' })))
    expect(input).toEqual([
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'E1' },
      expect.objectContaining({ type: 'function_call' }),
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'E2' },
      expect.objectContaining({ type: 'message', role: 'assistant' }),
      expect.objectContaining({ type: 'function_call_output' }),
    ])
    expect(JSON.stringify(input)).not.toMatch(/secret|unsigned|E3/)
  })

  it('does not demand that schemas be strict which were not written to be', () => {
    const tool = { name: 'f', description: 'F.', schema: { type: 'object' }, strict: null, freeForm: false }
    expect(
      build({
        tools: [
          tool,
          { ...tool, strict: true },
          { ...tool, name: 'p', schema: null, freeForm: true },
          { ...tool, schema: null },
        ],
      }).body.tools,
    ).toEqual([
      { type: 'function', name: 'f', description: 'F.', parameters: { type: 'object' }, strict: false },
      { type: 'function', name: 'f', description: 'F.', parameters: { type: 'object' }, strict: true },
      { type: 'custom', name: 'p', description: 'F.' },
      { type: 'function', name: 'f', description: 'F.', parameters: { type: 'object', properties: {} }, strict: false },
    ])
  })

  it.each<[Partial<CanonicalRequest>, object]>([
    [{ toolChoice: { kind: 'required' } }, { tool_choice: 'required' }],
    [{ toolChoice: { kind: 'tool', name: 'f' } }, { tool_choice: { type: 'function', name: 'f' } }],
    [{ toolChoice: { kind: 'tool', name: 'p' } }, { tool_choice: { type: 'custom', name: 'p' } }],
    [{ parallelToolCalls: false }, { parallel_tool_calls: false }],
    [{ output: { kind: 'json' } }, { text: { format: { type: 'json_object' } } }],
    [
      {
        output: { kind: 'schema', name: 'a b', description: null, schema: { type: 'object' }, strict: null },
        verbosity: 'low',
      },
      {
        text: {
          verbosity: 'low',
          format: { type: 'json_schema', name: 'a_b', schema: { type: 'object' }, strict: false },
        },
      },
    ],
    [
      { temperature: 0, topP: 0.1, user: 'u', cacheKey: 'k' },
      { temperature: 0, top_p: 0.1, user: 'u', prompt_cache_key: 'k' },
    ],
  ])('%j becomes %j', (request, wire) => {
    const tool = { name: 'f', description: null, schema: null, strict: null, freeForm: false }
    expect(build({ tools: [tool, { ...tool, name: 'p', freeForm: true }], ...request }).body).toMatchObject(wire)
  })

  it.each<[CanonicalRequest['reasoning'], object | undefined, boolean]>([
    [null, undefined, false],
    [{ effort: 'low', budget: null, show: null }, { effort: 'low' }, true],
    [{ effort: null, budget: 2000, show: true }, { effort: 'low', summary: 'auto' }, true],
    [{ effort: null, budget: 10_000, show: false }, { effort: 'medium' }, true],
    [{ effort: null, budget: 32_000, show: null }, { effort: 'high' }, true],
    [{ effort: null, budget: -1, show: true }, { summary: 'auto' }, true],
    [{ effort: null, budget: -1, show: null }, undefined, true],
    [{ effort: null, budget: 0, show: null }, undefined, false],
    [{ effort: 'none', budget: null, show: true }, { effort: 'none' }, false],
  ])('reasoning %j is asked for as %j', (reasoning, wire, encrypted) => {
    const { body } = build({ reasoning })
    expect(body.reasoning).toEqual(wire)
    expect(body.include).toEqual(encrypted ? ['reasoning.encrypted_content'] : undefined)
  })

  it('says what it could not carry', () => {
    const { dropped } = build({ topK: 1, seed: 1, presencePenalty: 1, frequencyPenalty: 1, stop: ['X'] })
    expect(dropped.sort()).toEqual(['frequencyPenalty', 'presencePenalty', 'seed', 'stop', 'topK'])
  })
})

describe('a request without its reasoning', () => {
  it('has the rest, and the given one is unchanged', () => {
    const body = {
      model: 'm',
      input: [
        { type: 'reasoning', id: 'r' },
        { role: 'user', content: 'x' },
      ],
    }
    expect(translation.withoutThinking(body)).toEqual({ model: 'm', input: [{ role: 'user', content: 'x' }] })
    expect(body.input).toHaveLength(2)
  })

  it.each([{ input: 'x' }, { input: [] }, { input: [{ role: 'user', content: 'x' }, null] }, {}])(
    'is none where there was none: %j',
    (body) => {
      expect(translation.withoutThinking(body)).toBeNull()
    },
  )
})

const words = fc.string({ minLength: 1 })
const name = fc.stringMatching(/^[a-z]{1,12}$/)
const userItem = words.map((said) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text: said }] }))
const assistantItem = words.map((said) => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text: said, annotations: [] }],
}))
const callItems = fc.tuple(fc.uuid(), name, fc.boolean(), words, words).map(([id, called, freeForm, args, output]) =>
  freeForm
    ? [
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'E' },
        { type: 'custom_tool_call', call_id: id, name: called, input: args },
        { type: 'custom_tool_call_output', call_id: id, output },
      ]
    : [
        { type: 'function_call', call_id: id, name: called, arguments: args },
        { type: 'function_call_output', call_id: id, output },
      ],
)
/** Turns alternate, so that no two messages of the model become one. */
const conversation = fc
  .array(
    fc.tuple(
      userItem,
      fc.oneof(
        assistantItem.map((item) => [item]),
        callItems,
      ),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((rounds) => rounds.flatMap(([said, answered]) => [said, ...answered]))
const asJson = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'As JSON, please.' }] }
const requests = fc
  .record(
    {
      instructions: words,
      input: conversation,
      tools: fc.uniqueArray(name, { minLength: 1, maxLength: 3 }).map((names) =>
        names.map((one) => ({
          type: 'function',
          name: one,
          parameters: { type: 'object', properties: {} },
          strict: false,
        })),
      ),
      parallel_tool_calls: fc.boolean(),
      max_output_tokens: fc.integer({ min: 16 }),
      temperature: fc.double({ min: 0, max: 2, noNaN: true }),
      top_p: fc.double({ min: 0, max: 1, noNaN: true }),
      user: words,
      prompt_cache_key: words,
      reasoning: fc.record({ effort: fc.constantFrom('low', 'medium', 'high') }),
      text: fc.record({ verbosity: fc.constantFrom('low', 'high'), format: fc.constant({ type: 'json_object' }) }),
    },
    { requiredKeys: ['input', 'tools'] },
  )
  // Without the word, one that says it would be added.
  .map((body) => (body.text === undefined ? body : { ...body, input: [...body.input, asJson] }))

it('a request that came through the canonical form is the same request', () => {
  fc.assert(
    fc.property(requests, (body) => {
      const { request, dropped } = parse(body)
      const { body: back, dropped: lost } = build(request)
      const { model: _, stream: __, store, include, ...rest } = back
      expect(rest).toEqual(JSON.parse(JSON.stringify(body)))
      expect([store, include]).toEqual([
        false,
        body.reasoning === undefined ? undefined : ['reasoning.encrypted_content'],
      ])
      expect([...dropped, ...lost]).toEqual([])
    }),
  )
})
