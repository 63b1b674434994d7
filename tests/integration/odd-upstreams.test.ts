// Upstreams that lack something: the end marker, the right name for a stream, the stream, an answer in good time; and
// the token counts that some give only when asked.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { anthropicError, error, gate, json, parts, raw, stream, text } from '../support/fake-answers'
import type { Script } from '../support/fake-script'
import {
  DIALECTS,
  type GatewayPair,
  KEY_A,
  KEY_B,
  type PairDialect,
  question,
  startPair,
} from '../support/gateway-pair'

let pair: GatewayPair
beforeAll(async () => {
  pair = await startPair()
})
afterAll(() => pair.stop())
beforeEach(() => pair.forget())

const named = (what: string, dialect: PairDialect): string => `${what.replaceAll(' ', '-')}-${dialect}`
const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`

const documents = {
  'openai-chat': {
    id: 'x',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi there' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
  },
  'openai-responses': {
    id: 'resp_x',
    object: 'response',
    created_at: 1,
    status: 'completed',
    model: 'm',
    output: [{ type: 'message', id: 'msg_x', role: 'assistant', content: [{ type: 'output_text', text: 'Hi there' }] }],
    usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
  },
  anthropic: {
    id: 'x',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [{ type: 'text', text: 'Hi there' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 2 },
  },
  gemini: {
    candidates: [{ content: { role: 'model', parts: [{ text: 'Hi there' }] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2, totalTokenCount: 3 },
  },
}

describe.each(DIALECTS)('%s', (dialect) => {
  const { preamble, content, ending, endMark } = parts[dialect]
  const whole = preamble + content('Hi') + ending
  const fromB = preamble + content('from b') + ending
  const firstSays = (model: string, script: Script) => pair.upstream.answer(KEY_A, model, script)
  const streamed = async (model: string): Promise<string> => (await pair.askStream(dialect, model)).rest()

  test('a stream that says why it stopped is given the marker it lacks, and nothing else', async () => {
    const reason = ending.slice(0, ending.indexOf(dialect === 'anthropic' ? 'event: message_stop' : 'data: [DONE]'))
    for (const [how, end] of Object.entries({ 'with a blank line': reason, 'cut off': reason.trimEnd() })) {
      const model = named(`no marker ${how}`, dialect)
      await firstSays(model, raw(preamble, content('Hi'), end))
      expect(await streamed(model), how).toBe(whole)
    }
  })

  test('a stream that is called text/plain is judged as a stream', async () => {
    const broken = named('plain broken', dialect)
    await firstSays(broken, { ...raw(': ping\n\n', preamble), headers: { 'content-type': 'text/plain' } })
    await pair.upstream.answer(KEY_B, broken, raw(fromB))
    expect(await streamed(broken)).toBe(fromB)
  })

  test('a document in answer to a stream request becomes the stream that was asked for', async () => {
    const model = named('document', dialect)
    await firstSays(model, json(documents[dialect]))
    const answer = await pair.ask(dialect, model, { stream: true })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toContain('text/event-stream')
    expect(answer.text).toContain('"Hi there"')
    expect(answer.text).toContain(endMark)
  })

  test('a document that is no answer is left for the next connection', async () => {
    const model = named('no answer', dialect)
    await firstSays(model, json({ hello: 'world' }))
    await pair.upstream.answer(KEY_B, model, raw(fromB))
    expect(await streamed(model)).toBe(fromB)
  })

  test.each(['text/event-stream', 'text/plain'])(
    'a stream (%s) in answer to a plain request becomes one document',
    async (type) => {
      const model = named(`stream ${type.slice(5)}`, dialect)
      await firstSays(model, {
        ...raw(preamble, content('Hi'), content(' there'), ending),
        headers: { 'content-type': type },
      })
      const answer = await pair.ask(dialect, model)
      expect(answer.status).toBe(200)
      expect(answer.headers['content-type']).toBe('application/json')
      expect(answer.text).toContain('"Hi there"')
      expect(answer.text).not.toContain('data:')
    },
  )
})

describe('a stream that is opened while attempts go on', () => {
  let open: GatewayPair
  beforeAll(async () => {
    open = await startPair({ headerHoldMs: 0 })
  })
  afterAll(() => open.stop())
  beforeEach(() => open.forget())
  const heartbeats = { 'openai-chat': ': keep-alive\n\n', anthropic: 'event: ping\ndata: {"type":"ping"}\n\n' }

  describe.each(DIALECTS)('%s', (dialect) => {
    const { preamble, content, ending, endMark } = parts[dialect]
    const heartbeat = heartbeats[dialect]

    test('begins with a heartbeat, and the next connection still answers', async () => {
      const model = named('opened', dialect)
      await open.upstream.answer(KEY_A, model, { ...error(500), steps: [gate(model), text('{}')] })
      await open.upstream.answer(KEY_B, model, raw(preamble + content('from b') + ending))
      const answer = await open.askStream(dialect, model)
      expect(answer.status).toBe(200)
      expect(answer.headers['content-type']).toMatch(/^text\/event-stream/)
      expect(await answer.until(heartbeat)).toBe(heartbeat)
      open.upstream.open(model)
      expect(await answer.rest()).toBe(heartbeat + preamble + content('from b') + ending)
    })

    test.each<[string, Script]>([
      ['a refusal of the request', dialect === 'anthropic' ? anthropicError(400, 'x') : error(400)],
      ['a server error', error(500)],
      ['an empty answer', raw(preamble + ending)],
      ['a document', json({ content: 'Hi' })],
    ])('%s becomes one error event', async (what, script) => {
      const model = named(`opened ${what}`, dialect)
      await open.upstream.answer('*', model, { ...script, steps: [gate(model), ...script.steps] })
      const answer = await open.askStream(dialect, model)
      await answer.until(heartbeat)
      open.upstream.open(model)
      const rest = (await answer.rest()).slice(heartbeat.length)
      expect(rest.match(/^data: /gm)).toHaveLength(1)
      expect(rest.startsWith(dialect === 'anthropic' ? 'event: error\ndata: ' : 'data: ')).toBe(true)
      expect(JSON.parse(rest.slice(rest.indexOf('{')))).toHaveProperty('error.message')
      expect(rest).not.toContain(endMark)
    })
  })
})

describe('token counts of the built-in provider “openai”', () => {
  const { preamble, content } = parts['openai-chat']
  const ask = async (model: string, more: object): Promise<{ text: string; sent: Record<string, unknown> }> => {
    const body = JSON.stringify(question(`openai/${model}`, more))
    const { text: answered } = await pair.send('/v1/chat/completions', { method: 'POST', body })
    const [seen] = await pair.upstream.seen(model)
    return { text: answered, sent: JSON.parse(Buffer.from(seen?.body ?? []).toString()) }
  }

  test('are asked for in a stream, and their extra chunk does not reach a client that did not ask', async () => {
    const { text: answered, sent } = await ask('usage-added', { stream: true })
    expect(sent.stream_options).toEqual({ include_usage: true })
    expect(answered).toContain('"content":"Hello"')
    expect(answered).toContain('"finish_reason":"stop"')
    expect(answered).not.toContain('"prompt_tokens"')
    expect(answered).not.toMatch(/"choices":\s*\[\]/)
    expect(answered.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  test('reach a client that asked', async () => {
    const { text: answered, sent } = await ask('usage-asked', { stream: true, stream_options: { include_usage: true } })
    expect(sent.stream_options).toEqual({ include_usage: true })
    expect(answered.match(/"prompt_tokens":11/g)).toHaveLength(1)
    expect(answered).toMatch(/"choices":\[\]/)
  })

  test('are not asked for where the client said otherwise, or wants no stream', async () => {
    const refused = await ask('usage-refused', { stream: true, stream_options: { include_usage: false } })
    expect(refused.sent.stream_options).toEqual({ include_usage: false })
    expect(refused.text).not.toContain('"prompt_tokens"')
    expect((await ask('usage-whole', {})).sent).not.toHaveProperty('stream_options')
  })

  test('are not asked of a provider that may not know the option', async () => {
    await pair.ask('openai-chat', 'usage-foreign', { stream: true })
    const [seen] = await pair.upstream.seen('usage-foreign')
    expect(Buffer.from(seen?.body ?? []).toString()).not.toContain('stream_options')
  })

  test('in a chunk of their own are taken out however the network cuts the stream', async () => {
    const usage = data({ id: 'c1', object: 'chat.completion.chunk', choices: [], usage: { prompt_tokens: 1 } })
    const stop = data({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
    const all = `${preamble}${content('Hi ☕')}${stop}${usage}data: [DONE]\n\n`
    for (const size of [1, 7, 64, 100_000]) {
      const bytes = Buffer.from(all)
      const steps: { kind: 'bytes'; bytes: Uint8Array }[] = []
      for (let at = 0; at < bytes.length; at += size)
        steps.push({ kind: 'bytes', bytes: bytes.subarray(at, at + size) })
      await pair.upstream.answer('*', `usage-cut-${size}`, stream(...steps))
      const { text: answered } = await ask(`usage-cut-${size}`, { stream: true })
      expect(answered).toBe(all.replace(usage, ''))
    }
  })
})
