import { describe, expect, it } from 'vitest'
import { Explanation } from '../../../../core/contract/explain'
import { explainDefaults, explainSignal, explainSignals } from '../../../../core/resilience/verdict/explain'
import signals from '../../../fixtures/signals.json'

const context = explainDefaults('UTC')
const given = { id: 'a', provider: 'openai', status: 429, headers: {}, body: '', now: '2026-11-30T02:50:00Z' }

describe('explaining a failure', () => {
  it('says what it proves and what follows', () => {
    expect(explainSignal({ ...given, headers: { 'Retry-After': '20' } }, context)).toEqual({
      id: 'a',
      kind: 'rate_limit',
      reason: 'rate_limit_exceeded',
      scope: 'connection',
      retryAfterMs: 20_000,
      consequences: { breaker: false, cooldownMs: 20_000, lockout: null, terminal: null, next: 'next-connection' },
    })
  })

  it('states only what was stated', () => {
    const { retryAfterMs, consequences } = explainSignal(given, context)
    expect(retryAfterMs).toBeNull()
    expect(consequences.cooldownMs).toBe(3_000)
  })

  it('resolves aliases; an unknown provider is one of the user’s own', () => {
    const body = '{"error":{"code":"1305","message":"x"}}'
    expect(explainSignal({ ...given, provider: 'zhipu', body }, context).reason).toBe('model_capacity')
    expect(explainSignal({ ...given, provider: 'nobody', model: 'm1' }, context).consequences.lockout).toEqual({
      key: 'nobody:<connection>:m1',
      ms: 120_000,
    })
  })

  it('takes a model from the evidence, where none is given', () => {
    const body = JSON.stringify({ error: { message: 'Rate limit reached for gpt-x-1 in organization o' } })
    expect(explainSignal({ ...given, body }, context).consequences.lockout?.key).toBe('openai:<connection>:gpt-x-1')
    expect(explainSignal({ ...given, provider: 'own' }, context).consequences.lockout?.key).toBe(
      'own:<connection>:<model>',
    )
  })

  it('takes an error in a 200 for the status it stands for', () => {
    const body = '{"error":{"code":503,"message":"down"}}'
    expect(explainSignal({ ...given, status: 200, body }, context)).toMatchObject({
      kind: 'server',
      consequences: { breaker: true },
    })
  })

  it('takes epoch milliseconds and numbers in headers', () => {
    const epoch = { ...given, now: Date.parse(given.now), headers: { 'retry-after': 5 } }
    expect(explainSignal(epoch, context).retryAfterMs).toBe(5_000)
  })

  it('ignores further members, and gives what its contract promises', () => {
    for (const explained of explainSignals(signals, context)) expect(Explanation.parse(explained)).toEqual(explained)
  })
})

describe('input that cannot be explained', () => {
  it.each<[string, unknown, string]>([
    ['no list', {}, 'The signals must be a list'],
    ['no object', [3], '[0]'],
    ['no id', [{ ...given, id: undefined }], '[0].id: must be text'],
    ['no provider', [given, { ...given, provider: '' }], '[1].provider: must not be empty'],
    ['a status in words', [given, given, { ...given, status: 'x' }], '[2].status: must be an HTTP status'],
    ['a status out of range', [{ ...given, status: 42 }], '[0].status: must be an HTTP status'],
    ['headers as a list', [{ ...given, headers: [] }], '[0].headers: must be an object'],
    ['a header that is no text', [{ ...given, headers: { a: {} } }], '[0].headers.a: must be text'],
    ['a body that is no text', [{ ...given, body: { error: 1 } }], '[0].body: must be text'],
    ['no moment', [{ ...given, now: 'yesterday' }], '[0].now: must be a moment'],
    ['now missing', [{ ...given, now: undefined }], '[0].now: must be a moment'],
  ])('%s is named with its place', (_what, input, message) => {
    expect(() => explainSignals(input, context)).toThrow(message)
  })

  it('a single one is named by its field', () => {
    expect(() => explainSignal({ ...given, status: 1 }, context)).toThrow('status: must be an HTTP status')
  })
})
