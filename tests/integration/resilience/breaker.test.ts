// A whole provider is down: it is left alone, tried by one request at a time, and used again (docs/resilience.md,
// "Circuit breaker"). Its reset timeout is changed on the way, so that nothing depends on how fast a test runs: while it
// is long nothing returns, and when it is a second the test waits until the breaker itself says so.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RequestView } from '../../../core/contract/views'
import { anthropicError, error, gate, hang, parts, stream, text } from '../../support/fake-answers'
import { question } from '../../support/gateway-pair'
import { CLIENT_KEY } from '../../support/gateway-process'
import { type Answer, begin } from '../../support/http-client'
import {
  byKey,
  byModel,
  eventually,
  held,
  keyOf,
  type Pools,
  servedBy,
  startPools,
  wellFrom,
} from '../../support/pools'

const MINUTE_MS = 60_000

let pools: Pools
beforeAll(async () => {
  pools = await startPools({
    pools: [
      ...[byKey('plain', 2), byModel('models', 2), byKey('dozen', 12)],
      { provider: 'server', size: 2, own: { class: 'local', perModelQuota: false } },
    ],
    resilience: {
      providerBreaker: { apikey: { failureThreshold: 2, degradationThreshold: 1, resetTimeoutMs: MINUTE_MS } },
      // Keys are back long before their provider is.
      connectionCooldown: { apikey: { baseCooldownMs: 20, maxBackoffSteps: 0 } },
    },
    env: { OMNIROUTE_CIRCUIT_BREAKER_LOCAL_RESET_MS: '1000' },
  })
})
afterAll(() => pools.stop())
beforeEach(async () => {
  await resetAfter(MINUTE_MS)
  await pools.forget()
})

const resetAfter = (resetTimeoutMs: number) => pools.patch({ providerBreaker: { apikey: { resetTimeoutMs } } })
const count = async (model: string): Promise<number> => (await pools.upstream.seen(model)).length
const state = async (provider: string): Promise<string | undefined> => (await pools.breaker(provider))?.state
const settled = (provider: string, wanted: string) =>
  eventually(
    () => state(provider),
    (found) => found === wanted,
  )

/** All keys of the provider fail in one request. */
async function open(provider: string, model: string): Promise<void> {
  await pools.upstream.answer('*', model, error(503))
  expect((await pools.chat(`${provider}/${model}`)).status).toBe(503)
  expect(await state(provider)).toBe('OPEN')
}

/** Lets an open breaker become half open, and then holds time still for it. */
async function halfOpen(provider: string): Promise<void> {
  await resetAfter(1_000)
  await settled(provider, 'HALF_OPEN')
  await resetAfter(MINUTE_MS)
  // The keys themselves have long been back.
  await eventually(
    () => pools.rests(provider),
    (rows) => rows.every(({ gate }) => gate === null),
  )
}

function expectOpen(answer: Answer, provider: string): void {
  expect(answer.status).toBe(503)
  const seconds = Number(answer.headers['retry-after'])
  expect(seconds).toBeGreaterThanOrEqual(1)
  expect(seconds).toBeLessThanOrEqual(60)
  expect(answer.headers['x-omniroute-provider-breaker']).toBe('open')
  expect(answer.headers['x-breakwater-attempts']).toBe('0')
  expect(answer.json().error).toMatchObject({
    ...{ code: 'provider_circuit_open', type: 'server_error', provider, retry_after: seconds },
    message: `Provider ${provider} circuit breaker is open`,
  })
}

test('a provider that fails is left alone, tried once, and used again', async () => {
  await open('plain', 'down')
  expect(await pools.breaker('plain')).toMatchObject({
    ...{ failureCount: 2, lastFailureKind: 'transient', kindFailureCounts: { transient: 2 }, openCycleCount: 0 },
    transitionHistory: [
      { from: 'CLOSED', to: 'DEGRADED', failureCount: 1 },
      { from: 'DEGRADED', to: 'OPEN', failureCount: 2, reason: 'failure-threshold' },
    ],
  })
  expect(await count('down')).toBe(2)
  expectOpen(await pools.chat('plain/while it is open'), 'plain')
  expect(await count('while it is open')).toBe(0)
  // Another provider is no worse for it.
  expect(servedBy(await pools.chat('models/beside'))).toBe('models-1')
  expect((await pools.states('plain')).map(({ connectionStatus }) => connectionStatus)).toEqual([
    'circuit_open',
    'circuit_open',
  ])

  await halfOpen('plain')
  expect(servedBy(await pools.chat('plain/probe'))).toBe('plain-1')
  expect(await pools.breaker('plain')).toMatchObject({ state: 'CLOSED', failureCount: 0, kindFailureCounts: {} })
  expect((await pools.breaker('plain'))?.transitionHistory.at(-1)).toMatchObject({ reason: 'probe-success' })
})

test('failures of many models add up, and a success takes one back', async () => {
  await pools.patch({ providerBreaker: { apikey: { failureThreshold: 4, degradationThreshold: 2 } } })
  try {
    await pools.upstream.answer('*', 'first model', error(503))
    await pools.chat('models/first model')
    expect(await pools.breaker('models')).toMatchObject({ state: 'DEGRADED', failureCount: 2 })
    expect(servedBy(await pools.chat('models/other model'))).toBe('models-1')
    expect(await pools.breaker('models')).toMatchObject({ state: 'CLOSED', failureCount: 1 })
    // One key that fails where its sibling serves: a failure and a success.
    await pools.upstream.answer(keyOf('models', 1), 'second model', error(503))
    expect(servedBy(await pools.chat('models/second model'))).toBe('models-2')
    expect(await pools.breaker('models')).toMatchObject({ state: 'CLOSED' })
  } finally {
    await pools.patch({ providerBreaker: { apikey: { degradationThreshold: 1, failureThreshold: 2 } } })
  }
})

test('by default twelve failing keys open it, and eleven only strain it', async () => {
  await pools.patch({ providerBreaker: { apikey: { failureThreshold: 12, degradationThreshold: 7 } } })
  await pools.upstream.answer('*', 'all but one', error(503))
  await pools.upstream.answer(keyOf('dozen', 12), 'all but one', wellFrom('dozen', 12))
  try {
    expect(servedBy(await pools.chat('dozen/all but one'))).toBe('dozen-12')
    expect(await pools.breaker('dozen')).toMatchObject({ state: 'DEGRADED', failureCount: 10 })
    await pools.forget()
    await open('dozen', 'all twelve')
    expect(await count('all twelve')).toBe(12)
    expectOpen(await pools.chat('dozen/afterwards'), 'dozen')
  } finally {
    await pools.patch({ providerBreaker: { apikey: { degradationThreshold: 1, failureThreshold: 2 } } })
  }
})

test('a local server is out after two failures, and tried again after its own time', async () => {
  await open('server', 'local down')
  expect(await pools.breaker('server')).toMatchObject({ degradationThreshold: 1, effectiveResetTimeout: 1_000 })
  await settled('server', 'HALF_OPEN')
  await eventually(
    () => pools.rests('server'),
    (rows) => rows.every(({ gate }) => gate === null),
  )
  expect(servedBy(await pools.chat('server/back'))).toBe('server-1')
  expect(await state('server')).toBe('CLOSED')
})

describe('what does not count', () => {
  test.each<[string, number, object]>([
    ['a refused key', 401, { error: { message: 'no' } }],
    ['a forbidden request', 403, { error: { message: 'no' } }],
    ['a rate limit', 429, { error: { message: 'slow down' } }],
    ['an overloaded model', 529, { error: { message: 'Overloaded', type: 'overloaded_error' } }],
    ['a bad request', 400, { error: { message: 'no' } }],
    ['a missing model', 404, { error: { message: 'The model x does not exist' } }],
    ['money', 402, { error: { message: 'Payment required' } }],
  ])('%s', async (what, status, body) => {
    const model = `counts not ${what}`
    await pools.upstream.answer('*', model, error(status, body))
    await pools.chat(`plain/${model}`)
    expect(await pools.breaker('plain')).toMatchObject({ state: 'CLOSED', failureCount: 0 })
  })

  test('the same key failing again within five seconds', async () => {
    await pools.upstream.answer('*', 'again and again', error(500))
    await pools.upstream.answer(keyOf('plain', 2), 'again and again', wellFrom('plain', 2))
    for (let i = 0; i < 4; i++) {
      expect((await pools.chat('plain/again and again')).status).toBe(200)
      await eventually(
        () => pools.rest('plain'),
        (row) => row.gate === null,
      )
    }
    // One failure of the first key, taken back by successes of the second.
    expect(await pools.breaker('plain')).toMatchObject({ state: 'CLOSED', failureCount: 0 })
  })

  test('an answer without content', async () => {
    await pools.upstream.answer('*', 'empty', stream(text('data: [DONE]\n\n')))
    expect((await pools.chat('plain/empty', { stream: true })).status).toBe(502)
    expect(await pools.breaker('plain')).toMatchObject({ state: 'CLOSED', failureCount: 0 })
    expect((await pools.rests('plain')).map(({ gate }) => gate)).toEqual([null, null])
  })
})

test('where hints are on, rate limits open it too, for a minute and not for the reset timeout', async () => {
  const hints = (value: boolean | null) =>
    pools.patch({ connectionCooldown: { apikey: { useUpstream429BreakerHints: value } } })
  await hints(true)
  await pools.upstream.answer('*', 'limited everywhere', error(429, { error: { message: 'slow down' } }))
  expect((await pools.chat('plain/limited everywhere')).status).toBe(429)
  const breaker = await pools.breaker('plain')
  expect(breaker).toMatchObject({ state: 'OPEN', lastFailureKind: 'rate_limit', kindFailureCounts: { rate_limit: 2 } })
  expect((breaker?.until ?? 0) - (breaker?.since ?? 0)).toBe(MINUTE_MS)
  // Changing the hints begins with clean breakers.
  await hints(null)
  expect(await pools.breaker('plain')).toMatchObject({ state: 'CLOSED', failureCount: 0 })
})

describe('while it is tried again', () => {
  const TOGETHER = 50

  test('one of fifty requests is the probe, and the others are told so at once', async () => {
    await open('plain', 'sick')
    await halfOpen('plain')
    await pools.upstream.answer('*', 'rush', held('rush', error(503)))
    const done: Answer[] = []
    const asked = Array.from({ length: TOGETHER }, () =>
      pools.chat('plain/rush').then((answer) => {
        done.push(answer)
        return answer
      }),
    )
    // All but the probe are answered while the upstream still hangs.
    await eventually(
      () => done.length,
      (length) => length === TOGETHER - 1,
    )
    for (const answer of done) expectOpen(answer, 'plain')
    expect(await count('rush')).toBe(1)
    pools.upstream.open('rush')
    await Promise.all(asked)
    expect(await pools.breaker('plain')).toMatchObject({ state: 'OPEN', openCycleCount: 1 })
    expect((await pools.breaker('plain'))?.transitionHistory.at(-1)).toMatchObject({ reason: 'probe-failed (cycle 1)' })
    // Its other key was not asked: one failed probe says it for all.
    expect(await count('rush')).toBe(1)

    await halfOpen('plain')
    expect(servedBy(await pools.chat('plain/calm'))).toBe('plain-1')
    const answers = await Promise.all(Array.from({ length: TOGETHER }, () => pools.chat('plain/normal traffic')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  })

  test('a stream settles it with its first content, though it goes on', async () => {
    await open('plain', 'sick again')
    await halfOpen('plain')
    const { preamble, content, ending } = parts['openai-chat']
    await pools.upstream.answer(
      '*',
      'long stream',
      stream(text(preamble), gate('content'), text(content('first')), gate('rest'), text(ending)),
    )
    const asked = pools.chat('plain/long stream', { stream: true })
    await pools.upstream.arrival('long stream')
    expect(await state('plain')).toBe('HALF_OPEN')
    expectOpen(await pools.chat('plain/beside the probe'), 'plain')
    pools.upstream.open('content')
    await settled('plain', 'CLOSED')
    expect(servedBy(await pools.chat('plain/beside the stream'))).toBe('plain-1')
    pools.upstream.open('rest')
    expect((await asked).status).toBe(200)
  })

  test.each<[string, number, object]>([
    ['400', 400, { error: { message: 'something in the request' } }],
    ['401', 401, { error: { message: 'Incorrect API key' } }],
    ['404 about the model', 404, { error: { message: 'The model x does not exist' } }],
    ['429', 429, { error: { message: 'slow down' } }],
  ])('%s proves that the provider answers', async (what, status, body) => {
    await open('plain', `before ${what}`)
    await halfOpen('plain')
    await pools.upstream.answer(keyOf('plain', 1), `probe ${what}`, error(status, body))
    await pools.chat(`plain/probe ${what}`)
    expect(await state('plain')).toBe('CLOSED')
    // What it says of the key is a matter of its own.
    const { gate: closed } = await pools.rest('plain')
    if (status === 401) expect(closed?.gate).toBe('sign-in-retry')
    if (status === 400) expect(closed).toBeNull()
  })

  test('a probe whose client leaves gives its place back at once', async () => {
    await open('plain', 'before leaving')
    await halfOpen('plain')
    await pools.upstream.answer('*', 'left', { steps: [hang] })
    const request = begin(`${pools.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${CLIENT_KEY}` },
      body: JSON.stringify(question('plain/left')),
    })
    request.on('error', () => {})
    const { id } = await pools.upstream.arrival('left')
    expectOpen(await pools.chat('plain/meanwhile'), 'plain')
    request.destroy()
    await pools.upstream.closed(id)
    await pools.running(0)
    expect(await state('plain')).toBe('HALF_OPEN')
    expect(servedBy(await pools.chat('plain/next probe'))).toBe('plain-1')
    expect(await state('plain')).toBe('CLOSED')
  })

  test('a probe that never ends gives its place back after the reset timeout, and says nothing later', async () => {
    await open('plain', 'before hanging')
    await halfOpen('plain')
    await pools.upstream.answer('*', 'hangs', held('hangs', error(503)))
    const pending = pools.chat('plain/hangs')
    await pools.upstream.arrival('hangs')
    expectOpen(await pools.chat('plain/while it hangs'), 'plain')
    await resetAfter(1_000)
    const answer = await eventually(
      () => pools.chat('plain/second probe'),
      ({ status }) => status === 200,
    )
    expect(servedBy(answer)).toBe('plain-1')
    expect(await state('plain')).toBe('CLOSED')
    pools.upstream.open('hangs')
    await pending
    expect(await pools.breaker('plain')).toMatchObject({ state: 'CLOSED', failureCount: 0 })
  })

  test('529 proves neither, and the next request is the probe', async () => {
    await open('plain', 'before 529')
    await halfOpen('plain')
    await pools.upstream.answer(keyOf('plain', 1), 'busy', error(529, { error: { message: 'Overloaded' } }))
    expect(servedBy(await pools.chat('plain/busy'))).toBe('plain-2')
    expect(await state('plain')).toBe('CLOSED')
  })
})

test('a call that only counts tokens is no probe', async () => {
  await pools.upstream.answer('*', 'claude sick', anthropicError(503, 'api_error'))
  await pools.ask('anthropic', 'claude sick')
  expect(await state('claudish')).toBe('OPEN')
  await halfOpen('claudish')
  await pools.upstream.answer('*', 'counted', { steps: [hang] })
  const request = begin(`${pools.gateway.url}/v1/messages/count_tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${CLIENT_KEY}` },
    body: JSON.stringify(question('claudish/counted')),
  })
  request.on('error', () => {})
  await pools.running(1)
  expect((await pools.ask('anthropic', 'real work')).status).toBe(200)
  expect(await state('claudish')).toBe('CLOSED')
  request.destroy()
})

test('what was under way when it opened says nothing afterwards', async () => {
  await pools.upstream.answer('*', 'under way', held('under way', error(503)))
  const pending = pools.chat('plain/under way')
  await pools.upstream.arrival('under way')
  await open('plain', 'opened meanwhile')
  const before = await pools.breaker('plain')
  pools.upstream.open('under way')
  await pending
  const after = await pools.breaker('plain')
  expect(after).toMatchObject({ state: 'OPEN', failureCount: before?.failureCount, since: before?.since })
})

test('a person closes it, and the log says who was not even asked', async () => {
  await open('plain', 'closed by hand')
  expectOpen(await pools.chat('plain/refused by the breaker'), 'plain')
  const entry: RequestView = await pools.logged('plain/refused by the breaker')
  expect(entry).toMatchObject({ outcome: 'failed', status: 503, code: 'provider_circuit_open', attempts: [] })
  const reset = await pools.manage('/api/resilience/reset', { method: 'POST' })
  expect(reset.json()).toMatchObject({ ok: true })
  expect(await state('plain')).toBe('CLOSED')
  await eventually(
    () => pools.rests('plain'),
    (rows) => rows.every(({ gate }) => gate === null),
  )
  expect(servedBy(await pools.chat('plain/served at once'))).toBe('plain-1')
})

test('in the caller’s own dialect', async () => {
  await pools.upstream.answer('*', 'claude is down', anthropicError(503, 'api_error'))
  await pools.ask('anthropic', 'claude is down')
  expect(await state('claudish')).toBe('OPEN')
  const answer = await pools.ask('anthropic', 'claude')
  expect(answer.status).toBe(503)
  expect(answer.headers['x-omniroute-provider-breaker']).toBe('open')
  expect(answer.json()).toMatchObject({
    type: 'error',
    error: { type: 'overloaded_error', code: 'provider_circuit_open', provider: 'claudish' },
  })
})
