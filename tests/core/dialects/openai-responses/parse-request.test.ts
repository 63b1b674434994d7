import { describe, expect, it } from 'vitest'
import { openAiResponses } from '../../../../core/dialects/openai-responses/openai-responses'
import { GatewayError } from '../../../../core/errors'
import { requestBodyOf } from '../request-body-of'
import { parse } from './samples'

const turnsOf = (input: unknown) => parse({ input }).request.turns
const refusal = (body: object): string => {
  try {
    parse(body as never)
  } catch (error) {
    if (error instanceof GatewayError && error.httpStatus === 400) return error.message
    throw error
  }
  throw new Error('was not refused')
}
const call = (id: string, name = 'read', more: object = {}) => ({
  type: 'function_call',
  call_id: id,
  name,
  arguments: '{"p":"a"}',
  ...more,
})
const output = (id: string, text: unknown, more: object = {}) => ({
  type: 'function_call_output',
  call_id: id,
  output: text,
  ...more,
})

describe('the input of a Responses request', () => {
  it('may be a text', () => {
    expect(turnsOf('Hi')).toEqual([{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }])
  })

  it('may hold messages in their short and their full form', () => {
    expect(
      turnsOf([
        { role: 'user', content: 'a' },
        {
          type: 'message',
          id: 'msg_1',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'b', annotations: [] }],
        },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'c' }] },
      ]),
    ).toEqual([
      { role: 'user', parts: [{ kind: 'text', text: 'a' }] },
      { role: 'assistant', parts: [{ kind: 'text', text: 'b' }] },
      { role: 'user', parts: [{ kind: 'text', text: 'c' }] },
    ])
  })

  it('gives instructions and leading system messages as the system, later ones as turns', () => {
    const { request } = parse({
      instructions: 'A',
      input: [
        { role: 'developer', content: 'B' },
        { role: 'system', content: [{ type: 'input_text', text: 'C' }] },
        { role: 'user', content: 'x' },
        { role: 'developer', content: 'D' },
      ],
    })
    expect(request.system.map(({ text }) => text)).toEqual(['A', 'B', 'C'])
    expect(request.turns.at(-1)).toEqual({ role: 'system', parts: [{ kind: 'text', text: 'D' }] })
  })

  it('keeps parallel calls, and the reasoning before them, in one turn, and their results in another', () => {
    const turns = turnsOf([
      { role: 'user', content: 'x' },
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'ENC' },
      call('a'),
      call('b', 'write'),
      output('a', '1'),
      output('b', '2'),
      { role: 'user', content: 'go on' },
    ])
    expect(turns.map(({ role, parts }) => [role, parts.map(({ kind }) => kind)])).toEqual([
      ['user', ['text']],
      ['assistant', ['thinking', 'tool-call', 'tool-call']],
      ['user', ['tool-result', 'tool-result']],
      ['user', ['text']],
    ])
    expect(turns[1]?.parts[0]).toEqual({
      kind: 'thinking',
      text: 'hm',
      signature: 'rs_1|ENC',
      issuer: 'openai-responses',
      redacted: false,
    })
    expect(turns[2]?.parts[1]).toMatchObject({ callId: 'b', name: 'write', content: [{ text: '2' }] })
  })

  it('takes reasoning of another dialect for what it is', () => {
    const reasoning = (more: object) => turnsOf([{ type: 'reasoning', id: 'rs_1', summary: [], ...more }])[0]?.parts[0]
    expect(reasoning({ encrypted_content: 'bw1:anthropic:SIG:A' })).toMatchObject({
      signature: 'SIG:A',
      issuer: 'anthropic',
      redacted: true,
    })
    expect(
      reasoning({ encrypted_content: 'bw1:anthropic:S', summary: [{ type: 'summary_text', text: '' }] }),
    ).toMatchObject({ signature: 'S', redacted: false, text: '' })
    expect(reasoning({ encrypted_content: 'bw1:nobody:S' })).toMatchObject({
      issuer: 'openai-responses',
      signature: 'rs_1|bw1:nobody:S',
    })
    expect(reasoning({ encrypted_content: null, content: [{ type: 'reasoning_text', text: 't' }] })).toMatchObject({
      signature: null,
      text: 't',
    })
    expect(reasoning({})).toBeUndefined()
  })

  it('does not call an id its own that the gateway made up', () => {
    const [turn] = turnsOf([{ type: 'reasoning', id: 'rs_bw_12', summary: [], encrypted_content: 'E' }])
    expect(turn?.parts[0]).toMatchObject({ signature: '|E' })
  })

  it('knows reasoning without an id, as Codex sends it', () => {
    const [turn] = turnsOf([{ type: 'reasoning', summary: [], content: null, encrypted_content: 'E' }])
    expect(turn?.parts[0]).toMatchObject({ signature: '|E' })
  })

  it('loses no image: data URL, address, and inside of a result', () => {
    const url = 'data:image/png;base64,iVBORw0KGgo='
    const image = { kind: 'image', media: { kind: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' }, name: null }
    expect(
      turnsOf([
        {
          role: 'user',
          content: [
            { type: 'input_image', image_url: url },
            { type: 'input_image', image_url: 'https://a.example/x.png' },
          ],
        },
        call('a'),
        output('a', [
          { type: 'input_text', text: 'see' },
          { type: 'input_image', image_url: url, detail: 'auto' },
        ]),
      ]),
    ).toMatchObject([
      { parts: [image, { kind: 'image', media: { kind: 'url', url: 'https://a.example/x.png' } }] },
      {},
      { parts: [{ kind: 'tool-result', content: [{ kind: 'text', text: 'see' }, image] }] },
    ])
  })

  it('gives an image the model made as an image it said', () => {
    const turns = turnsOf([{ type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'QUJD' }])
    expect(turns).toMatchObject([{ role: 'assistant', parts: [{ media: { mediaType: 'image/png', data: 'QUJD' } }] }])
  })

  it('reads files by their data or address', () => {
    const file = (more: object) => turnsOf([{ role: 'user', content: [{ type: 'input_file', ...more }] }])[0]?.parts[0]
    expect(file({ filename: 'a.pdf', file_data: 'data:application/pdf;base64,QQ==' })).toEqual({
      kind: 'document',
      name: 'a.pdf',
      media: { kind: 'base64', mediaType: 'application/pdf', data: 'QQ==' },
    })
    expect(file({ filename: 'a.csv', file_data: 'QQ==' })).toMatchObject({ media: { mediaType: 'text/csv' } })
    expect(file({ file_data: 'QQ==' })).toMatchObject({ media: { mediaType: 'application/pdf' } })
    expect(file({ file_url: 'https://a.example/a.pdf' })).toMatchObject({ media: { url: 'https://a.example/a.pdf' } })
  })

  it('makes no part of an empty text, and no turn of an empty message', () => {
    expect(
      turnsOf([
        { role: 'assistant', content: '' },
        {
          role: 'user',
          content: [
            { type: 'input_text', text: '' },
            { type: 'input_text', text: 'hi' },
          ],
        },
        { role: 'assistant', content: null },
        call('a'),
        output('a', ''),
        { role: 'developer', content: '' },
      ]),
    ).toEqual([
      { role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
      {
        role: 'assistant',
        parts: [{ kind: 'tool-call', id: 'a', name: 'read', arguments: '{"p":"a"}', freeForm: false }],
      },
      { role: 'user', parts: [{ kind: 'tool-result', callId: 'a', name: 'read', isError: false, content: [] }] },
    ])
  })

  it('reads calls of free-form tools as plain text', () => {
    expect(
      turnsOf([
        { type: 'custom_tool_call', call_id: 'a', name: 'apply_patch', input: '*** Begin' },
        { type: 'custom_tool_call_output', call_id: 'a', output: 'ok' },
      ]),
    ).toMatchObject([
      { parts: [{ name: 'apply_patch', arguments: '*** Begin', freeForm: true }] },
      { parts: [{ callId: 'a', content: [{ text: 'ok' }] }] },
    ])
  })

  it.each([
    [
      { type: 'local_shell_call', id: 'l', call_id: 'a', action: { type: 'exec', command: ['ls'], env: {} } },
      'local_shell',
      { command: ['ls'], env: {} },
    ],
    [{ type: 'shell_call', call_id: 'a', action: { commands: ['ls'] } }, 'shell', { commands: ['ls'] }],
    [
      { type: 'apply_patch_call', call_id: 'a', operation: { type: 'delete_file', path: 'x' } },
      'apply_patch',
      { type: 'delete_file', path: 'x' },
    ],
    [
      { type: 'tool_search_call', call_id: 'a', execution: 'client', arguments: { query: 'q' } },
      'tool_search',
      { query: 'q' },
    ],
  ])('reads the built-in call %j as a call of a function', (item, name, args) => {
    const [turn] = turnsOf([item])
    expect(turn?.parts[0]).toMatchObject({ kind: 'tool-call', id: 'a', name, freeForm: false })
    expect(turn?.parts[0]).toHaveProperty('arguments', JSON.stringify(args))
  })

  it('reads the results of built-in calls, failed ones as failed', () => {
    expect(
      turnsOf([
        {
          type: 'shell_call_output',
          call_id: 'a',
          output: [{ stdout: 'x', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
        },
        { type: 'apply_patch_call_output', call_id: 'b', status: 'failed', output: 'no such file' },
        { type: 'local_shell_call_output', id: 'c', output: '{"output":"y"}' },
      ])[0]?.parts,
    ).toMatchObject([
      { callId: 'a', isError: false, content: [{ text: expect.stringContaining('"stdout":"x"') }] },
      { callId: 'b', isError: true, content: [{ text: 'no such file' }] },
      { callId: 'c', content: [{ text: '{"output":"y"}' }] },
    ])
  })

  it('leaves out the traces of tools that ran at OpenAI, and says so', () => {
    const { request, dropped } = parse({
      input: [
        { type: 'web_search_call', id: 'ws_1', status: 'completed' },
        { role: 'user', content: 'x' },
      ],
    })
    expect(request.turns).toHaveLength(1)
    expect(dropped).toEqual(['input[].web_search_call'])
  })

  it.each<[string, object, string]>([
    ['a list that is none', { input: 5 }, 'input: must be a list.'],
    ['an item that is none', { input: ['x'] }, 'input[0]: must be an object.'],
    ['an unknown role', { input: [{ role: 'tool', content: 'x' }] }, 'input[0].role'],
    ['an unknown part', { input: [{ role: 'user', content: [{ type: 'video' }] }] }, 'input[0].content[0].type'],
    [
      'a text that is none',
      { input: [{ role: 'user', content: [{ type: 'input_text', text: 1 }] }] },
      'input[0].content[0].text',
    ],
    [
      'a stored image',
      { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'f' }] }] },
      'input[0].content[0].file_id',
    ],
    [
      'a stored file',
      { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'f' }] }] },
      'input[0].content[0].file_id',
    ],
    [
      'an image of nowhere',
      { input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'C:\\x.png' }] }] },
      'image_url',
    ],
    ['an unknown item', { input: [{ type: 'telepathy' }] }, 'input[0]: items of type "telepathy" are not known.'],
    ['a sealed summary', { input: [{ type: 'compaction', encrypted_content: 'x' }] }, 'OpenAI Responses'],
    ['computer use', { input: [{ type: 'computer_call', call_id: 'a' }] }, 'OpenAI Responses'],
    ['a reference', { input: [{ type: 'item_reference', id: 'msg_9' }] }, 'msg_9'],
    ['a reference without a type', { input: [{ id: 'msg_9' }] }, 'msg_9'],
    ['a call without an id', { input: [{ type: 'function_call', name: 'f', arguments: '{}' }] }, 'input[0].call_id'],
    ['a call without arguments', { input: [{ type: 'function_call', call_id: 'a', name: 'f' }] }, 'input[0].arguments'],
    ['a bad temperature', { input: 'x', temperature: 'hot' }, 'temperature'],
    ['a bad format', { input: 'x', text: { format: { type: 'yaml' } } }, 'text.format.type'],
    ['a bad effort', { input: 'x', reasoning: { effort: 'huge' } }, 'reasoning.effort'],
    ['a tool without a name', { input: 'x', tools: [{ type: 'function', function: { name: 'f' } }] }, 'tools[0].name'],
  ])('names the place of %s', (_what, body, words) => {
    expect(refusal(body)).toContain(words)
  })
})

describe('the settings of a Responses request', () => {
  it('are all carried', () => {
    const { request, dropped } = parse({
      input: 'x',
      max_output_tokens: 10,
      temperature: 0.5,
      top_p: 0.9,
      parallel_tool_calls: false,
      reasoning: { effort: 'max', summary: 'auto' },
      text: { verbosity: 'low', format: { type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: true } },
      user: 'u',
      safety_identifier: 's',
      prompt_cache_key: 'k',
      include: ['reasoning.encrypted_content'],
    })
    expect(dropped).toEqual([])
    expect(request).toMatchObject({
      maxTokens: 10,
      temperature: 0.5,
      topP: 0.9,
      parallelToolCalls: false,
      reasoning: { effort: 'xhigh', budget: null, show: true },
      verbosity: 'low',
      output: { kind: 'schema', name: 'n', schema: { type: 'object' }, strict: true, description: null },
      user: 's',
      cacheKey: 'k',
    })
  })

  it('say what was left out of them', () => {
    const { dropped } = parse({
      input: 'x',
      include: ['web_search_call.results'],
      reasoning: { effort: 'low', mode: 'pro' },
    })
    expect([...dropped].sort()).toEqual(['include[].web_search_call.results', 'reasoning.mode'])
  })

  it('change nothing in the body', () => {
    const body = {
      model: 'm',
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'x' }] }, call('a'), output('a', 'y')],
      tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'function', name: 'f' }] }],
    }
    const before = JSON.stringify(body)
    parse(body)
    expect(JSON.stringify(body)).toBe(before)
  })
})

describe('what is checked before anything is parsed', () => {
  const check = (body: object) => () =>
    openAiResponses.checkRequest(requestBodyOf(JSON.stringify({ model: 'a/b', ...body }), openAiResponses))

  it.each([
    [{ input: 'x' }],
    [{ input: [{ role: 'user', content: 'x' }] }],
    [{ input: [] }],
    [{ previous_response_id: 'resp_1' }],
    [{ prompt: { id: 'p' }, input: null }],
  ])('takes %j', (body) => {
    expect(check(body)).not.toThrow()
  })

  it.each<[object, string]>([
    [{}, 'input: is missing'],
    [{ input: null }, 'input: is missing'],
    [{ input: 5 }, 'input: must be'],
    [{ input: ['x'] }, 'input: must hold only objects'],
    [{ input: 'x', tools: 'y' }, 'tools: must be a list'],
    [{ input: 'x', stream: 1 }, 'stream: must be'],
    [{ input: 'x', model: 1 }, 'model: must be'],
  ])('refuses %j', (body, words) => {
    expect(check(body)).toThrow(words)
  })
})
