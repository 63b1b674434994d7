// A plan's allowance is spent: asking again cannot help until it returns (docs/resilience.md, "Stated waits", "Final
// answers").
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { error } from '../../support/fake-answers'
import { byKey, keyOf, type Pools, servedBy, startPools } from '../../support/pools'

let pools: Pools
beforeAll(async () => {
  pools = await startPools({
    pools: [{ provider: 'codex', size: 2 }, byKey('plain', 2), { provider: 'anthropic', size: 2 }],
    // A spent allowance is never waited for, however soon it returns.
    resilience: { waitForCooldown: { enabled: true } },
  })
})
afterAll(() => pools.stop())
beforeEach(() => pools.forget())

const WEEK_S = 602_705
const usage = (seconds: number) =>
  error(429, {
    error: {
      ...{ type: 'usage_limit_reached', message: 'The usage limit has been reached', plan_type: 'plus' },
      ...{ resets_in_seconds: seconds, resets_at: null },
    },
  })
const keys = async (model: string): Promise<string[]> => (await pools.upstream.seen(model)).map(({ key }) => key)

describe('a spent account among two', () => {
  const REQUESTS = 20

  test('is asked once, and twenty requests in a row succeed on the other', async () => {
    await pools.upstream.answer(keyOf('codex', 1), 'gpt-5.1-one', usage(WEEK_S))
    for (let i = 0; i < REQUESTS; i++)
      expect(servedBy(await pools.chat(`codex/gpt-5.1-${i % 2 === 0 ? 'one' : 'two'}`))).toBe('codex-2')
    const asked = [...(await keys('gpt-5.1-one')), ...(await keys('gpt-5.1-two'))]
    expect(asked.filter((key) => key === keyOf('codex', 1))).toHaveLength(1)
    expect(asked).toHaveLength(REQUESTS + 1)
    const [lock, ...more] = await pools.locks()
    expect(more).toEqual([])
    expect(lock).toMatchObject({ connectionName: 'codex-1', reason: 'quota_exhausted' })
    expect(lock?.remainingMs).toBeLessThanOrEqual(WEEK_S * 1_000)
    expect(lock?.remainingMs).toBeGreaterThan(WEEK_S * 1_000 - 60_000)
  })

  test('is asked once by each of twenty requests that come together, never again afterwards', async () => {
    await pools.upstream.answer(keyOf('codex', 1), 'gpt-5.1-together', usage(WEEK_S))
    const answers = await Promise.all(Array.from({ length: REQUESTS }, () => pools.chat('codex/gpt-5.1-together')))
    expect(new Set(answers.map(servedBy))).toEqual(new Set(['codex-2']))
    const before = (await keys('gpt-5.1-together')).filter((key) => key === keyOf('codex', 1)).length
    expect(before).toBeLessThanOrEqual(REQUESTS)
    expect(servedBy(await pools.chat('codex/gpt-5.1-together'))).toBe('codex-2')
    expect((await keys('gpt-5.1-together')).filter((key) => key === keyOf('codex', 1))).toHaveLength(before)
    expect((await pools.locks())[0]).toMatchObject({ failureCount: 1 })
  })

  test('where limits are kept per key, the key rests until the stated reset', async () => {
    await pools.upstream.answer(keyOf('plain', 1), 'spent key', usage(WEEK_S))
    expect(servedBy(await pools.chat('plain/spent key'))).toBe('plain-2')
    expect(servedBy(await pools.chat('plain/another model'))).toBe('plain-2')
    const { gate, backoffLevel } = await pools.rest('plain')
    expect(gate).toMatchObject({ gate: 'cooldown', reason: 'quota_exhausted' })
    expect((gate?.until ?? 0) - (gate?.since ?? 0)).toBe(WEEK_S * 1_000)
    expect(backoffLevel).toBe(0)
  })

  test('of several spent windows the latest decides', async () => {
    const at = (hours: number): string => String(Math.floor(Date.now() / 1_000) + hours * 3_600)
    const unified = {
      ...{ 'anthropic-ratelimit-unified-status': 'rejected', 'anthropic-ratelimit-unified-reset': at(2) },
      ...{ 'anthropic-ratelimit-unified-5h-status': 'rejected', 'anthropic-ratelimit-unified-5h-reset': at(2) },
      ...{ 'anthropic-ratelimit-unified-7d-status': 'rejected', 'anthropic-ratelimit-unified-7d-reset': at(50) },
    }
    const body = {
      type: 'error',
      error: { type: 'rate_limit_error', message: 'This request would exceed your limit.' },
    }
    await pools.upstream.answer(keyOf('anthropic', 1), 'claude', error(429, body, unified))
    expect(servedBy(await pools.chat('anthropic/claude'))).toBe('anthropic-2')
    const { gate } = await pools.rest('anthropic')
    expect(gate?.reason).toBe('quota_exhausted')
    const hours = ((gate?.until ?? 0) - (gate?.since ?? 0)) / 3_600_000
    expect(hours).toBeGreaterThan(49.9)
    expect(hours).toBeLessThanOrEqual(50)
  })
})

describe('when every account is spent', () => {
  test.each(['codex', 'plain'])('%s: one 429 says so, with the earliest reset', async (provider) => {
    const model = `all-spent-on-${provider}`
    await pools.upstream.answer(keyOf(provider, 1), model, usage(WEEK_S))
    await pools.upstream.answer(keyOf(provider, 2), model, usage(5_400))
    for (const attempts of ['2', '0']) {
      const answer = await pools.chat(`${provider}/${model}`)
      expect(answer.status).toBe(429)
      expect(answer.headers['x-breakwater-attempts']).toBe(attempts)
      const seconds = Number(answer.headers['retry-after'])
      expect(seconds).toBeLessThanOrEqual(5_400)
      expect(seconds).toBeGreaterThan(5_340)
      const { error: said } = answer.json<{ error: { reset_at: string } }>()
      expect(said).toMatchObject({ code: 'quota_exhausted', type: 'rate_limit_error', retry_after: seconds })
      const left = Date.parse(said.reset_at) - Date.now()
      expect(left).toBeLessThanOrEqual(5_400_000)
      expect(left).toBeGreaterThan(5_340_000)
      expect(answer.text).toContain(`${provider}-1`)
      expect(answer.text).toContain(`${provider}-2`)
    }
    expect(await keys(model)).toEqual([keyOf(provider, 1), keyOf(provider, 2)])
  })

  test('of a spent and a limited account the limited one returns first', async () => {
    await pools.upstream.answer(keyOf('plain', 1), 'mixed', usage(WEEK_S))
    await pools.upstream.answer(
      keyOf('plain', 2),
      'mixed',
      error(429, { error: { message: 'Slow down' } }, { 'retry-after': '300' }),
    )
    await pools.chat('plain/mixed')
    const answer = await pools.chat('plain/mixed again')
    expect(answer.status).toBe(429)
    expect(answer.json().error.code).toBe('model_cooldown')
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(300)
  })
})
