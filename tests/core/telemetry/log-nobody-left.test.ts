import { expect, it, vi } from 'vitest'
import { GatewayError } from '../../../core/errors'
import { logNobodyLeft } from '../../../core/telemetry/log-nobody-left'

const NOW = Date.parse('2026-11-30T12:00:00Z')

function logged(diagnostics: object): unknown[] {
  const info = vi.fn()
  logNobodyLeft({ info }, new GatewayError('all_targets_cooling_down', 503, 'Out.', { diagnostics }), 'req_1', NOW)
  return info.mock.calls.map(([fields]) => fields)
}

it('everybody who was left out is logged with the reason and the seconds left', () => {
  const resting = { provider: 'one', reason: 'connection_cooldown', until: '2026-11-30T12:00:41.200Z' }
  const gone = { provider: 'two', reason: 'unavailable', until: null }
  expect(logged({ excluded: [resting, gone] })).toEqual([
    { requestId: 'req_1', code: 'all_targets_cooling_down', excluded: [{ ...resting, secondsLeft: 42 }, gone] },
  ])
})

it('nothing is logged where nobody was left out', () => {
  expect(logged({})).toEqual([])
})
