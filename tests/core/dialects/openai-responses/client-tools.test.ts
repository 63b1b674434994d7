import { describe, expect, it } from 'vitest'
import { contextOf, END, eventsIn, parse, run, START, streamed } from './samples'

const fn = (name: string, more: object = {}) => ({
  type: 'function',
  name,
  parameters: { type: 'object', properties: {} },
  ...more,
})
const space = (name: string, tools: object[], description = 'About it.') => ({
  type: 'namespace',
  name,
  description,
  tools,
})
const names = (body: object) => parse({ input: 'x', ...body }).request.tools.map(({ name }) => name)

/** The item that a call of this tool becomes. */
function itemOf(body: object, name: string, args: string, freeForm = false) {
  const text = streamed(
    run(
      { kind: 'tool-call', index: 0, id: 'call_x', name, freeForm },
      { kind: 'tool-arguments', index: 0, piece: args },
      { kind: 'tool-end', index: 0 },
    ),
    contextOf(body as never),
  )
  const done = eventsIn(text).filter(({ type }) => type === 'response.output_item.done')
  expect(done).toHaveLength(1)
  return done[0]?.item as Record<string, unknown>
}

describe('tools of a Responses request', () => {
  it('are taken with schemas that are none', () => {
    const { request } = parse({
      input: 'x',
      tools: [
        fn('a', { parameters: null }),
        fn('b', { parameters: true }),
        fn('c', { parameters: [] }),
        fn('d', { strict: true }),
      ],
    })
    expect(request.tools.map(({ schema, strict }) => [schema, strict])).toEqual([
      [null, null],
      [null, null],
      [null, null],
      [{ type: 'object', properties: {} }, true],
    ])
  })

  it('tell the grammar of a custom tool in its description', () => {
    const tool = {
      type: 'custom',
      name: 'p',
      description: 'Patches.',
      format: { type: 'grammar', syntax: 'lark', definition: 'start: X' },
    }
    expect(parse({ input: 'x', tools: [tool] }).request.tools).toEqual([
      {
        name: 'p',
        freeForm: true,
        schema: null,
        strict: null,
        description: expect.stringMatching(/^Patches\.\n\n.*lark grammar:\n\nstart: X$/),
      },
    ])
  })

  it('that run at OpenAI are left out with a note, so that Codex can talk to any model', () => {
    const { request, dropped } = parse({
      input: 'x',
      tools: [
        { type: 'web_search', external_web_access: false },
        { type: 'image_generation' },
        { type: 'tool_search' },
        fn('a'),
      ],
      tool_choice: 'auto',
    })
    expect(request.tools.map(({ name }) => name)).toEqual(['a'])
    expect(dropped).toEqual(['tools[].web_search', 'tools[].image_generation', 'tools[].tool_search'])
  })

  it('keep their namespace through the call', () => {
    const tools = [
      space('mcp__node__', [fn('js')]),
      space('github', [fn('open'), { type: 'custom', name: 'raw' }]),
      fn('js'),
    ]
    expect(names({ tools })).toEqual(['mcp__node__js', 'github__open', 'github__raw', 'js'])
    expect(itemOf({ tools }, 'github__open', '{"a":1}')).toMatchObject({
      type: 'function_call',
      name: 'open',
      namespace: 'github',
      call_id: 'call_x',
      arguments: '{"a":1}',
    })
    expect(itemOf({ tools }, 'github__raw', '{"input":"text"}')).toMatchObject({
      type: 'custom_tool_call',
      name: 'raw',
      namespace: 'github',
      input: 'text',
    })
    expect(itemOf({ tools }, 'js', '{}')).not.toHaveProperty('namespace')
  })

  it('have no namespace in the one that stands for none', () => {
    const tools = [space('functions', [fn('exec')])]
    expect(names({ tools })).toEqual(['exec'])
    expect(itemOf({ tools }, 'exec', '{}')).not.toHaveProperty('namespace')
  })

  it('are told about their namespace once', () => {
    const { request } = parse({ input: 'x', tools: [space('n', [fn('a', { description: 'A.' }), fn('b')])] })
    expect(request.tools.map(({ description }) => description)).toEqual(['About it.\n\nA.', null])
  })

  it('of one flattened name stay two', () => {
    const tools = [fn('a__b'), space('a', [fn('b')]), space('a__b', [fn('c')]), space('a', [fn('b__c')])]
    const flat = names({ tools })
    expect(flat).toEqual(['a__b', 'a__b_2', 'a__b__c', 'a__b__c_2'])
    expect(itemOf({ tools }, 'a__b_2', '{}')).toMatchObject({ name: 'b', namespace: 'a' })
    expect(itemOf({ tools }, 'a__b__c_2', '{}')).toMatchObject({ name: 'b__c', namespace: 'a' })
  })

  it('get names that every provider takes', () => {
    const long = 'x'.repeat(80)
    const [one, two] = names({ tools: [space('my.server', [fn(long), fn(`${long}y`)])] })
    expect(one).toMatch(/^my_server__x+_\w+$/)
    expect([one?.length, two?.length]).toEqual([64, 64])
    expect(one).not.toBe(two)
  })

  it('may be brought by the conversation', () => {
    const input = [
      { type: 'additional_tools', role: 'developer', tools: [fn('later')] },
      { type: 'tool_search_call', call_id: 's', execution: 'client', arguments: { query: 'calendar' } },
      { type: 'tool_search_output', call_id: 's', execution: 'client', tools: [space('cal', [fn('create')])] },
      { type: 'function_call', call_id: 'c', namespace: 'cal', name: 'create', arguments: '{}' },
    ]
    const { request } = parse({
      input,
      tools: [{ type: 'tool_search', execution: 'client', description: 'Find.', parameters: {} }],
    })
    expect(request.tools.map(({ name }) => name)).toEqual(['tool_search', 'later', 'cal__create'])
    expect(request.turns[1]?.parts[0]).toMatchObject({
      callId: 's',
      content: [{ text: expect.stringContaining('cal__create') }],
    })
    expect(request.turns[2]?.parts[0]).toMatchObject({ kind: 'tool-call', name: 'cal__create' })
    expect(itemOf({ input }, 'cal__create', '{}')).toMatchObject({ name: 'create', namespace: 'cal' })
  })

  it.each<[object, string, string, object]>([
    [
      { type: 'tool_search', execution: 'client', parameters: {} },
      'tool_search',
      '{"query":"q"}',
      { type: 'tool_search_call', execution: 'client', arguments: { query: 'q' } },
    ],
    [
      { type: 'local_shell' },
      'local_shell',
      '{"command":["ls"],"timeout_ms":5}',
      { type: 'local_shell_call', action: { type: 'exec', command: ['ls'], timeout_ms: 5, env: {} } },
    ],
    [
      { type: 'shell', environment: { type: 'local' } },
      'shell',
      '{"commands":["ls"]}',
      { type: 'shell_call', action: { commands: ['ls'], timeout_ms: null, max_output_length: null } },
    ],
    [
      { type: 'apply_patch' },
      'apply_patch',
      '{"type":"delete_file","path":"x"}',
      { type: 'apply_patch_call', operation: { type: 'delete_file', path: 'x' } },
    ],
  ])(
    'that run at the client become functions, and their calls what the client waits for: %j',
    (tool, name, args, item) => {
      expect(names({ tools: [tool] })).toEqual([name])
      expect(itemOf({ tools: [tool] }, name, args)).toMatchObject({ ...item, call_id: 'call_x', status: 'completed' })
    },
  )

  it('whose arguments are no JSON are called as the model called them', () => {
    expect(itemOf({ tools: [{ type: 'local_shell' }] }, 'local_shell', 'ls -l')).toMatchObject({
      type: 'function_call',
      name: 'local_shell',
      arguments: 'ls -l',
    })
  })

  it.each([
    ['{"input":"*** Begin\\n"}', '*** Begin\n'],
    ['{"patch":"x"}', 'x'],
    ['{"a":"x","b":"y"}', '{"a":"x","b":"y"}'],
    ['*** Begin', '*** Begin'],
    ['{"input":""}', ''],
  ])('of free form give their text: %s', (args, input) => {
    const tools = [{ type: 'custom', name: 'apply_patch' }]
    expect(itemOf({ tools }, 'apply_patch', args)).toMatchObject({ type: 'custom_tool_call', input })
  })
})

describe('the choice of a tool', () => {
  const tools = [
    fn('a'),
    space('n', [fn('b')]),
    { type: 'custom', name: 'c' },
    { type: 'web_search' },
    { type: 'apply_patch' },
  ]
  const chosen = (tool_choice: unknown) => parse({ input: 'x', tools, tool_choice }).request

  it.each<[unknown, object | null]>([
    [undefined, null],
    ['auto', { kind: 'auto' }],
    ['none', { kind: 'none' }],
    ['required', { kind: 'required' }],
    [
      { type: 'function', name: 'a' },
      { kind: 'tool', name: 'a' },
    ],
    [
      { type: 'function', name: 'b', namespace: 'n' },
      { kind: 'tool', name: 'n__b' },
    ],
    [
      { type: 'custom', name: 'c' },
      { kind: 'tool', name: 'c' },
    ],
    [{ type: 'apply_patch' }, { kind: 'tool', name: 'apply_patch' }],
  ])('%j', (choice, canonical) => {
    expect(chosen(choice).toolChoice).toEqual(canonical)
  })

  it('among some leaves only those', () => {
    const { toolChoice, tools: left } = chosen({
      type: 'allowed_tools',
      mode: 'required',
      tools: [{ type: 'function', name: 'a' }, { type: 'web_search' }, { type: 'custom', name: 'c' }],
    })
    expect(toolChoice).toEqual({ kind: 'required' })
    expect(left.map(({ name }) => name)).toEqual(['a', 'c'])
  })

  it.each<[unknown, string]>([
    ['any', 'tool_choice: must be'],
    [5, 'tool_choice: must be an object'],
    [{ type: 'web_search_preview' }, 'runs at OpenAI'],
    [{ type: 'mcp', server_label: 's' }, 'runs at OpenAI'],
    [{ type: 'shell' }, 'runs at OpenAI'],
    [{ type: 'allowed_tools', mode: 'some', tools: [] }, 'tool_choice.mode'],
    [{ type: 'allowed_tools', mode: 'required', tools: [{ type: 'web_search' }] }, 'runs at OpenAI'],
  ])('is refused: %j', (choice, words) => {
    expect(() => chosen(choice)).toThrow(words)
  })

  it('that demands one of tools that all run at OpenAI is refused', () => {
    expect(() => parse({ input: 'x', tools: [{ type: 'web_search' }], tool_choice: 'required' })).toThrow('web_search')
  })
})

it('calls of unknown tools are written as functions', () => {
  const text = streamed([START, { kind: 'tool-call', index: 0, id: 'c', name: 'ghost', freeForm: false }, END])
  expect(eventsIn(text).find(({ type }) => type === 'response.output_item.done')?.item).toMatchObject({
    name: 'ghost',
    arguments: '{}',
  })
})
