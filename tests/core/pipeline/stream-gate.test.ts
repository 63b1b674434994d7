import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anthropic } from '../../../core/dialects/anthropic/anthropic'
import type { DialectModule } from '../../../core/dialects/dialect'
import { openAiChat } from '../../../core/dialects/openai-chat/openai-chat'
import { StreamGate } from '../../../core/pipeline/stream-gate'

function signOf(dialect: DialectModule, text: string, cut = 0): string {
  const gate = new StreamGate(dialect)
  const bytes = Buffer.from(text)
  const sign = gate.feed(bytes.subarray(0, cut)) ?? gate.feed(bytes.subarray(cut)) ?? gate.end()
  return sign === null ? 'nothing' : sign.kind === 'fault' ? `fault ${sign.status}` : sign.kind
}

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

/** All events as the gate tells the dialect of them. */
function eventsOf(pieces: readonly Buffer[]): unknown[] {
  const events: unknown[] = []
  const readSign: DialectModule['readSign'] = (event, data) => {
    events.push([event, data])
    return { kind: 'preamble' }
  }
  const gate = new StreamGate({ ...openAiChat, readSign })
  for (const piece of pieces) gate.feed(piece)
  gate.end()
  return events
}

type Lines = [readonly [string, string], string][]
/** An event whose name is empty. */
const NAMELESS: Lines = [
  [['event: ', ''], '\n'],
  [['data: ', ''], '\n\n'],
]

it('reads the same events of plain and of other lines, at once or byte by byte', () => {
  const words = fc.string({ unit: fc.constantFrom('a', 'é', '😀', ' ', ':', '{'), maxLength: 6 })
  const line = fc.oneof(
    fc.tuple(fc.constantFrom('data: ', 'data:', 'event: ', 'event:', ': ', 'id: ', 'retry: ', ''), words),
    fc.constant(['', ''] as const),
  )
  const ending = fc.constantFrom('\n', '\n', '\n', '\n\n', '\r\n', '\r\n\r\n', '\r')
  const stream = fc.array(fc.tuple(line, ending), { maxLength: 14 })
  fc.assert(
    fc.property(stream, (lines) => {
      const bytes = Buffer.from(lines.map(([[name, value], end]) => name + value + end).join(''))
      expect(eventsOf([bytes])).toEqual(eventsOf([...bytes].map((byte) => Buffer.from([byte]))))
    }),
    { numRuns: 2_000, examples: [[NAMELESS]] },
  )
})

describe('the gate before a stream, OpenAI', () => {
  it.each<[string, string, string]>([
    ['a role chunk', chunk({ role: 'assistant', content: '' }), 'nothing'],
    ['comments', ': OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n', 'nothing'],
    ['usage alone', 'data: {"choices":[],"usage":{"prompt_tokens":1}}\n\n', 'nothing'],
    ['only the end marker', 'data: [DONE]\n\n', 'nothing'],
    ['an empty answer that claims to be finished', chunk({ content: '' }, 'stop'), 'nothing'],
    ['text', chunk({ content: 'Hi' }), 'content'],
    ['reasoning', chunk({ reasoning_content: 'hm' }), 'content'],
    ['a tool call', chunk({ tool_calls: [{ index: 0, id: 'a' }] }), 'content'],
    ['an answer cut by its limit', chunk({}, 'length'), 'content'],
    ['CRLF without a space (KB-01)', 'data:{"choices":[{"delta":{"content":"Hi"}}]}\r\n\r\n', 'content'],
    ['an error object (KB-04)', 'data: {"choices":[],"error":{"code":502,"message":"overloaded"}}\n\n', 'fault 502'],
    [
      'an error with a word for a code',
      'data: {"error":{"code":"rate_limit_exceeded","message":"slow down"}}\n\n',
      'fault 429',
    ],
    ['a last line without its blank line (KB-05)', 'data: {"choices":[{"delta":{"content":"x"}}]}', 'content'],
  ])('%s', (_what, text, sign) => {
    expect(signOf(openAiChat, text)).toBe(sign)
  })

  it('decides the same wherever the chunk is cut, also inside a character (KB-02)', () => {
    const text = chunk({ role: 'assistant' }) + chunk({ content: 'é漢😀' })
    fc.assert(fc.property(fc.nat(Buffer.byteLength(text)), (cut) => signOf(openAiChat, text, cut) === 'content'))
  })
})

describe('the gate before a stream, Anthropic', () => {
  const start = 'event: message_start\ndata: {"type":"message_start","message":{}}\n\n'
  it.each<[string, string, string]>([
    ['message_start and a ping', `${start}event: ping\ndata: {"type":"ping"}\n\n`, 'nothing'],
    [
      'an empty text block',
      `${start}data: {"type":"content_block_start","content_block":{"type":"text","text":""}}\n\n`,
      'nothing',
    ],
    ['a tool use', 'data: {"type":"content_block_start","content_block":{"type":"tool_use","id":"t"}}\n\n', 'content'],
    ['a delta', 'data: {"type":"content_block_delta","delta":{"type":"text_delta","text":"x"}}\n\n', 'content'],
    [
      'overload',
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"busy"}}\n\n',
      'fault 529',
    ],
    ['only an end', `${start}data: {"type":"message_stop"}\n\n`, 'nothing'],
  ])('%s', (_what, text, sign) => {
    expect(signOf(anthropic, text)).toBe(sign)
  })
})
