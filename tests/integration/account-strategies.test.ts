// Several connections of one provider, asked in another order than that of their priority.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { error } from '../support/fake-answers'
import { type GatewayPair, KEY_A, KEY_B, startPair } from '../support/gateway-pair'

const KEYS = new Set([KEY_A, KEY_B])

describe.each(['round-robin', 'random', 'p2c', 'least-used', 'strict-random', 'weighted'])(
  'by %s',
  (accountStrategy) => {
    let pair: GatewayPair
    beforeAll(async () => {
      pair = await startPair({ accountStrategy })
    })
    afterAll(() => pair.stop())
    beforeEach(() => pair.forget())

    test('both keys are used, each by one attempt a request', async () => {
      for (let i = 0; i < 24; i++) expect((await pair.ask('openai-chat', 'spread')).status).toBe(200)
      const keys = (await pair.upstream.seen('spread')).map(({ key }) => key)
      expect(keys).toHaveLength(24)
      // Two equal keys: even by chance, 24 draws for one alone are one in eight million.
      if (accountStrategy !== 'p2c') expect(new Set(keys)).toEqual(KEYS)
    })

    test('the other one answers when the first fails', async () => {
      await pair.upstream.answer(KEY_A, 'half', error(500))
      for (let i = 0; i < 6; i++) expect((await pair.ask('openai-chat', 'half')).status).toBe(200)
      const failed = (await pair.upstream.seen('half')).filter(({ key }) => key === KEY_A)
      expect(failed.length).toBeLessThanOrEqual(1)
    })
  },
)
