import { expect, it } from 'vitest'
import { FailureDedup } from '../../../core/resilience/failure-dedup'

const NOW = 1_000_000
type Step = readonly [at: number, connection: string, network: boolean, counts: boolean, provider?: string]

it.each<readonly [string, readonly Step[]]>([
  [
    'one connection counts once in five seconds',
    [
      [0, 'a', false, true],
      [4_999, 'a', false, false],
      [5_000, 'a', false, true],
    ],
  ],
  [
    'other connections count by themselves',
    [
      [0, 'a', false, true],
      [1, 'b', false, true],
    ],
  ],
  [
    'a dead network counts once in ten seconds for a provider, whoever met it',
    [
      [0, 'a', true, true],
      [1, 'b', true, false],
      [9_999, 'c', true, false],
      [10_000, 'd', true, true],
    ],
  ],
  [
    'what did not count does not hold up what comes after',
    [
      [0, 'a', true, true],
      [1, 'b', true, false],
      [2, 'b', false, true],
    ],
  ],
  [
    'other providers have their own',
    [
      [0, 'a', true, true, 'openai'],
      [1, 'b', true, true, 'anthropic'],
    ],
  ],
  [
    'a connection that counted just now counts for no network either',
    [
      [0, 'a', false, true],
      [1, 'a', true, false],
      [2, 'b', true, true],
    ],
  ],
  [
    'a clock that was set back holds up nothing',
    [
      [0, 'a', true, true],
      [-1, 'a', true, true],
    ],
  ],
])('%s', (_rule, steps) => {
  const dedup = new FailureDedup()
  for (const [at, connection, network, counts, provider = 'openai'] of steps)
    expect(dedup.counts(provider, connection, network, NOW + at)).toBe(counts)
})

it('remembers no more than it may: the oldest goes first', () => {
  const dedup = new FailureDedup()
  for (let i = 0; i < 10_001; i++) dedup.counts('openai', `c${i}`, false, NOW)
  expect(dedup.size).toBe(10_000)
  expect(dedup.counts('openai', 'c10000', false, NOW)).toBe(false)
  expect(dedup.counts('openai', 'c0', false, NOW)).toBe(true)
})

it('forgets everything after a reset', () => {
  const dedup = new FailureDedup()
  dedup.counts('openai', 'a', true, NOW)
  dedup.clear()
  expect(dedup.counts('openai', 'a', true, NOW)).toBe(true)
})
