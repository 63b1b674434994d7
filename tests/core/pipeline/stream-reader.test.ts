import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anthropic } from '../../../core/dialects/anthropic/anthropic'
import type { DialectModule } from '../../../core/dialects/dialect'
import { openAiChat } from '../../../core/dialects/openai-chat/openai-chat'
import type { AttemptResult } from '../../../core/pipeline/answer-reader'
import { ClientAnswer } from '../../../core/pipeline/client-answer'
import { StreamReader } from '../../../core/pipeline/stream-reader'
import { FakeResponse } from '../../support/fake-response'
import { ManualClock } from '../../support/manual-clock'

const SECRET = 'sk-secret-1234567890'

interface Options {
  readonly dialect?: DialectModule
  readonly removeUsage?: boolean
}

function begin({ dialect = openAiChat, removeUsage = false }: Options = {}) {
  const clock = new ManualClock()
  const response = new FakeResponse()
  const answer = new ClientAnswer(response.real, dialect, 'req_1', clock)
  const headers = (): string[] => ['content-type', 'text/event-stream']
  const redact = (given: string): string => given.replaceAll(SECRET, '•••')
  const options = {
    status: 200,
    answer,
    dialect,
    headers,
    removeUsage,
    wholeEvents: false,
    onStart: null,
    rename: null,
    redact,
  }
  return { clock, response, reader: new StreamReader(options) }
}

/** Feeds `text` cut at the given places, and ends it, as an attempt does. */
function run(text: string | Buffer, options: Options = {}, cuts: readonly number[] = [], breaks = false) {
  const { response, reader } = begin(options)
  const bytes = Buffer.from(text as string)
  const places = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  let result: AttemptResult | null = null
  let at = 0
  for (const place of places) {
    const next = reader.data(bytes.subarray(at, place))
    at = place
    if (typeof next === 'boolean') continue
    result = next
    break
  }
  result ??= breaks ? reader.broken({ kind: 'network', code: 'ECONNRESET' }) : reader.end()
  return { result, text: response.text, status: response.status, response }
}

const chunk = (value: object, eol = '\n'): string => `data: ${JSON.stringify(value)}${eol}${eol}`
const word = (content: string, eol?: string): string => chunk({ choices: [{ index: 0, delta: { content } }] }, eol)
const finish = chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
const usage = chunk({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 22 } })
const done = 'data: [DONE]\n\n'
const errorEvent = chunk({ error: { message: 'overloaded', code: 502 } })

const cuts = fc.array(fc.nat(100_000), { maxLength: 12 })
const content = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
const openAiStream = fc
  .tuple(fc.array(content, { minLength: 1, maxLength: 12 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([words, eol, comments]) => {
    const beat = comments ? `: PROCESSING${eol}${eol}` : ''
    const end = [finish, done].map((event) => event.replaceAll('\n', eol)).join('')
    return `${beat}${word('', eol)}${words.map((text) => word(text, eol) + beat).join('')}${end}`
  })

const block = (type: string, value: object): string => `event: ${type}\n${chunk({ type, ...value })}`
const anthropicStream = fc
  .array(content, { minLength: 1, maxLength: 12 })
  .map(
    (words) =>
      block('message_start', { message: { usage: { input_tokens: 5, output_tokens: 1 } } }) +
      block('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }) +
      words.map((text) => block('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })).join('') +
      block('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } }) +
      block('message_stop', {}),
  )

describe('a stream on its way to the client', () => {
  it('arrives byte for byte with an "error" in every event, wherever it is cut', () => {
    const text =
      ['a', 'b', 'c'].map((content) => chunk({ error: null, choices: [{ delta: { content } }] })).join('') + done
    fc.assert(fc.property(cuts, fc.boolean(), (at, removeUsage) => run(text, { removeUsage }, at).text === text))
  })

  it('arrives byte for byte, wherever it is cut', () => {
    fc.assert(
      fc.property(openAiStream, cuts, (text, at) => {
        const got = run(text, {}, at)
        expect(got.text).toBe(text)
        expect(got.result.kind).toBe('answered')
        expect(got.response.ended).toBe(true)
      }),
    )
  })

  it('arrives byte for byte in the other dialect, with the token counts of start and end', () => {
    fc.assert(
      fc.property(anthropicStream, cuts, (text, at) => {
        const got = run(text, { dialect: anthropic }, at)
        expect(got.text).toBe(text)
        expect(got.result).toMatchObject({ kind: 'answered', usage: { inputTokens: 5, outputTokens: 9 } })
      }),
    )
  })

  it('is complete when it has said so, though the upstream then resets the connection or keeps it open', () => {
    fc.assert(
      fc.property(openAiStream, cuts, (text, at) => {
        const got = run(text, {}, at, true)
        expect([got.text, got.result.kind, got.response.ended]).toEqual([text, 'answered', true])
      }),
    )
    const unsigned = run(word('Hi') + finish, {}, [], true)
    expect([unsigned.text, unsigned.result.kind]).toEqual([word('Hi') + finish + done, 'answered'])
    const half = run(word('Hi') + finish + usage.slice(0, 20), {}, [], true)
    expect(half.result.kind).toBe('truncated')
  })

  it('ends with its end mark, though the connection stays open', () => {
    for (const removeUsage of [false, true]) {
      const { response, reader } = begin({ removeUsage })
      expect(reader.data(Buffer.from(word('Hi') + finish + done.slice(0, 9)))).toBe(true)
      expect(reader.data(Buffer.from(done.slice(9)))).toMatchObject({ kind: 'answered' })
      expect([response.text, response.ended]).toEqual([word('Hi') + finish + done, true])
    }
    const claude = begin({ dialect: anthropic })
    const delta = block('content_block_delta', { index: 0, delta: { type: 'text_delta', text: '"message_stop"' } })
    expect(claude.reader.data(Buffer.from(delta))).toBe(true)
    expect(claude.reader.data(Buffer.from(block('message_stop', {})))).toMatchObject({ kind: 'answered' })
  })

  it('is held back up to its first content', () => {
    const { response, reader } = begin()
    expect(reader.data(Buffer.from(`: hi\n\n${word('')}`))).toBe(true)
    expect(response.status).toBeNull()
    reader.data(Buffer.from(word('Hi')))
    expect(response.text).toBe(`: hi\n\n${word('')}${word('Hi')}`)
  })

  it('is paused while the client does not read', () => {
    const { response, reader } = begin()
    response.takes = false
    expect(reader.data(Buffer.from(word('a')))).toBe(false)
    response.drain()
    expect(reader.data(Buffer.from(word('b')))).toBe(true)
  })

  it('is never broken up by a sign of life', () => {
    const { clock, response, reader } = begin()
    reader.data(Buffer.from(`${word('a')}data: {"choices":`))
    clock.advance(60_000)
    expect(response.text).not.toContain('keep-alive')
    reader.data(Buffer.from('[]}\n\n'))
    clock.advance(60_000)
    expect(response.text).toContain('keep-alive')
  })

  it('is not broken up inside an event that is too long to be looked at', () => {
    const { clock, response, reader } = begin()
    const long = `${word('a')}data: {"choices":[{"delta":{"content":"${'x'.repeat(5 * 1_048_576)}`
    reader.data(Buffer.from(long))
    clock.advance(60_000)
    expect(response.text === long).toBe(true)
  })

  it('is not gathered without bound while token counts are looked for', () => {
    const long = `${word('a')}data: {"choices":[{"delta":{"content":"${'x'.repeat(5 * 1_048_576)}`
    const { clock, response, reader } = begin({ removeUsage: true })
    reader.data(Buffer.from(long))
    clock.advance(60_000)
    expect(response.text === long).toBe(true)
    reader.data(Buffer.from(`"}}]}\n\n${finish}${usage}${done}`))
    expect(reader.end().kind).toBe('answered')
    expect(response.text === `${long}"}}]}\n\n${finish}${done}`).toBe(true)
  })
})

describe('an error in the middle of a stream', () => {
  const start = word('Once') + word(' upon')

  it('is the last thing the client gets, wherever the bytes are cut', () => {
    fc.assert(
      fc.property(cuts, fc.boolean(), (at, removeUsage) => {
        const got = run(`${start}${errorEvent}${word('never')}${done}`, { removeUsage }, at)
        expect(got.text).toBe(start + errorEvent)
        expect(got.result).toMatchObject({ kind: 'truncated', status: 200 })
        expect(got.response.socketEnds).toEqual(['end'])
      }),
    )
  })

  it('does not tell the key it speaks of, wherever the bytes are cut, whether it ends or not', () => {
    const error = chunk({ error: { message: `bad key ${SECRET}, really: ${SECRET}`, code: 401 } })
    const ends = fc.constantFrom(error, error.trimEnd(), `data: {"error":{"message":"key ${SECRET} is`)
    fc.assert(
      fc.property(ends, cuts, fc.boolean(), fc.boolean(), (event, at, removeUsage, breaks) => {
        const got = run(start + event, { removeUsage }, at, breaks)
        expect(got.result.kind).toBe('truncated')
        expect(got.text.startsWith(start)).toBe(true)
        expect(got.text).not.toContain('sk-')
        if (event === error) expect(got.text).toBe((start + event).replaceAll(SECRET, '•••'))
      }),
    )
  })

  it('is told from words about errors', () => {
    const text = `${word('{"error": "no"}')}${chunk({ choices: [{ delta: { content: 'x' } }], error: null })}${finish}${done}`
    expect(run(text)).toMatchObject({ text, result: { kind: 'answered' } })
  })

  it('is known in the other dialect by its event', () => {
    const text = block('content_block_delta', { delta: { type: 'text_delta', text: 'Hi' } })
    const error = block('error', { error: { type: 'overloaded_error', message: 'busy' } })
    const got = run(text + error + block('message_stop', {}), { dialect: anthropic })
    expect(got.text).toBe(text + error)
    expect(got.result.kind).toBe('truncated')
  })

  it('before any content leaves everything open for another connection', () => {
    const got = run(`${word('')}${errorEvent}${done}`)
    expect(got.status).toBeNull()
    expect(got.result).toMatchObject({ kind: 'failed', outcome: { kind: 'http', status: 502 } })
  })
})

describe('a stream that stops', () => {
  it.each<[string, string, AttemptResult['kind'], string]>([
    ['with a reason but no end marker: it is added', word('a') + finish, 'answered', done],
    ['with an end marker but no reason', word('a') + done, 'answered', ''],
    ['in the last line', word('a') + finish.trimEnd(), 'answered', `\n\n${done}`],
    ['behind the end marker, without its blank line', word('a') + finish + done.trimEnd(), 'answered', '\n\n'],
  ])('%s', (_what, text, kind, added) => {
    const got = run(text)
    expect(got.result.kind).toBe(kind)
    expect(got.text).toBe(text + added)
  })

  it.each([
    ['without saying why', word('a'), ''],
    ['in the middle of an event', `${word('a')}data: {"cho`, '\n\n'],
    ['while the model speaks of end markers', word('It ends with data: [DONE]'), ''],
  ])('%s: the client is told that it is incomplete', (_what, text, gap) => {
    const got = run(text)
    expect(got.result.kind).toBe('truncated')
    expect(got.text.startsWith(`${text}${gap}data: {"error":`)).toBe(true)
    expect(got.text).toContain('stream_broken')
    expect(got.response.socketEnds).toEqual(['end'])
  })

  it('gets its missing end event in the other dialect', () => {
    const text =
      block('content_block_delta', { delta: { type: 'text_delta', text: 'Hi' } }) +
      block('message_delta', { delta: { stop_reason: 'end_turn' } })
    expect(run(text, { dialect: anthropic })).toMatchObject({
      text: text + block('message_stop', {}),
      result: { kind: 'answered' },
    })
  })

  it.each([
    ['nothing at all', '', 'empty'],
    ['only comments', ': a\n\n: b\n\n', 'empty'],
    ['a role and an end', word('') + done, 'empty'],
    ['a web page', '<html>Sign in</html>', 'unreadable'],
  ])('after %s is another connection’s chance', (_what, text, kind) => {
    expect(run(text)).toMatchObject({ status: null, result: { kind: 'failed', outcome: { kind } } })
  })

  it('by a broken connection: before content another can answer, after it the client is told', () => {
    expect(run(word(''), {}, [], true)).toMatchObject({
      status: null,
      result: { kind: 'failed', outcome: { kind: 'network', code: 'ECONNRESET' } },
    })
    const got = run(word('a'), {}, [], true)
    expect(got.result.kind).toBe('truncated')
    expect(got.text).toContain('stream_broken')
  })
})

describe('the token counts of a stream', () => {
  it('are those of its start when it breaks long after it', () => {
    const text =
      block('message_start', { message: { usage: { input_tokens: 5, output_tokens: 1 } } }) +
      block('content_block_delta', { delta: { type: 'text_delta', text: 'x'.repeat(200) } }).repeat(200)
    const cut = Array.from({ length: 50 }, (_, i) => i * 1_000)
    expect(run(text, { dialect: anthropic }, cut, true).result).toMatchObject({
      kind: 'truncated',
      usage: { inputTokens: 5, outputTokens: 1 },
    })
  })

  const counted = { kind: 'answered', usage: { inputTokens: 11, outputTokens: 22 } }
  const before = word('a') + finish

  it('are noted and left in when the client asked for them', () => {
    const text = before + usage + done
    expect(run(text)).toMatchObject({ text, result: counted })
  })

  it('are noted and taken out when only the gateway asked, wherever the bytes are cut', () => {
    fc.assert(
      fc.property(cuts, (at) => {
        expect(run(before + usage + done, { removeUsage: true }, at)).toMatchObject({
          text: before + done,
          result: counted,
        })
      }),
    )
  })

  it('are taken out of a stream with CRLF too, and nothing else is', () => {
    const crlf = (text: string): string => text.replaceAll('\n', '\r\n')
    const odd = chunk({ choices: [{ delta: { content: '"choices": []' } }] })
    const got = run(crlf(odd + before + usage + done), { removeUsage: true })
    expect(got.text).toBe(crlf(odd + before + done))
  })

  it('do not hold back what comes with them', () => {
    const both = chunk({ choices: [{ delta: {}, finish_reason: 'stop' }], usage: { prompt_tokens: 1 } })
    const text = word('a') + both + done
    expect(run(text, { removeUsage: true }).text).toBe(text)
  })
})
