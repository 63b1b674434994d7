// A request whose connections all rest waits for one that returns soon, and is refused at once where none does
// (docs/resilience.md, "Waiting", "Final answers").
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Dialect } from '../../../core/contract/kinds'
import { error, raw } from '../../support/fake-answers'
import type { Script } from '../../support/fake-script'
import { question } from '../../support/gateway-pair'
import { CLIENT_KEY } from '../../support/gateway-process'
import { begin, openStream } from '../../support/http-client'
import { byKey, byModel, eventually, keyOf, type Pools, servedBy, startPools } from '../../support/pools'

const WAITS = { enabled: true, maxRetries: 5, maxRetryWaitSec: 90, budgetMs: 300_000 }

let pools: Pools
beforeAll(async () => {
  pools = await startPools({
    pools: [byKey('plain', 2), byKey('lonely', 1), byModel('models', 2)],
    resilience: { waitForCooldown: WAITS, connectionCooldown: { apikey: { baseCooldownMs: 60_000 } } },
  })
})
afterAll(() => pools.stop())
beforeEach(async () => {
  await pools.forget()
  await waits({})
})

const waits = (change: object) => pools.patch({ waitForCooldown: { ...WAITS, ...change } })
const keys = async (model: string): Promise<string[]> => (await pools.upstream.seen(model)).map(({ key }) => key)
const limited = (headers: Readonly<Record<string, string>>): Script =>
  error(429, { error: { message: 'Slow down' } }, headers)
const inMs = (ms: number): Script => limited({ 'retry-after-ms': String(ms) })
const inSeconds = (seconds: number): Script => limited({ 'retry-after': String(seconds) })

/** Puts every connection to rest, for so many seconds each. */
async function rest(provider: string, ...seconds: number[]): Promise<void> {
  const model = `rest-${seconds.join('-')}`
  for (const [i, each] of seconds.entries()) await pools.upstream.answer(keyOf(provider, i + 1), model, inSeconds(each))
  await waits({ enabled: false })
  await pools.chat(`${provider}/${model}`)
  expect((await pools.rests(provider)).map(({ status }) => status)).toEqual(seconds.map(() => 'cooling_down'))
  await waits({})
}

describe('within the limits', () => {
  test('a request that was limited itself is held and then served', async () => {
    await pools.upstream.answer(keyOf('lonely', 1), 'limited once', inMs(300))
    const from = performance.now()
    const asked = pools.chat('lonely/limited once')
    await pools.upstream.arrival('limited once')
    await pools.upstream.answer(keyOf('lonely', 1), 'limited once')
    const answer = await asked
    expect(servedBy(answer)).toBe('lonely-1')
    expect(answer.headers['x-breakwater-attempts']).toBe('2')
    expect(performance.now() - from).toBeGreaterThanOrEqual(299)
    const { outcome, attempts } = await pools.logged('lonely/limited once')
    expect(outcome).toBe('ok')
    expect(attempts.map(({ reason, next }) => [reason, next])).toEqual([
      ['rate_limit_exceeded', 'waited 0.3 s for a connection to return'],
      [null, 'answered'],
    ])
    const [first, second] = attempts
    expect((second?.startedAt ?? 0) - (first?.startedAt ?? 0)).toBeGreaterThanOrEqual(299)
  })

  test('it waits for the first that returns, and is served by that one', async () => {
    await pools.upstream.answer(keyOf('plain', 1), 'siblings', inSeconds(80))
    await pools.upstream.answer(keyOf('plain', 2), 'siblings', inMs(400))
    const asked = pools.chat('plain/siblings')
    await eventually(
      () => keys('siblings'),
      (found) => found.length === 2,
    )
    await pools.upstream.answer(keyOf('plain', 2), 'siblings')
    expect(servedBy(await asked)).toBe('plain-2')
    expect(await keys('siblings')).toEqual([keyOf('plain', 1), keyOf('plain', 2), keyOf('plain', 2)])
  })

  test('a request that comes while all rest waits without asking anyone', async () => {
    await waits({ enabled: false })
    for (const n of [1, 2]) await pools.upstream.answer(keyOf('plain', n), 'before', inMs(500))
    expect((await pools.chat('plain/before')).status).toBe(429)
    await waits({})
    const answer = await pools.chat('plain/came later')
    expect(answer.status).toBe(200)
    expect(answer.headers['x-breakwater-attempts']).toBe('1')
  })

  test('a locked model is waited for as well', async () => {
    for (const n of [1, 2]) await pools.upstream.answer(keyOf('models', n), 'locked', inMs(400))
    const asked = pools.chat('models/locked')
    await eventually(
      () => keys('locked'),
      (found) => found.length === 2,
    )
    for (const n of [1, 2]) await pools.upstream.answer(keyOf('models', n), 'locked')
    expect((await asked).status).toBe(200)
  })

  test('a stream waits without a status, and is then one clean stream', async () => {
    await pools.upstream.answer(keyOf('lonely', 1), 'streamed', inMs(300))
    const asked = openStream(`${pools.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${CLIENT_KEY}` },
      body: JSON.stringify(question('lonely/streamed', { stream: true })),
    })
    await pools.upstream.arrival('streamed')
    await pools.upstream.answer(keyOf('lonely', 1), 'streamed')
    const answer = await asked
    expect(answer.status).toBe(200)
    expect(await answer.rest()).toContain('[DONE]')
  })

  test('after a server fault the computed rest is waited for', async () => {
    await pools.patch({ connectionCooldown: { apikey: { baseCooldownMs: 100 } } })
    await pools.upstream.answer(keyOf('lonely', 1), 'faulty', error(503), error(503))
    const asked = pools.chat('lonely/faulty')
    await eventually(
      () => keys('faulty'),
      (found) => found.length >= 2,
    )
    await pools.upstream.answer(keyOf('lonely', 1), 'faulty')
    expect(servedBy(await asked)).toBe('lonely-1')
    await pools.patch({ connectionCooldown: { apikey: { baseCooldownMs: 60_000 } } })
  })
})

test('a wait is a wait, though a connection that failed without resting could be asked at once', async () => {
  await pools.upstream.answer(keyOf('plain', 1), 'empty beside', raw('data: [DONE]\n\n'))
  await pools.upstream.answer(keyOf('plain', 2), 'empty beside', inMs(500))
  const asked = pools.chat('plain/empty beside', { stream: true })
  await eventually(
    () => keys('empty beside'),
    (found) => found.includes(keyOf('plain', 2)),
  )
  await pools.upstream.answer(keyOf('plain', 2), 'empty beside')
  expect(servedBy(await asked)).toBe('plain-2')
  expect(await keys('empty beside')).toEqual([1, 2, 1, 2].map((n) => keyOf('plain', n)))
})

test('the log says that a request waited, though it had asked nobody before', async () => {
  await waits({ enabled: false })
  await pools.upstream.answer(keyOf('lonely', 1), 'rests', inMs(2_000))
  expect((await pools.chat('lonely/rests')).status).toBe(429)
  await waits({})
  expect((await pools.chat('lonely/came first')).status).toBe(200)
  expect(JSON.stringify(await pools.logged('lonely/came first'))).toMatch(/waited/)
})

describe('beyond the limits', () => {
  async function expectCooldown(provider: string, model: string, least: number, most: number): Promise<void> {
    const answer = await pools.chat(`${provider}/${model}`)
    expect(answer.status).toBe(429)
    const seconds = Number(answer.headers['retry-after'])
    expect(seconds).toBeLessThanOrEqual(most)
    expect(seconds).toBeGreaterThanOrEqual(least)
    const { error: said } = answer.json<{ error: Record<string, unknown> }>()
    expect(said).toMatchObject({
      ...{ code: 'model_cooldown', type: 'rate_limit_error', model, retry_after: seconds, reset_seconds: seconds },
    })
    const left = Date.parse(String(said.reset_at)) - Date.now()
    expect(left).toBeLessThanOrEqual(most * 1_000)
    expect(left).toBeGreaterThan((least - 1) * 1_000)
    expect(await keys(model)).toEqual([])
  }

  test('an earliest return beyond the longest single wait is answered at once', async () => {
    await rest('plain', 150, 200)
    await expectCooldown('plain', 'too far', 120, 150)
  })

  test('a shorter limit is felt by the next request', async () => {
    await rest('plain', 40, 90)
    await waits({ maxRetryWaitSec: 10 })
    await expectCooldown('plain', 'limited to ten', 10, 40)
  })

  test('where waiting is off nothing waits', async () => {
    await rest('plain', 40, 90)
    await waits({ enabled: false })
    await expectCooldown('plain', 'not waiting', 10, 40)
  })

  test('nothing waits more often than allowed', async () => {
    await waits({ maxRetries: 2 })
    await pools.upstream.answer('*', 'again', inMs(100))
    const answer = await pools.chat('lonely/again')
    expect(answer.status).toBe(429)
    expect(answer.text).toContain('Slow down')
    expect(await keys('again')).toHaveLength(3)
  })

  test('all waits together stay within the budget', async () => {
    await waits({ maxRetryWaitSec: 0, budgetMs: 0 })
    await pools.upstream.answer('*', 'no budget', inMs(100))
    expect((await pools.chat('lonely/no budget')).status).toBe(429)
    expect(await keys('no budget')).toHaveLength(1)
  })
})

describe('what is never waited for', () => {
  test.each<[string, Script, number]>([
    [
      'a spent allowance',
      error(429, { error: { type: 'usage_limit_reached', message: 'x', resets_in_seconds: 1 } }),
      429,
    ],
    ['money', error(402, { error: { message: 'Payment required' } }), 402],
    ['a refused key', error(401, { error: { message: 'Incorrect API key' } }), 503],
    ['a missing model', error(404, { error: { message: 'The model x does not exist', code: 'model_not_found' } }), 404],
  ])('%s', async (what, script, status) => {
    const model = `never ${what}`
    await pools.upstream.answer('*', model, script)
    expect((await pools.chat(`plain/${model}`)).status).toBe(status)
    expect(await keys(model)).toEqual([keyOf('plain', 1), keyOf('plain', 2)])
  })

  test('a connection that is out for good neither blocks nor sets the wait', async () => {
    await pools.upstream.answer(keyOf('plain', 1), 'mixed', error(402, { error: { message: 'Payment required' } }))
    await pools.upstream.answer(keyOf('plain', 2), 'mixed', inMs(300))
    const asked = pools.chat('plain/mixed')
    await eventually(
      () => keys('mixed'),
      (found) => found.length === 2,
    )
    await pools.upstream.answer(keyOf('plain', 2), 'mixed')
    expect(servedBy(await asked)).toBe('plain-2')
  })
})

describe('a client that leaves while its request waits', () => {
  test.each([true, false])('stream %s: asks nobody any more, and the log says 499', async (stream) => {
    await rest('plain', 60, 80)
    const model = `left-${stream}`
    const request = begin(`${pools.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${CLIENT_KEY}` },
      body: JSON.stringify(question(`plain/${model}`, { stream })),
    })
    request.on('error', () => {})
    await pools.running(1)
    const before = await pools.rests('plain')
    request.destroy()
    await pools.running(0)
    expect(await pools.logged(`plain/${model}`)).toMatchObject({
      ...{ outcome: 'aborted', status: 499, code: 'client_disconnected', attempts: [] },
    })
    expect(await keys(model)).toEqual([])
    const gates = (rows: typeof before) => rows.map(({ gate, backoffLevel }) => ({ gate, backoffLevel }))
    expect(gates(await pools.rests('plain'))).toEqual(gates(before))
  })

  test('after an attempt that failed, too', async () => {
    await pools.upstream.answer(keyOf('lonely', 1), 'left after one', inSeconds(70))
    const request = begin(`${pools.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${CLIENT_KEY}` },
      body: JSON.stringify(question('lonely/left after one')),
    })
    request.on('error', () => {})
    await eventually(
      () => pools.rest('lonely'),
      ({ status }) => status === 'cooling_down',
    )
    request.destroy()
    const entry = await pools.logged('lonely/left after one')
    expect(entry).toMatchObject({ outcome: 'aborted', status: 499, code: 'client_disconnected' })
    expect(entry.attempts).toHaveLength(1)
    expect(await keys('left after one')).toHaveLength(1)
  })
})

describe('a request that is refused for what it says', () => {
  test('gets its own answer after one call, though a sibling rests', async () => {
    await pools.upstream.answer(keyOf('plain', 1), 'sibling rests', inSeconds(3))
    expect(servedBy(await pools.chat('plain/sibling rests'))).toBe('plain-2')
    const refused = error(400, { error: { message: 'Your prompt is too long', code: 'context_length_exceeded' } })
    await pools.upstream.answer('*', 'too long', refused)
    const answer = await pools.chat('plain/too long')
    expect(answer.status).toBe(400)
    expect(answer.headers['x-breakwater-attempts']).toBe('1')
    expect(await keys('too long')).toEqual([keyOf('plain', 2)])
  })
})

describe('everyone is told in the form of their own dialect how long to wait', () => {
  const PATHS: Readonly<Record<Dialect, string>> = {
    'openai-chat': '/v1/chat/completions',
    'openai-responses': '/v1/responses',
    anthropic: '/v1/messages',
    gemini: '/v1beta/models/plain/told:generateContent',
  }
  const bodies: Readonly<Record<Dialect, object>> = {
    'openai-chat': question('plain/told'),
    anthropic: question('plain/told'),
    'openai-responses': { model: 'plain/told', input: 'Hi' },
    gemini: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
  }
  const shapes: Readonly<Record<Dialect, object>> = {
    'openai-chat': { error: { type: 'rate_limit_error', code: 'model_cooldown' } },
    'openai-responses': { error: { type: 'rate_limit_error', code: 'model_cooldown' } },
    anthropic: { type: 'error', error: { type: 'rate_limit_error', code: 'model_cooldown' } },
    gemini: { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } },
  }

  test.each(Object.keys(PATHS) as Dialect[])('%s', async (dialect) => {
    await rest('plain', 40, 90)
    await waits({ enabled: false })
    const body = JSON.stringify(bodies[dialect])
    const answer = await pools.send(PATHS[dialect], { method: 'POST', body })
    expect(answer.status).toBe(429)
    const seconds = Number(answer.headers['retry-after'])
    expect(seconds).toBeLessThanOrEqual(40)
    expect(seconds).toBeGreaterThan(20)
    expect(answer.json()).toMatchObject(shapes[dialect])
    const { error: said } = answer.json<{ error: { message: string; retry_after: number; diagnostics: Diagnostics } }>()
    expect(said.retry_after).toBe(seconds)
    expect(said.message).toContain(`in ${seconds} s`)
    expect(said.diagnostics.excluded).toMatchObject([
      { connection: 'plain-1', reason: 'rate_limit_exceeded' },
      { connection: 'plain-2', reason: 'rate_limit_exceeded' },
    ])
    for (const { because, until } of said.diagnostics.excluded) {
      expect(because).toContain('Slow down')
      expect(Date.parse(until)).toBeGreaterThan(Date.now())
    }
    expect(await keys('told')).toEqual([])
  })

  interface Diagnostics {
    readonly excluded: readonly { readonly because: string; readonly until: string }[]
  }
})

test('counting tokens is not held up, and answered by the gateway itself while all rest', async () => {
  await rest('plain', 60, 60)
  const answer = await pools.send('/v1/messages/count_tokens', {
    method: 'POST',
    body: JSON.stringify({ model: 'plain/counted', messages: [{ role: 'user', content: 'Hi' }] }),
  })
  expect(answer.status).toBe(200)
  expect(answer.headers['x-breakwater-estimate']).toBe('true')
  expect(await keys('counted')).toEqual([])
})

test('one that is held wakes for a connection that a person brings back', async () => {
  await rest('lonely', 8)
  const { gate } = await pools.rest('lonely')
  const asked = pools.chat('lonely/brought back')
  await pools.running(1)
  const body = JSON.stringify({ all: true })
  const cleared = await pools.manage('/api/resilience/cooldowns', { method: 'POST', body })
  expect(cleared.json()).toMatchObject({ cleared: 1 })
  expect(servedBy(await asked)).toBe('lonely-1')
  expect(Date.now()).toBeLessThan(gate?.until ?? 0)
})
