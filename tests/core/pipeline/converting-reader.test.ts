import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DIALECTS, type Dialect } from '../../../core/contract/kinds'
import type { AnswerEvent, JsonObject } from '../../../core/dialects/canonical'
import { dialectModules } from '../../../core/dialects/dialects'
import type { Translation } from '../../../core/dialects/translation'
import type { AttemptResult } from '../../../core/pipeline/answer-reader'
import { ClientAnswer } from '../../../core/pipeline/client-answer'
import { ConvertingReader } from '../../../core/pipeline/converting-reader'
import { wholeAnswer, writeContext } from '../../support/answer-events'
import { chatDelta, parts } from '../../support/fake-answers'
import { FakeResponse } from '../../support/fake-response'
import { ManualClock } from '../../support/manual-clock'

const SECRET = 'sk-secret-1234567890'
const translationOf = (dialect: Dialect): Translation => dialectModules[dialect].translation as Translation

interface Options {
  readonly from?: Dialect
  readonly to?: Dialect
  readonly stream?: boolean
}

function begin({ from = 'openai-chat', to = 'anthropic', stream = true }: Options = {}) {
  const clock = new ManualClock()
  const response = new FakeResponse()
  const answer = new ClientAnswer(response.real, dialectModules[to], 'req_1', clock)
  const completed: JsonObject[] = []
  const reader = new ConvertingReader({
    ...{ status: 200, answer, from: translationOf(from), to: translationOf(to), stream, context: writeContext() },
    headers: () => ['x-breakwater-target', 'fake/m1'],
    redact: (given) => given.replaceAll(SECRET, '•••'),
    onComplete: (whole) => void completed.push(whole),
  })
  return { clock, response, answer, completed, reader }
}

/** Feeds `chunks` and ends, as an attempt does. */
function run(chunks: readonly (string | Buffer)[], options: Options = {}) {
  const begun = begin(options)
  let result: AttemptResult | null = null
  for (const chunk of chunks) {
    const next = begun.reader.data(Buffer.from(chunk as string))
    if (typeof next === 'boolean') continue
    result = next
    break
  }
  result ??= begun.reader.end()
  return { ...begun, result, text: begun.response.text, status: begun.response.status }
}

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  return sorted.slice(1).map((to, i) => bytes.subarray(sorted[i], to))
}
const streamOf = (dialect: Dialect, events: readonly AnswerEvent[]): string => {
  const writer = translationOf(dialect).createStreamWriter(writeContext())
  return events.map((event) => writer.write(event)).join('')
}
const wholeOf = (dialect: Dialect, events: readonly AnswerEvent[]): string =>
  translationOf(dialect).writeAnswer(events, writeContext())

const { preamble, content, ending } = parts['openai-chat']
const fault = `data: ${JSON.stringify({ error: { message: `slow down, ${SECRET}`, code: 'rate_limit_exceeded' } })}\n\n`

describe('a stream in another dialect', () => {
  it('waits for the first content: before it, nothing goes out', () => {
    const { reader, response } = begin()
    expect(reader.data(Buffer.from(preamble))).toBe(true)
    expect(response.status).toBeNull()
    reader.data(Buffer.from(content('Hello')))
    expect(response.status).toBe(200)
    expect(response.text).toMatch(/^event: message_start\n/)
    expect(response.text).toContain('Hello')
  })

  it('has the headers of a stream and of the gateway', () => {
    const { response } = run([preamble, content('Hello'), ending])
    expect(response.header('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.header('x-breakwater-target')).toBe('fake/m1')
  })

  it('ends as its own dialect ends, in the moment in which the upstream has said so', () => {
    const { reader, response } = begin()
    for (const piece of [preamble, content('Hello')]) reader.data(Buffer.from(piece))
    expect(reader.data(Buffer.from(ending))).toEqual({ kind: 'answered', status: 200, usage: null })
    expect(response.ended).toBe(true)
    expect(response.text).toMatch(/event: message_stop\n.*\n\n$/)
    expect(response.text).not.toContain('[DONE]')
  })

  it('makes a slow client hold the upstream up', () => {
    const { reader, response } = begin()
    response.takes = false
    expect(reader.data(Buffer.from(preamble + content('Hello')))).toBe(false)
  })

  it.each(DIALECTS.flatMap((from) => DIALECTS.filter((to) => to !== from).map((to) => [from, to] as const)))(
    'from %s to %s says the same however the network cuts it',
    (from, to) => {
      fc.assert(
        fc.property(wholeAnswer, fc.array(fc.nat(), { maxLength: 8 }), (events, places) => {
          const bytes = Buffer.from(streamOf(from, events))
          const whole = run([bytes], { from, to })
          expect(whole.result.kind).toBe('answered')
          expect(run(cut(bytes, places), { from, to }).text).toBe(whole.text)
        }),
        { numRuns: 20 },
      )
    },
  )
})

describe('a whole answer in another dialect', () => {
  const events: AnswerEvent[] = [
    { kind: 'start', id: 'x', model: 'm' },
    { kind: 'text', text: 'Hello' },
    { kind: 'usage', usage: { input: 10, cachedInput: null, cacheWrite: null, output: 5, reasoning: null } },
    { kind: 'stop', reason: 'stop', sequence: null },
    { kind: 'end' },
  ]

  it('goes out complete, with its tokens counted', () => {
    const { result, response, text } = run([wholeOf('openai-chat', events)], { stream: false })
    expect(result).toEqual({ kind: 'answered', status: 200, usage: { inputTokens: 10, outputTokens: 5 } })
    expect(response.header('content-type')).toBe('application/json')
    expect(response.header('content-length')).toBe(String(Buffer.byteLength(text)))
    expect(JSON.parse(text)).toMatchObject({ type: 'message', content: [{ type: 'text', text: 'Hello' }] })
  })

  it('is read from a stream too, where an upstream streams unasked; and the other way round', () => {
    const streamed = run([streamOf('openai-chat', events)], { stream: false })
    expect(streamed.text).toBe(run([wholeOf('openai-chat', events)], { stream: false }).text)
    const asStream = run([wholeOf('openai-chat', events)])
    expect(asStream.result.kind).toBe('answered')
    expect(asStream.text).toMatch(/^event: message_start\n[\s\S]*Hello[\s\S]*event: message_stop\n/)
  })

  it('is not begun before it is complete', () => {
    const bytes = Buffer.from(wholeOf('openai-chat', events))
    const { reader, response } = begin({ stream: false })
    expect(reader.data(bytes.subarray(0, bytes.length - 1))).toBe(true)
    expect(response.status).toBeNull()
    expect(reader.broken({ kind: 'network', code: 'ECONNRESET' })).toEqual({
      ...{ kind: 'failed', outcome: { kind: 'network', code: 'ECONNRESET' }, error: null },
    })
  })
})

describe('an answer that can be continued later', () => {
  const events: AnswerEvent[] = [
    { kind: 'start', id: 'x', model: 'm' },
    { kind: 'text', text: 'Hello' },
    { kind: 'stop', reason: 'stop', sequence: null },
    { kind: 'end' },
  ]

  it.each([true, false])('is told as the client got it, once (streamed: %s)', (stream) => {
    const { completed, text } = run([streamOf('openai-chat', events)], { to: 'openai-responses', stream })
    expect(completed).toHaveLength(1)
    expect(completed[0]).toMatchObject({ object: 'response', status: 'completed' })
    expect(text).toContain(JSON.stringify(completed[0]?.id))
  })

  it('is not told where it broke off', () => {
    expect(run([preamble + content('Hel')], { to: 'openai-responses' }).completed).toEqual([])
  })
})

describe('what another connection can still make good', () => {
  it.each<[string, string, object]>([
    ['nothing but a beginning', preamble, { kind: 'empty' }],
    ['an end without content', preamble + ending, { kind: 'empty' }],
    ['nothing at all', '', { kind: 'empty' }],
    ['a page', '<html>Sign in</html>', { kind: 'unreadable', text: '<html>Sign in</html>' }],
    ['words that are no stream', 'Sorry.', { kind: 'unreadable', text: 'Sorry.' }],
  ])('%s', (_what, text, outcome) => {
    for (const stream of [true, false]) {
      const { result, status } = run([text], { stream })
      expect(result).toEqual({ kind: 'failed', outcome, error: null })
      expect(status).toBeNull()
    }
  })

  it('an error before any content, with what it stands for, and without our key', () => {
    const { result, status } = run([preamble + fault])
    expect(result).toMatchObject({ kind: 'failed', outcome: { kind: 'http', status: 429, headers: {} } })
    expect(JSON.stringify(result)).toContain('slow down, •••')
    expect(status).toBeNull()
  })

  it('content of a whole answer that was cut off', () => {
    const outcome = { kind: 'network', code: 'the answer was cut off' }
    expect(run([preamble + content('Hel')], { stream: false }).result).toMatchObject({ kind: 'failed', outcome })
  })

  it('silence before any content', () => {
    const outcome = { kind: 'timeout', phase: 'idle' } as const
    expect(begin().reader.broken(outcome)).toEqual({ kind: 'failed', outcome, error: null })
  })

  it('but not an end for a good reason: a limit is an answer', () => {
    const { result, text } = run([preamble, chatDelta({}, 'length'), 'data: [DONE]\n\n'])
    expect(result.kind).toBe('answered')
    expect(text).toContain('"stop_reason":"max_tokens"')
  })
})

describe('an answer that breaks off after content', () => {
  const begun = [preamble, content('Hel')]

  /** The events' names, the last of them the error. */
  const named = (text: string): string[] => [...text.matchAll(/^event: (.*)$/gm)].map(([, name]) => name ?? '')

  it.each<[string, (reader: ConvertingReader) => boolean | AttemptResult, object, string]>([
    [
      'by an end without a word',
      (reader) => reader.end(),
      { kind: 'network', code: 'the answer was cut off' },
      'without saying that the answer is complete',
    ],
    [
      'by silence',
      (reader) => reader.broken({ kind: 'timeout', phase: 'idle' }),
      { kind: 'timeout', phase: 'idle' },
      'went silent in the middle',
    ],
    [
      'by its connection',
      (reader) => reader.broken({ kind: 'network', code: 'ECONNRESET' }),
      { kind: 'network', code: 'ECONNRESET' },
      'broke the connection in the middle',
    ],
    [
      'by an error',
      (reader) => reader.data(Buffer.from(content('lo') + fault)),
      { kind: 'http', status: 429, headers: {}, text: expect.stringContaining('slow down, •••') },
      'slow down, •••',
    ],
  ])('%s: the client is told in one event, and never that it is whole', (_how, breaks, outcome, words) => {
    const { reader, response } = begin()
    for (const piece of begun) reader.data(Buffer.from(piece))
    expect(breaks(reader)).toMatchObject({ kind: 'truncated', status: 200, outcome })
    const names = named(response.text)
    expect(names.filter((name) => name === 'error')).toHaveLength(1)
    expect(names.at(-1)).toBe('error')
    expect(names).not.toContain('message_stop')
    expect(response.text).not.toContain('stop_reason":"')
    expect(response.text).toContain(words)
    expect(response.text).not.toContain(SECRET)
    expect(response.ended).toBe(true)
    expect(response.socketEnds).toEqual(['end'])
  })

  it('keeps what came before the error in the same bytes', () => {
    const { text } = run([preamble + content('Hel') + content('lo') + fault])
    expect(text).toContain('Hel')
    expect(text).toContain('lo')
  })
})
