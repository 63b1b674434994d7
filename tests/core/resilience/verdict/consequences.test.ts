import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeResilience } from '../../../../core/contract/resilience-merge'
import type { ResilienceSettings } from '../../../../core/contract/resilience-settings'
import { DEFAULTS, follow, incidentOf, NOW, verdictOf } from './signals-of'

const HOUR = 3_600_000
const settingsWith = (stored: object): ResilienceSettings => mergeResilience({ env: {}, stored }).settings

describe('how long a connection rests', () => {
  it('climbs the ladder of its class, up to the longest lock', () => {
    const verdict = verdictOf('openai', 429)
    const at = (level: number) => follow('openai', verdict, { level }).cooldown?.ms
    expect([0, 1, 2, 5, 9].map(at)).toEqual([3_000, 6_000, 12_000, 96_000, 96_000])
    const claude = verdictOf('claude', 500)
    expect([0, 8, 20].map((level) => follow('claude', claude, { level }).cooldown?.ms)).toEqual([
      5_000, 1_280_000, 1_280_000,
    ])
  })

  it('as stated, shorter or longer, at most half an hour', () => {
    for (const [seconds, ms] of [
      ['1', 1_000],
      ['600', 600_000],
      ['7200', 1_800_000],
    ] as const) {
      const verdict = verdictOf('openai', 429, 'x', { headers: { 'retry-after': seconds } })
      expect(follow('openai', verdict).cooldown).toEqual({ ms, from: 'stated' })
    }
  })

  it('a stated zero is one second', () => {
    const verdict = verdictOf('openai', 429, 'x', { headers: { 'retry-after': '0' } })
    expect(follow('openai', verdict).cooldown?.ms).toBe(1_000)
  })

  it('not as stated where hints are off, but for the reset of a quota', () => {
    const headers = { 'retry-after': '600' }
    expect(follow('claude', verdictOf('claude', 429, 'x', { headers })).cooldown).toEqual({ ms: 5_000, from: 'ladder' })
    const spent = { ...headers, 'anthropic-ratelimit-unified-status': 'rejected' }
    expect(follow('claude', verdictOf('claude', 429, 'x', { headers: spent })).cooldown?.ms).toBe(600_000)
  })

  it('a quota’s reset up to thirty days', () => {
    const inDays = (days: number) =>
      follow('openai', verdictOf('openai', 429, `monthly limit reached, resets in ${days} days`)).cooldown?.ms
    expect(inDays(20)).toBe(20 * 24 * HOUR)
    expect(inDays(40)).toBe(30 * 24 * HOUR)
  })

  it.each<[string, number]>([
    ['daily limit reached', 21 * HOUR + 600_000],
    ['weekly limit reached', 24 * HOUR],
    ['5-hour limit reached', 5 * HOUR],
    ['usage limit reached', HOUR],
    ['quota exhausted', 3_000],
  ])('"%s" without a stated reset: %i ms', (says, ms) => {
    expect(follow('openai', verdictOf('openai', 429, says)).cooldown?.ms).toBe(ms)
  })

  it('midnight is the provider’s, else the user’s', () => {
    const verdict = verdictOf('glm', 429, { error: { code: '1304', message: 'x' } })
    expect(follow('glm', verdict, { timeZone: 'America/New_York' }).cooldown?.ms).toBe(13 * HOUR + 600_000)
    const own = verdictOf('own-connection', 429, 'daily limit reached')
    expect(follow('own-connection', own, { timeZone: 'America/New_York' }).cooldown?.ms).toBe(2 * HOUR + 600_000)
  })

  it('one second or the stated wait when too much runs at once', () => {
    expect(follow('own', verdictOf('own', 429, 'Too many concurrent requests')).cooldown).toEqual({
      ms: 1_000,
      from: 'flat',
    })
    const stated = verdictOf('own', 429, 'Too many concurrent requests, retry after 10 seconds')
    expect(follow('own', stated).cooldown?.ms).toBe(10_000)
  })

  it('a day where the country is not served, two minutes where OpenRouter cannot afford one answer', () => {
    const place = verdictOf('gemini', 400, 'User location is not supported for the API use.')
    expect(follow('gemini', place).cooldown?.ms).toBe(24 * HOUR)
    const poor = verdictOf('openrouter', 402, 'This request requires more credits, or fewer max_tokens.')
    expect(follow('openrouter', poor)).toMatchObject({ cooldown: { ms: 120_000 }, terminal: null })
  })
})

describe('where it rests', () => {
  const key = (provider: string, status: number, says = '', model = 'M1') =>
    follow(provider, verdictOf(provider, status, says, { model }), { model }).lockout?.key ?? null

  it('per-model providers lock the model on 403, 404, 429 and 5xx, and leave the connection', () => {
    for (const status of [403, 404, 429]) expect(key('own', status)).toBe('own:c1:M1')
    for (const status of [500, 502, 503, 504, 529]) expect(key('own', status)).toBe('own:c1:exact:m1')
    for (const status of [403, 404, 429, 500]) expect(follow('own', verdictOf('own', status)).cooldown).toBeNull()
  })

  it('Codex locks the family of a limit, and exactly the model of a fault', () => {
    expect(key('codex', 429, 'x', 'gpt-5-x')).toBe('codex:c1:codex')
    expect(key('codex', 429, 'x', 'gpt-5-spark')).toBe('codex:c1:spark')
    expect(key('codex', 503, 'x', 'GPT-5-x')).toBe('codex:c1:exact:gpt-5-x')
  })

  it('others lock a model that is not there, one that a 429 names, and one that a rule names', () => {
    expect(key('openai', 404, 'The model `M1` does not exist')).toBe('openai:c1:M1')
    expect(key('openai', 429, 'Rate limit reached for Big-1', 'Big-1')).toBe('openai:c1:Big-1')
    expect(key('glm', 429, '模型繁忙 (1305)')).toBe('glm:c1:M1')
    expect(key('openai', 429)).toBeNull()
    expect(key('openai', 503)).toBeNull()
    expect(key('openai', 404, 'no such route')).toBeNull()
  })

  it('the setting extends locks to the listed statuses of all others', () => {
    const settings = settingsWith({ modelLockout: { enabled: true, errorCodes: [429, 502] } })
    const place = (verdict: ReturnType<typeof verdictOf>) => follow('openai', verdict, { settings })
    expect(place(verdictOf('openai', 429))).toMatchObject({ cooldown: null, lockout: { rest: { ms: 120_000 } } })
    expect(place(verdictOf('openai', 503)).cooldown).not.toBeNull()
    expect(place(incidentOf('openai', { kind: 'empty' })).lockout?.key).toBe('openai:c1:exact:m1')
    // Money, rights and parallel requests are the account's all the same.
    expect(place(verdictOf('openai', 429, 'Too many concurrent requests')).lockout).toBeNull()
    expect(place(verdictOf('openai', 429, 'You have run out of credits')).terminal).toBe('credits_exhausted')
  })

  it('the lock grows with each failure, and flat where the setting says so', () => {
    const verdict = verdictOf('own', 503)
    const at = (modelFailures: number, settings = DEFAULTS) =>
      follow('own', verdict, { modelFailures, settings }).lockout?.rest.ms
    expect([0, 1, 2, 9].map((n) => at(n))).toEqual([120_000, 240_000, 480_000, 1_800_000])
    const settings = settingsWith({ modelLockout: { useExponentialBackoff: false } })
    expect(at(3, settings)).toBe(120_000)
  })

  it('a lock of a spent quota without a stated reset lasts until midnight', () => {
    expect(follow('own', verdictOf('own', 429, 'quota exceeded')).lockout?.rest).toEqual({
      ms: 21 * HOUR + 600_000,
      from: 'midnight',
    })
  })

  it('Google’s typed delay beyond the queue’s patience is believed up to a day', () => {
    const body = (delay: string) => ({ error: { details: [{ '@type': 'x/google.rpc.RetryInfo', retryDelay: delay }] } })
    const ms = (delay: string) => follow('gemini', verdictOf('gemini', 429, body(delay))).lockout?.rest.ms
    expect([ms('20s'), ms('7200s'), ms('200000s')]).toEqual([20_000, 7_200_000, 24 * HOUR])
  })

  it('a rule’s own rest of a model is not longer than the longest lock', () => {
    expect(follow('agentrouter', verdictOf('agentrouter', 403, '无权访问模型 m')).lockout?.rest.ms).toBe(1_800_000)
    const providerErrorRules = {
      own: [{ status: 429, match: 'x', scope: 'model', reason: 'quota_exhausted', cooldownMs: 7_200_000 }],
    }
    const operator = { providerErrorRules, customBannedSignals: [] } as const
    const verdict = verdictOf('own', 429, 'x', { operator: operator as never })
    expect(follow('own', verdict).lockout?.rest).toEqual({ ms: 7_200_000, from: 'rule' })
  })

  it('a quota of the whole connection rests it, even where limits are per model', () => {
    const verdict = verdictOf('agentrouter', 403, '用户额度不足')
    expect(follow('agentrouter', verdict)).toMatchObject({ cooldown: { ms: 3_000 }, lockout: null, terminal: null })
    expect(follow('agentrouter', verdict, { disableCooling: true })).toMatchObject({
      cooldown: null,
      lockout: { key: 'agentrouter:c1:M1' },
    })
  })

  it('a limit by address rests the connection and all that leave by the same one', () => {
    const verdict = verdictOf('opencode-zen', 429, 'Rate limit exceeded')
    expect(follow('opencode-zen', verdict)).toMatchObject({ egress: true, cooldown: { ms: 3_000 }, lockout: null })
    expect(follow('opencode-zen', verdict, { disableCooling: true })).toMatchObject({ egress: false, cooldown: null })
    expect(follow('opencode-zen', verdictOf('opencode-zen', 503)).egress).toBe(false)
    const wall = verdictOf('openai', 403, 'x', { headers: { 'cf-mitigated': 'challenge' } })
    expect(follow('openai', wall)).toMatchObject({ egress: false, cooldown: { ms: 3_000 }, terminal: null })
  })

  it('nothing rests after what is nobody’s fault', () => {
    const nothing = { cooldown: null, lockout: null, terminal: null, breaker: null }
    for (const incident of [
      { kind: 'aborted' },
      { kind: 'local', message: 'full' },
      { kind: 'throughput' },
      { kind: 'stall' },
    ] as const) {
      expect(follow('openai', incidentOf('openai', incident))).toMatchObject(nothing)
    }
    for (const says of ['prompt is too long', 'Unknown parameter: x', '']) {
      expect(follow('own', verdictOf('own', 400, says))).toMatchObject(nothing)
    }
  })

  it('an empty answer locks its model where limits are per model, and nothing elsewhere', () => {
    expect(follow('own', incidentOf('own', { kind: 'empty' })).lockout?.key).toBe('own:c1:exact:m1')
    expect(follow('openai', incidentOf('openai', { kind: 'empty' }))).toMatchObject({ cooldown: null, lockout: null })
  })

  it('a stall rests the connection where the setting says so', () => {
    const settings = settingsWith({ streamStallCooldown: { enabled: true } })
    expect(follow('own', incidentOf('own', { kind: 'stall' }), { settings }).cooldown?.ms).toBe(3_000)
  })
})

describe('what only a person ends', () => {
  it('money and bans at once', () => {
    expect(follow('openai', verdictOf('openai', 402))).toMatchObject({ terminal: 'credits_exhausted', cooldown: null })
    expect(follow('own', verdictOf('own', 403, 'This account is deactivated'))).toMatchObject({
      terminal: 'banned',
      lockout: null,
    })
  })

  it('a refused credential after three retries', () => {
    const verdict = verdictOf('openai', 401)
    const at = (credentialRetries: number) => follow('openai', verdict, { credentialRetries })
    expect([0, 1, 2].map((n) => at(n).cooldown?.ms)).toEqual([300_000, 600_000, 1_200_000])
    expect(at(0)).toMatchObject({ terminal: null, retryCredential: true })
    expect(at(3)).toMatchObject({ terminal: 'expired', cooldown: null, retryCredential: false })
  })

  it('a subscription that refuses three times in a row', () => {
    for (const says of ['Request not allowed', 'no']) {
      const verdict = verdictOf('claude', 403, says)
      const at = (rejections: number) => follow('claude', verdict, { rejections })
      expect([0, 1].map((n) => at(n).cooldown?.ms)).toEqual([300_000, 900_000])
      expect(at(0)).toMatchObject({ rejected: true, terminal: null })
      expect(at(2)).toMatchObject({ rejected: true, terminal: 'banned', cooldown: null })
    }
  })

  it('never a key that is forbidden, nor a browser’s challenge, nor a limit', () => {
    for (const [status, says] of [
      [403, 'no'],
      [403, 'Request not allowed'],
      [429, 'quota exhausted'],
      [503, 'x'],
    ] as const) {
      expect(follow('openai', verdictOf('openai', status, says), { rejections: 9 }).terminal).toBeNull()
    }
  })
})

describe('the breaker', () => {
  it('counts 429 only where the hints are switched on', () => {
    const settings = settingsWith({ connectionCooldown: { apikey: { useUpstream429BreakerHints: true } } })
    const verdict = verdictOf('openai', 429)
    expect(follow('openai', verdict).breaker).toBeNull()
    expect(follow('openai', verdict, { settings }).breaker).toBe('rate_limit')
    expect(follow('openai', verdictOf('openai', 503)).breaker).toBe('transient')
  })
})

describe('whatever happens', () => {
  const given = fc.record({
    provider: fc.constantFrom(
      'openai',
      'claude',
      'codex',
      'gemini',
      'own',
      'own-connection',
      'opencode-zen',
      'agentrouter',
      'ollama',
    ),
    status: fc.integer({ min: 300, max: 599 }),
    says: fc.constantFrom(
      '',
      'daily limit reached',
      'resets in 400 days',
      'account has been disabled',
      'concurrency limit',
      '额度不足',
      'insufficient balance',
      'model not found',
    ),
    retry: fc.constantFrom('', '0', '5', '99999999', 'soon'),
    situation: fc.record({
      ...{ level: fc.nat(50), modelFailures: fc.nat(50), rejections: fc.nat(5), credentialRetries: fc.nat(5) },
      disableCooling: fc.boolean(),
    }),
  })

  it('a terminal state never comes with a rest, at most one thing rests, and never beyond thirty days', () => {
    fc.assert(
      fc.property(given, ({ provider, status, says, retry, situation }) => {
        const verdict = verdictOf(provider, status, says, { headers: { 'retry-after': retry } })
        const { terminal, cooldown, lockout } = follow(provider, verdict, situation)
        const rests = [cooldown?.ms, lockout?.rest.ms].filter((ms) => ms !== undefined)
        expect(rests.length).toBeLessThanOrEqual(terminal === null ? 1 : 0)
        for (const ms of rests) expect(ms > 0 && ms <= 30 * 24 * HOUR && Number.isFinite(ms)).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })

  it('the time of judging is the only clock', () => {
    const verdict = verdictOf('own', 429, 'daily limit reached')
    expect(follow('own', verdict)).toEqual(follow('own', verdict))
    expect(follow('own', verdict, { now: NOW + HOUR }).lockout?.rest.ms).toBe(20 * HOUR + 600_000)
  })
})
