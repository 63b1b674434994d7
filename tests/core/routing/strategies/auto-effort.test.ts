import { expect, it } from 'vitest'
import { effortFor } from '../../../../core/routing/strategies/auto/effort'
import type { RequestFacts } from '../../../../core/routing/strategies/strategy'

it.each<[RequestFacts['task'], number | null, string]>([
  ['documentation', 90_000, 'low'],
  ['coding', 10, 'medium'],
  ['debugging', 10, 'high'],
  ['planning', null, 'high'],
  [null, 500, 'low'],
  [null, 501, 'medium'],
  [null, null, 'medium'],
])('a request about %s of %s tokens is thought about with effort %s', (task, inputTokens, effort) => {
  expect(effortFor({ task, inputTokens })).toBe(effort)
})
