// One key fails, its siblings serve, and it comes back (docs/resilience.md, "Connection cooldown", "Stated waits").
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { error } from '../../support/fake-answers'
import type { Script } from '../../support/fake-script'
import {
  byKey,
  eventually,
  held,
  keyOf,
  lengthOf,
  type Pools,
  servedBy,
  startPools,
  wellFrom,
} from '../../support/pools'

let pools: Pools
beforeAll(async () => {
  pools = await startPools({
    pools: [byKey('plain', 2), byKey('triple', 3), byKey('lonely', 1)],
    resilience: { connectionCooldown: { apikey: { baseCooldownMs: 60_000, maxBackoffSteps: 2 } } },
  })
})
afterAll(() => pools.stop())
beforeEach(() => pools.forget())

const limited = (headers: Readonly<Record<string, string>> = {}, message = 'Slow down'): Script =>
  error(429, { error: { message, type: 'rate_limit_error', code: 'rate_limit_exceeded' } }, headers)
const keys = async (model: string): Promise<string[]> => (await pools.upstream.seen(model)).map(({ key }) => key)
const isBack = (provider: string, n = 1) =>
  eventually(
    () => pools.rest(provider, n),
    ({ gate }) => gate === null,
  )

test('a limited key rests for exactly the stated time, its sibling serves meanwhile, then it serves again', async () => {
  await pools.upstream.answer(keyOf('plain', 1), 'limited', limited({ 'retry-after-ms': '300', 'retry-after': '1' }))
  expect(servedBy(await pools.chat('plain/limited'))).toBe('plain-2')
  expect(await keys('limited')).toEqual([keyOf('plain', 1), keyOf('plain', 2)])
  await isBack('plain')
  expect(servedBy(await pools.chat('plain/afterwards'))).toBe('plain-1')

  await pools.upstream.answer(keyOf('plain', 1), 'limited long', limited({ 'retry-after': '41' }))
  expect(servedBy(await pools.chat('plain/limited long'))).toBe('plain-2')
  // All models of the key rest with it.
  expect(servedBy(await pools.chat('plain/another'))).toBe('plain-2')
  expect(await keys('another')).toEqual([keyOf('plain', 2)])
  const row = await pools.rest('plain')
  expect(row).toMatchObject({
    ...{ status: 'cooling_down', testStatus: 'unavailable', backoffLevel: 0, errorCode: 429 },
    ...{ lastErrorType: 'rate_limit_exceeded', lockouts: [] },
    gate: { gate: 'cooldown', reason: 'rate_limit_exceeded', endsBy: 'time' },
  })
  expect(row.gate?.why).toContain('Slow down')
  expect(lengthOf(row)).toBe(41_000)
  expect(Date.parse(row.rateLimitedUntil ?? '')).toBe(row.gate?.until)
  expect(await pools.rest('plain', 2)).toMatchObject({ status: 'healthy', gate: null })
})

test('each sibling rests as long as it was told itself', async () => {
  for (const [n, seconds] of [40, 90, 65].entries())
    await pools.upstream.answer(keyOf('triple', n + 1), 'all limited', limited({ 'retry-after': String(seconds) }))
  expect((await pools.chat('triple/all limited')).status).toBe(429)
  expect((await pools.rests('triple')).map(lengthOf)).toEqual([40_000, 90_000, 65_000])

  const answer = await pools.chat('triple/all rest')
  expect(await keys('all rest')).toEqual([])
  expect(answer.status).toBe(429)
  expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(40)
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(30)
})

describe('a value of Retry-After', () => {
  // [level after it, shortest, longest]: what cannot be read leaves the computed ladder, which grows by up to a tenth.
  test.each<[string, Readonly<Record<string, string>>, number, number, number]>([
    ['soon', { 'retry-after': 'soon' }, 1, 60_000, 66_000],
    ['-5', { 'retry-after': '-5' }, 1, 60_000, 66_000],
    ['an empty one', { 'retry-after': '' }, 1, 60_000, 66_000],
    ['0', { 'retry-after': '0' }, 1, 1_000, 1_000],
    ['a past date', { 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT' }, 1, 1_000, 1_000],
    ['1.5', { 'retry-after': '1.5' }, 0, 1_500, 1_500],
    ['an hour', { 'retry-after': '3600' }, 0, 1_800_000, 1_800_000],
    ['milliseconds beside seconds', { 'retry-after-ms': '1417', 'retry-after': '2' }, 0, 1_417, 1_417],
    ['none', {}, 1, 60_000, 66_000],
  ])('%s', async (what, headers, level, shortest, longest) => {
    const model = `retry-after ${what}`
    await pools.upstream.answer(keyOf('plain', 1), model, limited(headers))
    expect(servedBy(await pools.chat(`plain/${model}`))).toBe('plain-2')
    // A rest of a second may be over before it is looked at; what is written down of it is not.
    const row = await pools.rest('plain')
    expect(row.backoffLevel).toBe(level)
    if (row.gate !== null) {
      expect(lengthOf(row)).toBeGreaterThanOrEqual(shortest)
      expect(lengthOf(row)).toBeLessThanOrEqual(longest)
    }
  })
})

describe('the ladder', () => {
  /** The rest after each of so many failures in a row, each after the one before was over. */
  async function climb(model: string, times: number): Promise<readonly [level: number, ms: number][]> {
    await pools.patch({ connectionCooldown: { apikey: { baseCooldownMs: 100 } } })
    await pools.upstream.answer('*', model, error(503))
    const rows: [number, number][] = []
    for (let i = 0; i < times; i++) {
      expect((await pools.chat(`lonely/${model}`)).status).toBe(503)
      const row = await pools.rest('lonely')
      rows.push([row.backoffLevel, lengthOf(row) ?? 0])
      await isBack('lonely')
    }
    await pools.patch({ connectionCooldown: { apikey: { baseCooldownMs: 60_000 } } })
    return rows
  }

  test('doubles with each failure, up to the number of steps, and begins anew after a success', async () => {
    const rows = await climb('climbing', 4)
    expect(rows.map(([level]) => level)).toEqual([1, 2, 2, 2])
    for (const [i, [, ms]] of rows.entries()) {
      if (ms === 0) continue
      const base = 100 * 2 ** Math.min(i, 2)
      expect(ms).toBeGreaterThanOrEqual(base)
      expect(ms).toBeLessThanOrEqual(Math.ceil(base * 1.1))
    }
    expect(servedBy(await pools.chat('lonely/fine'))).toBe('lonely-1')
    expect(await pools.rest('lonely')).toMatchObject({ backoffLevel: 0, lastErrorType: null, errorCode: null })
  })
})

describe('many requests that fail together', () => {
  const TOGETHER = 50

  test.each<[string, number, Readonly<Record<string, string>>, number]>([
    ['503 raises the level by one', 503, {}, 1],
    ['429 raises the level by one', 429, {}, 1],
    ['429 with a stated wait begins the ladder anew', 429, { 'retry-after': '77' }, 0],
  ])('%s, and none of them lengthens the rest', async (what, status, headers, level) => {
    const model = `herd ${what}`
    await pools.upstream.answer('*', model, held(model, error(status, { error: { message: 'no' } }, headers)))
    const asked = Array.from({ length: TOGETHER }, () => pools.chat(`lonely/${model}`))
    await eventually(
      () => keys(model),
      (found) => found.length === TOGETHER,
    )
    pools.upstream.open(model)
    for (const answer of await Promise.all(asked)) expect(answer.status).toBe(status)
    const row = await pools.rest('lonely')
    expect(row.backoffLevel).toBe(level)
    const ms = lengthOf(row) ?? 0
    expect(ms).toBeGreaterThanOrEqual(level === 0 ? 77_000 : 60_000)
    // The later ones of a stated wait may each move its end, but by no more than they came later.
    expect(ms).toBeLessThanOrEqual(level === 0 ? 77_000 : 66_000)
    // One fault of one connection counts once against the provider.
    expect((await pools.breaker('lonely'))?.failureCount).toBe(status === 503 ? 1 : 0)
    expect(await keys(model)).toHaveLength(TOGETHER)
  })

  test('a slow success among them does not bring the key back', async () => {
    await pools.upstream.answer('*', 'slow success', held('slow', wellFrom('lonely', 1)))
    const pending = pools.chat('lonely/slow success')
    await pools.upstream.arrival('slow success')
    await pools.upstream.answer('*', 'failing beside', error(503))
    expect((await pools.chat('lonely/failing beside')).status).toBe(503)
    pools.upstream.open('slow')
    expect((await pending).status).toBe(200)
    expect(await pools.rest('lonely')).toMatchObject({ status: 'cooling_down', backoffLevel: 1 })
  })

  test('the herd guard: failures that come while the key rests change nothing', async () => {
    await pools.upstream.answer('*', 'late failure', held('late failure', error(503)))
    const pending = pools.chat('lonely/late failure')
    await pools.upstream.arrival('late failure')
    await pools.upstream.answer('*', 'first failure', limited({ 'retry-after': '50' }))
    await pools.chat('lonely/first failure')
    const before = await pools.rest('lonely')
    pools.upstream.open('late failure')
    expect((await pending).status).toBe(503)
    const after = await pools.rest('lonely')
    expect(after.gate).toEqual(before.gate)
    expect(after.backoffLevel).toBe(0)
  })
})

test('too many at once: a second of rest, no step of the ladder, nothing against the provider', async () => {
  await pools.upstream.answer(
    keyOf('plain', 1),
    'crowded',
    error(429, { error: { message: 'Too many concurrent requests for this account' } }),
  )
  expect(servedBy(await pools.chat('plain/crowded'))).toBe('plain-2')
  const row = await pools.rest('plain')
  expect(row).toMatchObject({ backoffLevel: 0, lastErrorType: 'concurrency_limited' })
  if (row.gate !== null) expect(lengthOf(row)).toBe(1_000)
  expect((await pools.breaker('plain'))?.failureCount).toBe(0)
  await isBack('plain')
  expect(servedBy(await pools.chat('plain/uncrowded'))).toBe('plain-1')
})

test('a fault of the server rests the key that met it, and its sibling answers the same request', async () => {
  await pools.upstream.answer(keyOf('plain', 1), 'broken', error(500))
  expect(servedBy(await pools.chat('plain/broken'))).toBe('plain-2')
  expect(await pools.rest('plain')).toMatchObject({
    ...{ status: 'cooling_down', backoffLevel: 1, lastErrorType: 'server_error', errorCode: 500 },
  })
  expect(servedBy(await pools.chat('plain/fine now'))).toBe('plain-2')
})

test('what is about the request rests nobody, and is asked once', async () => {
  for (const [model, code] of [
    ['too long', 'context_length_exceeded'],
    ['unknown parameter', 'unknown_parameter'],
  ] as const) {
    await pools.upstream.answer('*', model, error(400, { error: { message: model, code } }))
    for (let i = 0; i < 3; i++) expect((await pools.chat(`plain/${model}`)).status).toBe(400)
    expect(await keys(model)).toEqual([keyOf('plain', 1), keyOf('plain', 1), keyOf('plain', 1)])
  }
  expect((await pools.rests('plain')).map(({ status }) => status)).toEqual(['healthy', 'healthy'])
  expect((await pools.breaker('plain'))?.failureCount).toBe(0)
  expect(await pools.locks()).toEqual([])
})
