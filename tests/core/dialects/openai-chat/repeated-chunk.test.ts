// Chunks that repeat all but their text are not read whole: what they say must be the same as if they were.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AnswerEvent, JsonObject } from '../../../../core/dialects/canonical'
import { ChatStreamParser } from '../../../../core/dialects/openai-chat/parse-stream'
import { RepeatedChunk } from '../../../../core/dialects/openai-chat/repeated-chunk'
import { chunk, ids } from './support'

const text = fc.oneof(
  fc.constantFrom('', ' a', 'c1', 'm', 'content', '"', '\\', '","x":"', '\n', '\u2028', '🌍', '\ud83c', 'null'),
  fc.string({ unit: 'binary', maxLength: 12 }),
)
const more = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  fc.constantFrom<JsonObject>(
    { role: 'assistant' },
    { refusal: null },
    { refusal: 'no' },
    { tool_calls: [] },
    { tool_calls: [{ index: 0, id: 't', type: 'function', function: { name: 'f' } }] },
    { tool_calls: [{ index: 0, function: { arguments: '{}' } }] },
    { reasoning_content: '' },
    { reasoning_content: 'hm' },
    { reasoning_details: [{ type: 'reasoning.encrypted', data: 'x' }] },
    { images: [{ image_url: { url: 'data:image/png;base64,AA==' } }] },
  ),
)
const around = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  fc.constantFrom<JsonObject>(
    { usage: { prompt_tokens: 1, completion_tokens: 2 } },
    { usage: null },
    { x_groq: { usage: { prompt_tokens: 3, completion_tokens: 4 } } },
    { obfuscation: 'aXb' },
    { error: { message: 'broken', code: 500 } },
    { error: null },
  ),
)
const choice = fc.record(
  {
    index: fc.constantFrom(0, 0, 0, 1),
    delta: fc.tuple(text, more).map(([content, rest]): JsonObject => ({ content, ...rest })),
    finish_reason: fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, fc.constantFrom('', 'stop', 'error')),
  },
  { requiredKeys: ['index', 'delta'] },
)
const chunks = fc.array(
  fc
    .tuple(fc.array(choice, { minLength: 1, maxLength: 2 }), around)
    .map(([choices, rest]): JsonObject => ({ id: 'c1', model: 'm', choices, ...rest })),
  { maxLength: 12 },
)

describe('chunks that differ in nothing but their text', () => {
  it('say the same as when each is read whole', () => {
    fc.assert(
      fc.property(chunks, (all) => {
        const quick = new ChatStreamParser(ids())
        const whole = new ChatStreamParser(ids())
        let over = false
        for (const one of all) {
          const expected: readonly AnswerEvent[] = over ? [] : whole.chunk(one)
          over ||= expected.some(({ kind }) => kind === 'fault')
          expect(quick.event(undefined, JSON.stringify(one))).toEqual(expected)
        }
        if (!over) expect(quick.end()).toEqual(whole.end())
      }),
      { numRuns: 500 },
    )
  })

  it('are known by what stands around the text, whatever the text is', () => {
    const repeated = new RepeatedChunk()
    const of = (content: string) => chunk({ content })
    repeated.learn(JSON.stringify(of('m')), of('m'))
    for (const content of ['', 'x', 'a "quoted" \\ text', 'c1']) {
      expect(repeated.textOf(JSON.stringify(of(content)))).toBe(content)
    }
  })

  it('are known in JSON with spaces too', () => {
    const spaced = (content: string) => JSON.stringify(chunk({ content })).replaceAll('":', '": ')
    const repeated = new RepeatedChunk()
    repeated.learn(spaced('a'), chunk({ content: 'a' }))
    expect(repeated.textOf(spaced('b'))).toBe('b')
  })

  it.each<[string, JsonObject | string]>([
    ['ends', chunk({ content: 'x' }, 'stop')],
    ['calls a tool', chunk({ content: 'x', tool_calls: [{ index: 0 }] })],
    ['has no text', chunk({ content: null })],
    ['has a text in parts', chunk({ content: [{ type: 'text', text: 'x' }] })],
    ['is cut off', JSON.stringify(chunk({ content: 'x' })).slice(0, -20)],
    ['is cut off within the text', JSON.stringify(chunk({ content: 'x' })).replace('"x"', '"x')],
    ['has two texts', JSON.stringify(chunk({ content: 'x' })).replace('"x"', '"x","content":"y"')],
    ['is empty', ''],
  ])('are not taken for one that %s', (_what, other) => {
    const repeated = new RepeatedChunk()
    repeated.learn(JSON.stringify(chunk({ content: 'a' })), chunk({ content: 'a' }))
    expect(repeated.textOf(typeof other === 'string' ? other : JSON.stringify(other))).toBeNull()
  })

  it('are read whole where the text stands at another place first', () => {
    const data = '{"content":"a","choices":[{"index":0,"delta":{"content":"a"}}]}'
    const repeated = new RepeatedChunk()
    repeated.learn(data, JSON.parse(data) as JsonObject)
    expect(repeated.textOf(data)).toBeNull()
    expect(repeated.textOf(data.replace('"a"', '"b"'))).toBeNull()
  })
})
