// Counts what happens under one strategy, and what of it is worth a row.
import type { ResolvedCombo, Target } from '../../../core/routing/combo'
import type { ComboOrder } from '../../../core/routing/strategies/order-combo'
import type { Candidate, Outcome, RequestFacts } from '../../../core/routing/strategies/strategy'
import { exclusionOf, type TargetView } from '../../../core/routing/target-view'
import type { Watcher } from './request-run'
import { duesBy } from './rules'

/** Too little was due to say anything. */
const ENOUGH_DUE = 20
/** Whoever got less than this share of its due is starved, if chance cannot explain it: so many deviations. */
const STARVED_BELOW = 0.5
const DEVIATIONS = 4

export interface Starved {
  /** `provider/model` by its connection. */
  readonly target: string
  /** Requests it was due to lead, and did lead. */
  readonly due: number
  readonly led: number
}

export interface Result {
  readonly requests: number
  readonly answered: number
  readonly attempts: number
  /** Attempts that failed. */
  readonly wasted: number
  /** US dollars for all answers. */
  readonly cost: number
  /** Milliseconds until the first content, of answered requests. */
  readonly p50Ms: number
  readonly p95Ms: number
  /** Jain's index over the answers of all connections: 1 where all gave as many, near 0 where one gave all. */
  readonly fairness: number
  readonly starved: readonly Starved[]
}

export class Tally implements Watcher {
  /** For a question of its own inside a request: it costs, but leads nothing. */
  readonly aside: Watcher = {
    chosen: () => {},
    attempted: () => this.attempted(),
    settled: (target, outcome) => this.settled(target, outcome),
    wasted: () => this.wasted(),
    paid: (cost) => this.paid(cost),
  }

  private readonly firstMs: number[] = []
  private readonly due = new Map<Target, number>()
  private readonly led = new Map<Target, number>()
  private readonly answersOf = new Map<string, number>()
  private lastGood: { readonly target: Target; readonly connectionId: string | null } | null = null
  private lastLeader: Target | null = null
  private requests = 0
  private attempts = 0
  private failed = 0
  private cost = 0

  constructor(
    private readonly combo: ResolvedCombo,
    connectionIds: Iterable<string>,
  ) {
    for (const id of connectionIds) this.answersOf.set(id, 0)
  }

  chosen(order: ComboOrder, views: ReadonlyMap<Target, TargetView>, facts: RequestFacts, now: number): void {
    const { strategy, config, members } = this.combo
    const leader = order.ordered[0]?.target ?? null
    // Several requests are one turn: turns are counted.
    if (strategy === 'round-robin' && leader === this.lastLeader) return
    this.lastLeader = leader
    const candidates = members.flatMap(({ target }, index): Candidate[] => {
      const view = views.get(target)
      return view === undefined || exclusionOf(view) !== null ? [] : [{ target, view, index }]
    })
    const { reasons } = order
    const situation = { candidates, reasons, facts, config, now, lastGood: this.lastGood }
    for (const [{ target }, due] of duesBy(strategy, situation)) add(this.due, target, due)
    const isAll = strategy === 'fusion' || strategy === 'pipeline'
    for (const { target } of order.ordered.slice(0, isAll ? undefined : 1)) add(this.led, target, 1)
  }

  attempted(): void {
    this.attempts++
  }

  settled(target: Target, outcome: Outcome): void {
    if (outcome.kind !== 'success') return
    this.lastGood = { target, connectionId: outcome.connectionId }
    if (outcome.connectionId !== null) add(this.answersOf, outcome.connectionId, 1)
  }

  wasted(): void {
    this.failed++
  }

  paid(cost: number): void {
    this.cost += cost
  }

  /** @param firstMs null: it was not answered */
  finished(firstMs: number | null): void {
    this.requests++
    if (firstMs !== null) this.firstMs.push(firstMs)
  }

  result(): Result {
    const { requests, attempts, failed: wasted, cost } = this
    const sorted = this.firstMs.toSorted((a, b) => a - b)
    const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
    return {
      ...{ requests, attempts, wasted, cost, answered: sorted.length, p50Ms: at(0.5), p95Ms: at(0.95) },
      fairness: jain([...this.answersOf.values()]),
      starved: this.starved(),
    }
  }

  private starved(): Starved[] {
    return [...this.due].flatMap(([target, due]) => {
      const led = this.led.get(target) ?? 0
      const isChance = led >= due - DEVIATIONS * Math.sqrt(due)
      if (due < ENOUGH_DUE || led >= due * STARVED_BELOW || isChance) return []
      return [{ target: `${target.provider}/${target.model} by ${target.connectionId ?? 'any'}`, due, led }]
    })
  }
}

const add = <K>(to: Map<K, number>, key: K, count: number): void => {
  to.set(key, (to.get(key) ?? 0) + count)
}

function jain(values: readonly number[]): number {
  const sum = values.reduce((a, b) => a + b, 0)
  const squares = values.reduce((a, b) => a + b * b, 0)
  return squares === 0 ? 1 : sum ** 2 / (values.length * squares)
}
