// Every path a tool calls, with its aliases and its ways to give a key; and what the gateway answers by itself.
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { error, json, parts, raw } from '../support/fake-answers'
import type { SeenRequest } from '../support/fake-script'
import { type GatewayPair, KEY_A, KEY_B, startPair } from '../support/gateway-pair'
import { CLIENT_KEY } from '../support/gateway-process'
import { type Answer, send } from '../support/http-client'

let pair: GatewayPair
beforeAll(async () => {
  pair = await startPair(
    {},
    {
      more: (baseUrl) => ({
        providers: [
          { id: 'reply', label: 'Reply', class: 'apikey', dialect: 'openai-responses', baseUrl },
          { id: 'googly', label: 'Googly', class: 'apikey', dialect: 'gemini', baseUrl: `${baseUrl}beta` },
        ],
        connections: [
          { provider: 'reply', name: 'a', apiKey: KEY_A, priority: 1 },
          { provider: 'reply', name: 'b', apiKey: KEY_B, priority: 2 },
          { provider: 'googly', name: 'a', apiKey: KEY_A },
        ],
      }),
    },
  )
})
afterAll(() => pair.stop())

const post = (path: string, body: object): Promise<Answer> =>
  pair.send(path, { method: 'POST', body: JSON.stringify(body) })

const bodyOf = (seen: SeenRequest | undefined): string => Buffer.from(seen?.body ?? []).toString('utf8')

const chat = (model: string, more: object = {}) => ({ model, messages: [{ role: 'user', content: 'Hi' }], ...more })
const claude = (model: string) => ({ ...chat(model), max_tokens: 100 })
const contents = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }

describe('a path', () => {
  test.each([
    ['/v1/chat/completions', chat('fake/m')],
    ['/chat/completions', chat('fake/m')],
    ['/v1/v1/chat/completions', chat('fake/m')],
    ['/api/v1/chat/completions', chat('fake/m')],
    ['/v1/chat/completions/', chat('fake/m')],
    ['/v1/messages?beta=true', claude('claudish/m')],
    ['/messages', claude('claudish/m')],
    ['/v1/v1/messages', claude('claudish/m')],
    ['/v1/responses', { model: 'reply/m', input: 'Hi' }],
    ['/responses', { model: 'reply/m', input: 'Hi' }],
    ['/v1beta/models/googly/m:generateContent', contents],
    ['/v1beta/models/googly%2Fm:generateContent', contents],
    ['/v1beta/googly/m:generateContent', contents],
    ['/v1/models/googly/m:generateContent', contents],
    ['/models/googly/m:generateContent', contents],
    ['/v1beta/models/models/googly/m:generateContent', contents],
  ])('%s is served', async (path, body) => {
    const answer = await post(path, body)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.text).toContain('Hello from')
  })

  test.each(['authorization', 'x-api-key', 'x-goog-api-key', '?key='])('takes a client key as %s', async (way) => {
    const key = way === 'authorization' ? `Bearer ${CLIENT_KEY}` : CLIENT_KEY
    const inUrl = way === '?key='
    const answer = await send(
      `${pair.gateway.url}/v1beta/models/googly/m:generateContent${inUrl ? `?key=${key}` : ''}`,
      {
        method: 'POST',
        headers: inUrl ? {} : { [way]: key },
        body: JSON.stringify(contents),
      },
    )
    expect(answer.status).toBe(200)
    const [seen] = (await pair.upstream.seen('m')).slice(-1)
    expect(JSON.stringify(seen)).not.toContain(CLIENT_KEY)
  })

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const)('takes a body in %s', async (coding, pack) => {
    const body = pack(Buffer.from(JSON.stringify({ model: 'fake/m', input: 'Hi' })))
    const answer = await pair.send('/v1/responses', { method: 'POST', headers: { 'content-encoding': coding }, body })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.json<{ object: string }>().object).toBe('response')
  })

  test.each([
    ['/v1/alpha/search', 'error'],
    ['/v1beta/files', 'error'],
    ['/v1beta/models/googly/m:predict', 'error'],
  ])('%s is a clean 404', async (path) => {
    const answer = await post(path, {})
    expect(answer.status).toBe(404)
    expect(answer.json<{ error: { message: string } }>().error.message).toMatch(/gateway/)
  })

  test('of an error is told in the dialect the path belongs to', async () => {
    const google = await post('/v1beta/models/nobody/m:generateContent', contents)
    expect(google.json()).toMatchObject({ error: { code: 404, status: 'NOT_FOUND' } })
    const anthropic = await post('/v1/messages', claude('nobody/m'))
    expect(anthropic.json()).toMatchObject({ type: 'error', error: { type: 'not_found_error' } })
    const responses = await post('/v1/responses', { model: 'nobody/m', input: 'Hi' })
    expect(responses.json()).toMatchObject({ error: { code: 'model_not_found' } })
  })
})

describe('the lesser calls', () => {
  test('embeddings and completions are passed on as they are', async () => {
    await pair.upstream.answer(KEY_A, 'small', json({ object: 'list', data: [{ embedding: [0.1] }] }))
    const embedded = await post('/v1/embeddings', { model: 'fake/small', input: ['Hi'], strange: true })
    expect(embedded.status).toBe(200)
    const [seen] = await pair.upstream.seen('small')
    expect(seen?.path).toBe('/v1/embeddings')
    expect(bodyOf(seen)).toBe('{"model":"small","input":["Hi"],"strange":true}')
    await pair.upstream.answer(KEY_A, 'fim', json({ object: 'text_completion', choices: [{ text: 'x' }] }))
    expect((await post('/completions', { model: 'fake/fim', prompt: 'a', suffix: 'b' })).status).toBe(200)
    expect((await pair.upstream.seen('fim'))[0]?.path).toBe('/v1/completions')
  })

  test('embeddings of a provider that speaks another dialect are refused with the reason', async () => {
    const answer = await post('/v1/embeddings', { model: 'claudish/x', input: 'Hi' })
    expect(answer.status).toBe(503)
    expect(answer.json<{ error: { message: string } }>().error.message).toContain('does not speak openai-chat')
  })

  test('compacting goes to an upstream that has it', async () => {
    await pair.upstream.answer(KEY_A, 'packs', json({ output: [{ type: 'compaction', encrypted_content: 'x' }] }))
    const answer = await post('/v1/responses/compact', { model: 'reply/packs', input: 'Hi' })
    expect(answer.status, answer.text).toBe(200)
    expect((await pair.upstream.seen('packs'))[0]?.path).toBe('/v1/responses/compact')
  })
})

describe('counting tokens', () => {
  test('is left to an upstream that can', async () => {
    await pair.upstream.answer(KEY_A, 'counts', json({ input_tokens: 42 }))
    const answer = await post('/v1/messages/count_tokens', claude('claudish/counts'))
    expect(answer.json()).toEqual({ input_tokens: 42 })
    expect(answer.headers['x-breakwater-estimate']).toBeUndefined()
  })

  test.each([
    ['of another dialect', 'fake/m'],
    ['that cannot', 'claudish/cannot-count'],
  ])('for an upstream %s is estimated, and the answer says so', async (_what, model) => {
    await pair.upstream.answer('*', 'cannot-count', error(404, 'no such path'))
    const answer = await post('/v1/messages/count_tokens', claude(model))
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers['x-breakwater-estimate']).toBe('true')
    expect(answer.json<{ input_tokens: number }>().input_tokens).toBeGreaterThan(3)
  })

  test('works for Gemini’s clients too', async () => {
    const answer = await post('/v1beta/models/fake/m:countTokens', contents)
    expect(answer.json<{ totalTokens: number }>().totalTokens).toBeGreaterThan(3)
    const whole = await post('/v1beta/models/fake/m:countTokens', {
      generateContentRequest: { model: 'x', ...contents },
    })
    expect(whole.json<{ totalTokens: number }>().totalTokens).toBe(answer.json<{ totalTokens: number }>().totalTokens)
  })

  test('a request nobody can read is refused', async () => {
    const answer = await post('/v1/messages/count_tokens', {
      ...claude('fake/m'),
      messages: [{ role: 'king', content: 'Hi' }],
    })
    expect(answer.status).toBe(400)
  })
})

describe('Gemini’s stream', () => {
  test('is one JSON array unless the URL asks for events', async () => {
    for (const model of ['googly/m', 'fake/m']) {
      const answer = await post(`/v1beta/models/${model}:streamGenerateContent`, contents)
      expect(answer.status, answer.text).toBe(200)
      expect(answer.headers['content-type']).toContain('application/json')
      expect(JSON.stringify(answer.json())).toContain('Hello')
      expect(Array.isArray(answer.json())).toBe(true)
    }
    const events = await post('/v1beta/models/googly/m:streamGenerateContent?alt=sse', contents)
    expect(events.headers['content-type']).toContain('text/event-stream')
  })

  test('that breaks ends its array with the error', async () => {
    const { preamble, content } = parts['openai-chat']
    await pair.upstream.answer('*', 'breaks', raw(preamble, content('first')))
    const answer = await post('/v1beta/models/fake/breaks:streamGenerateContent', contents)
    expect(answer.json<object[]>().at(-1)).toMatchObject({ error: { code: 502 } })
  })
})

describe('answers by their id', () => {
  interface Response {
    id: string
    output: { content?: { text: string }[] }[]
    previous_response_id: string | null
  }

  test('are kept, continued, read and forgotten, whatever the upstream is', async () => {
    const first = (
      await post('/v1/responses', { model: 'fake/told', input: 'One', instructions: 'Be brief.' })
    ).json<Response>()
    const second = await post('/v1/responses', { model: 'fake/told', input: 'Two', previous_response_id: first.id })
    expect(second.status, second.text).toBe(200)
    expect(second.json<Response>().previous_response_id).toBe(first.id)
    const [, seen] = await pair.upstream.seen('told')
    const sent = JSON.parse(bodyOf(seen)) as { messages: { role: string; content: string }[] }
    expect(sent.messages.map(({ role, content }) => `${role}: ${content}`)).toEqual([
      'user: One',
      expect.stringContaining('assistant: Hello from'),
      'user: Two',
    ])
    expect((await pair.send(`/v1/responses/${first.id}`)).json<Response>()).toEqual(first)
    expect((await pair.send(`/v1/responses/${first.id}`, { method: 'DELETE' })).json()).toMatchObject({ deleted: true })
    const gone = await pair.send(`/v1/responses/${first.id}`)
    expect(gone.status).toBe(404)
    expect(gone.json<{ error: { message: string } }>().error.message).toContain('not kept here')
  })

  test('are not kept where the client says so, and then the next request is told what to do', async () => {
    const { id } = (await post('/v1/responses', { model: 'fake/m', input: 'One', store: false })).json<Response>()
    const next = await post('/v1/responses', { model: 'fake/m', input: 'Two', previous_response_id: id })
    expect(next.status).toBe(400)
    expect(next.json()).toMatchObject({ error: { code: 'previous_response_not_found', param: 'previous_response_id' } })
  })

  test('that the upstream keeps are continued on the same connection', async () => {
    const response = (id: string) => ({
      id,
      object: 'response',
      created_at: 1,
      status: 'completed',
      model: 'm',
      output: [{ type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'Yes' }] }],
    })
    await pair.upstream.answer(KEY_A, 'held', error(500, 'down'), json(response('resp_a')))
    await pair.upstream.answer(KEY_B, 'held', json(response('resp_b')))
    expect((await post('/v1/responses', { model: 'reply/held', input: 'One' })).json<Response>().id).toBe('resp_b')
    const next = await post('/v1/responses', { model: 'reply/held', input: 'Two', previous_response_id: 'resp_b' })
    expect(next.json<Response>().id).toBe('resp_b')
    const last = (await pair.upstream.seen('held')).at(-1)
    expect(JSON.parse(bodyOf(last))).toEqual({ model: 'held', input: 'Two', previous_response_id: 'resp_b' })
  })

  test('an id that this run does not know goes to an upstream that may know it', async () => {
    const answer = await post('/v1/responses', { model: 'reply/m', input: 'Two', previous_response_id: 'resp_old' })
    expect(answer.status).toBe(200)
  })

  test('work in the background is done at once, and the answer says so', async () => {
    const answer = await post('/v1/responses', { model: 'reply/soon', input: 'One', background: true })
    expect(answer.status).toBe(200)
    expect(answer.headers['x-breakwater-dropped']).toBe('background')
    expect(bodyOf((await pair.upstream.seen('soon'))[0])).toBe('{"model":"soon","input":"One"}')
  })
})

describe('what another dialect cannot carry', () => {
  test('is left out and named, or refused by name', async () => {
    const dropped = await post('/v1/messages', {
      ...claude('fake/m'),
      top_k: 5,
      context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
    })
    expect(dropped.status, dropped.text).toBe(200)
    expect(dropped.headers['x-breakwater-dropped']).toBe('top_k, context_management')
    const refused = await post('/v1/chat/completions', chat('claudish/m', { n: 2 }))
    expect(refused.status).toBe(400)
    expect(refused.json()).toMatchObject({ error: { param: 'n', type: 'invalid_request_error' } })
  })

  test('a reasoning signature its issuer refuses is left out once, and nobody is to blame', async () => {
    await pair.upstream.answer(
      '*',
      'signed',
      error(400, 'messages.1.content.0: Invalid `signature` in `thinking` block'),
      json({
        id: 'x',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [{ type: 'text', text: 'Fine' }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 1, output_tokens: 1 },
      }),
    )
    const answer = await post('/v1/messages', {
      model: 'claudish/signed',
      max_tokens: 4000,
      thinking: { type: 'enabled', budget_tokens: 2000 },
      messages: [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm', signature: 'SIG' },
            { type: 'text', text: 'Yes' },
          ],
        },
        { role: 'user', content: 'Go on' },
      ],
    })
    expect(answer.status, answer.text).toBe(200)
    const [first, second] = await pair.upstream.seen('signed')
    expect(bodyOf(first)).toContain('SIG')
    expect(bodyOf(second)).not.toContain('SIG')
    expect(second?.key).toBe(first?.key)
  })
})
