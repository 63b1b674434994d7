import { describe, expect, it } from 'vitest'
import type { HealthState, OverallState } from '../../core/contract/kinds'
import type { ListenerState, ProviderView } from '../../core/contract/views'
import { overallState } from '../../core/overall-state'

const listening: ListenerState = { kind: 'listening', url: 'http://127.0.0.1:4517', port: 4517, since: 0 }
const provider = (id: string, state: HealthState): ProviderView =>
  ({ id, label: id.toUpperCase(), state, why: state === 'healthy' ? '' : `work: ${state}` }) as ProviderView

describe('the gateway in one word, by its port', () => {
  it.each<[ListenerState, OverallState, string]>([
    [{ kind: 'starting' }, 'starting', 'The gateway is starting.'],
    [listening, 'healthy', ''],
    [
      { kind: 'port-in-use', port: 4517, holder: 'other', freePort: 4518 },
      'down',
      'Port 4517 is in use by another program.',
    ],
    [
      { kind: 'port-in-use', port: 4517, holder: 'breakwater', freePort: null },
      'down',
      'Port 4517 is in use by another Breakwater.',
    ],
    [{ kind: 'port-forbidden', port: 80, freePort: 1024 }, 'down', 'The system does not allow port 80.'],
    [{ kind: 'listen-failed', port: 1, message: 'It failed.' }, 'down', 'It failed.'],
    [{ kind: 'database-refused', file: 'f', message: 'It is broken.', wayOut: 'Mend it.' }, 'down', 'It is broken.'],
    [{ kind: 'data-folder-in-use', folder: 'f', pid: 1 }, 'down', 'Another Breakwater uses the same data folder.'],
    [{ kind: 'stopped' }, 'down', 'The gateway has stopped.'],
  ])('%j', (listener, overall, overallWhy) => {
    expect(overallState(listener, false, [])).toEqual({ overall, overallWhy })
    // A gateway that cannot be reached is that first, paused or not.
    if (listener.kind !== 'listening') expect(overallState(listener, true, []).overall).toBe(overall)
  })
})

describe('the gateway in one word, by its providers', () => {
  it.each<[string, readonly ProviderView[], OverallState, string]>([
    ['none', [], 'healthy', ''],
    ['none that is used', [provider('a', 'off')], 'healthy', ''],
    ['all good', [provider('a', 'healthy'), provider('b', 'healthy')], 'healthy', ''],
    ['practice fails on purpose', [provider('practice', 'needs-you')], 'healthy', ''],
    ['one strained', [provider('a', 'healthy'), provider('b', 'strained')], 'strained', 'B: work: strained'],
    [
      'one needs a person',
      [provider('a', 'strained'), provider('b', 'needs-you')],
      'down',
      'B has no connection left: work: needs-you',
    ],
    ['one rests', [provider('a', 'resting')], 'down', 'A has no connection left: work: resting'],
  ])('%s', (_what, providers, overall, overallWhy) => {
    expect(overallState(listening, false, providers)).toEqual({ overall, overallWhy })
  })

  it('is paused before anything about them', () => {
    expect(overallState(listening, true, [provider('a', 'needs-you')]).overall).toBe('paused')
  })
})
