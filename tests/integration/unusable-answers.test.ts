// Answers that cannot be used, that are packed in other ways, or that are very large.
import { brotliCompressSync, deflateSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { error, gate, json, parts, stream, text } from '../support/fake-answers'
import type { Script, Step } from '../support/fake-script'
import { DIALECTS, type GatewayPair, KEY_A, KEY_B, startPair } from '../support/gateway-pair'

const MB = 1_048_576

let pair: GatewayPair
beforeAll(async () => {
  pair = await startPair()
})
afterAll(() => pair.stop())
beforeEach(() => pair.forget())

const JSON_TYPE = { 'content-type': 'application/json' }
const bytes = (value: Uint8Array): Step => ({ kind: 'bytes', bytes: value })

describe.each(DIALECTS)('%s', (dialect) => {
  const { preamble, content, ending } = parts[dialect]
  const whole = preamble + content('Hi 北京🌍') + ending
  let count = 0
  /** A model of its own whose first connection answers so; the second one stays well-behaved. */
  const scripted = async (script: Script): Promise<string> => {
    const model = `unusable-${dialect}-${++count}`
    await pair.upstream.answer(KEY_A, model, script)
    return model
  }

  describe.each([
    ['stream', true],
    ['whole', false],
  ])('no answer at all (%s)', (_form, streamed) => {
    test.each<[string, Script]>([
      ['plain words', { headers: { 'content-type': 'text/plain' }, steps: [text('upstream connect error')] }],
      ['half a JSON', { headers: JSON_TYPE, steps: [text('{"choices":[')] }],
      ['nothing, with 204', { status: 204, steps: [] }],
      ['nothing, with 200', { headers: { 'content-length': '0' }, steps: [] }],
      ['an error of 2 MB', error(500, { error: { message: 'x'.repeat(2 * MB) } })],
    ])('%s is made good by the next connection', async (_what, script) => {
      const answer = await pair.ask(dialect, await scripted(script), { stream: streamed })
      expect(answer.status).toBe(200)
      expect(answer.text).toContain(KEY_B)
    })
  })

  test.each([
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('%s: answers, errors and streams are unpacked, and described as what they are', async (coding, compress) => {
    const packed = (value: string, type: string, status: number): Script => {
      const data = compress(value)
      const length = String(data.length)
      const headers = { 'content-encoding': coding, 'content-type': type, 'content-length': length }
      return { status, headers, steps: [bytes(data)] }
    }
    for (const [body, type, status] of [
      ['{"choices":[{"message":{"content":"packed"}}]}', 'application/json', 200],
      ['{"error":{"message":"about the request"}}', 'application/json', 400],
      [whole, 'text/event-stream', 200],
    ] as const) {
      const streamed = type === 'text/event-stream'
      const answer = await pair.ask(dialect, await scripted(packed(body, type, status)), { stream: streamed })
      expect(answer.status).toBe(status)
      expect(answer.text).toBe(body)
      expect(answer.headers['content-encoding']).toBeUndefined()
      if (!streamed) expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(body)))
    }
  })

  test('a very large answer that is no stream is passed on whole', async () => {
    const value = { choices: [{ message: { content: 'long '.repeat(4 * MB) } }] }
    const answer = await pair.ask(dialect, await scripted(json(value)))
    expect(answer.status).toBe(200)
    expect(answer.text === JSON.stringify(value)).toBe(true)
  })

  test('a very large answer that breaks is cut off, so that nobody takes it for whole', async () => {
    const name = `large-cut-${dialect}`
    const steps: Step[] = [text(`{"choices":["${'x'.repeat(12 * MB)}`), gate(name), { kind: 'cut' }]
    const model = await scripted({ headers: JSON_TYPE, steps })
    const answer = await pair.askStream(dialect, model, { stream: false })
    pair.upstream.open(name)
    await expect(answer.rest()).rejects.toThrow()
    expect((await pair.upstream.seen(model)).map(({ key }) => key)).toEqual([KEY_A])
  })

  test('words come one by one, not in heaps', async () => {
    const pieces = Array.from({ length: 8 }, (_, i) => content(`w${i} `))
    const steps = pieces.flatMap((piece, i) => [text(piece), gate(`${dialect} ${i}`)])
    const answer = await pair.askStream(dialect, await scripted(stream(text(preamble), ...steps, text(ending))))
    for (const [i, piece] of pieces.entries()) {
      expect((await answer.until(piece)).endsWith(piece)).toBe(true)
      pair.upstream.open(`${dialect} ${i}`)
    }
    expect(await answer.rest()).toBe(preamble + pieces.join('') + ending)
  })
})
