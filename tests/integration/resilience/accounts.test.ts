// What only a person mends: money, bans, refused keys (docs/resilience.md, "Terminal states").
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { error, gate, parts, stream, text } from '../../support/fake-answers'
import type { Script } from '../../support/fake-script'
import { byKey, keyOf, type Pools, servedBy, startPools } from '../../support/pools'

let pools: Pools
beforeAll(async () => {
  pools = await startPools({
    pools: [
      byKey('plain', 2),
      { provider: 'openai', size: 2 },
      { provider: 'xai', size: 2 },
      // A relay of one's own speaks Chat only.
      { provider: 'minimax', size: 2 },
      { provider: 'openrouter', size: 2 },
    ],
  })
})
afterAll(() => pools.stop())
beforeEach(async () => {
  await pools.forget()
  await rules({ customBannedSignals: null, autoDisableBannedAccounts: null, providerErrorRules: null })
})

const rules = (change: object) =>
  pools.manage('/api/resilience/error-rules', { method: 'PATCH', body: JSON.stringify(change) })
const keys = async (model: string): Promise<string[]> => (await pools.upstream.seen(model)).map(({ key }) => key)
const reset = async (provider: string): Promise<void> => {
  const { id } = await pools.rest(provider)
  expect((await pools.manage(`/api/providers/${id}/reset`, { method: 'POST' })).status).toBe(200)
}
const refusal = (message: string, status = 401, more: object = {}): Script =>
  error(status, { error: { message, ...more } })

/** The first key is out for good; its sibling answers at once, and it is never asked again. */
async function expectTerminal(provider: string, model: string, script: Script, state: string): Promise<void> {
  await pools.upstream.answer(keyOf(provider, 1), model, script)
  expect(servedBy(await pools.chat(`${provider}/${model}`))).toBe(`${provider}-2`)
  expect(servedBy(await pools.chat(`${provider}/${model}`))).toBe(`${provider}-2`)
  expect(servedBy(await pools.chat(`${provider}/not ${model}`))).toBe(`${provider}-2`)
  expect(await keys(model)).toEqual([keyOf(provider, 1), keyOf(provider, 2), keyOf(provider, 2)])
  const row = await pools.rest(provider)
  expect(row).toMatchObject({
    ...{ status: 'terminal', testStatus: state, rateLimitedUntil: null, cooldownRemainingMs: 0, backoffLevel: 0 },
    gate: { gate: 'terminal', until: null, endsBy: 'person' },
  })
  expect(row.gate?.why).not.toBe('')
}

describe('no money left', () => {
  const openai = { type: 'insufficient_quota', code: 'insufficient_quota' }
  test.each<[string, string, Script]>([
    [
      'openai',
      '429 insufficient_quota',
      refusal('You exceeded your current quota, please check your plan.', 429, openai),
    ],
    [
      'xai',
      '429 with a plain string',
      error(429, {
        code: 'Some resource has been exhausted',
        error: 'Your team has either used all available credits or reached its monthly spending limit.',
      }),
    ],
    [
      'minimax',
      '429 insufficient balance',
      error(429, { type: 'error', error: { type: 'rate_limit_error', message: 'insufficient balance (1008)' } }),
    ],
    ['plain', '402', refusal('Payment required', 402)],
    ['plain', '403 in words', refusal('Insufficient account balance', 403)],
  ])('%s: %s takes the key out until a person acts', async (provider, model, script) => {
    await expectTerminal(provider, model, script, 'credits_exhausted')
    // Ending what rests does not touch it, and says so.
    const cleared = await pools.manage('/api/resilience/cooldowns', {
      method: 'POST',
      body: JSON.stringify({ all: true, provider }),
    })
    expect(cleared.json()).toMatchObject({ skippedTerminal: 1, cleared: 0 })
    expect((await pools.rest(provider)).status).toBe('terminal')
    await reset(provider)
    expect(servedBy(await pools.chat(`${provider}/after ${model}`))).toBe(`${provider}-1`)
  })

  test('when every key is out of money, the answer is one that a person can act on', async () => {
    await pools.upstream.answer('*', 'all unpaid', refusal('Payment required', 402))
    expect((await pools.chat('plain/all unpaid')).status).toBe(402)
    const answer = await pools.chat('plain/all still unpaid')
    expect(answer.status).toBe(503)
    expect(answer.headers['retry-after']).toBeUndefined()
    expect(answer.json().error).toMatchObject({
      code: 'no_usable_connection',
      diagnostics: {
        attempts: [],
        excluded: [
          { connection: 'plain-1', reason: 'credits_exhausted', until: null },
          { connection: 'plain-2', reason: 'credits_exhausted', until: null },
        ],
      },
    })
    expect(await keys('all still unpaid')).toEqual([])
  })

  test('a provider whose word for it passes by itself only rests the key', async () => {
    await pools.upstream.answer(keyOf('openrouter', 1), 'affords less', refusal('can only afford 10', 402))
    expect(servedBy(await pools.chat('openrouter/affords less'))).toBe('openrouter-2')
    const row = await pools.rest('openrouter')
    expect(row.gate).toMatchObject({ gate: 'cooldown', reason: 'credits_exhausted', endsBy: 'time' })
    expect((row.gate?.until ?? 0) - (row.gate?.since ?? 0)).toBe(120_000)
  })
})

describe('banned', () => {
  test.each([
    ['403', 403, 'Your account has been suspended.'],
    ['401', 401, 'This organization has been disabled.'],
    ['429', 429, 'account_deactivated'],
  ])('%s with the words of a ban', async (what, status, message) => {
    await expectTerminal('plain', `banned ${what}`, refusal(message, status), 'banned')
    await reset('plain')
    expect(servedBy(await pools.chat('plain/back'))).toBe('plain-1')
  })

  test('an operator’s own words count from the next answer on', async () => {
    const model = 'own words'
    await pools.upstream.answer(keyOf('plain', 1), model, refusal('Purple alert: come and see us', 418))
    expect((await pools.chat(`plain/${model}`)).status).toBe(418)
    expect((await pools.rest('plain')).status).toBe('healthy')
    await rules({ customBannedSignals: ['purple ALERT'] })
    expect(servedBy(await pools.chat(`plain/${model}`))).toBe('plain-2')
    expect(await pools.rest('plain')).toMatchObject({ status: 'terminal', testStatus: 'banned' })
  })

  test('a banned key is switched off, where that is set', async () => {
    await rules({ autoDisableBannedAccounts: true })
    await pools.upstream.answer(keyOf('plain', 1), 'switched off', refusal('Your account has been suspended.', 403))
    expect(servedBy(await pools.chat('plain/switched off'))).toBe('plain-2')
    const { id, isActive } = await pools.rest('plain')
    expect(isActive).toBe(false)
    const on = await pools.manage(`/api/providers/${id}`, { method: 'PATCH', body: JSON.stringify({ isActive: true }) })
    expect(on.status).toBe(200)
  })
})

describe('a refused key', () => {
  test('rests and is tried again before it is out for good', async () => {
    await pools.upstream.answer(keyOf('plain', 1), 'refused', refusal('Incorrect API key provided'))
    expect(servedBy(await pools.chat('plain/refused'))).toBe('plain-2')
    expect(servedBy(await pools.chat('plain/refused'))).toBe('plain-2')
    expect(await keys('refused')).toEqual([keyOf('plain', 1), keyOf('plain', 2), keyOf('plain', 2)])
    const row = await pools.rest('plain')
    expect(row).toMatchObject({
      ...{ status: 'cooling_down', backoffLevel: 0, errorCode: 401, lastErrorType: 'auth_error' },
      gate: { gate: 'sign-in-retry', endsBy: 'retry', reason: 'auth_error' },
    })
    expect((row.gate?.until ?? 0) - (row.gate?.since ?? 0)).toBe(300_000)
  })

  test('a new key is used at once', async () => {
    await pools.upstream.answer(keyOf('plain', 1), 'old key', refusal('Incorrect API key provided'))
    expect(servedBy(await pools.chat('plain/old key'))).toBe('plain-2')
    const { id } = await pools.rest('plain')
    const patch = (apiKey: string) =>
      pools.manage(`/api/providers/${id}`, { method: 'PATCH', body: JSON.stringify({ apiKey }) })
    expect((await patch(keyOf('plain', 7))).status).toBe(200)
    expect((await pools.rest('plain')).status).toBe('healthy')
    expect(servedBy(await pools.chat('plain/old key'))).toBe('plain-7')
    await patch(keyOf('plain', 1))
  })

  test('a person’s test that goes well brings it back, one that fails writes nothing', async () => {
    await pools.upstream.answer(keyOf('plain', 1), 'tested', refusal('Payment required', 402))
    await pools.chat('plain/tested')
    const { id } = await pools.rest('plain')
    const run = async () =>
      (await pools.manage(`/api/providers/${id}/test`, { method: 'POST' })).json<{ ok: boolean }>()
    await pools.upstream.answer(keyOf('plain', 1), '*', refusal('Not now', 500))
    expect(await run()).toMatchObject({ ok: false })
    expect((await pools.rest('plain')).status).toBe('terminal')
    await pools.upstream.answer(keyOf('plain', 1), '*')
    expect(await run()).toMatchObject({ ok: true })
    expect((await pools.rest('plain')).status).toBe('healthy')
    expect(servedBy(await pools.chat('plain/after the test'))).toBe('plain-1')
  })

  test('refused keys alone are never the client’s own 401', async () => {
    await pools.upstream.answer('*', 'all refused', refusal('Incorrect API key provided'))
    for (const model of ['all refused', 'all refused still']) {
      const answer = await pools.chat(`plain/${model}`)
      expect(answer.status).toBe(503)
      expect(answer.json().error.code).toBe('no_usable_connection')
    }
    expect(await keys('all refused still')).toEqual([])
  })
})

test('a connection that is switched off is not asked again; what it streams already may finish', async () => {
  const { preamble, content, ending } = parts['openai-chat']
  const script = stream(text(preamble + content('begun')), gate('switched off'), text(content(' and done') + ending))
  await pools.upstream.answer(keyOf('plain', 1), 'streams', script)
  const running = pools.chat('plain/streams', { stream: true })
  await pools.upstream.arrival('streams')
  const { id } = await pools.rest('plain')
  const set = (isActive: boolean) =>
    pools.manage(`/api/providers/${id}`, { method: 'PATCH', body: JSON.stringify({ isActive }) })
  expect((await set(false)).status).toBe(200)
  for (const model of ['streams', 'another']) expect(servedBy(await pools.chat(`plain/${model}`))).toBe('plain-2')
  pools.upstream.open('switched off')
  const finished = await running
  expect(finished.text).toContain(' and done')
  expect(finished.text).toContain('[DONE]')
  expect((await set(true)).status).toBe(200)
  expect(servedBy(await pools.chat('plain/on again'))).toBe('plain-1')
})

describe('an operator’s rule', () => {
  test('comes before every built-in one, for any status, and is felt by the next answer', async () => {
    const model = 'ruled'
    await pools.upstream.answer(keyOf('plain', 1), model, refusal('Monthly bag of tokens is empty', 400))
    expect((await pools.chat(`plain/${model}`)).status).toBe(400)
    const rule = { status: 400, match: 'bag of TOKENS', scope: 'connection', cooldownMs: 5_400_000 }
    expect((await rules({ providerErrorRules: { plain: [rule] } })).status).toBe(200)
    expect(servedBy(await pools.chat(`plain/${model}`))).toBe('plain-2')
    const row = await pools.rest('plain')
    expect(row.gate).toMatchObject({ gate: 'cooldown', reason: 'quota_exhausted' })
    expect((row.gate?.until ?? 0) - (row.gate?.since ?? 0)).toBe(5_400_000)
    // Of another provider it says nothing.
    await pools.upstream.answer(keyOf('openai', 1), model, refusal('Monthly bag of tokens is empty', 400))
    expect((await pools.chat(`openai/${model}`)).status).toBe(400)
  })

  test('of model scope locks the model alone', async () => {
    const rule = { status: 503, match: 'maintenance', scope: 'model', reason: 'server_error', cooldownMs: 600_000 }
    await rules({ providerErrorRules: { plain: [rule] } })
    await pools.upstream.answer(keyOf('plain', 1), 'maintained', refusal('Maintenance window', 503))
    expect(servedBy(await pools.chat('plain/maintained'))).toBe('plain-2')
    expect(await pools.locks()).toMatchObject([{ connectionName: 'plain-1', model: 'maintained' }])
    expect(servedBy(await pools.chat('plain/not maintained'))).toBe('plain-1')
  })

  test('of model scope locks for exactly the time it gives, and explaining the error says the same', async () => {
    const rule = { status: 503, match: 'inventory', scope: 'model', reason: 'server_error', cooldownMs: 7_200_000 }
    await rules({ providerErrorRules: { plain: [rule] } })
    await pools.upstream.answer(keyOf('plain', 1), 'counted', refusal('Taking inventory', 503))
    expect(servedBy(await pools.chat('plain/counted'))).toBe('plain-2')
    const body = {
      id: '1',
      provider: 'plain',
      model: 'counted',
      status: 503,
      body: 'Taking inventory',
      now: Date.now(),
    }
    const explained = (await pools.manage('/api/explain', { method: 'POST', body: JSON.stringify(body) })).json<{
      consequences: { lockout: { ms: number } }
    }>()
    const [lock] = await pools.locks()
    expect(explained.consequences.lockout.ms).toBe(7_200_000)
    expect(lock?.remainingMs).toBeGreaterThan(7_190_000)
  })
})
