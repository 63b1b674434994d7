// Answers that are valid enough to be used though no specification would have them so, and answers that are none.
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chatDelta, error, gate, hang, html, json, parts, raw, stream, text } from '../support/fake-answers'
import type { Script, Step } from '../support/fake-script'
import { DIALECTS, type GatewayPair, KEY_A, KEY_B, question, startPair } from '../support/gateway-pair'

let pair: GatewayPair
beforeAll(async () => {
  pair = await startPair()
})
afterAll(() => pair.stop())

const bytes = (value: Uint8Array): Step => ({ kind: 'bytes', bytes: value })
const events = (whole: string): string[] =>
  whole
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trim())

describe.each(DIALECTS)('%s', (dialect) => {
  const { preamble, content, ending, endMark } = parts[dialect]
  const whole = preamble + content('Hi 北京🌍') + content(' there') + ending
  let count = 0
  /** A model of its own whose first connection answers so; the second one stays well-behaved. */
  const scripted = async (script: Script): Promise<string> => {
    const model = `odd-${dialect}-${++count}`
    await pair.upstream.answer(KEY_A, model, script)
    return model
  }

  describe('framing', () => {
    test.each([
      ['lines that end with CR LF', whole.replaceAll('\n', '\r\n')],
      ['no space after the colon', whole.replaceAll(/^(data|event): /gm, '$1:')],
      ['both', whole.replaceAll('\n', '\r\n').replaceAll(/^(data|event): /gm, '$1:')],
      ['comments in between', whole.replaceAll('\n\n', '\n\n: PROCESSING\n\n')],
    ])('%s: the bytes arrive as they were sent, and the stream is complete', async (_what, sent) => {
      const answer = await pair.askStream(dialect, await scripted(raw(sent)))
      expect(answer.status).toBe(200)
      expect(await answer.rest()).toBe(sent)
    })

    test('CR LF does not hold an event back until the end', async () => {
      const first = (preamble + content('first')).replaceAll('\n', '\r\n')
      const rest = ending.replaceAll('\n', '\r\n')
      const name = `crlf-${dialect}`
      const answer = await pair.askStream(dialect, await scripted(stream(text(first), gate(name), text(rest))))
      expect(await answer.until('first')).toBe(first)
      pair.upstream.open(name)
      expect(await answer.rest()).toBe(first + rest)
    })

    test('a stream that comes byte by byte arrives as the same bytes', async () => {
      const steps = Array.from(Buffer.from(whole), (byte) => bytes(Uint8Array.of(byte)))
      const answer = await pair.askStream(dialect, await scripted(stream(...steps)))
      expect(await answer.rest()).toBe(whole)
    })

    test('a stream that calls itself text/plain is a stream', async () => {
      const script = { ...raw(': ping\n\n', whole), headers: { 'content-type': 'text/plain' } }
      const answer = await pair.askStream(dialect, await scripted(script))
      expect(await answer.rest()).toBe(`: ping\n\n${whole}`)
    })

    test('the last event counts without its line end, and the end is told properly', async () => {
      const finish =
        dialect === 'anthropic' ? ending.slice(0, ending.indexOf('event: message_stop')) : chatDelta({}, 'stop')
      const model = await scripted(raw(preamble, content('Hi'), finish.trimEnd()))
      const answer = await (await pair.askStream(dialect, model)).rest()
      expect(answer).toContain(endMark)
      expect(answer).not.toContain('"error"')
      expect(events(answer).every((event) => event === '[DONE]' || JSON.parse(event) !== null)).toBe(true)
    })

    test('an end without a reason is told as incomplete, never as finished', async () => {
      const model = await scripted(raw(preamble, content('Hi'), content(' there')))
      const answer = await (await pair.askStream(dialect, model)).rest()
      expect(answer.startsWith(preamble + content('Hi') + content(' there'))).toBe(true)
      expect(answer).toContain('stream_broken')
      expect(answer).not.toContain(endMark)
      expect(answer).not.toContain('"stop"')
    })
  })

  describe('compression', () => {
    test.each([
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['br', brotliCompressSync],
    ])('%s: header and bytes describe each other, in answers, errors and streams', async (coding, compress) => {
      const headers = { 'content-encoding': coding }
      const body = JSON.stringify({ choices: [{ message: { content: 'packed '.repeat(50) } }], content: [] })
      const packed = (value: string, type: string, status = 200): Script => {
        const data = compress(value)
        const all = { ...headers, 'content-type': type, 'content-length': String(data.length) }
        return { status, headers: all, steps: [bytes(data)] }
      }
      for (const [script, streamed, expected, status] of [
        [packed(body, 'application/json'), false, body, 200],
        [
          packed('{"error":{"message":"no such thing"}}', 'application/json', 404),
          false,
          '{"error":{"message":"no such thing"}}',
          404,
        ],
        [packed(whole, 'text/event-stream'), true, whole, 200],
      ] as const) {
        const answer = await pair.ask(dialect, await scripted(script), { stream: streamed })
        expect(answer.status).toBe(status)
        expect(answer.headers['content-encoding']).toBeUndefined()
        expect(answer.text).toBe(expected)
        if (!streamed) expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(expected)))
      }
    })

    test('a packed stream flows: its first words arrive before its last are sent', async () => {
      const name = `packed-${dialect}`
      const script = { ...stream(text(preamble + content('first')), gate(name), text(ending)), gzip: true }
      const answer = await pair.askStream(dialect, await scripted(script))
      expect(await answer.until('first')).toBe(preamble + content('first'))
      pair.upstream.open(name)
      expect(await answer.rest()).toBe(preamble + content('first') + ending)
    })

    test('an answer that is not packed as it says is made good by the next connection', async () => {
      const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' }
      const model = await scripted({ headers, steps: [text('{"plain":true}')] })
      const answer = await pair.ask(dialect, model)
      expect(answer.status).toBe(200)
      expect(answer.text).toContain(KEY_B)
    })
  })

  describe.each([
    ['stream', true],
    ['whole', false],
  ])('no answer at all (%s)', (_form, streamed) => {
    test.each<[string, Script]>([
      ['a page of HTML with 200', html(200)],
      ['a page of HTML with 503', html(503)],
      ['a page of HTML with 403', html(403)],
      ['plain words', { headers: { 'content-type': 'text/plain' }, steps: [text('upstream connect error')] }],
      ['half a JSON', { headers: { 'content-type': 'application/json' }, steps: [text('{"choices":[')] }],
      ['nothing, with 204', { status: 204, steps: [] }],
    ])('%s is made good by the next connection', async (_what, script) => {
      const answer = await pair.ask(dialect, await scripted(script), { stream: streamed })
      expect(answer.status).toBe(200)
      expect(answer.text).toContain(KEY_B)
      expect(answer.text).not.toContain('Sign in')
    })

    test('HTML everywhere is one clear error in the caller’s dialect, without the page', async () => {
      const model = `html-${dialect}-${streamed}`
      await pair.upstream.answer('*', model, html(200))
      const answer = await pair.ask(dialect, model, { stream: streamed })
      expect(answer.status).toBe(502)
      expect(answer.headers['content-type']).toBe('application/json')
      expect(answer.json().type).toBe(dialect === 'anthropic' ? 'error' : undefined)
      expect(answer.json().error.code).toBe('bad_gateway')
      expect(answer.text).not.toContain('<html')
    })
  })

  test('a very large answer that is no stream is passed on whole', async () => {
    const value = { choices: [{ message: { content: 'long '.repeat(4_000_000) } }] }
    const answer = await pair.ask(dialect, await scripted(json(value)))
    expect(answer.text === JSON.stringify(value)).toBe(true)
  })

  test('a large error body is cut, and the next connection is tried', async () => {
    const model = await scripted(error(500, { error: { message: 'x'.repeat(2_000_000) } }))
    const answer = await pair.ask(dialect, model)
    expect(answer.text).toContain(KEY_B)
  })

  describe('a stream that lets the client wait', () => {
    test('is opened after the hold, and then serves a later answer', async () => {
      const short = await startPair({ headerHoldMs: 150 })
      try {
        const name = `late-${dialect}`
        await short.upstream.answer(KEY_A, 'late', stream(gate(name), text(whole)))
        const answer = await short.askStream(dialect, 'late')
        expect(answer.status).toBe(200)
        const beat = dialect === 'anthropic' ? 'event: ping\ndata: {"type":"ping"}\n\n' : ': keep-alive\n\n'
        expect(await answer.until(beat)).toBe(beat)
        short.upstream.open(name)
        expect(await answer.rest()).toBe(beat + whole)
      } finally {
        await short.stop()
      }
    })

    test('once opened, tells a failure as an event', async () => {
      const short = await startPair({ headerHoldMs: 100, firstByteTimeoutMs: 400 })
      try {
        await short.upstream.answer('*', 'never', { steps: [hang] })
        const answer = await (await short.askStream(dialect, 'never')).rest()
        const last = events(answer).at(-1) as string
        expect(JSON.parse(last).error.code).toBe('gateway_timeout')
        expect(answer).not.toContain(endMark)
        expect(await short.upstream.seen('never')).toHaveLength(2)
      } finally {
        await short.stop()
      }
    })
  })
})

describe('token counts that the gateway asked for', () => {
  // Only providers known to report on request are asked: the built-in one here.
  const askOpenAi = async (model: string, more: object) =>
    (
      await pair.send('/v1/chat/completions', {
        method: 'POST',
        body: JSON.stringify(question(`openai/${model}`, { stream: true, ...more })),
      })
    ).text

  test('are taken out again where the client had not asked', async () => {
    const answer = await askOpenAi('unasked', {})
    const [seen] = await pair.upstream.seen('unasked')
    expect(Buffer.from(seen?.body ?? []).toString()).toContain('"include_usage":true')
    expect(answer).not.toContain('total_tokens')
    expect(answer).not.toContain('"choices":[]')
    expect(answer.match(/\[DONE\]/g)).toHaveLength(1)
  })

  test('stay where it had', async () => {
    const answer = await askOpenAi('asked', { stream_options: { include_usage: true } })
    expect(answer.match(/"choices":\[\]/g)).toHaveLength(1)
    expect(answer).toContain('"total_tokens":14')
  })

  test('stay out where the client said no', async () => {
    await askOpenAi('declined', { stream_options: { include_usage: false } })
    const [seen] = await pair.upstream.seen('declined')
    expect(Buffer.from(seen?.body ?? []).toString()).toContain('"include_usage":false')
    expect(Buffer.from(seen?.body ?? []).toString()).not.toContain('"include_usage":true')
  })
})

test('words of a slow stream come one by one, not in heaps', async () => {
  const { preamble, content, ending } = parts['openai-chat']
  const pieces = Array.from({ length: 8 }, (_, i) => content(`w${i} `))
  const steps = pieces.flatMap((piece, i) => [text(piece), gate(`step ${i}`)])
  await pair.upstream.answer(KEY_A, 'stepwise', stream(text(preamble), ...steps, text(ending)))
  const answer = await pair.askStream('openai-chat', 'stepwise')
  for (const [i, piece] of pieces.entries()) {
    expect((await answer.until(piece)).endsWith(piece)).toBe(true)
    pair.upstream.open(`step ${i}`)
  }
  await answer.rest()
})
