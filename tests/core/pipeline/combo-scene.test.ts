// What a combo's strategy sees of a target: here what is put together from several places.
import { expect, it } from 'vitest'
import { openAiChat } from '../../../core/dialects/openai-chat/openai-chat'
import { ComboScene, type SceneDeps } from '../../../core/pipeline/combo-scene'
import { providerRow } from '../../../core/providers/provider-row'
import { buildConnection, type Registry } from '../../../core/providers/registry'
import { QuotaBook } from '../../../core/quotas/quota-book'
import { AccountSessions, sessionOf } from '../../../core/routing/account-sessions'
import type { Target } from '../../../core/routing/combo'
import { TargetStats } from '../../../core/routing/target-stats'
import { ManualClock } from '../../support/manual-clock'
import { openHealth } from '../resilience/health-world'

const HEADERS = { 'x-session-id': 'mine' }

function sceneOf(providerClass: 'oauth' | 'apikey' | 'local', prices: { input: number; output: number } | null) {
  const clock = new ManualClock()
  const row = providerRow({
    ...{ id: 'p', label: 'p', class: providerClass, endpoints: { 'openai-chat': 'https://p.example/v1' } },
  })
  const connection = buildConnection(
    row,
    { id: 'c', name: 'c', priority: 1, enabled: true, baseUrl: null },
    'k',
    false,
    null,
  )
  const registry: Registry = new Map([['p', { row, connections: [connection] }]])
  const { health, current } = openHealth({ clock, deps: { provider: () => row } })
  const fact = (value: number) => ({ value, source: 'table' as const, at: 0 })
  const [quotas, sessions] = [new QuotaBook(), new AccountSessions()]
  const deps: SceneDeps = {
    ...{ clock, health, quotas, sessions, stats: new TargetStats(), resilience: () => current.settings },
    world: () => ({ registry }) as ReturnType<SceneDeps['world']>,
    factsOf: () => (prices === null ? null : { inputPrice: fact(prices.input), outputPrice: fact(prices.output) }),
  }
  const asking = {
    ...{ unusableFor: null, request: { headers: HEADERS }, caller: { call: openAiChat, clientKeyId: 'key' } },
    client: undefined as never,
  }
  const scene = new ComboScene('combo', { inputTokens: 1, tools: false, images: false }, asking, deps, () => 0)
  const leg: Target = {
    ...{ executionKey: '1', provider: 'p', model: 'm', connectionId: 'c', allowedConnections: null },
    ...{ weight: 1, prompt: null, onlyAfterQuota: false },
  }
  return { view: () => scene.view(leg), quotas, sessions, clock, row }
}

it('a target’s tier is that of its model’s price, or free on this machine', () => {
  expect(sceneOf('apikey', { input: 3, output: 15 }).view().tier).toBe('pro')
  expect(sceneOf('apikey', null).view().tier).toBeNull()
  expect(sceneOf('local', null).view().tier).toBe('free')
})

it('other sessions count for accounts that sign in, the session that asks does not', () => {
  for (const [providerClass, others] of [
    ['oauth', 2],
    ['apikey', 0],
  ] as const) {
    const { view, sessions, clock } = sceneOf(providerClass, null)
    for (const session of [sessionOf(HEADERS, 'key'), 'a', 'b']) sessions.note('c', session, clock.now())
    expect(view().otherSessions).toBe(others)
  }
})

it('quotas are those of the target’s model; a minute’s rate is none', () => {
  const { view, quotas, clock, row } = sceneOf('apikey', null)
  const limits = (what: string, left: string) => ({
    [`x-ratelimit-limit-${what}`]: '100',
    [`x-ratelimit-remaining-${what}`]: left,
    [`x-ratelimit-reset-${what}`]: '50',
  })
  quotas.note('c', { model: 'm', provider: { row } }, limits('requests', '0'), clock.now())
  expect(view().quota).toEqual({ kind: 'none' })
  quotas.note('c', { model: 'another', provider: { row } }, limits('requests-day', '0'), clock.now())
  expect(view().quota).toEqual({ kind: 'none' })
  quotas.note('c', { model: 'm', provider: { row } }, limits('requests-day', '25'), clock.now())
  expect(view().quota).toMatchObject({ kind: 'known', usedPercent: 75, windows: [{ name: 'daily:m' }] })
})
