import { describe, expect, it } from 'vitest'
import { explainDefaults, explainSignal } from '../../../../core/resilience/verdict/explain'
import signals from '../../../fixtures/signals.json'

describe('real failure signals', () => {
  it.each(signals.map((signal) => [signal.id, signal] as const))('%s', (_id, { expect: expected, ...signal }) => {
    const explained = explainSignal(signal, explainDefaults('UTC'))
    expect(expected.kinds).toContain(explained.kind)
    if (expected.retryAfterMs === null) expect(explained.retryAfterMs).toBeNull()
    else expect(Math.abs((explained.retryAfterMs ?? -1e9) - expected.retryAfterMs)).toBeLessThanOrEqual(1)
  })
})
