import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GatewayPair, KEY_A, startPair } from '../support/gateway-pair'

let pair: GatewayPair
beforeAll(async () => {
  pair = await startPair()
})
afterAll(() => pair.stop())

const hello = [{ role: 'user' as const, content: 'Hi' }]

test('the openai client gets a whole answer', async () => {
  const answer = await pair.openai.chat.completions.create({ model: 'fake/whole', messages: hello })
  expect(answer.choices[0]?.message.content).toBe(`Hello from ${KEY_A}`)
  expect(answer.usage?.total_tokens).toBe(14)
})

test('the openai client gets a stream', async () => {
  const stream = await pair.openai.chat.completions.create({ model: 'fake/s', messages: hello, stream: true })
  const words: string[] = []
  for await (const chunk of stream) words.push(chunk.choices[0]?.delta.content ?? '')
  expect(words.join('')).toBe(`Hello from ${KEY_A}`)
})

test('the openai client’s stream helper assembles an answer', async () => {
  const stream = pair.openai.chat.completions.stream({ model: 'fake/s', messages: hello })
  const final = await stream.finalChatCompletion()
  expect(final.choices[0]?.finish_reason).toBe('stop')
})

test('the anthropic client gets a whole answer', async () => {
  const answer = await pair.anthropic.messages.create({ model: 'claudish/whole', max_tokens: 10, messages: hello })
  expect(answer.content).toEqual([{ type: 'text', text: `Hello from ${KEY_A}` }])
  expect(answer.stop_reason).toBe('end_turn')
})

test('the anthropic client gets a stream', async () => {
  const stream = pair.anthropic.messages.stream({ model: 'claudish/s', max_tokens: 10, messages: hello })
  const final = await stream.finalMessage()
  expect(final.content).toMatchObject([{ type: 'text', text: `Hello from ${KEY_A}` }])
  expect(final.usage.output_tokens).toBe(3)
})

test('both clients list the models', async () => {
  const openai = await pair.openai.models.list()
  const anthropic = await pair.anthropic.models.list()
  expect(openai.data.map(({ id }) => id)).toContain('practice/echo')
  expect(anthropic.data.map(({ id }) => id)).toContain('practice/echo')
})

test('a wrong key is an authentication error of each client', async () => {
  const messages = hello
  const wrong = { headers: { authorization: 'Bearer bw-wrong', 'x-api-key': 'bw-wrong' } }
  await expect(pair.openai.chat.completions.create({ model: 'fake/m', messages }, wrong)).rejects.toMatchObject({
    status: 401,
    code: 'invalid_api_key',
    type: 'authentication_error',
  })
  await expect(
    pair.anthropic.messages.create({ model: 'claudish/m', max_tokens: 5, messages }, wrong),
  ).rejects.toMatchObject({ status: 401, error: { type: 'error', error: { type: 'authentication_error' } } })
})

test('a model nobody has is a not-found error of each client', async () => {
  const messages = hello
  await expect(pair.openai.chat.completions.create({ model: 'nobody/m', messages })).rejects.toMatchObject({
    status: 404,
    code: 'model_not_found',
    param: 'model',
  })
  await expect(pair.anthropic.messages.create({ model: 'nobody/m', max_tokens: 5, messages })).rejects.toMatchObject({
    status: 404,
    error: { error: { type: 'not_found_error' } },
  })
})
