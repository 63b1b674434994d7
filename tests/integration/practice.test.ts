// The practice provider: a first answer without any account, from a fresh data folder, and failures on purpose.
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parts } from '../support/fake-answers'
import { DIALECTS, ROUTES } from '../support/gateway-pair'
import { type GatewayProcess, startGateway } from '../support/gateway-process'
import { openStream, type SendOptions, send } from '../support/http-client'

const PROMPT = 'one two three four five six seven eight'
const messages = [{ role: 'user' as const, content: PROMPT }]

let gateway: GatewayProcess
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const asking = (model: string, stream: boolean): SendOptions => ({
  method: 'POST',
  headers: { authorization: `Bearer ${gateway.clientKey}` },
  body: JSON.stringify({ model: `practice/${model}`, stream, max_tokens: 100, messages }),
})

test('the openai client hears its own words again', async () => {
  const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.clientKey, maxRetries: 0 })
  const whole = await client.chat.completions.create({ model: 'practice/echo', messages })
  expect(whole.choices[0]?.message.content).toBe(PROMPT)
  const words: string[] = []
  const stream = await client.chat.completions.create({ model: 'practice/echo', messages, stream: true })
  for await (const chunk of stream) words.push(chunk.choices[0]?.delta.content ?? '')
  expect(words.join('')).toBe(PROMPT)
  expect(words.filter((word) => word !== '')).toHaveLength(8)
})

test('the anthropic client hears its own words again', async () => {
  const client = new Anthropic({ baseURL: gateway.url, apiKey: gateway.clientKey, maxRetries: 0 })
  const whole = await client.messages.create({ model: 'practice/echo', max_tokens: 100, messages })
  expect(whole.content).toMatchObject([{ type: 'text', text: PROMPT }])
  const words: string[] = []
  const stream = client.messages.stream({ model: 'practice/echo', max_tokens: 100, messages })
  stream.on('text', (word) => words.push(word))
  expect((await stream.finalMessage()).content).toMatchObject([{ type: 'text', text: PROMPT }])
  expect(words).toHaveLength(8)
})

describe.each(DIALECTS)('%s', (dialect) => {
  const url = () => gateway.url + ROUTES[dialect].path
  const { endMark } = parts[dialect]

  test('the first word comes while the last is still to be said', async () => {
    const answer = await openStream(url(), asking('echo', true))
    const soFar = await answer.until('one ')
    expect(soFar).not.toContain('eight')
    expect(await answer.rest()).toContain('eight')
  })

  describe.each([
    ['stream', true],
    ['whole', false],
  ])('%s', (_form, stream) => {
    test.each(['rate-limited', 'down'])('%s: the second connection answers', async (model) => {
      const answer = await send(url(), asking(model, stream))
      expect(answer.status).toBe(200)
      expect(answer.text).toContain('eight')
      expect(answer.headers['x-breakwater-attempts']).toBe('2')
      expect(answer.headers['x-breakwater-target']).toBe(`practice/${model}`)
      expect(answer.headers['retry-after']).toBeUndefined()
    })

    test('flaky: every second request needs a second attempt', async () => {
      const attempts: (string | string[] | undefined)[] = []
      for (let i = 0; i < 4; i++) {
        const answer = await send(url(), asking('flaky', stream))
        expect(answer.status).toBe(200)
        attempts.push(answer.headers['x-breakwater-attempts'])
      }
      expect(attempts.sort()).toEqual(['1', '1', '2', '2'])
    })

    test('outage: the error of the last connection in the caller’s dialect, with its Retry-After', async () => {
      const answer = await send(url(), asking('outage', stream))
      expect(answer.status).toBe(503)
      expect(answer.headers['x-breakwater-attempts']).toBe('2')
      expect(answer.headers['retry-after']).toBe('30')
      expect(answer.json().type).toBe(dialect === 'anthropic' ? 'error' : undefined)
      expect(answer.json().error.message).toContain('on purpose')
    })
  })

  test('cut: words that were seen are not said again, and the stream ends with an error', async () => {
    const answer = await send(url(), asking('cut', true))
    expect(answer.headers['x-breakwater-attempts']).toBe('1')
    expect(answer.text.match(/one /g)).toHaveLength(1)
    expect(answer.text).toContain('five')
    expect(answer.text).not.toContain('six')
    expect(answer.text).toContain('stream_broken')
    expect(answer.text).not.toContain(endMark)
  })

  test('cut: an answer that is no stream is given whole by the second connection', async () => {
    const answer = await send(url(), asking('cut', false))
    expect(answer.text).toContain('eight')
    expect(answer.headers['x-breakwater-attempts']).toBe('2')
  })

  test('a model that practice does not have is not found', async () => {
    const answer = await send(url(), asking('perfection', false))
    expect(answer.status).toBe(404)
    expect(answer.json().error.message).toContain('perfection')
  })
})

test('slow: nothing for three seconds, then words one by one', async () => {
  const from = performance.now()
  const answer = await openStream(gateway.url + ROUTES['openai-chat'].path, asking('slow', true))
  await answer.until('one ')
  expect(performance.now() - from).toBeGreaterThan(2_900)
  expect(answer.soFar()).not.toContain('three')
  answer.leave()
})
