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

test('by weight, a key with none is only a reserve', async () => {
  const pair = await startPair({ accountStrategy: 'weighted' })
  const { connections } = (await pair.manage('/api/providers?provider=fake')).json<{
    connections: { id: string; name: string }[]
  }>()
  const a = connections.find(({ name }) => name === 'a')
  const body = JSON.stringify({ weight: 0 })
  expect((await pair.manage(`/api/providers/${a?.id}`, { method: 'PATCH', body })).status).toBe(200)
  for (let i = 0; i < 12; i++) expect((await pair.ask('openai-chat', 'weighed')).status).toBe(200)
  expect(new Set((await pair.upstream.seen('weighed')).map(({ key }) => key))).toEqual(new Set([KEY_B]))
  await pair.upstream.answer(KEY_B, 'weighed', error(500))
  expect((await pair.ask('openai-chat', 'weighed')).status).toBe(200)
  await pair.stop()
})

describe('how long a turn lasts', () => {
  let pair: GatewayPair
  beforeAll(async () => {
    pair = await startPair({ accountStrategy: 'round-robin', stickyRoundRobinLimit: 1, comboStickyRoundRobinLimit: 2 })
  })
  afterAll(() => pair.stop())

  const keysSeen = async (model: string): Promise<string[]> => (await pair.upstream.seen(model)).map(({ key }) => key)

  test('is a setting: for keys', async () => {
    for (let i = 0; i < 4; i++) await pair.ask('openai-chat', 'turn')
    const [a, b, ...more] = await keysSeen('turn')
    expect([...more, a === b]).toEqual([a, b, false])
  })

  test('and for combos that say nothing themselves, changed while the gateway runs', async () => {
    const steps = ['a', 'b'].map((connection) => ({ model: 'fake/turns', connection }))
    for (const [name, config] of [
      ['as-set', {}],
      ['own', { stickyRoundRobinLimit: 3 }],
    ] as const) {
      const body = JSON.stringify({ name, strategy: 'round-robin', config, steps })
      expect((await pair.manage('/api/combos', { method: 'POST', body })).status).toBe(201)
    }
    const leaders = async (combo: string, count: number): Promise<string[]> => {
      const before = (await keysSeen('turns')).length
      const body = JSON.stringify({ model: combo, messages: [{ role: 'user', content: 'Hi' }] })
      for (let i = 0; i < count; i++) await pair.send('/v1/chat/completions', { method: 'POST', body })
      return (await keysSeen('turns')).slice(before)
    }
    expect(await leaders('as-set', 4)).toEqual([KEY_A, KEY_A, KEY_B, KEY_B])
    expect(await leaders('own', 4)).toEqual([KEY_A, KEY_A, KEY_A, KEY_B])
    const body = JSON.stringify({ comboStickyRoundRobinLimit: 1 })
    expect((await pair.manage('/api/settings', { method: 'PATCH', body })).status).toBe(200)
    expect(await leaders('as-set', 2)).toEqual([KEY_A, KEY_B])
  })
})
