import { describe, expect, it } from 'vitest'
import { anthropic } from '../../../core/dialects/anthropic/anthropic'
import { openAiChat } from '../../../core/dialects/openai-chat/openai-chat'
import { ClientAnswer } from '../../../core/pipeline/client-answer'
import { createWholeReader } from '../../../core/pipeline/whole-reader'
import { FakeResponse } from '../../support/fake-response'
import { judged } from '../../support/judged'
import { ManualClock } from '../../support/manual-clock'

function begin(dialect = openAiChat) {
  const clock = new ManualClock()
  const response = new FakeResponse()
  const answer = new ClientAnswer(response.real, dialect, 'req_1', clock)
  const headers = (): string[] => ['content-type', 'application/json']
  return { clock, response, answer, reader: createWholeReader(200, answer, dialect, headers) }
}

const body = '{"choices":[{"message":{"content":"é漢😀"}}],"usage":{"prompt_tokens":3,"completion_tokens":4}}'
const MB = 1_048_576

describe('an answer that is no stream', () => {
  it('is kept until it is complete, and then sent as it came, wherever it was cut', () => {
    const bytes = Buffer.from(body)
    for (let cut = 0; cut <= bytes.length; cut++) {
      const { response, reader } = begin()
      reader.data(bytes.subarray(0, cut))
      reader.data(bytes.subarray(cut))
      expect(response.status).toBeNull()
      expect(reader.end()).toEqual({ kind: 'answered', status: 200, usage: { inputTokens: 3, outputTokens: 4 } })
      expect(response.text).toBe(body)
    }
  })

  it('has its tokens counted in the words of its dialect', () => {
    const { reader } = begin(anthropic)
    reader.data(Buffer.from('{"content":[{"type":"text","text":"x"}],"usage":{"input_tokens":8,"output_tokens":9}}'))
    expect(reader.end()).toMatchObject({ usage: { inputTokens: 8, outputTokens: 9 } })
  })

  it.each([
    ['nothing', '', 'empty'],
    ['a web page', '<html></html>', 'unreadable'],
    ['half an answer', '{"choices":[', 'unreadable'],
    ['a list', '[{}]', 'unreadable'],
    ['one brace', '{', 'unreadable'],
    ['spaces', '  \n', 'unreadable'],
  ])('that is %s is another connection’s chance', (_what, text, kind) => {
    const { response, reader } = begin()
    reader.data(Buffer.from(text))
    expect(reader.end()).toMatchObject({ kind: 'failed', outcome: { kind } })
    expect(response.status).toBeNull()
  })

  it('that holds an error, whatever its status line said, counts as that error (KB-04)', () => {
    for (const [dialect, text, status] of [
      [openAiChat, '{"error":{"code":"rate_limit_exceeded","message":"slow down"}}', 429],
      [openAiChat, ' {"error": "spent"}', 502],
      [anthropic, '{"type":"error","error":{"type":"overloaded_error","message":"busy"}}', 529],
    ] as const) {
      const { response, reader } = begin(dialect)
      reader.data(Buffer.from(text))
      expect(reader.end()).toMatchObject({ kind: 'failed', outcome: { kind: 'http', status } })
      expect(response.status).toBeNull()
    }
  })

  it.each([
    [openAiChat, '{"choices":[{"message":{"role":"assistant","content":null},"finish_reason":"stop"}]}', true],
    [openAiChat, '{"choices":[{"message":{"content":""},"finish_reason":"stop"}]}', true],
    [openAiChat, '{"choices":[]}', true],
    [
      openAiChat,
      '{"choices":[{"message":{"content":null,"tool_calls":[{"id":"a"}]},"finish_reason":"tool_calls"}]}',
      false,
    ],
    [openAiChat, '{"choices":[{"message":{"content":"","reasoning_content":"hm"},"finish_reason":"stop"}]}', false],
    [openAiChat, '{"choices":[{"message":{"content":""},"finish_reason":"length"}]}', false],
    [openAiChat, '{"choices":[{"message":{"content":"said: \\"content\\":null"},"finish_reason":"stop"}]}', false],
    [anthropic, '{"content":[],"stop_reason":"end_turn"}', true],
    [anthropic, '{"content":[{"type":"text","text":""}],"stop_reason":"end_turn"}', true],
    [anthropic, '{"content":[],"stop_reason":"max_tokens"}', false],
    [anthropic, '{"content":[{"type":"tool_use","id":"t","input":{}}],"stop_reason":"tool_use"}', false],
  ])('without content is another connection’s chance, unless it has a good reason: %#', (dialect, text, empty) => {
    const { reader } = begin(dialect)
    reader.data(Buffer.from(text))
    expect(reader.end()).toMatchObject(empty ? { kind: 'failed', outcome: { kind: 'empty' } } : { kind: 'answered' })
  })

  it.each(['{}', ' \r\n\t{"a":1}\n\n'])('may have spaces around it: %j', (text) => {
    const { response, reader } = begin()
    reader.data(Buffer.from(text))
    expect(reader.end().kind).toBe('answered')
    expect(response.text).toBe(text)
  })

  it('that breaks before its end is another connection’s chance', () => {
    const { response, reader } = begin()
    reader.data(Buffer.from(body.slice(0, 20)))
    const outcome = { kind: 'timeout', phase: 'idle' } as const
    expect(reader.broken(outcome)).toEqual({ kind: 'failed', outcome, error: null })
    expect(response.status).toBeNull()
  })

  it('cannot be put into a stream that was opened meanwhile: another connection may still stream', () => {
    const { clock, response, answer, reader } = begin()
    answer.openAfter(0)
    clock.advance(0)
    reader.data(Buffer.from(body))
    expect(reader.end()).toMatchObject({ kind: 'failed', outcome: { kind: 'unreadable' } })
    expect(response.text).toBe(openAiChat.heartbeat)
    expect(answer.isOpen).toBe(true)
  })
})

describe('a very large answer', () => {
  const large = (first: string): Buffer[] => [Buffer.from(first.padEnd(5 * MB, 'x')), Buffer.alloc(5 * MB, 'y')]

  it('is relayed as it comes, byte for byte', () => {
    const { response, reader } = begin()
    const [one, two] = large('{"a":"') as [Buffer, Buffer]
    expect(reader.data(one)).toBe(true)
    expect(response.status).toBeNull()
    expect(reader.data(two)).toBe(true)
    expect(response.status).toBe(200)
    reader.data(Buffer.from('"}'))
    expect(reader.end()).toMatchObject({ kind: 'answered', usage: null })
    expect(response.body.equals(Buffer.concat([one, two, Buffer.from('"}')]))).toBe(true)
    expect(response.ended).toBe(true)
  })

  it('lets a slow client hold it up', () => {
    const { response, reader } = begin()
    response.takes = false
    const [one, two] = large('{"a":"') as [Buffer, Buffer]
    reader.data(one)
    expect(reader.data(two)).toBe(false)
  })

  it('that breaks is cut off, so that nobody takes it for whole', () => {
    const { response, reader } = begin()
    for (const chunk of large('{"a":"')) reader.data(chunk)
    expect(reader.broken({ kind: 'network', code: 'ECONNRESET' })).toMatchObject({ kind: 'truncated' })
    expect(response.destroyed).toBe(true)
    expect(response.ended).toBe(false)
  })

  it('of another form is refused before a byte went out', () => {
    const { response, reader } = begin()
    const [one, two] = large('<html>') as [Buffer, Buffer]
    reader.data(one)
    expect(reader.data(two)).toMatchObject({ kind: 'failed', outcome: { kind: 'unreadable' } })
    expect(response.status).toBeNull()
  })
})

describe('what is logged of an answer that could not be used', () => {
  it.each([
    ['half of the model’s words', '{"choices":[{"message":{"content":"a secret', 'incomplete or unknown JSON'],
    ['a page', '<html><h1>Sign in</h1></html>', 'Sign in'],
  ])('%s: never what a model said', (_what, text, words) => {
    const { reader } = begin()
    reader.data(Buffer.from(text))
    const result = reader.end()
    if (result.kind !== 'failed') throw new Error(result.kind)
    expect(judged(result.outcome).message).toBe(`the answer is not of the expected form: ${words}`)
  })
})
