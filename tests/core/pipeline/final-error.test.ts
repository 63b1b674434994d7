import { describe, expect, it } from 'vitest'
import type { Dialect } from '../../../core/contract/kinds'
import type { GatewayError } from '../../../core/errors'
import type { UpstreamError } from '../../../core/pipeline/answer-reader'
import { type Ending, type FailedAttempt, type FinalAnswer, finalAnswer } from '../../../core/pipeline/final-error'
import type { Outcome } from '../../../core/pipeline/outcome'
import type { Exclusion } from '../../../core/pipeline/waits'
import { buildConnection } from '../../../core/providers/registry'
import type { Gate } from '../../../core/resilience/health-events'
import { JUDGED_AT, judged, providerRow } from '../../support/judged'

const NOW = JUDGED_AT
const openAi = providerRow('openai')
const connection = (name: string) =>
  buildConnection(openAi, { id: name, name, priority: 1, enabled: true, baseUrl: null }, 'sk-x', false, null)
const target = { provider: { row: openAi, connections: [connection('work'), connection('home')] }, model: 'gpt-5' }

function failed(name: string, outcome: Outcome, error: UpstreamError | null = null): FailedAttempt {
  return { connection: name, verdict: judged(outcome), error, sameDialect: true }
}
function said(name: string, status: number, text: string, headers: Record<string, string> = {}): FailedAttempt {
  return failed(name, { kind: 'http', status, headers, text }, { status, headers, body: Buffer.from(text) })
}
const json = (message: string): string => JSON.stringify({ error: { message } })
const timeout = (name: string) => failed(name, { kind: 'timeout', phase: 'first byte' })
const refused = (name: string) => failed(name, { kind: 'network', code: 'ECONNREFUSED' })

const gate = (name: string, part: Partial<Gate>): Exclusion => ({
  ...{ connectionId: name, connection: name, because: 'it rests' },
  gate: {
    ...{ kind: 'closed', gate: 'cooldown', reason: 'rate_limit_exceeded', since: NOW, why: 'it rests' },
    ...{ until: NOW + 30_000, endsBy: 'time' },
    ...part,
  },
})
/** Nothing that health keeps track of. */
const out = (name: string, because: string): Exclusion => ({
  ...{ connectionId: name, connection: name, because },
  gate: null,
})
const limited = (name: string, ms: number) => gate(name, { until: NOW + ms })
const spent = (name: string, ms: number) => gate(name, { reason: 'quota_exhausted', until: NOW + ms })
const broken = (name: string, ms: number) =>
  gate(name, { gate: 'breaker', reason: 'server_error', until: NOW + ms, endsBy: 'probe' })
const banned = (name: string) => gate(name, { gate: 'terminal', reason: 'banned', until: null, endsBy: 'person' })
const retried = (name: string, ms: number) =>
  gate(name, { gate: 'sign-in-retry', reason: 'auth_error', until: NOW + ms, endsBy: 'retry' })

const end = (part: Partial<Ending>): FinalAnswer =>
  finalAnswer({ target, dialect: 'openai-chat', failed: [], excluded: [], now: NOW, ...part })

function ownOf(part: Partial<Ending>): GatewayError {
  const answer = end(part)
  if (answer.kind !== 'own') throw new Error('relayed')
  return answer.error
}

/** "relay 429" or "502 bad_gateway". */
function summary(part: Partial<Ending>): string {
  const answer = end(part)
  return answer.kind === 'relay' ? `relay ${answer.error.status}` : `${answer.error.httpStatus} ${answer.error.code}`
}

describe('what the client is told when nothing answered', () => {
  it.each<[string, readonly FailedAttempt[], string]>([
    ['a refusal in JSON is passed on', [said('work', 429, json('slow'))], 'relay 429'],
    ['the last one that spoke is passed on', [said('work', 429, json('a')), said('home', 503, json('b'))], 'relay 503'],
    ['also when others after it said nothing', [said('work', 500, json('a')), refused('home')], 'relay 500'],
    ['a bad request is passed on', [said('work', 400, json('too long'))], 'relay 400'],
    ['a 401 about our key never is', [said('work', 401, json('bad key'))], '503 no_usable_connection'],
    ['nor one about a banned account', [said('work', 401, json('account deactivated'))], '503 no_usable_connection'],
    ['nor any other 401', [said('work', 401, json('insufficient balance'))], '502 bad_gateway'],
    ['nor our key in words', [said('work', 400, json('Incorrect API key provided'))], '503 no_usable_connection'],
    ['nor before another refusal', [said('work', 429, json('a')), said('home', 401, json('b'))], 'relay 429'],
    ['nor before a silence', [timeout('work'), said('home', 401, json('b'))], '502 bad_gateway'],
    ['a page is not passed on', [said('work', 502, '<html>')], '502 bad_gateway'],
    ['nor an empty body', [said('work', 500, '')], '502 bad_gateway'],
    ['nor a redirect', [said('work', 302, '{}')], '502 bad_gateway'],
    ['keys refused by pages', [said('work', 401, ''), said('home', 403, '<p>no</p>')], '503 no_usable_connection'],
    ['silence at the end', [refused('work'), timeout('home')], '504 gateway_timeout'],
    ['no connection at the end', [timeout('work'), refused('home')], '502 bad_gateway'],
    ['an empty answer', [failed('work', { kind: 'empty' })], '502 bad_gateway'],
    ['nothing was tried', [], '503 no_usable_connection'],
  ])('%s', (_what, attempts, expected) => {
    expect(summary({ failed: attempts })).toBe(expected)
  })

  it('names provider, connection and cause, and lists every attempt in order', () => {
    const error = ownOf({ failed: [refused('work'), timeout('home')], excluded: [out('old', 'switched off')] })
    expect(error.message).toBe('No answer in time. OpenAI, connection "home": no first byte in time.')
    expect(error.details.diagnostics).toEqual({
      target: 'openai/gpt-5',
      attempts: [
        {
          connection: 'work',
          reason: 'network_error',
          message: 'nothing listens at its address (ECONNREFUSED)',
        },
        { connection: 'home', reason: 'timeout', message: 'no first byte in time' },
      ],
      excluded: [{ connection: 'old', because: 'switched off' }],
    })
  })

  it('names the connections whose key was refused', () => {
    const error = ownOf({ failed: [said('work', 401, ''), said('home', 401, '')] })
    expect(error.message).toContain('(work, home). Enter a valid key')
  })

  it('says when to come back with what it passes on, where the refusal is one that time ends', () => {
    const told = (status: number, excluded: readonly Exclusion[]) => {
      const answer = end({ failed: [said('work', status, json('x'))], excluded })
      return answer.kind === 'relay' ? answer.retryAfterS : 'own'
    }
    expect(told(429, [limited('work', 30_000), limited('home', 12_001)])).toBe(13)
    expect(told(503, [limited('work', 1)])).toBe(1)
    expect(told(429, [])).toBeNull()
    expect(told(500, [limited('work', 30_000)])).toBeNull()
    expect(told(429, [banned('work')])).toBeNull()
  })
})

describe('what the client is told in a dialect that the upstream does not speak', () => {
  const crossed = (attempt: FailedAttempt, excluded: readonly Exclusion[] = []): GatewayError =>
    ownOf({ failed: [{ ...attempt, sameDialect: false }], excluded, dialect: 'anthropic' })

  it('the upstream’s status and words, in the caller’s own shape, and what was tried', () => {
    const error = crossed(said('work', 503, json('all busy')))
    expect([error.httpStatus, error.code]).toEqual([503, 'server_error'])
    expect(error.message).toBe('OpenAI, connection "work": 503: all busy')
    expect(error.details.diagnostics).toMatchObject({ target: 'openai/gpt-5', attempts: [{ connection: 'work' }] })
  })

  it('the wait that was stated, before the time until something returns', () => {
    const stated = said('work', 429, json('slow down'), { 'retry-after': '7' })
    expect(crossed(stated, [limited('work', 30_000)]).details).toMatchObject({
      ...{ retryAfterS: 7, resetAt: new Date(NOW + 7_000).toISOString() },
    })
    expect(crossed(said('work', 429, json('slow down')), [limited('work', 30_000)]).details).toMatchObject({
      ...{ retryAfterS: 30, resetAt: new Date(NOW + 30_000).toISOString() },
    })
  })

  it('no time where none is known, or none would help', () => {
    expect(crossed(said('work', 429, json('slow down'))).details).not.toHaveProperty('retryAfterS')
    expect(crossed(said('work', 400, json('bad')), [limited('work', 1_000)]).details).not.toHaveProperty('resetAt')
  })

  it('a window that is too small in the word that clients act on', () => {
    const error = crossed(
      said('work', 400, JSON.stringify({ error: { code: 'context_length_exceeded', message: 'x' } })),
    )
    expect(error.code).toBe('context_length_exceeded')
  })
})

describe('what the client is told when nothing could be tried', () => {
  it.each<[string, readonly Exclusion[], string]>([
    ['the provider is held back', [broken('work', 9_000), broken('home', 9_000)], '503 provider_circuit_open'],
    ['also beside one that is switched off', [broken('work', 9_000), out('home', 'off')], '503 provider_circuit_open'],
    ['everything rests', [limited('work', 9_000), limited('home', 9_000)], '429 model_cooldown'],
    ['some rest and some are spent', [limited('work', 9_000), spent('home', 9_000)], '429 model_cooldown'],
    ['one rests and one is banned', [limited('work', 9_000), banned('home')], '429 model_cooldown'],
    ['one rests and one has no key', [limited('work', 9_000), out('home', 'no key')], '429 model_cooldown'],
    ['everything is spent', [spent('work', 9_000), spent('home', 99_000)], '429 quota_exhausted'],
    ['every account is banned', [banned('work'), banned('home')], '503 no_usable_connection'],
    ['every sign-in is tried again', [retried('work', 300_000), banned('home')], '503 no_usable_connection'],
    ['none is usable at all', [out('work', 'off'), out('home', 'no key')], '503 no_usable_connection'],
  ])('%s', (_what, excluded, expected) => {
    expect(summary({ excluded })).toBe(expected)
  })

  it('a sign-in that is tried again: when; an account that waits for a person: no time', () => {
    const { retryAfterS } = ownOf({ excluded: [retried('work', 300_000), banned('home')] }).details
    expect(retryAfterS).toBeGreaterThan(0)
    expect(ownOf({ excluded: [banned('work')] }).details.retryAfterS).toBeUndefined()
  })

  it('an open breaker: the provider, its header, and when it is tried again', () => {
    const error = ownOf({ excluded: [broken('work', 8_001), broken('home', 8_001)] })
    expect(error.message).toBe('Provider openai circuit breaker is open')
    expect(error.details).toMatchObject({
      ...{ retryAfterS: 9, resetAt: new Date(NOW + 8_001).toISOString(), members: { provider: 'openai' } },
      headers: ['X-OmniRoute-Provider-Breaker', 'open'],
    })
  })

  it('at least one second, where it is time already', () => {
    expect(ownOf({ excluded: [broken('work', 0)] }).details.retryAfterS).toBe(1)
    expect(ownOf({ excluded: [limited('work', -5)] }).details.retryAfterS).toBe(1)
  })

  it('a cooldown: the model, how many rest, and when the first of them is back', () => {
    const error = ownOf({ excluded: [limited('work', 60_000), limited('home', 20_500), banned('old')] })
    expect(error.message).toBe('openai/gpt-5 rests on all 2 connections; the first returns in 21 s.')
    expect(error.details).toMatchObject({
      ...{ retryAfterS: 21, resetAt: new Date(NOW + 20_500).toISOString() },
      members: { model: 'gpt-5', reset_seconds: 21, credentials_cooling: 2 },
    })
    expect(ownOf({ excluded: [limited('work', 1_000)] }).message).toContain('rests on its connection;')
  })

  it('a spent pool: when the first allowance begins anew', () => {
    const error = ownOf({ excluded: [spent('work', 7_200_000), spent('home', 3_600_000)] })
    const resetAt = new Date(NOW + 3_600_000).toISOString()
    expect(error.message).toBe(
      `The allowance of OpenAI is spent on all 2 connections; the first returns at ${resetAt}.`,
    )
    expect(error.details).toMatchObject({ retryAfterS: 3_600, resetAt })
  })

  it('a pool that spent the last of its allowances on this very request says so itself', () => {
    const attempts = [said('work', 429, json('weekly limit reached'))]
    const both = [spent('work', 3_600_000), spent('home', 7_200_000)]
    expect(summary({ failed: attempts, excluded: both })).toBe('429 quota_exhausted')
    // One account's own words are true of a pool of one.
    const alone = { provider: { row: openAi, connections: [connection('work')] }, model: 'gpt-5' }
    expect(summary({ target: alone, failed: attempts, excluded: [spent('work', 3_600_000)] })).toBe('relay 429')
    expect(summary({ failed: attempts, excluded: [spent('work', 3_600_000), limited('home', 1_000)] })).toBe(
      'relay 429',
    )
    expect(summary({ failed: attempts, excluded: [spent('work', 3_600_000), out('home', 'off')] })).toBe('relay 429')
  })

  it('lists what stands in the way, with reason and return where health knows them', () => {
    const error = ownOf({ excluded: [limited('work', 1_000), banned('home'), out('old', 'switched off')] })
    expect(error.details.diagnostics).toEqual({
      target: 'openai/gpt-5',
      attempts: [],
      excluded: [
        {
          ...{ connection: 'work', because: 'it rests' },
          ...{ reason: 'rate_limit_exceeded', until: new Date(NOW + 1_000).toISOString() },
        },
        { connection: 'home', because: 'it rests', reason: 'banned', until: null },
        { connection: 'old', because: 'switched off' },
      ],
    })
  })

  it.each<[string, typeof target.provider.connections, Dialect, readonly Exclusion[], string]>([
    ['no connection', [], 'openai-chat', [], 'OpenAI has no connection yet. Add one under Connections.'],
    ['another format', target.provider.connections, 'anthropic', [], 'OpenAI does not speak anthropic'],
    [
      'none usable',
      ...([target.provider.connections, 'openai-chat'] as const),
      [out('work', 'switched off'), out('home', 'it has no key')],
      'OpenAI has no usable connection: work: switched off; home: it has no key.',
    ],
    [
      'none usable, in an upstream’s own sentence',
      ...([target.provider.connections, 'openai-chat'] as const),
      [out('work', '403: You are banned.')],
      'OpenAI has no usable connection: work: 403: You are banned.',
    ],
  ])('%s: what to do, in one sentence', (_what, connections, dialect, excluded, words) => {
    const error = ownOf({ target: { ...target, provider: { row: openAi, connections } }, dialect, excluded })
    expect(error.message.startsWith(words)).toBe(true)
    expect(error.message).not.toContain('..')
  })
})
