import { describe, expect, it } from 'vitest'
import type { Reason } from '../../../core/contract/kinds'
import { Findings } from '../../../core/pipeline/combo-findings'
import { mayPass, pauseBeforeRound } from '../../../core/pipeline/combo-rounds'
import type { TargetReason } from '../../../core/routing/strategies/order-targets'
import { target } from '../routing/strategies/support'

const BOTH = [{ id: 'a' }, { id: 'b' }]

function afterFailure(reason: Reason, { perModel = false, wide = false } = {}): Findings {
  const findings = new Findings()
  findings.learn('a', reason, perModel, wide)
  return findings
}

describe('a request', () => {
  it.each<[Reason, { perModel?: boolean; wide?: boolean }, boolean]>([
    ['auth_error', {}, true],
    ['forbidden', {}, true],
    ['banned', {}, true],
    ['credits_exhausted', {}, true],
    ['quota_exhausted', { wide: true }, true],
    ['quota_exhausted', {}, false],
    ['server_error', {}, true],
    ['server_error', { perModel: true }, false],
    ['timeout', {}, true],
    ['network_error', {}, true],
    ['empty_answer', {}, false],
    ['rate_limit_exceeded', {}, false],
    ['not_found', {}, false],
  ])('after %s (%j): the connection is done with: %s', (reason, more, isDone) => {
    const findings = afterFailure(reason, more)
    expect(findings.exhausted.has('a')).toBe(isDone)
    expect(findings.mayAsk(target('x'), [{ id: 'a' }], [])).toBe(!isDone)
    expect(findings.mayAsk(target('x'), BOTH, [])).toBe(true)
  })

  it('may ask another model of a connection that its own rate limit put to rest', () => {
    expect(afterFailure('rate_limit_exceeded').limited.has('a')).toBe(true)
  })

  it.each<[Reason, boolean]>([
    ['server_error', true],
    ['timeout', true],
    ['network_error', true],
    ['auth_error', false],
    ['credits_exhausted', false],
  ])('in another round, after %s, may ask the connection again: %s', (reason, mayAsk) => {
    const findings = afterFailure(reason)
    findings.newRound()
    expect(findings.mayAsk(target('x'), [{ id: 'a' }], [])).toBe(mayAsk)
    for (const worse of ['server_error', 'auth_error', 'server_error'] as const)
      findings.learn('a', worse, false, false)
    findings.newRound()
    expect(findings.mayAsk(target('x'), [{ id: 'a' }], [])).toBe(false)
  })

  it('asks nobody who has no connection', () => {
    expect(new Findings().mayAsk(target('x'), [], [])).toBe(false)
  })
})

describe('a step that waits for a spent quota', () => {
  const paid = target('paid', { onlyAfterQuota: true })
  const out = (reason: Reason): TargetReason => ({
    ...{ kind: 'excluded', target: target('x') },
    exclusion: { gate: 'cooldown', reason, until: null, why: '' },
  })

  it('is not asked at first, nor after faults and rate limits', () => {
    expect(new Findings().mayAsk(paid, BOTH, [])).toBe(false)
    expect(afterFailure('server_error').mayAsk(paid, BOTH, [out('timeout')])).toBe(false)
    expect(afterFailure('rate_limit_exceeded').mayAsk(paid, BOTH, [])).toBe(false)
  })

  it.each<Reason>(['quota_exhausted', 'credits_exhausted'])(
    'is asked after %s, of this request or before it',
    (reason) => {
      expect(afterFailure(reason).mayAsk(paid, BOTH, [])).toBe(true)
      expect(new Findings().mayAsk(paid, BOTH, [out(reason)])).toBe(true)
    },
  )
})

describe('another round', () => {
  const config = { maxRetries: 1, retryDelayMs: 10, maxSetRetries: 1, setRetryDelayMs: 20 }

  it('comes after the pause the combo wants, so many times, where what failed may pass', () => {
    expect([0, 1, 2].map((rounds) => pauseBeforeRound('server_error', rounds, config))).toEqual([10, 20, null])
    expect(pauseBeforeRound('auth_error', 0, config)).toBeNull()
    expect(pauseBeforeRound(undefined, 0, config)).toBeNull()
  })

  it('is not for quotas and what a person must mend', () => {
    const lasting: readonly Reason[] = ['quota_exhausted', 'credits_exhausted', 'auth_error', 'banned', 'not_found']
    expect(lasting.filter(mayPass)).toEqual([])
  })
})
