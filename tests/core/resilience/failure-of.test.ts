import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failureOf } from '../../../core/resilience/failure-of'
import type { Failure } from '../../../core/resilience/health-events'
import { lockKey } from '../../../core/resilience/lockout'
import type { Situation } from '../../../core/resilience/verdict/consequences'
import type { Incident } from '../../../core/resilience/verdict/signal'
import type { Verdict } from '../../../core/resilience/verdict/verdict'
import { settingsOf } from './health-world'
import { follow, incidentOf, row, type Told, verdictOf } from './verdict/signals-of'

const QUEUE_MS = 30_000
const HOUR = 3_600_000
const DAY = 86_400_000

const ordersOf = (provider: string, verdict: Verdict, situation: Partial<Situation> = {}): Failure =>
  failureOf(verdict, follow(provider, verdict, situation), QUEUE_MS)
const told = (provider: string, status: number, says: string | object = '', more: Told = {}): Failure =>
  ordersOf(provider, verdictOf(provider, status, says, { model: 'M1', ...more }))
const happened = (provider: string, incident: Incident): Failure => ordersOf(provider, incidentOf(provider, incident))
const waitOf = (seconds: number): Told => ({ headers: { 'retry-after': String(seconds) } })
/** Google's typed delay. */
const retryInfo = (seconds: number): object => ({
  error: {
    ...{ code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Resource exhausted' },
    details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${seconds}s` }],
  },
})

it('reason, words and status are the verdict’s', () => {
  expect(told('openai', 429, 'slow down')).toMatchObject({
    ...{ reason: 'rate_limit_exceeded', message: '429: slow down', status: 429 },
  })
})

describe('how long the connection rests', () => {
  const LADDER = { kind: 'ladder', statedMs: null, beyondQueue: false }
  const TOO_MANY = 'Too many concurrent requests'
  const POOR = 'This request requires more credits, or fewer max_tokens.'
  const ABROAD = 'User location is not supported for the API use.'

  it.each<[string, Failure, object | null]>([
    ['a server fault: the ladder', told('openai', 500), LADDER],
    ['a rate limit: too', told('openai', 429), LADDER],
    ['its stated wait goes along', told('openai', 429, 'x', waitOf(7)), { ...LADDER, statedMs: 7_000 }],
    ['also "at once"', told('openai', 429, 'x', waitOf(0)), { ...LADDER, statedMs: 0 }],
    ['silence: the ladder', happened('openai', { kind: 'timeout', phase: 'connect' }), LADDER],
    ['too many at once: the least', told('openai', 429, TOO_MANY), { kind: 'concurrency', statedMs: null }],
    ['or as stated', told('openai', 429, TOO_MANY, waitOf(9)), { kind: 'concurrency', statedMs: 9_000 }],
    ['a week’s allowance: a day', told('openai', 429, 'weekly limit reached'), quota(null, DAY)],
    ['or until its reset', told('openai', 429, 'weekly limit reached', waitOf(7_200)), quota(2 * HOUR, 2 * HOUR)],
    ['five hours’: those', told('openai', 429, '5-hour limit reached'), quota(null, 5 * HOUR)],
    ['one of unknown length: the ladder', told('openai', 429, 'quota exhausted'), quota(null, null)],
    ['a country not served: a day', told('gemini', 400, ABROAD), { kind: 'flat', ms: DAY }],
    ['what a rule gives, exactly', told('openrouter', 402, POOR), { kind: 'flat', ms: 120_000 }],
    ['a wrong request: not at all', told('openai', 400, 'bad value'), null],
    ['a route that is not there: not at all', told('openai', 404, 'no such route'), null],
    ['an empty answer: not at all', happened('openai', { kind: 'empty' }), null],
    ['what only locks the model: not at all', told('own', 503), null],
  ])('%s', (_what, { rest }, expected) => {
    expect(rest).toEqual(expected)
  })

  function quota(statedMs: number | null, usualMs: number | null) {
    return { kind: 'quota', statedMs, usualMs }
  }

  it('a stall as any failure, where the setting says so', () => {
    const verdict = incidentOf('openai', { kind: 'stall' })
    expect(ordersOf('openai', verdict).rest).toBeNull()
    const settings = settingsOf({ streamStallCooldown: { enabled: true } })
    expect(ordersOf('openai', verdict, { settings }).rest).toEqual({ kind: 'stall' })
  })

  it('not at all where the connection opts out', () => {
    expect(ordersOf('openai', verdictOf('openai', 500), { disableCooling: true }).rest).toBeNull()
  })

  it('Google’s typed delay is believed beyond the queue’s longest hold, and only there', () => {
    // Where limits are per connection: the delay rests the connection.
    const beyond = (seconds: number) => {
      const { rest } = told('own-connection', 429, retryInfo(seconds), { model: null })
      return rest?.kind === 'ladder' && rest.beyondQueue
    }
    expect([beyond(30), beyond(31)]).toEqual([false, true])
  })
})

describe('what is locked of the connection', () => {
  it.each<[string, Failure, object | null]>([
    ['a limit: the quota', told('own', 429), { scope: 'quota', ms: null, isReset: false }],
    ['a refusal: too', told('own', 403, 'no'), { scope: 'quota', ms: null, isReset: false }],
    ['a fault: exactly the model', told('own', 503), { scope: 'exact', ms: null, isReset: false }],
    ['silence: too', happened('own', { kind: 'timeout', phase: 'idle' }), { scope: 'exact', ms: null, isReset: false }],
    ['a missing model: its name', told('own', 404), { scope: 'not-found', ms: null, isReset: false }],
    [
      'also of a key for all models',
      told('openai', 404, 'The model `M1` does not exist'),
      { scope: 'not-found', ms: null, isReset: false },
    ],
    ['as long as stated', told('own', 429, 'x', waitOf(40)), { scope: 'quota', ms: 40_000, isReset: true }],
    [
      'half an hour of it at most',
      told('own', 429, 'x', waitOf(7_200)),
      { scope: 'quota', ms: HOUR / 2, isReset: true },
    ],
    [
      'a spent allowance until its reset',
      told('own', 429, 'weekly limit reached', waitOf(7_200)),
      { scope: 'quota', ms: 2 * HOUR, isReset: true },
    ],
    ['or for its usual time', told('own', 429, 'weekly limit reached'), { scope: 'quota', ms: DAY, isReset: true }],
    [
      'Google’s typed delay, beyond the queue’s hold up to a day',
      told('gemini', 429, retryInfo(7_200)),
      { scope: 'quota', ms: 2 * HOUR, isReset: true, longestMs: DAY },
    ],
    ['and within it as any other', told('gemini', 429, retryInfo(12)), { scope: 'quota', ms: 12_000, isReset: true }],
    ['nothing where the connection rests', told('openai', 429), null],
    ['nothing for too many at once', told('own', 429, 'Too many concurrent requests'), null],
  ])('%s', (_what, { lock }, expected) => {
    expect(lock).toEqual(expected)
  })

  it('"at once" is told as it came, so that it climbs', () => {
    expect(told('own', 429, 'x', waitOf(0)).lock?.ms).toBe(0)
  })

  it('is what the explanation of the failure names', () => {
    const given = fc.record({
      provider: fc.constantFrom('own', 'openai', 'codex', 'gemini', 'claude', 'glm'),
      status: fc.constantFrom(400, 402, 403, 404, 408, 410, 429, 500, 502, 503, 529),
      says: fc.constantFrom('', 'The model `M1` does not exist', 'Rate limit reached for M1', 'weekly limit reached'),
    })
    fc.assert(
      fc.property(given, ({ provider, status, says }) => {
        const verdict = verdictOf(provider, status, says, { model: 'M1' })
        const consequences = follow(provider, verdict)
        const { lock } = failureOf(verdict, consequences, QUEUE_MS)
        const subject = { providerId: provider, connectionId: 'c1', model: 'M1' }
        const named = lock === null ? null : lockKey(row(provider), subject, lock.scope)
        expect(named).toBe(consequences.lockout?.key ?? null)
      }),
    )
  })
})

describe('what is held against the account', () => {
  it.each<[string, Failure, Failure['account']]>([
    ['a key that is refused', told('openai', 401), 'unauthorized'],
    ['a ban phrase', told('openai', 403, 'Your account has been deactivated.'), 'banned'],
    ['no money', told('openai', 402), 'credits'],
    ['a subscription’s refusal', told('claude', 403, 'no'), 'rejected'],
  ])('%s; nothing rests beside it', (_what, failure, account) => {
    expect(failure).toMatchObject({ account, rest: null, lock: null })
  })

  it.each([
    ['a key’s 403', told('openai', 403, 'no')],
    ['a fault', told('openai', 500)],
    ['a limit', told('openai', 429)],
  ])('nothing for %s', (_what, { account }) => {
    expect(account).toBeNull()
  })
})

describe('what it says of the provider', () => {
  const AGAINST = { kind: 'against', network: false }
  it.each<[string, Failure, object]>([
    ...[408, 500, 502, 503, 504].map((status): [string, Failure, object] => [
      `a ${status} is against it`,
      told('openai', status),
      AGAINST,
    ]),
    ['silence too', happened('openai', { kind: 'timeout', phase: 'first byte' }), AGAINST],
    [
      'a broken connection too, as the network’s',
      happened('openai', { kind: 'network', code: 'ECONNRESET' }),
      { kind: 'against', network: true },
    ],
    ['a limit counts where hints are on', told('openai', 429), { kind: 'limited', as: 'rate_limit' }],
    ['a spent allowance too', told('openai', 429, 'weekly limit reached'), { kind: 'limited', as: 'quota_exhausted' }],
    ...[400, 401, 402, 403, 404].map((status): [string, Failure, object] => [
      `a ${status} shows that it lives`,
      told('openai', status),
      { kind: 'life' },
    ]),
    ['an answer that cannot be read too', happened('openai', { kind: 'unreadable', text: 'x' }), { kind: 'life' }],
    ['a 529 says nothing', told('openai', 529), { kind: 'none' }],
    ...(
      [
        { kind: 'network', code: 'ENETUNREACH' },
        { kind: 'empty' },
        { kind: 'stall' },
        { kind: 'throughput' },
        { kind: 'aborted' },
        { kind: 'local', message: 'the queue is full' },
      ] as const
    ).map((incident): [string, Failure, object] => [
      `${JSON.stringify(incident)} says nothing`,
      ...([happened('openai', incident), { kind: 'none' }] as const),
    ]),
  ])('%s', (_what, { evidence }, expected) => {
    expect(evidence).toEqual(expected)
  })
})

it('a limit by address is the address’s', () => {
  expect(told('opencode-zen', 429, 'Rate limit exceeded').egress).toBe(true)
  expect(told('openai', 429).egress).toBe(false)
})
