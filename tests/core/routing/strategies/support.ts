// Targets, views and seeded chance for tests of strategies.
import { completeConfig, type SetConfig } from '../../../../core/contract/combo-config'
import type { AnyStrategyName } from '../../../../core/contract/combo-strategies'
import type { Target } from '../../../../core/routing/combo'
import {
  type Ordered,
  type OrderInput,
  orderTargets,
  settleTarget,
} from '../../../../core/routing/strategies/order-targets'
import { NO_FACTS } from '../../../../core/routing/strategies/request-facts'
import type { Outcome, RequestFacts, StrategyState } from '../../../../core/routing/strategies/strategy'
import { type Exclusion, type QuotaView, type TargetView, UNKNOWN_VIEW } from '../../../../core/routing/target-view'

export const NOW = 1_800_000_000_000
export const MINUTE = 60_000
export const HOUR = 3_600_000
export const DAY = 86_400_000

/** mulberry32: the same numbers for the same seed, on every machine. */
export function seeded(seed: number): () => number {
  let a = seed
  return () => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** These numbers, one after the other; a test that asks for more fails. */
export function drawn(...numbers: number[]): () => number {
  let i = 0
  return () => {
    const next = numbers[i++]
    if (next === undefined) throw new Error('asked for more chance than given')
    return next
  }
}

/** "a" is model a of provider pa, by connection ca. */
export const target = (name: string, fields: Partial<Target> = {}): Target => ({
  executionKey: name,
  provider: `p${name}`,
  model: name,
  connectionId: `c${name}`,
  allowedConnections: null,
  weight: 1,
  prompt: null,
  onlyAfterQuota: false,
  ...fields,
})

export const resting: Exclusion = { gate: 'cooldown', reason: 'server_error', until: NOW + MINUTE, why: 'It rests.' }

/** What is seen of each; a name alone: nothing is known of it. */
export type Pool = Readonly<Record<string, Partial<TargetView & { readonly weight: number }>>>

export interface Scenario {
  readonly state?: StrategyState | null
  readonly config?: SetConfig
  readonly request?: Partial<RequestFacts>
  readonly now?: number
  readonly random?: () => number
}

export const targetsOf = (pool: Pool): Target[] =>
  Object.entries(pool).map(([name, { weight }]) => target(name, weight === undefined ? {} : { weight }))

export function inputOf(
  strategy: AnyStrategyName,
  pool: Pool,
  scenario: Scenario = {},
  targets = targetsOf(pool),
): OrderInput {
  return {
    targets,
    view: ({ executionKey }) => ({ ...UNKNOWN_VIEW, ...pool[executionKey] }),
    state: scenario.state ?? null,
    config: completeConfig(strategy, scenario.config ?? {}),
    request: { ...NO_FACTS, ...scenario.request },
    now: scenario.now ?? NOW,
    random: scenario.random ?? (() => 0),
  }
}

export const order = (strategy: AnyStrategyName, pool: Pool, scenario: Scenario = {}): Ordered =>
  orderTargets(strategy, inputOf(strategy, pool, scenario))

/** "b a c" */
export const names = ({ ordered }: Ordered): string => ordered.map(({ executionKey }) => executionKey).join(' ')

export const ordering = (strategy: AnyStrategyName, pool: Pool, scenario: Scenario = {}): string =>
  names(order(strategy, pool, scenario))

/** Score of one, rounded so that it can be compared. */
export function scoreOf({ reasons }: Ordered, name: string): number | null {
  const reason = reasons.find(({ target: { executionKey } }) => executionKey === name)
  if (reason?.kind !== 'ordered') throw new Error(`${name} is not in the order`)
  return reason.score === null ? null : Number(reason.score.toFixed(6))
}

export function exclusionOf({ reasons }: Ordered, name: string): Exclusion {
  const reason = reasons.find(({ target: { executionKey } }) => executionKey === name)
  if (reason?.kind !== 'excluded') throw new Error(`${name} is not excluded`)
  return reason.exclusion
}

export const answered = (connectionId: string | null = null): Outcome => ({ kind: 'success', connectionId })
export const failed: Outcome = { kind: 'failure', reason: 'server_error' }

/** Keeps the state of one combo, as the caller does. */
export class Combo {
  state: StrategyState | null = null

  constructor(
    private readonly strategy: AnyStrategyName,
    public pool: Pool,
    private readonly scenario: Scenario = {},
  ) {}

  /** One request. @returns who leads; null: nobody */
  lead(more: Scenario = {}): string | null {
    const result = order(this.strategy, this.pool, { ...this.scenario, ...more, state: this.state })
    this.state = result.state
    return result.ordered[0]?.executionKey ?? null
  }

  settle(name: string, outcome: Outcome = answered(`c${name}`), now = NOW): void {
    const config = completeConfig(this.strategy, this.scenario.config ?? {})
    this.state = settleTarget(this.strategy, this.state, target(name), outcome, config, now)
  }

  /** Requests one after the other, each answered by whoever leads. */
  run(times: number): string {
    const led: (string | null)[] = []
    for (let i = 0; i < times; i++) {
      const leader = this.lead()
      led.push(leader)
      if (leader !== null) this.settle(leader)
    }
    return led.join(' ')
  }
}

export const DRAWS = 100_000

/** How often each leads. The state is carried on. */
export function tally(strategy: AnyStrategyName, pool: Pool, scenario: Scenario = {}): Map<string, number> {
  const counts = new Map<string, number>()
  const input = inputOf(strategy, pool, scenario)
  let state: StrategyState | null = null
  for (let i = 0; i < DRAWS; i++) {
    const result: Ordered = orderTargets(strategy, { ...input, state })
    state = result.state
    const leader = result.ordered[0]?.executionKey ?? ''
    counts.set(leader, (counts.get(leader) ?? 0) + 1)
  }
  return counts
}

/** Five standard deviations around what a share of all draws comes to: missed once in millions of seeds. */
export function interval(share: number): { readonly least: number; readonly most: number } {
  const spread = 5 * Math.sqrt(DRAWS * share * (1 - share))
  return { least: DRAWS * share - spread, most: DRAWS * share + spread }
}

type KnownQuota = Extract<QuotaView, { readonly kind: 'known' }>
export interface QuotaParts {
  /** Percent used, and hours to the reset. */
  readonly five?: readonly [number, number | null]
  readonly week?: readonly [number, number | null]
  readonly month?: readonly [number, number | null]
  readonly overall?: number
  readonly resetInHours?: number
  readonly limitReached?: boolean
  readonly fresh?: boolean
}

export function quota({
  five,
  week,
  month,
  overall,
  resetInHours,
  limitReached = false,
  fresh = true,
}: QuotaParts): KnownQuota {
  const windows = (
    [
      ['5h', five],
      ['7d', week],
      ['monthly', month],
    ] as const
  ).flatMap(([name, window]) => {
    if (window === undefined) return []
    const [usedPercent, hours] = window
    return { name, usedPercent, resetAt: hours === null ? null : NOW + hours * HOUR }
  })
  return {
    kind: 'known',
    windows,
    usedPercent: overall ?? null,
    resetAt: resetInHours === undefined ? null : NOW + resetInHours * HOUR,
    limitReached,
    fresh,
  }
}
