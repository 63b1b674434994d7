import { describe, expect, it } from 'vitest'
import { buildRequest } from '../../../../core/dialects/anthropic/build-request'
import type { CanonicalRequest, JsonObject, Part, ToolDefinition, Turn } from '../../../../core/dialects/canonical'
import type { BuildTarget } from '../../../../core/dialects/translation'
import { asking, blocksOf, takeNotes, target } from './support'

const build = (more: Partial<CanonicalRequest>, to: BuildTarget = target()): { body: JsonObject; notes: string[] } => {
  const notes = takeNotes()
  return { body: buildRequest({ ...asking, ...more }, to, notes), notes: notes.said }
}
const talk = (...turns: Turn[]): JsonObject => build({ turns }).body
const text = (words: string): Part => ({ kind: 'text', text: words })
const user = (...parts: Part[]): Turn => ({ role: 'user', parts })
const assistant = (...parts: Part[]): Turn => ({ role: 'assistant', parts })
const call = (id: string, name = 'read', args = '{}'): Part => ({
  kind: 'tool-call',
  id,
  name,
  arguments: args,
  freeForm: false,
})
const result = (callId: string, words = 'ok', isError = false): Part => ({
  kind: 'tool-result',
  callId,
  name: null,
  isError,
  content: words === '' ? [] : [{ kind: 'text', text: words }],
})
const picture: Part & { kind: 'image' } = {
  kind: 'image',
  media: { kind: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
  name: null,
}
const tool = { name: 'read', description: null, schema: null, strict: null, freeForm: false }
const rolesOf = (body: JsonObject): unknown[] => (body.messages as JsonObject[]).map(({ role }) => role)
const thought = (more: Partial<Part & { kind: 'thinking' }> = {}): Part => ({
  kind: 'thinking',
  text: 'a',
  signature: 'SIG',
  issuer: 'anthropic',
  redacted: false,
  ...more,
})

describe('the order of a conversation sent to Anthropic', () => {
  it('puts the results of parallel calls at the head of the one next message, before the words', () => {
    const body = talk(
      user(text('hi')),
      assistant(call('a'), call('b')),
      user(result('a')),
      user(result('b')),
      user(text('go on')),
    )
    expect(rolesOf(body)).toEqual(['user', 'assistant', 'user'])
    expect(blocksOf(body, 2)).toMatchObject([
      { type: 'tool_result', tool_use_id: 'a' },
      { type: 'tool_result', tool_use_id: 'b' },
      { type: 'text', text: 'go on' },
    ])
  })

  it('moves results before words said earlier in the same turn, each group in its order', () => {
    const body = talk(assistant(call('a'), call('b')), user(text('x'), result('b'), text('y'), result('a')))
    expect(blocksOf(body, 2).map((block) => block.tool_use_id ?? block.text)).toEqual(['b', 'a', 'x', 'y'])
  })

  it('states a repair where a call has no result, at the end and in the middle', () => {
    const atEnd = talk(user(text('hi')), assistant(call('a'), call('b')), user(result('b')))
    expect(blocksOf(atEnd, 2)).toMatchObject([
      { tool_use_id: 'b', content: 'ok' },
      { tool_use_id: 'a', is_error: true, content: 'No result was given for this call.' },
    ])
    const alone = talk(user(text('hi')), assistant(call('a')))
    expect(blocksOf(alone, 2)).toMatchObject([{ type: 'tool_result', tool_use_id: 'a', is_error: true }])
  })

  it('brings a late result back to its call', () => {
    const body = talk(
      user(text('hi')),
      assistant(call('a'), call('b')),
      user(result('a')),
      assistant(text('so')),
      user(result('b')),
    )
    expect(blocksOf(body, 2)).toMatchObject([{ tool_use_id: 'a' }, { tool_use_id: 'b', content: 'ok' }])
    expect(rolesOf(body)).toEqual(['user', 'assistant', 'user', 'assistant', 'user'])
    expect(blocksOf(body, 4)).toMatchObject([{ type: 'text', text: '.' }])
  })

  it('tells a result without a call in words', () => {
    expect(blocksOf(talk(user(result('gone', 'seven'))), 0)).toEqual([
      { type: 'text', text: 'Result of the tool call gone:' },
      { type: 'text', text: 'seven' },
    ])
  })

  it('lets words stand before the calls of the same message', () => {
    const body = talk(user(text('hi')), assistant(call('a')), assistant(text('I read it.')), user(result('a')))
    expect(blocksOf(body, 1).map(({ type }) => type)).toEqual(['text', 'tool_use'])
  })

  it('joins neighbours of one role and begins with a user', () => {
    const body = talk(assistant(text('Hello')), user(text('a')), user(text('b')))
    expect(rolesOf(body)).toEqual(['user', 'assistant', 'user'])
    expect(blocksOf(body, 2).map((block) => block.text)).toEqual(['a', 'b'])
    expect(rolesOf(talk())).toEqual(['user'])
  })

  it('sends nothing empty: no blank texts, no empty messages, but empty results', () => {
    const body = talk(user(text(' \n')), user(text('hi')), assistant(text(' '), call('a')), user(result('a', '')))
    expect(blocksOf(body, 0)).toMatchObject([{ text: 'hi' }])
    expect(blocksOf(body, 1)).toEqual([{ type: 'tool_use', id: 'a', name: 'read', input: {} }])
    expect(blocksOf(body, 2)).toMatchObject([{ type: 'tool_result', tool_use_id: 'a' }])
    expect(blocksOf(body, 2)[0]).not.toHaveProperty('content')
    expect(build({ system: [{ kind: 'text', text: ' ' }] }).body).not.toHaveProperty('system')
  })

  it('trims the end of a last assistant text, and drops it where nothing is left', () => {
    expect(blocksOf(talk(user(text('hi')), assistant(text('{ \n'))), 1)).toEqual([{ type: 'text', text: '{' }])
    expect(rolesOf(talk(user(text('hi')), assistant(text('x')), user(), assistant(text(' '))))).toEqual([
      'user',
      'assistant',
    ])
  })

  it('lets the user speak last where the model takes no beginning of its answer', () => {
    const turns = [user(text('hi')), assistant(text('so'))]
    expect(rolesOf(build({ turns }, target('claude-opus-4-6')).body)).toEqual(['user', 'assistant', 'user'])
    expect(rolesOf(build({ turns }, target('claude-opus-4-5')).body)).toEqual(['user', 'assistant'])
  })

  it('moves instructions given on the way to the others, in order', () => {
    const body = build({
      system: [{ kind: 'text', text: 'A' }],
      turns: [user(text('hi')), { role: 'system', parts: [text('B')] }, user(text('there'))],
    }).body
    expect((body.system as JsonObject[]).map((block) => block.text)).toEqual(['A', 'B'])
    expect(blocksOf(body, 0).map((block) => block.text)).toEqual(['hi', 'there'])
  })

  it('makes ids that Anthropic takes, the same in call and result, and each once', () => {
    const body = talk(
      user(text('hi')),
      assistant(call('functions.read:0')),
      user(result('functions.read:0', 'one')),
      assistant(call('functions.read:0')),
      user(result('functions.read:0', 'two')),
    )
    expect(blocksOf(body, 1)).toMatchObject([{ id: 'functions_read_0' }])
    expect(blocksOf(body, 2)).toMatchObject([{ tool_use_id: 'functions_read_0', content: 'one' }])
    expect(blocksOf(body, 3)).toMatchObject([{ id: 'functions_read_0_2' }])
    expect(blocksOf(body, 4)).toMatchObject([{ tool_use_id: 'functions_read_0_2', content: 'two' }])
  })

  it('keeps arguments that are no object, so that the model sees its slip', () => {
    const body = talk(
      user(text('hi')),
      assistant(call('a', 'read', '{"p":'), call('b', 'read', ''), call('c', 'read', '[1]')),
    )
    expect(blocksOf(body, 1).map(({ input }) => input)).toEqual([
      { raw_arguments: '{"p":' },
      {},
      { raw_arguments: '[1]' },
    ])
  })

  it('changes nothing of what it is given', () => {
    const turns = [user(text('hi')), assistant(thought(), text('x '), call('a')), user(text('y'), result('a'))]
    const before = structuredClone(turns)
    build({ turns })
    expect(turns).toEqual(before)
  })
})

describe('images and documents sent to Anthropic', () => {
  it('takes bytes, an address, and an address that is the bytes', () => {
    const at = (url: string): Part => ({ ...picture, media: { kind: 'url', url, mediaType: null } })
    const bytes = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' }
    expect(
      blocksOf(talk(user(picture, at('https://example.com/a.png'), at('data:image/png;base64,iVBORw0KGgo='))), 0),
    ).toEqual([
      { type: 'image', source: bytes },
      { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
      { type: 'image', source: bytes },
    ])
  })

  it('keeps images within results, but beside those that failed, which hold text only', () => {
    const shown = (isError: boolean): Part => ({ ...result('a', '', isError), content: [picture] }) as Part
    const turns = (isError: boolean) => [user(text('hi')), assistant(call('a')), user(shown(isError))]
    expect(blocksOf(talk(...turns(false)), 2)).toMatchObject([{ content: [{ type: 'image' }] }])
    expect(blocksOf(talk(...turns(true)), 2)).toMatchObject([
      { type: 'tool_result', is_error: true },
      { type: 'image' },
    ])
  })

  it('takes PDF as bytes and plain text as text', () => {
    const file = (mediaType: string, data: string): Part => ({
      kind: 'document',
      media: { kind: 'base64', mediaType, data },
      name: 'a',
    })
    expect(blocksOf(talk(user(file('application/pdf', 'JVBERi0='), file('text/csv', btoa('1,2')))), 0)).toEqual([
      {
        type: 'document',
        title: 'a',
        source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
      },
      { type: 'document', title: 'a', source: { type: 'text', media_type: 'text/plain', data: '1,2' } },
    ])
  })

  it.each<[string, Part]>([
    ['a sound', { kind: 'audio', media: { kind: 'base64', mediaType: 'audio/wav', data: '' }, name: null }],
    ['an image of an unknown type', { ...picture, media: { kind: 'base64', mediaType: 'image/bmp', data: '' } }],
    ['a document of an unknown type', { ...picture, kind: 'document' }],
  ])('refuses %s', (_what, part) => {
    expect(() => talk(user(part))).toThrow(/messages: hold/)
  })

  it('says in a word that an assistant made an image', () => {
    const { body, notes } = build({ turns: [user(text('draw')), assistant(picture), user(text('more'))] })
    expect(blocksOf(body, 1)).toEqual([{ type: 'text', text: '[image]' }])
    expect(notes).toEqual(['assistant image'])
  })
})

describe('thinking sent to Anthropic', () => {
  it('goes back value for value where Anthropic issued it, and is left out otherwise', () => {
    const body = talk(
      user(text('hi')),
      assistant(thought({ text: 'a é b' }), thought({ issuer: 'gemini' }), thought({ signature: null }), call('a')),
      user(result('a')),
    )
    expect(blocksOf(body, 1)).toEqual([
      { type: 'thinking', thinking: 'a é b', signature: 'SIG' },
      { type: 'tool_use', id: 'a', name: 'read', input: {} },
    ])
  })

  it('is a redacted block where it was one, though its text is hidden either way', () => {
    const hidden = [
      thought({ text: '', redacted: true }),
      thought({ text: '', signature: 'redacted:D', redacted: true }),
    ]
    expect(blocksOf(talk(user(text('hi')), assistant(...hidden, text('x')), user(text('y'))), 1)).toEqual([
      { type: 'thinking', thinking: '', signature: 'SIG' },
      { type: 'redacted_thinking', data: 'D' },
      { type: 'text', text: 'x' },
    ])
  })

  it('never ends a message', () => {
    const body = talk(
      user(text('hi')),
      assistant(text('x'), thought()),
      user(text('y')),
      assistant(thought()),
      user(text('z')),
    )
    expect(blocksOf(body, 1)).toEqual([{ type: 'text', text: 'x' }])
    expect(blocksOf(body, 2).map((block) => block.text)).toEqual(['y', 'z'])
  })
})

describe('how much the model may write and think', () => {
  const depth = (more: Partial<CanonicalRequest>, to = target()): JsonObject => {
    const { max_tokens, thinking, output_config } = build(more, to).body
    return { max_tokens, thinking, output_config }
  }
  const effort = (word: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh') => ({
    reasoning: { effort: word, budget: null, show: null },
  })
  const budget = (tokens: number) => ({ reasoning: { effort: null, budget: tokens, show: null } })

  it.each<[string, BuildTarget, number | null, number]>([
    ['a Claude', target(), null, 32_000],
    ['another model', target('glm-4.6'), null, 8192],
    ['a model with a smaller limit', target('claude-sonnet-4-5', { maxOutputTokens: 4096 }), null, 4096],
    ['the client’s own number', target(), 77, 77],
    ['a number beyond the model', target('claude-opus-4-1', { maxOutputTokens: 32_000 }), 100_000, 32_000],
  ])('limits the answer of %s', (_what, to, maxTokens, expected) => {
    expect(depth({ maxTokens }, to).max_tokens).toBe(expected)
  })

  it('gives a budget to models that want a number, and raises the limit to hold it', () => {
    expect(depth(effort('low'))).toMatchObject({
      max_tokens: 32_000,
      thinking: { type: 'enabled', budget_tokens: 4096 },
    })
    expect(depth({ ...effort('high'), maxTokens: 1000 })).toMatchObject({
      max_tokens: 25_576,
      thinking: { budget_tokens: 24_552 },
    })
    expect(depth({ ...budget(2048), maxTokens: 2048 }).max_tokens).toBe(4096)
    expect(depth(budget(10)).thinking).toMatchObject({ budget_tokens: 1024 })
    expect(depth(budget(-1)).thinking).toMatchObject({ budget_tokens: 10_240 })
  })

  it('keeps budgets within the model’s limit, and gives up where they cannot be', () => {
    expect(depth(budget(50_000), target('claude-3-7-sonnet', { maxOutputTokens: 8192 }))).toMatchObject({
      max_tokens: 8192,
      thinking: { budget_tokens: 7168 },
    })
    const { body, notes } = build(budget(5000), target('claude-3-7-sonnet', { maxOutputTokens: 1024 }))
    expect(body).not.toHaveProperty('thinking')
    expect(notes).toEqual(['reasoning'])
  })

  it.each([
    ['claude-opus-4-6', 'xhigh', 'max'],
    ['claude-opus-4-7', 'xhigh', 'xhigh'],
    ['claude-sonnet-5', 'minimal', 'low'],
    ['claude-fable-5-1', 'high', 'high'],
    ['anthropic/claude-opus-4.8', 'medium', 'medium'],
    ['claude-opus-latest', 'low', 'low'],
  ] as const)('asks %s for adaptive thinking of effort %s as %s', (model, word, sent) => {
    expect(depth(effort(word), target(model))).toMatchObject({
      max_tokens: 32_000,
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort: sent },
    })
  })

  it('turns a budget into effort where the model wants a word', () => {
    expect(depth(budget(20_000), target('claude-opus-5')).output_config).toEqual({ effort: 'high' })
    expect(depth(budget(-1), target('claude-opus-5'))).toMatchObject({ thinking: { type: 'adaptive' } })
    expect(depth({ reasoning: { effort: null, budget: -1, show: false } }, target('claude-opus-5')).thinking).toEqual({
      type: 'adaptive',
      display: 'omitted',
    })
  })

  it.each<[string, unknown, unknown]>([
    ['claude-sonnet-4-5', undefined, undefined],
    ['claude-opus-4-8', undefined, undefined],
    ['claude-opus-5', { type: 'disabled' }, undefined],
    ['claude-haiku-5-5', { type: 'disabled' }, undefined],
    ['claude-sonnet-5-5', { type: 'between_tools' }, undefined],
    ['claude-opus-5-5', undefined, { effort: 'low' }],
    ['claude-mythos-preview', undefined, { effort: 'low' }],
  ])('switches thinking off for %s', (model, thinking, output_config) => {
    expect(depth(effort('none'), target(model))).toMatchObject({ thinking, output_config })
    expect(depth(budget(0), target(model))).toMatchObject({ thinking, output_config })
  })

  it('does not demand thinking of a tool loop that began without it', () => {
    const loop = (...before: Part[]) => [user(text('hi')), assistant(...before, call('a')), user(result('a'))]
    const { body, notes } = build({ turns: loop(thought({ issuer: 'gemini' })), ...budget(2048) })
    expect(body).not.toHaveProperty('thinking')
    expect(notes).toContain('reasoning')
    expect(build({ turns: loop(thought()), ...budget(2048) }).body).toHaveProperty('thinking')
    expect(build({ turns: loop(), ...budget(2048) }, target('claude-opus-4-7')).body).toHaveProperty('thinking')
  })

  it('does not think before a tool that must be called', () => {
    const forced = { tools: [tool], toolChoice: { kind: 'required' } as const, ...budget(2048) }
    expect(build(forced).body).not.toHaveProperty('thinking')
    expect(build(forced, target('claude-opus-4-8')).body).not.toHaveProperty('thinking')
    expect(build(forced, target('claude-opus-5')).body).toMatchObject({ thinking: { type: 'disabled' } })
  })
})

describe('the freedom of the answer', () => {
  const sampling = (more: Partial<CanonicalRequest>, to = target()) => {
    const { body, notes } = build(more, to)
    return { temperature: body.temperature, top_p: body.top_p, top_k: body.top_k, notes }
  }
  const all = { temperature: 0.5, topP: 0.9, topK: 4 }

  it.each<[string, Partial<CanonicalRequest>, BuildTarget, JsonObject]>([
    ['a Claude takes temperature or top_p', all, target(), { temperature: 0.5, top_k: 4, notes: ['topP'] }],
    ['a Claude takes top_p alone', { topP: 0.9 }, target(), { top_p: 0.9, notes: [] }],
    ['others take both', all, target('glm-4.6'), { temperature: 0.5, top_p: 0.9, top_k: 4, notes: [] }],
    ['at most 1', { temperature: 1.5 }, target(), { temperature: 1, notes: ['temperature'] }],
    ['newer models take none', all, target('claude-opus-4-7'), { notes: ['temperature', 'topP', 'topK'] }],
    ['not even the default', { temperature: 1, topP: 1 }, target('claude-opus-4-7'), { notes: [] }],
    [
      'thinking takes top_p near 1 only',
      { ...all, topP: 0.95, reasoning: { effort: 'low', budget: null, show: null } },
      target(),
      { top_p: 0.95, notes: ['temperature', 'topK'] },
    ],
  ])('%s', (_what, more, to, expected) => {
    expect(sampling(more, to)).toEqual({ temperature: undefined, top_p: undefined, top_k: undefined, ...expected })
  })

  it('notes what Anthropic has no word for', () => {
    expect(
      build({
        presencePenalty: 0.5,
        frequencyPenalty: 0,
        seed: 1,
        verbosity: 'low',
        cacheKey: 'k',
        stop: ['\n', 'END'],
        user: 'u'.repeat(300),
      }).notes,
    ).toEqual(['presencePenalty', 'seed', 'verbosity', 'cacheKey', 'stop', 'user'])
  })

  it('sends stop words, the user and the wish for a stream', () => {
    expect(build({ stop: ['END'], user: 'u' }, target('m', { stream: true })).body).toMatchObject({
      stop_sequences: ['END'],
      metadata: { user_id: 'u' },
      stream: true,
    })
  })
})

describe('tools sent to Anthropic', () => {
  const schemaOf = (schema: JsonObject | null): unknown =>
    (build({ tools: [{ ...tool, schema }] }).body.tools as JsonObject[])[0]?.input_schema

  it('describes arguments as an object, in a copy', () => {
    const given = { properties: { p: { type: 'string' } } }
    expect(schemaOf(null)).toEqual({ type: 'object', properties: {} })
    expect(schemaOf(given)).toEqual({ type: 'object', ...given })
    expect(given).toEqual({ properties: { p: { type: 'string' } } })
    expect(schemaOf({ type: ['object', 'null'] })).toEqual({ type: 'object' })
  })

  it('joins variants at the top, which Anthropic refuses there', () => {
    expect(
      schemaOf({
        type: 'object',
        required: ['a'],
        anyOf: [{ properties: { b: { type: 'string' } }, required: ['b'] }, { properties: { c: {} } }],
        allOf: [{ properties: { d: {} }, required: ['d'] }],
      }),
    ).toEqual({ type: 'object', properties: { b: { type: 'string' }, c: {}, d: {} }, required: ['a', 'd'] })
  })

  it.each<[string, Partial<ToolDefinition>]>([
    ['free text', { freeForm: true }],
    ['arguments that are no object', { schema: { type: 'string' } }],
  ])('refuses %s, naming the tool', (_what, more) => {
    const given = { ...tool, ...more }
    expect(() => build({ tools: [given] })).toThrow(`"${given.name}"`)
  })

  it.each<[Partial<CanonicalRequest>, unknown]>([
    [{}, undefined],
    [{ parallelToolCalls: true }, undefined],
    [{ parallelToolCalls: false }, { type: 'auto', disable_parallel_tool_use: true }],
    [{ toolChoice: { kind: 'auto' } }, { type: 'auto' }],
    [
      { toolChoice: { kind: 'required' }, parallelToolCalls: false },
      { type: 'any', disable_parallel_tool_use: true },
    ],
    [{ toolChoice: { kind: 'tool', name: 'read' } }, { type: 'tool', name: 'read' }],
    [{ toolChoice: { kind: 'none' }, parallelToolCalls: false }, { type: 'none' }],
  ])('the choice of %j', (more, tool_choice) => {
    expect(build({ tools: [tool], ...more }).body.tool_choice).toEqual(tool_choice)
  })

  it('defines the tools of the conversation where none is offered any more', () => {
    const body = talk(user(text('hi')), assistant(call('a')), user(result('a')))
    expect(body).toMatchObject({ tools: [{ name: 'read' }], tool_choice: { type: 'none' } })
    expect(build({ toolChoice: { kind: 'auto' } }).body).not.toHaveProperty('tool_choice')
  })

  it('drops strictness with a note', () => {
    const { body, notes } = build({ tools: [{ ...tool, strict: true }] })
    expect(JSON.stringify(body)).not.toContain('strict')
    expect(notes).toEqual(['tools[].strict'])
  })
})

describe('the form of the answer', () => {
  const schema = { type: 'object', properties: { n: { type: 'integer', minimum: 1 } }, required: ['n', 'ghost'] }
  const output = { kind: 'schema', name: 'x', description: null, schema, strict: true } as const

  it('is a schema where the model can be held to one', () => {
    expect(build({ output }).body.output_config).toEqual({
      format: {
        type: 'json_schema',
        schema: {
          type: 'object',
          properties: { n: { type: 'integer', description: '(minimum: 1)' } },
          required: ['n'],
          additionalProperties: false,
        },
      },
    })
  })

  it.each<[string, JsonObject, string]>([
    ['for older models', schema, 'claude-sonnet-4-0'],
    ['for other models', schema, 'glm-4.6'],
    ['for maps', { type: 'object', additionalProperties: { type: 'string' } }, 'claude-sonnet-4-5'],
    ['for anything', { type: 'object', properties: { x: {} } }, 'claude-sonnet-4-5'],
    [
      'for recursion',
      { $ref: '#/$defs/a', $defs: { a: { type: 'object', properties: { a: { $ref: '#/$defs/a' } } } } },
      'claude-sonnet-4-5',
    ],
  ])('is said in words %s', (_what, given, model) => {
    const { body } = build({ output: { ...output, schema: given } }, target(model))
    expect(body).not.toHaveProperty('output_config')
    expect(JSON.stringify(body.system)).toContain(JSON.stringify(JSON.stringify(given)).slice(1, -1))
  })

  it('keeps variants, lists, constants and definitions', () => {
    const given = {
      $defs: { d: { type: 'string', format: 'uri' } },
      type: 'object',
      properties: {
        a: { type: ['string', 'null'], description: 'A' },
        b: { oneOf: [{ const: 1 }, { enum: ['x'] }] },
        c: { type: 'array', items: { $ref: '#/$defs/d' }, minItems: 1, maxItems: 3 },
      },
    }
    expect(build({ output: { ...output, schema: given } }).body.output_config).toMatchObject({
      format: {
        schema: {
          $defs: { d: { type: 'string', format: 'uri' } },
          properties: {
            a: { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'A' },
            b: { anyOf: [{ const: 1 }, { enum: ['x'] }] },
            c: { type: 'array', items: { $ref: '#/$defs/d' }, minItems: 1, description: '(maxItems: 3)' },
          },
        },
      },
    })
  })

  it('is plain JSON on request', () => {
    const { body } = build({ output: { kind: 'json' }, system: [{ kind: 'text', text: 'A' }] })
    expect((body.system as JsonObject[]).map((block) => block.text)).toEqual([
      'A',
      'Respond with one valid JSON object and nothing else: no code fence.',
    ])
  })
})

describe('marks for the prompt cache', () => {
  const marked = (body: JsonObject): number => JSON.stringify(body).split('cache_control').length - 1
  const system = [
    { kind: 'text', text: 'A' },
    { kind: 'text', text: 'B' },
  ] as const

  it('stand on the last instruction and at the end of a conversation that goes on', () => {
    const turns = [user(text('hi')), assistant(thought(), call('a')), user(result('a'))]
    const { body } = build({ system, turns, tools: [tool] })
    expect(body.system).toEqual([
      { type: 'text', text: 'A' },
      { type: 'text', text: 'B', cache_control: { type: 'ephemeral' } },
    ])
    expect(blocksOf(body, 2)).toMatchObject([{ type: 'tool_result', cache_control: { type: 'ephemeral' } }])
    expect(marked(body)).toBe(2)
  })

  it('do not stand on a single question, nor on an assistant’s words', () => {
    expect(marked(build({ system }).body)).toBe(1)
    expect(marked(build({ tools: [tool] }).body)).toBe(1)
    expect(marked(talk(user(text('hi')), assistant(text('so')), user(text('and'))))).toBe(1)
    expect(marked(talk(user(text('hi')), assistant(text('so'))))).toBe(0)
  })
})
