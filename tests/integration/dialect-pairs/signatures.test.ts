// Thoughts whose signature their issuer does not take any more: the conversation goes on without them, after one more
// try, and the connection is not blamed.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Dialect } from '../../../core/contract/kinds'
import { DIALECT_UPSTREAMS, dialectConfig, upstreamId } from '../../support/dialect-upstreams'
import { type FakeUpstream, startFakeUpstream } from '../../support/fake-upstream'
import { CLIENT_KEY, type GatewayProcess, startGateway } from '../../support/gateway-process'
import { send } from '../../support/http-client'

let fake: FakeUpstream
let gateway: GatewayProcess
beforeAll(async () => {
  fake = await startFakeUpstream()
  gateway = await startGateway({ config: dialectConfig(fake.origin) })
})
afterAll(async () => {
  await gateway.stop()
  await fake.stop()
})

const STALE = Buffer.from('signed by nobody').toString('base64')

const ask = (path: string, body: object) =>
  send(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${CLIENT_KEY}`, 'anthropic-version': '2023-06-01' },
    body: JSON.stringify(body),
  })

/** An Anthropic client's conversation with a thought before the last question. */
const claude = (model: string, signature: string) =>
  ask('/v1/messages', {
    model,
    max_tokens: 100,
    messages: [
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'I think', signature },
          { type: 'text', text: 'Hello' },
        ],
      },
      { role: 'user', content: 'Go on' },
    ],
  })

const OWN: Readonly<Partial<Record<Dialect, (model: string) => ReturnType<typeof ask>>>> = {
  anthropic: (model) => claude(model, STALE),
  'openai-responses': (model) =>
    ask('/v1/responses', {
      model,
      store: false,
      input: [
        { role: 'user', content: 'Hi' },
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: STALE },
        { role: 'assistant', content: 'Hello' },
        { role: 'user', content: 'Go on' },
      ],
    }),
  gemini: (model) =>
    ask(`/v1beta/models/${model}:generateContent`, {
      contents: [
        { role: 'user', parts: [{ text: 'Hi' }] },
        { role: 'model', parts: [{ text: 'Hello', thoughtSignature: STALE }] },
        { role: 'user', parts: [{ text: 'Go on' }] },
      ],
    }),
}

const signing = DIALECT_UPSTREAMS.filter(({ upstream }) => OWN[upstream] !== undefined)

test.each(signing)('$title refuses a stale signature once, then answers without it', async ({ upstream, model }) => {
  const name = `${model}-strict-text.own-${upstream}`
  const answer = await OWN[upstream]?.(`${upstreamId(upstream)}/${name}`)
  expect(answer).toMatchObject({ status: 200, text: expect.stringContaining('Go on') })
  expect((await fake.refusals()).filter((one) => one.startsWith(`${name}:`))).toHaveLength(1)
  expect(await fake.seen(name)).toHaveLength(2)
})

test.each(signing)('$title refuses one that an Anthropic client gives back to it', async ({ upstream, model }) => {
  const name = `${model}-strict-text.carried-${upstream}`
  const signature = upstream === 'anthropic' ? STALE : `bw1:${upstream}:${STALE}`
  const answer = await claude(`${upstreamId(upstream)}/${name}`, signature)
  expect(answer).toMatchObject({ status: 200, text: expect.stringContaining('Go on') })
  expect(await fake.seen(name)).toHaveLength(2)
})

/** Between Anthropic and Anthropic bodies pass as they are; what others signed is left out when it is refused. */
test.each(DIALECT_UPSTREAMS)('$title answers without thoughts that others signed', async ({ upstream, model }) => {
  const name = `${model}-strict-text.foreign-${upstream}`
  const other = upstream === 'gemini' ? 'openai-responses' : 'gemini'
  const answer = await claude(`${upstreamId(upstream)}/${name}`, `bw1:${other}:${STALE}`)
  expect(answer).toMatchObject({ status: 200, text: expect.stringContaining('Go on') })
  const all = await fake.seen(name)
  expect(all).toHaveLength(upstream === 'anthropic' ? 2 : 1)
  expect(Buffer.from(all.at(-1)?.body ?? []).toString('utf8')).not.toContain('I think')
})
