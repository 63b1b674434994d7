import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CustomBannedSignals, type OperatorRules, ProviderErrorRules } from '../../../../core/contract/error-rules'
import { KINDS } from '../../../../core/contract/explain'
import { REASONS } from '../../../../core/contract/kinds'
import { CATALOGUE } from '../../../../core/providers/catalogue'
import { judge } from '../../../../core/resilience/verdict/judge'
import { incidentOf, NOW, verdictOf } from './signals-of'

describe('whom a failure is about', () => {
  it.each<[string, number, string, string]>([
    ['openai', 429, 'Rate limit reached', 'connection'],
    ['openai', 429, 'Rate limit reached for gpt-x-1 in organization o', 'model'],
    ['own', 429, 'Rate limit reached', 'model'],
    ['own-connection', 429, 'Rate limit reached', 'connection'],
    ['opencode-zen', 429, 'Rate limit reached', 'egress'],
    ['own', 429, 'Too many concurrent requests', 'connection'],
    ['openai', 503, 'down', 'provider'],
    ['own', 503, 'down', 'model'],
    ['anthropic', 529, 'Overloaded', 'provider'],
    ['own', 401, 'no', 'connection'],
    ['own', 402, 'no', 'connection'],
    ['openai', 403, 'no', 'connection'],
    ['own', 403, 'no', 'model'],
    ['own', 403, 'Invalid API key', 'connection'],
    ['openai', 404, 'The model `m` does not exist', 'model'],
    ['openai', 404, 'no such route', 'provider'],
    ['own', 404, 'no such route', 'model'],
    ['own', 404, "File 'f1' not found", 'request'],
    ['glm', 429, '该模型当前访问量过大 (1305)', 'model'],
    ['own', 400, 'no', 'request'],
    ['own', 413, 'no', 'request'],
    ['own', 403, '<html>Just a moment...</html>', 'model'],
  ])('%s %i: "%s" is about the %s', (provider, status, says, scope) => {
    expect(verdictOf(provider, status, says).scope).toBe(scope)
  })

  it('the model that was asked for, where the text names it', () => {
    expect(verdictOf('openai', 429, 'Slow down: GPT-9', { model: 'gpt-9' })).toMatchObject({
      scope: 'model',
      model: 'gpt-9',
    })
    expect(verdictOf('openai', 429, 'Slow down', { model: 'gpt-9' })).toMatchObject({
      scope: 'connection',
      model: 'gpt-9',
    })
  })
})

describe('what comes next', () => {
  it.each([401, 402, 403, 408, 429, 500, 502, 503, 504, 520, 529])('%i: another connection', (status) => {
    expect(verdictOf('openai', status).next).toBe('next-connection')
    expect(verdictOf('own', status).next).toBe('next-connection')
  })

  it.each([400, 405, 409, 415, 422])('%i: the same everywhere', (status) => {
    expect(verdictOf('openai', status).next).toBe('stop')
  })

  it.each<[number, string, string]>([
    [400, 'prompt is too long: 9 tokens > 8 maximum', 'next-target'],
    [400, "Unknown parameter: 'x'", 'next-target'],
    [400, 'The model `m` does not exist', 'next-connection'],
    [400, 'Your credit balance is too low', 'next-connection'],
    [400, 'Invalid API key', 'next-connection'],
    [400, 'The response was filtered due to the content management policy', 'stop'],
    [404, 'The model `m` does not exist', 'next-connection'],
    [404, 'no such route', 'next-target'],
    [404, "File 'f1' not found", 'stop'],
    [403, 'You are not authorized for this route', 'stop'],
  ])('%i "%s": %s', (status, says, next) => {
    expect(verdictOf('openai', status, says).next).toBe(next)
  })
})

describe('what counts against a provider', () => {
  it.each([408, 500, 502, 503, 504])('%i does, whatever it says', (status) => {
    for (const says of ['', 'rate limit', 'overloaded', 'quota exceeded', 'insufficient balance']) {
      expect(verdictOf('openai', status, says).breakerKind).toBe('transient')
    }
  })

  it.each([400, 401, 402, 403, 404, 413, 422, 501, 520, 529])('%i does not', (status) => {
    expect(verdictOf('openai', status).breakerKind).toBeNull()
  })

  it('overload of a model does not where the row says so', () => {
    expect(verdictOf('gemini', 503, 'The model is overloaded.').breakerKind).toBeNull()
    expect(verdictOf('gemini', 503, 'down').breakerKind).toBe('transient')
    expect(verdictOf('new-api', 503, '分组 default 下模型 m 无可用渠道').breakerKind).toBeNull()
  })

  it('429 only as what the opt-in hints count', () => {
    expect(verdictOf('openai', 429).breakerKind).toBe('rate_limit')
    expect(verdictOf('openai', 429, 'daily limit reached').breakerKind).toBe('quota_exhausted')
    expect(verdictOf('openai', 429, 'daily limit reached, resets in 5 minutes').breakerKind).toBe('rate_limit')
    expect(verdictOf('openai', 429, 'Too many concurrent requests').breakerKind).toBeNull()
  })

  it('a request that is too large and another gateway’s hint do not', () => {
    expect(verdictOf('ollama', 500, 'the input length exceeds the context length').breakerKind).toBeNull()
    const headers = { 'X-Omni-Fallback-Hint': 'connection_cooldown' }
    expect(verdictOf('own', 503, 'x', { headers })).toMatchObject({ breakerKind: null, scope: 'connection' })
  })
})

describe('without an error answer', () => {
  it.each([
    ['a silence', { kind: 'timeout', phase: 'first byte' }, 'timeout', 'provider', 'transient'],
    ['no connection', { kind: 'network', code: 'ECONNREFUSED' }, 'network_error', 'provider', 'transient'],
    ['no network on this machine', { kind: 'network', code: 'ENETUNREACH' }, 'network_error', 'nobody', null],
    ['an empty answer', { kind: 'empty' }, 'empty_answer', 'model', null],
    ['a page', { kind: 'unreadable', text: '<html>Log in</html>' }, 'server_error', 'provider', null],
    ['a stall', { kind: 'stall' }, 'stream_stall', 'connection', null],
    ['a trickle', { kind: 'throughput' }, 'throughput_too_low', 'nobody', null],
    ['a client that left', { kind: 'aborted' }, 'aborted', 'nobody', null],
    ['our own limit', { kind: 'local', message: 'the queue is full' }, 'local', 'nobody', null],
  ] as const)('%s', (_what, incident, reason, scope, breakerKind) => {
    expect(incidentOf('openai', incident)).toMatchObject({ reason, scope, breakerKind })
  })

  it('a silent model is not a silent provider where limits are per model', () => {
    expect(incidentOf('own', { kind: 'timeout', phase: 'idle' }).scope).toBe('model')
    expect(incidentOf('own', { kind: 'timeout', phase: 'connect' }).scope).toBe('provider')
  })

  it('JSON of an unreadable answer is not quoted: it may hold the model’s words', () => {
    expect(incidentOf('own', { kind: 'unreadable', text: '{"secret":"plan"' }).message).not.toContain('plan')
  })
})

describe('a restated status', () => {
  it('is judged as what it stands for, and told so', () => {
    const verdict = verdictOf('agentrouter', 403, '用户额度不足')
    expect(verdict).toMatchObject({ status: 429, reason: 'quota_exhausted', scope: 'connection', lasting: 'passing' })
    expect(verdict.told).toEqual({ status: 429, retryAfterMs: 60_000 })
    expect(verdict.message).toBe('403, which stands for 429: 用户额度不足')
    expect(verdictOf('agentrouter', 400, '用户额度不足').status).toBe(429)
  })

  it('a stated wait is told instead of the usual one', () => {
    const told = verdictOf('agentrouter', 403, '用户额度不足', { headers: { 'retry-after': '7' } }).told
    expect(told).toEqual({ status: 429, retryAfterMs: 7_000 })
  })

  it('not where the excluding word stands, too', () => {
    expect(verdictOf('agentrouter', 403, '额度不足，无权访问该分组').status).toBe(403)
    expect(verdictOf('agentrouter', 403, '无权访问模型 m')).toMatchObject({ reason: 'forbidden', scope: 'model' })
  })

  it('not of other providers or statuses, nor of an error inside a 200', () => {
    expect(verdictOf('own', 403, '额度不足').told.status).toBe(403)
    expect(verdictOf('agentrouter', 500, '用户额度不足').told.status).toBe(500)
    expect(verdictOf('agentrouter', 200, '用户额度不足').told.status).toBe(502)
  })

  it('Groq’s 413 is a rate limit, unless the request is too large', () => {
    const says = 'on tokens per minute (TPM): Limit 12000, Requested 21446'
    expect(verdictOf('groq', 413, `Rate limit reached ${says.replace('21446', '500')}`).reason).toBe(
      'rate_limit_exceeded',
    )
    expect(verdictOf('groq', 413, `Request too large for model ${says}`).reason).toBe('context_overflow')
  })

  it('a wait is told only with 429 and 503', () => {
    const headers = { 'retry-after': '7' }
    expect(verdictOf('own', 429, 'x', { headers }).told.retryAfterMs).toBe(7_000)
    expect(verdictOf('own', 503, 'x', { headers }).told.retryAfterMs).toBe(7_000)
    expect(verdictOf('own', 500, 'x', { headers }).told.retryAfterMs).toBeNull()
  })
})

describe('the operator’s rules', () => {
  const rules = (providerErrorRules: object, customBannedSignals: string[] = []): OperatorRules => ({
    providerErrorRules: ProviderErrorRules.parse(providerErrorRules),
    customBannedSignals: CustomBannedSignals.parse(customBannedSignals),
  })
  const operator = rules({ own: [{ status: 400, match: 'Out Of Juice', scope: 'connection' }] })

  it('fire for 400 too, over any part of the text, whatever the capitals', () => {
    const body = { odd: { place: 'we are out of juice' } }
    const verdict = verdictOf('own', 400, body, { operator })
    expect(verdict).toMatchObject({
      reason: 'quota_exhausted',
      scope: 'connection',
      scopeByRule: true,
      rule: 'operator',
    })
  })

  it('for their provider and status only', () => {
    expect(verdictOf('own', 422, 'out of juice', { operator }).rule).not.toBe('operator')
    expect(verdictOf('openai', 400, 'out of juice', { operator }).rule).not.toBe('operator')
  })

  it('come before bans, money and everything else', () => {
    const first = rules({
      openai: [{ status: 403, match: 'suspended', scope: 'model', reason: 'rate_limit_exceeded' }],
    })
    const says = 'Your account has been suspended: insufficient balance'
    expect(verdictOf('openai', 403, says, { operator: first })).toMatchObject({
      reason: 'rate_limit_exceeded',
      scope: 'model',
    })
  })

  it('are found under an alias of the provider', () => {
    const aliased = rules({ zhipu: [{ status: 429, match: 'x1', scope: 'model', reason: 'model_capacity' }] })
    expect(verdictOf('glm', 429, 'x1', { operator: aliased }).rule).toBe('operator')
  })

  it('match the status as it came, and as it was restated', () => {
    for (const status of [403, 429]) {
      const either = rules({ agentrouter: [{ status, match: '额度', scope: 'model', reason: 'model_capacity' }] })
      expect(verdictOf('agentrouter', 403, '额度不足', { operator: either }).rule).toBe('operator')
    }
  })

  it('know more texts of a ban', () => {
    const banned = rules({}, ['Game Over'])
    expect(verdictOf('own', 403, 'GAME OVER for you', { operator: banned }).reason).toBe('banned')
    expect(verdictOf('own', 403, 'game on', { operator: banned }).reason).toBe('forbidden')
  })

  it.each([
    [{ own: [{ status: 200, match: 'x', scope: 'model' }] }],
    [{ own: [{ status: 429, match: ' ', scope: 'model' }] }],
    [{ own: [{ status: 429, match: 'x'.repeat(201), scope: 'model' }] }],
    [{ own: [{ status: 429, match: 'x', scope: 'egress' }] }],
    [{ own: [{ status: 429, match: 'x', scope: 'model', reason: 'aborted' }] }],
    [{ own: [{ status: 429, match: 'x', scope: 'model', cooldownMs: -1 }] }],
    [{ own: [{ status: 429, match: 'x', scope: 'model', more: 1 }] }],
  ])('refuse %j', (given) => {
    expect(ProviderErrorRules.safeParse(given).success).toBe(false)
  })
})

describe('rules of single providers', () => {
  it('read the raw text only where the row allows it, and never 400 unless they say so', () => {
    expect(verdictOf('openai', 403, '无权访问模型 m').rule).not.toBe('agentrouter-model-access-denied')
    expect(verdictOf('agentrouter', 403, '无权访问模型 m').rule).toBe('agentrouter-model-access-denied')
    expect(verdictOf('glm', 400, { error: { code: '1305', message: 'x' } }).reason).toBe('bad_request')
    expect(verdictOf('glm', 400, { error: { code: '1261', message: 'x' } }).reason).toBe('context_overflow')
  })

  it('a scope of the connection stands only where the row honors it', () => {
    const code = { error: { code: 'x', message: 'daily free allocation used (4006)' } }
    expect(verdictOf('cloudflare-ai', 429, code)).toMatchObject({
      rule: 'cloudflare-daily-allocation',
      scopeByRule: false,
    })
    expect(verdictOf('agentrouter', 429, '额度不足')).toMatchObject({ scope: 'connection', scopeByRule: true })
  })

  it('OpenCode’s model that is unavailable rests alone, as its 400 says', () => {
    const verdict = verdictOf('opencode', 400, 'Model is unavailable')
    expect(verdict).toMatchObject({ rule: 'opencode-model-unavailable', reason: 'model_capacity', scope: 'model' })
    expect(verdict.next).toBe('next-connection')
  })

  it('MiniMax says in a header that one model’s quota is spent', () => {
    const spent = { 'x-model-quota-remaining': 'm1=0' }
    expect(verdictOf('minimax', 429, 'x', { headers: spent })).toMatchObject({
      reason: 'quota_exhausted',
      scope: 'model',
    })
    expect(verdictOf('minimax', 429, 'x', { headers: { 'x-model-quota-remaining': 'm1=10' } }).reason).toBe(
      'rate_limit_exceeded',
    )
  })
})

describe('any answer', () => {
  const answer = fc.record({
    provider: fc.constantFrom(...CATALOGUE),
    model: fc.option(fc.string({ maxLength: 20 }), { nil: null }),
    status: fc.integer({ min: 100, max: 599 }),
    headers: fc.dictionary(
      fc.constantFrom('retry-after', 'x-ratelimit-reset', 'cf-mitigated', 'x-amzn-errortype'),
      fc.string(),
    ),
    body: fc.oneof(
      fc.string(),
      fc.json(),
      fc.constantFrom('quota', 'rate limit', '余额不足', '{"error":{"code":429}}'),
    ),
  })

  it('gets a verdict of known words, with a wait only where waiting helps', () => {
    fc.assert(
      fc.property(answer, (given) => {
        const { reason, kind, statedWait, message, rule } = judge({
          kind: 'answer',
          now: NOW,
          timeZone: 'UTC',
          ...given,
        })
        expect(REASONS).toContain(reason)
        expect(KINDS).toContain(kind)
        expect(message).not.toContain('\n')
        expect(rule).not.toBe('none')
        if (!['rate_limit', 'quota_exhausted', 'concurrency', 'server'].includes(kind ?? ''))
          expect(statedWait).toBeNull()
      }),
      { numRuns: 1_000 },
    )
  })
})
