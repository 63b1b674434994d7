import { describe, expect, it } from 'vitest'
import type { AnswerEvent, JsonObject } from '../../../../core/dialects/canonical'
import { translation } from '../../../../core/dialects/openai-chat/translation'
import { chunk, ids, parseStream } from './support'

const START: AnswerEvent = { kind: 'start', id: 'c1', model: 'm' }
const END: AnswerEvent = { kind: 'end' }
const stop = (reason: string): AnswerEvent => ({ kind: 'stop', reason: reason as never, sequence: null })
const text = (value: string): AnswerEvent => ({ kind: 'text', text: value })
const opened = (index: number, id: string, name = 'f', freeForm = false): AnswerEvent => ({
  kind: 'tool-call',
  index,
  id,
  name,
  freeForm,
})
const args = (index: number, piece: string): AnswerEvent => ({ kind: 'tool-arguments', index, piece })
const ended = (index: number): AnswerEvent => ({ kind: 'tool-end', index })
const signed = (signature: string, redacted = false): AnswerEvent => ({
  kind: 'thinking-signature',
  signature,
  issuer: 'openai-chat',
  redacted,
})
/** The stream's events between start and the ending. */
const content = (...chunks: readonly JsonObject[]) =>
  parseStream(...chunks, '[DONE]').filter(({ kind }) => kind !== 'start' && kind !== 'stop' && kind !== 'end')
const calls = (...entries: readonly object[]) => chunk({ tool_calls: entries })
const piece = (index: number | undefined, id: string | undefined, name?: string, text?: string) => ({
  ...(index === undefined ? {} : { index }),
  ...(id === undefined ? {} : { id }),
  function: { ...(name === undefined ? {} : { name }), ...(text === undefined ? {} : { arguments: text }) },
})

describe('a Chat stream', () => {
  it('is told in order, usage before the stop', () => {
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
    expect(
      parseStream(
        chunk({ role: 'assistant', content: '' }),
        chunk({ content: 'Hi' }),
        chunk({ content: '!' }),
        chunk({}, 'stop'),
        { id: 'c1', choices: [], usage },
        '[DONE]',
      ),
    ).toEqual([
      START,
      text('Hi'),
      text('!'),
      {
        kind: 'usage',
        usage: { input: 10, cachedInput: null, cacheWrite: null, output: 5, reasoning: null },
      },
      stop('stop'),
      END,
    ])
  })

  it('takes usage from the last content chunk, once', () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2 }
    const events = parseStream({ ...chunk({ content: 'x' }, 'stop'), usage }, { choices: [], usage }, '[DONE]')
    expect(events.filter(({ kind }) => kind === 'usage')).toHaveLength(1)
  })

  it.each<[string, JsonObject, JsonObject]>([
    [
      'details',
      {
        prompt_tokens: 9,
        completion_tokens: 7,
        total_tokens: 16,
        prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
        completion_tokens_details: { reasoning_tokens: 3 },
      },
      { input: 9, cachedInput: 4, cacheWrite: 2, output: 7, reasoning: 3 },
    ],
    [
      'cache hits beside the counts',
      { prompt_tokens: 9, completion_tokens: 7, prompt_cache_hit_tokens: 8 },
      { input: 9, cachedInput: 8, cacheWrite: null, output: 7, reasoning: null },
    ],
    [
      'reasoning counted in the total only',
      { prompt_tokens: 9, completion_tokens: 7, total_tokens: 116 },
      { input: 9, cachedInput: null, cacheWrite: null, output: 107, reasoning: null },
    ],
  ])('counts tokens: %s', (_what, usage, counts) => {
    expect(content({ choices: [], usage })).toEqual([{ kind: 'usage', usage: counts }])
    expect(content({ choices: [{ delta: {}, usage }] })).toEqual([{ kind: 'usage', usage: counts }])
    expect(content({ choices: [], x_groq: { usage } })).toEqual([{ kind: 'usage', usage: counts }])
  })

  it('survives chunks without choices, without delta, and what is no JSON', () => {
    expect(
      parseStream('{"cho', 'null', '7', {}, { choices: null }, { choices: [null, {}] }, chunk({ content: 'x' }), {
        choices: [{ index: 0, delta: null, finish_reason: 'stop' }],
      }),
    ).toEqual([{ kind: 'start', id: null, model: null }, text('x'), stop('stop'), END])
  })

  it('reads one answer where a server gives several', () => {
    const two = {
      choices: [
        { index: 0, delta: { content: 'a' } },
        { index: 1, delta: { content: 'b' } },
      ],
    }
    expect(content(two, two)).toEqual([text('a'), text('a')])
  })

  it('ends properly without the end marker where the reason was given, and not at all where it was not', () => {
    expect(parseStream(chunk({ content: 'x' }), chunk({}, 'stop'))).toEqual([START, text('x'), stop('stop'), END])
    expect(parseStream(chunk({ content: 'x' }))).toEqual([START, text('x')])
    const usage = { prompt_tokens: 1, completion_tokens: 2 }
    expect(parseStream({ ...chunk({ content: 'x' }), usage }).map(({ kind }) => kind)).toEqual([
      'start',
      'text',
      'usage',
    ])
    expect(parseStream()).toEqual([])
  })

  it('says nothing after its end', () => {
    const events = parseStream(chunk({ content: 'x' }, 'stop'), '[DONE]', chunk({ content: 'y' }), '[DONE]')
    expect(events).toEqual([START, text('x'), stop('stop'), END])
  })

  it.each([
    ['stop', {}, 'stop'],
    ['STOP', {}, 'stop'],
    ['eos', {}, 'stop'],
    ['length', {}, 'length'],
    ['model_length', {}, 'length'],
    ['length', { tool_calls: [piece(0, 'a', 'f', '{')] }, 'length'],
    ['content_filter', {}, 'content-filter'],
    ['tool_calls', {}, 'stop'],
    ['tool_calls', { tool_calls: [piece(0, 'a', 'f', '{}')] }, 'tool-calls'],
    ['stop', { tool_calls: [piece(0, 'a', 'f', '{}')] }, 'tool-calls'],
    ['function_call', { function_call: { name: 'f', arguments: '{}' } }, 'tool-calls'],
  ])('that ends with %s after %j ended for %s', (finish, delta, reason) => {
    expect(parseStream(chunk(delta, finish), '[DONE]').at(-2)).toEqual(stop(reason))
  })

  it.each<[string, JsonObject, number, string]>([
    ['an error beside empty choices', { choices: [], error: { code: 502, message: 'x' } }, 502, 'x'],
    ['an error in a choice', { choices: [{ delta: {}, error: { code: 429, message: 'slow' } }] }, 429, 'slow'],
    ['an error object', { object: 'error', message: 'full', type: 'rate_limit_error' }, 429, 'full'],
    ['an error as the reason', chunk({}, 'error'), 502, 'error'],
    ['missing resources', chunk({}, 'insufficient_system_resource'), 503, 'insufficient_system_resource'],
    ['a malformed call', chunk({}, 'MALFORMED_FUNCTION_CALL'), 502, 'MALFORMED_FUNCTION_CALL'],
  ])('that tells of %s is a fault, and nothing follows', (_what, data, status, words) => {
    const events = parseStream(chunk({ content: 'x' }), data, chunk({ content: 'y' }, 'stop'), '[DONE]')
    expect(events.slice(0, 2)).toEqual([START, text('x')])
    expect(events.slice(2)).toEqual([{ kind: 'fault', status, text: expect.stringContaining(words) }])
  })

  it('is a fault where the event is called error', () => {
    const parser = translation.createStreamParser(ids())
    expect(parser.event('error', '{"message":"x","code":503}')).toMatchObject([{ kind: 'fault', status: 503 }])
  })

  it('has refusals and images', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }
    expect(
      content(
        chunk({ refusal: 'No.' }),
        chunk({ images: [image, { image_url: { url: 'https://x.example/a' } }, { image_url: { url: 'data:' } }] }),
      ),
    ).toEqual([
      { kind: 'refusal', text: 'No.' },
      { kind: 'image', mediaType: 'image/png', data: 'AA==' },
      text('![](https://x.example/a)'),
      text('![](data:)'),
    ])
  })
})

describe('tool calls of a Chat stream', () => {
  it('keep pieces of parallel calls apart where they alternate', () => {
    expect(
      content(
        calls(piece(0, 'a', 'read'), piece(1, 'b', 'read')),
        calls(piece(0, undefined, undefined, '{"p":')),
        calls(piece(1, undefined, undefined, '{"p":')),
        calls(piece(0, undefined, undefined, '"a"}')),
        calls(piece(1, undefined, undefined, '"b"}')),
      ),
    ).toEqual([
      opened(0, 'a', 'read'),
      args(0, '{"p":'),
      opened(1, 'b', 'read'),
      args(1, '{"p":'),
      args(0, '"a"}'),
      args(1, '"b"}'),
      ended(0),
      ended(1),
    ])
  })

  const two = [opened(0, 'a'), args(0, '{"x":1}'), opened(1, 'b'), args(1, '{"y":2}'), ended(0), ended(1)]
  const x = '{"x":1}'
  const y = '{"y":2}'
  it.each<[string, readonly JsonObject[]]>([
    ['with gaps in the numbers', [calls(piece(3, 'a', 'f', x)), calls(piece(7, 'b', 'f', y))]],
    ['all under number 0', [calls(piece(0, 'a', 'f', x)), calls(piece(0, 'b', 'f', y))]],
    ['without numbers', [calls(piece(undefined, 'a', 'f', x)), calls(piece(undefined, 'b', 'f', y))]],
    ['in one delta', [calls(piece(0, 'a', 'f', x), piece(1, 'b', 'f', y))]],
    ['in one delta without numbers', [calls(piece(undefined, 'a', 'f', x), piece(undefined, 'b', 'f', y))]],
    [
      'with the id again in each piece',
      [calls(piece(0, 'a', 'f')), calls(piece(0, 'a', '', x)), calls(piece(1, 'b', 'f')), calls(piece(1, 'b', '', y))],
    ],
    [
      'with id and name again in each piece',
      [
        calls(piece(0, 'a', 'f', '{"x":')),
        calls(piece(0, 'a', 'f', '1}')),
        calls(piece(1, 'b', 'f', '{"y":')),
        calls(piece(1, 'b', 'f', '2}')),
      ],
    ],
    [
      'told apart by their ids alone',
      [
        calls(piece(0, 'a', 'f')),
        calls(piece(0, 'a', undefined, '{"x":')),
        calls(piece(0, 'b', 'f')),
        calls(piece(0, 'a', undefined, '1}')),
        calls(piece(0, 'b', undefined, y)),
      ],
    ],
    [
      'without numbers, the id in the first piece only',
      [
        calls(piece(undefined, 'a', 'f', '{"x":')),
        calls(piece(undefined, undefined, undefined, '1}')),
        calls(piece(undefined, 'b', 'f')),
        calls(piece(undefined, undefined, undefined, y)),
      ],
    ],
  ])('are two %s', (_what, chunks) => {
    const joined = new Map<number, string>()
    const events = content(...chunks)
    for (const event of events) {
      if (event.kind === 'tool-arguments') joined.set(event.index, (joined.get(event.index) ?? '') + event.piece)
    }
    expect(events.filter(({ kind }) => kind !== 'tool-arguments')).toEqual(
      two.filter(({ kind }) => kind !== 'tool-arguments'),
    )
    expect([...joined]).toEqual([
      [0, x],
      [1, y],
    ])
  })

  it('get ids of their own where the server gives none, or the same twice', () => {
    expect(content(calls({ function: { name: 'f', arguments: { x: 1 } } }, { function: { name: 'g' } }))).toEqual([
      opened(0, 'call_1'),
      args(0, x),
      ended(0),
      opened(1, 'call_2', 'g'),
      args(1, '{}'),
      ended(1),
    ])
    const same = content(calls(piece(0, 'a', 'f', x)), calls(piece(1, 'a', 'f', y)))
    expect(same.filter(({ kind }) => kind === 'tool-call')).toEqual([opened(0, 'a'), opened(1, 'call_1')])
  })

  it.each<[string, readonly string[]]>([
    ['whole', ['read_file']],
    ['in pieces', ['read', '_file']],
    ['again', ['read_file', 'read_file']],
    ['longer each time', ['read', 'read_file']],
  ])('have their name %s', (_what, names) => {
    const chunks = names.map((name, i) => calls(piece(0, i === 0 ? 'a' : undefined, name)))
    expect(content(...chunks, calls(piece(0, undefined, undefined, x)))).toEqual([
      opened(0, 'a', 'read_file'),
      args(0, x),
      ended(0),
    ])
  })

  it('have empty arguments where the model wrote none', () => {
    expect(content(calls(piece(0, 'a', 'f')))).toEqual([opened(0, 'a'), args(0, '{}'), ended(0)])
  })

  it('may be free-form, and of the form before tools', () => {
    const custom = { index: 0, id: 'a', type: 'custom', custom: { name: 'sh', input: 'ls' } }
    const more = { index: 0, custom: { input: ' -l' } }
    expect(content(calls(custom), calls(more))).toEqual([
      opened(0, 'a', 'sh', true),
      args(0, 'ls'),
      args(0, ' -l'),
      ended(0),
    ])
    expect(
      content(chunk({ function_call: { name: 'f', arguments: '' } }), chunk({ function_call: { arguments: x } })),
    ).toEqual([opened(0, 'call_1'), args(0, x), ended(0)])
  })

  it('are a fault where one is without a name', () => {
    expect(parseStream(calls(piece(0, 'a', undefined, x)), chunk({}, 'tool_calls'), '[DONE]').at(-1)).toMatchObject({
      kind: 'fault',
      status: 502,
    })
  })

  it('carry what the server wants back with them as a signature right before them', () => {
    const extra_content = { google: { thought_signature: 'G' } }
    expect(content(calls({ ...piece(0, 'a', 'f', x), extra_content }))).toEqual([
      signed(JSON.stringify({ extra_content }), true),
      opened(0, 'a'),
      args(0, x),
      ended(0),
    ])
  })
})

describe('reasoning of a Chat stream', () => {
  const thought = (value: string): AnswerEvent => ({ kind: 'thinking', text: value })

  it.each(['reasoning_content', 'reasoning'])('in %s ends with the name of its member', (member) => {
    expect(content(chunk({ [member]: 'a' }), chunk({ [member]: 'b' }), chunk({ content: 'x' }))).toEqual([
      thought('a'),
      thought('b'),
      signed(member),
      text('x'),
    ])
  })

  it('is told once where it is said in two members', () => {
    const detail = { type: 'reasoning.text', text: 'a', index: 0 }
    const kept = JSON.stringify({ reasoning_details: { type: 'reasoning.text', index: 0 } })
    const tool = calls(piece(0, 'a', 'f', '{}'))
    const end = [opened(0, 'a'), args(0, '{}'), ended(0)]
    expect(content(chunk({ reasoning: 'a', reasoning_details: [detail] }), tool)).toEqual([
      thought('a'),
      signed(kept),
      ...end,
    ])
    expect(content(chunk({ reasoning_details: [detail] }), tool)).toEqual([thought('a'), signed(kept), ...end])
  })

  it('keeps signatures and hidden parts of its details', () => {
    const last = { type: 'reasoning.text', signature: 'S', index: 0 }
    const hidden = { type: 'reasoning.encrypted', data: 'XX', index: 1 }
    expect(content(chunk({ reasoning: 'a' }), chunk({ reasoning_details: [last] }))).toEqual([
      thought('a'),
      signed(JSON.stringify({ reasoning_details: last })),
    ])
    expect(content(chunk({ reasoning_details: [hidden] }), chunk({ content: 'x' }))).toEqual([
      signed(JSON.stringify({ reasoning_details: hidden }), true),
      text('x'),
    ])
  })

  it('is found in content in parts', () => {
    const parts = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
      { type: 'text', text: 'Hi' },
      { type: 'reference', reference_ids: [1] },
    ]
    expect(content(chunk({ content: parts }))).toEqual([thought('hm'), signed('content'), text('Hi')])
  })

  it('alone, with a proper end, is an answer', () => {
    expect(parseStream(chunk({ reasoning_content: 'hm' }, 'stop'))).toEqual([
      START,
      thought('hm'),
      signed('reasoning_content'),
      stop('stop'),
      END,
    ])
  })
})

describe('a whole Chat answer', () => {
  const parse = (body: JsonObject) => translation.parseAnswer(body, ids())
  const answer = (message: JsonObject, finish_reason = 'stop'): JsonObject => ({
    id: 'c1',
    model: 'm',
    choices: [{ index: 0, message, finish_reason }],
    usage: { prompt_tokens: 1, completion_tokens: 2 },
  })

  it('says the same as a stream', () => {
    expect(
      parse(
        answer({
          role: 'assistant',
          content: 'Hi',
          reasoning_content: 'hm',
          tool_calls: [
            { id: 'same', type: 'function', function: { name: 'f', arguments: '{"x":1}' } },
            { id: 'same', type: 'function', function: { name: 'f', arguments: '' } },
          ],
        }),
      ),
    ).toEqual([
      START,
      { kind: 'thinking', text: 'hm' },
      signed('reasoning_content'),
      text('Hi'),
      opened(0, 'same'),
      args(0, '{"x":1}'),
      ended(0),
      opened(1, 'call_1'),
      args(1, '{}'),
      ended(1),
      { kind: 'usage', usage: { input: 1, cachedInput: null, cacheWrite: null, output: 2, reasoning: null } },
      stop('tool-calls'),
      END,
    ])
  })

  it('is none where there are no choices, and a fault where it tells of an error', () => {
    expect(parse({ content: [] })).toBeNull()
    expect(parse({ error: { message: 'x', code: 401 } })).toMatchObject([{ kind: 'fault', status: 401 }])
  })

  it('may be empty', () => {
    expect(parse(answer({ content: null }))?.map(({ kind }) => kind)).toEqual(['start', 'usage', 'stop', 'end'])
  })
})
