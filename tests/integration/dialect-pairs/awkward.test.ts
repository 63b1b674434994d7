// What one API takes and another refuses: the gateway must put it right on the way, so that a strict upstream has
// nothing to say.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DIALECTS, type Dialect } from '../../../core/contract/kinds'
import { DIALECT_UPSTREAMS, dialectConfig, upstreamId } from '../../support/dialect-upstreams'
import { type FakeUpstream, startFakeUpstream } from '../../support/fake-upstream'
import { CLIENT_KEY, type GatewayProcess, startGateway } from '../../support/gateway-process'
import { send } from '../../support/http-client'
import { AWKWARD } from './awkward'

const PATHS: Readonly<Record<Dialect, (model: string) => string>> = {
  'openai-chat': () => '/v1/chat/completions',
  'openai-responses': () => '/v1/responses',
  anthropic: () => '/v1/messages',
  gemini: (model) => `/v1beta/models/${model}:generateContent`,
}

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

let count = 0

describe.each(DIALECTS)('a request in the form of %s', (dialect) => {
  describe.each(DIALECT_UPSTREAMS)('to $title', ({ upstream, model }) => {
    test.each(AWKWARD[dialect])('with $what', async ({ body, kept, mayBeRefused }) => {
      const name = `${model}-strict-text.${++count}`
      const asked = `${upstreamId(upstream)}/${name}`
      const answer = await send(gateway.url + PATHS[dialect](asked), {
        method: 'POST',
        headers: { authorization: `Bearer ${CLIENT_KEY}`, 'anthropic-version': '2023-06-01' },
        body: JSON.stringify(dialect === 'gemini' ? body : { model: asked, ...body }),
      })
      const refusals = (await fake.refusals()).filter((one) => one.startsWith(`${name}:`))
      if (mayBeRefused === true && answer.status === 400) return expect(answer.text).toMatch(/stop/)
      expect(refusals).toEqual([])
      expect(answer).toMatchObject({ status: 200, text: expect.stringContaining(kept ?? '') })
    })
  })
})
