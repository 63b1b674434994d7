import { describe, expect, it } from 'vitest'
import { NO_OPERATOR_RULES } from '../../../core/contract/error-rules'
import { judgeOutcome, type Outcome } from '../../../core/pipeline/outcome'
import { judge } from '../../../core/resilience/verdict/judge'
import type { Signal } from '../../../core/resilience/verdict/signal'
import { JUDGED_AT, judged, providerRow } from '../../support/judged'

const place = { provider: providerRow('openai'), model: 'm1', now: JUDGED_AT, timeZone: 'Europe/Berlin' }

describe('the signal of an outcome', () => {
  const signalOf = (outcome: Outcome): Signal => {
    const seen: Signal[] = []
    judgeOutcome(outcome, place, (signal) => {
      seen.push(signal)
      return judge(signal)
    })
    expect(seen).toHaveLength(1)
    return seen[0] as Signal
  }

  it('is the answer where one came, with everything it said', () => {
    const headers = { 'retry-after': '3' }
    expect(signalOf({ kind: 'http', status: 429, headers, text: '{"a":1}' })).toEqual({
      ...{ kind: 'answer', ...place, status: 429, headers, body: '{"a":1}' },
    })
  })

  it.each<Outcome>([
    { kind: 'timeout', phase: 'connect' },
    { kind: 'network', code: 'ECONNRESET' },
    { kind: 'empty' },
    { kind: 'unreadable', text: '<html>' },
  ])('is what happened where none came: %j', (incident) => {
    expect(signalOf(incident)).toEqual({ kind: 'incident', ...place, incident })
  })
})

describe('a connection that broke', () => {
  it('counts against the provider', () => {
    expect(judged({ kind: 'network', code: 'ECONNREFUSED' })).toMatchObject({
      ...{ reason: 'network_error', scope: 'provider', lasting: 'passing', breakerKind: 'transient' },
      message: 'nothing listens at its address (ECONNREFUSED)',
    })
  })

  it('at the proxy counts against nobody, and the next connection may have another one', () => {
    expect(judged({ kind: 'network', code: 'ECONNREFUSED', proxy: 'http://proxy.lan:3128' })).toMatchObject({
      ...{ reason: 'network_error', scope: 'nobody', lasting: 'nothing', breakerKind: null, next: 'next-connection' },
      message: 'the proxy http://proxy.lan:3128 does not answer (ECONNREFUSED)',
    })
  })
})

describe('a redirect', () => {
  it.each([
    ['', '302: a redirect is not followed'],
    ['<html><h1>Moved</h1></html>', '302: a redirect is not followed (Moved)'],
  ])('with the body %j is named as what it is', (text, message) => {
    expect(judged({ kind: 'http', status: 302, headers: {}, text })).toMatchObject({ reason: 'server_error', message })
  })
})

it('an operator’s rules decide where they are given', () => {
  const rules = { ...NO_OPERATOR_RULES, customBannedSignals: ['gone fishing'] }
  const outcome: Outcome = { kind: 'http', status: 403, headers: {}, text: 'The owner has gone fishing.' }
  expect(judged(outcome).reason).toBe('forbidden')
  expect(judgeOutcome(outcome, place, (signal) => judge(signal, rules)).reason).toBe('banned')
})
