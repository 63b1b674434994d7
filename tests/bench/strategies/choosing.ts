// What it costs to choose: one order of a hundred targets, with views at hand; and to look at a hundred targets.
import { completeConfig } from '../../../core/contract/combo-config'
import type { Member, ResolvedCombo, Target } from '../../../core/routing/combo'
import { orderCombo } from '../../../core/routing/strategies/order-combo'
import { NO_FACTS } from '../../../core/routing/strategies/request-facts'
import type { StrategyState } from '../../../core/routing/strategies/strategy'
import { TargetStats } from '../../../core/routing/target-stats'
import { type TargetView, UNKNOWN_VIEW } from '../../../core/routing/target-view'
import { comboOf } from './combos'
import { SimGateway } from './gateway'
import { seeded } from './luck'
import type { Row } from './rows'

const TARGETS = 100
const NOW = 1_750_000_000_000
const HOUR_MS = 3_600_000
const BATCHES = 9
const BATCH = 300

/** Microseconds of one order; the best of several batches, for others use the machine too. */
export function choosingUs({ strategy, config }: Row, seed: number): number {
  const random = seeded(seed)
  const views = new Map<Target, TargetView>()
  const members = Array.from({ length: TARGETS }, (_, i): Member => {
    const target = targetAt(i)
    views.set(target, viewAt(i, random))
    return { kind: 'target', target }
  })
  const whole = completeConfig(strategy, config)
  const combo: ResolvedCombo = { name: 'hundred', strategy, config: whole, members, judge: null, dropped: [] }
  const view = (target: Target): TargetView => views.get(target) ?? UNKNOWN_VIEW
  let state: StrategyState | null = null
  let n = 0
  return bestUs(() => {
    const request = { ...NO_FACTS, inputTokens: 2_000, cacheKey: `conversation-${n % 50}` }
    const { states } = orderCombo(combo, { view, stateOf: () => state, request, now: NOW + n++, random })
    state = states.get(combo.name) ?? null
  })
}

/** Microseconds to see a hundred targets as strategies are shown them, each with a history. */
export function lookingUs(seed: number): number {
  const gateway = new SimGateway({ seed, from: 0, to: 24 }, new TargetStats())
  const combo = comboOf('random', {}, gateway)
  const random = seeded(seed)
  for (const { target } of combo.members) {
    for (let i = 0; i < 50; i++) {
      const end = { latencyMs: 500 + 2_000 * random(), ok: true, usable: true, at: gateway.clock.now() }
      gateway.stats.ended(combo.name, target, end)
    }
  }
  const { view } = gateway.scene(combo.name, 2_000)
  const us = bestUs(() => {
    for (const { target } of combo.members) view(target)
  })
  gateway.health.close()
  return (us * TARGETS) / combo.members.length
}

function bestUs(once: () => void): number {
  let best = Number.POSITIVE_INFINITY
  for (let batch = 0; batch < BATCHES; batch++) {
    const startedAt = performance.now()
    for (let i = 0; i < BATCH; i++) once()
    best = Math.min(best, ((performance.now() - startedAt) * 1_000) / BATCH)
  }
  return best
}

const targetAt = (i: number): Target => ({
  ...{ executionKey: `${i + 1}`, provider: `provider-${i % 10}`, model: `model-${i % 20}`, connectionId: `key-${i}` },
  ...{ allowedConnections: null, weight: 1 + (i % 3), prompt: null, onlyAfterQuota: false },
})

/** Every tenth is out. */
const viewAt = (i: number, random: () => number): TargetView => ({
  ...UNKNOWN_VIEW,
  exclusion: i % 10 === 9 ? { gate: 'cooldown', reason: 'server_error', until: NOW + HOUR_MS, why: 'It rests.' } : null,
  ...{ averageLatencyMs: 400 + 2_000 * random(), p95LatencyMs: 2_000 + 4_000 * random(), quality: 1 },
  ...{ latencyDeviationMs: 900 * random(), successRate: 0.9 + 0.1 * random(), useCount: Math.floor(500 * random()) },
  recentFailures: { rate: 0.1 * random(), samples: 50 },
  ...{ inputPrice: 3 * random(), outputPrice: 15 * random(), contextWindow: 128_000 + 1_000 * (i % 7) },
  ...{ tools: true, connections: 10, inFlight: i % 3 },
  quota:
    i % 2 === 0
      ? { kind: 'none' }
      : {
          ...{ kind: 'known', usedPercent: null, resetAt: null, limitReached: false, fresh: true },
          windows: [
            { name: '5h', usedPercent: 90 * random(), resetAt: NOW + 5 * HOUR_MS * random() },
            { name: '7d', usedPercent: 90 * random(), resetAt: NOW + 168 * HOUR_MS * random() },
          ],
        },
})
