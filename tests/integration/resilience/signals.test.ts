// The forms in which providers say what is wrong, through the whole gateway: who rests, for how long, and who answers
// (docs/resilience.md, "How a failure is judged", "Stated waits", "Restated statuses").
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { error, html } from '../../support/fake-answers'
import type { Script } from '../../support/fake-script'
import { byKey, byModel, keyOf, lengthOf, type Pool, type Pools, servedBy, startPools } from '../../support/pools'

const BUILT_IN: readonly Pool[] = [
  ...['dashscope', 'glm', 'groq', 'agentrouter', 'opencode-zen', 'openai'].map((provider) => ({ provider, size: 2 })),
]

let pools: Pools
beforeAll(async () => {
  pools = await startPools({ pools: [byKey('plain', 2), byModel('models', 2), ...BUILT_IN] })
})
afterAll(() => pools.stop())
beforeEach(() => pools.forget())

const keys = async (model: string): Promise<string[]> => (await pools.upstream.seen(model)).map(({ key }) => key)
const said = (status: number, message: string, more: object = {}, headers: Readonly<Record<string, string>> = {}) =>
  error(status, { error: { message, ...more } }, headers)

/** The first key fails, the second one answers the same request. */
async function failOver(provider: string, model: string, script: Script): Promise<void> {
  await pools.upstream.answer(keyOf(provider, 1), model, script)
  expect(servedBy(await pools.chat(`${provider}/${model}`))).toBe(`${provider}-2`)
}

describe('how long to wait, in every unit and place', () => {
  test.each<[string, Script, number]>([
    [
      'minutes and seconds of a spent window',
      said(429, 'slow', {}, { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '6m0s' }),
      360_000,
    ],
    [
      'fractions of seconds of a spent window',
      said(
        429,
        'slow',
        {},
        { 'x-ratelimit-remaining-tokens-minute': '0', 'x-ratelimit-reset-tokens-minute': '41.382867' },
      ),
      41_383,
    ],
    [
      'the spent window, not the other one',
      said(
        429,
        'slow',
        {},
        {
          ...{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '50s' },
          ...{ 'x-ratelimit-remaining-tokens': '900', 'x-ratelimit-reset-tokens': '20m0s' },
        },
      ),
      50_000,
    ],
    ['words', said(429, 'Rate limit reached. Please try again in 1m20.5s.'), 80_500],
    ['milliseconds before seconds', said(429, 'slow', {}, { 'retry-after-ms': '30417', 'retry-after': '31' }), 30_417],
  ])('%s', async (what, script, ms) => {
    await failOver('plain', `wait ${what}`, script)
    expect(lengthOf(await pools.rest('plain'))).toBe(ms)
  })

  const SOON_S = 1_200
  test.each<[string, (seconds: number) => Script]>([
    ['epoch seconds', (at) => said(429, 'x', { type: 'usage_limit_reached', resets_at: at })],
    ['epoch milliseconds', (at) => said(429, 'x', { type: 'usage_limit_reached', resets_at: at * 1_000 })],
    ['a date', (at) => said(429, 'slow', {}, { 'retry-after': new Date(at * 1_000).toUTCString() })],
    ['a moment in words', (at) => said(429, `Rate limited. Try again at ${new Date(at * 1_000).toISOString()}`)],
  ])('a moment as %s', async (what, script) => {
    const at = Math.floor(Date.now() / 1_000) + SOON_S
    await failOver('plain', `moment ${what}`, script(at))
    const { gate } = await pools.rest('plain')
    // It is read when the answer arrives, and the rest begins when that has been judged.
    expect(gate?.until).toBeGreaterThanOrEqual(at * 1_000)
    expect(gate?.until).toBeLessThan(at * 1_000 + 5_000)
  })
})

test('a minute’s limit written in words of billing is a short rest where the provider is known to write so', async () => {
  const body = {
    ...{ code: 'insufficient_quota', type: 'insufficient_quota' },
    message:
      'You exceeded your current quota, please check your plan and billing details. For details, see: https://help.example/error-code#token-limit',
  }
  await failOver('dashscope', 'throttled', error(429, { error: body }))
  const [lock] = await pools.locks()
  expect(lock).toMatchObject({ connectionName: 'dashscope-1', reason: 'rate_limit_exceeded' })
  expect(lock?.remainingMs).toBeLessThanOrEqual(120_000)
  expect((await pools.rest('dashscope')).gate).toBeNull()
  // The same words of OpenAI itself mean money.
  await failOver('openai', 'throttled', error(429, { error: body }))
  expect((await pools.rest('openai')).status).toBe('terminal')
})

test('"too many tokens, please wait" is a limit; a prompt that is too long is the request’s own fault', async () => {
  await failOver('plain', 'tokens', error(429, { message: 'Too many tokens, please wait before trying again.' }))
  expect((await pools.rest('plain')).lastErrorType).toBe('rate_limit_exceeded')
  await pools.forget()
  const long = said(400, 'prompt is too long: 205634 tokens > 200000 maximum')
  await pools.upstream.answer('*', 'long', long)
  const answer = await pools.chat('plain/long')
  expect(answer.status).toBe(400)
  expect(await keys('long')).toEqual([keyOf('plain', 1)])
  expect((await pools.rests('plain')).map(({ status }) => status)).toEqual(['healthy', 'healthy'])
})

describe('three facts behind one status', () => {
  const glm = (code: string, message: string) => error(429, { error: { code, message } })

  test('too fast: a short rest of the key', async () => {
    await failOver('glm', 'fast', glm('1302', '您的账户已达到速率限制，请您控制请求频率'))
    const row = await pools.rest('glm')
    expect(row).toMatchObject({ status: 'cooling_down', lastErrorType: 'rate_limit_exceeded', backoffLevel: 1 })
    expect(lengthOf(row)).toBeLessThanOrEqual(3_300)
  })

  test('the model is busy for everyone: no rest of the key', async () => {
    await failOver('glm', 'busy', glm('1305', '该模型当前访问量过大，请您稍后再试'))
    expect((await pools.rest('glm')).gate).toBeNull()
    expect(await pools.locks()).toMatchObject([{ connectionName: 'glm-1', model: 'busy', reason: 'model_capacity' }])
  })

  test('no balance: a person must act', async () => {
    await failOver('glm', 'balance', glm('1113', '您的账户已欠费，请充值后重试'))
    expect(await pools.rest('glm')).toMatchObject({ status: 'terminal', testStatus: 'credits_exhausted' })
  })
})

describe('statuses that say the wrong thing', () => {
  test('a spent user is a limit of the key, whatever it is written with', async () => {
    await failOver('agentrouter', 'spent', said(403, '用户额度不足'))
    expect(await pools.rest('agentrouter')).toMatchObject({ status: 'cooling_down', lastErrorType: 'quota_exhausted' })
    expect(await pools.locks()).toEqual([])
  })

  async function expectDenied(model: string, message: string): Promise<void> {
    await failOver('agentrouter', model, said(403, message))
    expect((await pools.rest('agentrouter')).gate).toBeNull()
    const [lock] = await pools.locks()
    expect(lock).toMatchObject({ connectionName: 'agentrouter-1', model, reason: 'forbidden' })
    // Never longer than the settings allow.
    expect(lock?.remainingMs).toBeLessThanOrEqual(1_800_000)
    expect(lock?.remainingMs).toBeGreaterThan(1_700_000)
  }

  test('a model that one may not use is locked, and the key goes on', () =>
    expectDenied('denied', '无权访问模型 denied'))

  test('also where the same text speaks of an allowance', () =>
    expectDenied('denied too', '无权访问模型 denied too，额度不足'))

  test('a 413 about tokens a minute is a limit, one about this request is its own fault', async () => {
    await failOver('groq', 'minute', said(413, 'Rate limit reached on tokens per minute (TPM): Limit 6000, Used 5990'))
    expect((await pools.locks())[0]).toMatchObject({ reason: 'rate_limit_exceeded' })
    await pools.forget()
    await pools.upstream.answer(
      '*',
      'large',
      said(413, 'Request too large on tokens per minute (TPM): Limit 6000, Requested 9000'),
    )
    expect((await pools.chat('groq/large')).status).toBe(413)
    expect(await keys('large')).toHaveLength(1)
    expect(await pools.locks()).toEqual([])
  })

  test('the client is told the limit too, with a time to come back', async () => {
    await pools.upstream.answer('*', 'told', said(403, '用户额度不足'))
    const answer = await pools.chat('agentrouter/told')
    expect(answer.status).toBe(429)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  })
})

test('a page of a protection service bans nobody', async () => {
  const page = html(403)
  await failOver('plain', 'wall', {
    ...page,
    headers: { ...page.headers, 'cf-mitigated': 'challenge' },
  })
  expect(await pools.rest('plain')).toMatchObject({ status: 'cooling_down', lastErrorType: 'server_error' })
  expect((await pools.breaker('plain'))?.state).toBe('CLOSED')
})

test('limits that are counted by address rest all that leave by the same one', async () => {
  const answer = said(429, 'Rate limit exceeded', {}, { 'retry-after': '120' })
  await pools.upstream.answer('*', 'by address', answer)
  expect((await pools.chat('opencode-zen/by address')).status).toBe(429)
  // The second one was not asked: it rests with the first.
  expect(await keys('by address')).toEqual([keyOf('opencode-zen', 1)])
  const rows = await pools.rests('opencode-zen')
  expect(rows.map(({ status }) => status)).toEqual(['cooling_down', 'cooling_down'])
  expect(rows[0]?.gate?.until).toBe(rows[1]?.gate?.until)
  expect((await pools.rests('plain')).map(({ status }) => status)).toEqual(['healthy', 'healthy'])
  expect(await pools.locks()).toEqual([])
})

describe('numbers that make no sense', () => {
  test.each<[string, Readonly<Record<string, string>>]>([
    ['NaN', { 'retry-after': 'NaN' }],
    ['Infinity', { 'retry-after': 'Infinity' }],
    ['1e308', { 'retry-after': '1e308' }],
    ['a number of forty digits', { 'retry-after': '9'.repeat(40) }],
    ['minus one millisecond', { 'retry-after-ms': '-1' }],
    ['a year before Christ', { 'retry-after': 'Mon, 01 Jan -001 00:00:00 GMT' }],
  ])('%s leaves a rest that ends', async (what, headers) => {
    await failOver('plain', `odd ${what}`, said(429, 'slow', {}, headers))
    const ms = lengthOf(await pools.rest('plain')) ?? 0
    expect(ms).toBeGreaterThan(0)
    expect(ms).toBeLessThanOrEqual(1_800_000)
    expect(Number.isInteger(ms)).toBe(true)
  })
})
