// The calls beside generating answers, as the official clients make them: lists of models, token counts, embeddings.
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DIALECT_UPSTREAMS, dialectConfig, upstreamId } from '../../support/dialect-upstreams'
import { type FakeUpstream, startFakeUpstream } from '../../support/fake-upstream'
import { CLIENT_KEY, type GatewayProcess, startGateway } from '../../support/gateway-process'

let fake: FakeUpstream
let gateway: GatewayProcess
let openai: OpenAI
let anthropic: Anthropic
let google: GoogleGenAI

beforeAll(async () => {
  fake = await startFakeUpstream()
  gateway = await startGateway({ config: dialectConfig(fake.origin) })
  openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: CLIENT_KEY, maxRetries: 0 })
  anthropic = new Anthropic({ baseURL: gateway.url, apiKey: CLIENT_KEY, maxRetries: 0 })
  google = new GoogleGenAI({ apiKey: CLIENT_KEY, httpOptions: { baseUrl: gateway.url } })
})
afterAll(async () => {
  await gateway.stop()
  await fake.stop()
})

test('every client lists the models', async () => {
  const ids = (await openai.models.list()).data.map(({ id }) => id)
  expect(ids).toContain('practice/echo')
  const claude: string[] = []
  for await (const model of anthropic.models.list({ limit: 1000 })) claude.push(model.id)
  expect(claude).toContain('practice/echo')
  const gemini: (string | undefined)[] = []
  for await (const model of await google.models.list()) gemini.push(model.name)
  expect(gemini).toContain('models/practice/echo')
})

test('an OpenAI client gets embeddings from an upstream of its own kind', async () => {
  const model = `${upstreamId('openai-chat')}/embed`
  const { data } = await openai.embeddings.create({ model, input: ['one', 'two'], encoding_format: 'float' })
  expect(data.map(({ embedding }) => embedding)).toEqual([
    [0.25, -0.5],
    [0.25, -0.5],
  ])
})

test('an OpenAI client gets a plain completion from an upstream of its own kind', async () => {
  const model = `${upstreamId('openai-chat')}/complete`
  const { choices } = await openai.completions.create({ model, prompt: 'Once' })
  expect(choices[0]?.text).toContain('Hello from')
})

describe.each(DIALECT_UPSTREAMS)('before $title', ({ upstream, model }) => {
  const name = `${upstreamId(upstream)}/${model}-strict-text.count`

  test('an Anthropic client counts tokens', async () => {
    const messages = [{ role: 'user' as const, content: 'How long is this?' }]
    const { input_tokens: tokens } = await anthropic.messages.countTokens({ model: name, messages })
    expect(tokens).toBeGreaterThan(3)
  })

  test('a Gemini client counts tokens', async () => {
    const { totalTokens } = await google.models.countTokens({ model: name, contents: 'How long is this?' })
    expect(totalTokens).toBeGreaterThan(3)
  })
})
