// Every official client at every kind of upstream, through the gateway.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DIALECT_UPSTREAMS, dialectConfig, upstreamId } from '../../support/dialect-upstreams'
import { type FakeUpstream, startFakeUpstream } from '../../support/fake-upstream'
import { forget } from '../../support/forget'
import { CLIENT_KEY, type GatewayProcess, startGateway } from '../../support/gateway-process'
import { CLIENTS } from './clients/all'
import { DIRECTLY, type Expected, testFailures } from './failures'
import { type Meeting, MODES } from './meeting'
import { testAnswers } from './questions'

/** A key that the upstream refuses is not the caller's. */
const THROUGH: readonly Expected[] = DIRECTLY.map((one) =>
  one.said === 401 ? { ...one, seen: 503, words: 'refused the key' } : one,
)

let fake: FakeUpstream
let gateway: GatewayProcess

beforeAll(async () => {
  fake = await startFakeUpstream()
  gateway = await startGateway({ config: dialectConfig(fake.origin, CLIENTS.length) })
})
afterAll(async () => {
  await gateway.stop()
  await fake.stop()
})

// What one failure holds against a connection is not the next test's.
beforeEach(() => forget(gateway.url))

let count = 0

describe.each(CLIENTS.map((kind, number) => ({ name: kind.name, kind, number })))('$name', ({ kind, number }) => {
  describe.each(DIALECT_UPSTREAMS)('at $title', ({ upstream, model }) => {
    const meeting = (provider: string, stream: boolean): Meeting => ({
      kind,
      upstream,
      stream,
      client: () => kind.open({ origin: gateway.url, key: CLIENT_KEY }),
      fake: () => fake,
      model: (scenario) => `${provider}/${model}-strict-${scenario}.${++count}`,
    })

    describe.each(MODES)('$mode', ({ stream }) => {
      testAnswers(meeting(upstreamId(upstream), stream))
      testFailures(meeting(upstreamId(upstream, number), stream), THROUGH)

      test('sees an error inside a 200 as a server error, for nothing was said yet', async () => {
        const { client, model: name } = meeting(upstreamId(upstream, number), stream)
        const asked = client().ask({ model: name('error-inside'), prompt: 'Hi', stream })
        const error = await asked.catch((one: unknown) => one)
        expect(kind.faultOf(error).status).toBeGreaterThanOrEqual(500)
      })
    })
  })
})
