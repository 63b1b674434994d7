// One request of the simulation from the first target to the last, by the rules of the combo loop: ordered by its
// strategy, tried one after the other, waited for where that is worth it.
import { Findings } from '../../../core/pipeline/combo-findings'
import { MAX_GLOBAL_ATTEMPTS } from '../../../core/pipeline/combo-limits'
import { pauseBeforeRound } from '../../../core/pipeline/combo-rounds'
import { type ComboScene, connectionsOf, targetOf } from '../../../core/pipeline/combo-scene'
import { comboWait } from '../../../core/pipeline/combo-wait'
import type { Connection } from '../../../core/providers/registry'
import { isGate } from '../../../core/resilience/health'
import type { Verdict } from '../../../core/resilience/verdict/verdict'
import type { Target as Leg, Member, ResolvedCombo } from '../../../core/routing/combo'
import type { Target } from '../../../core/routing/resolve-model'
import { type ComboOrder, orderCombo, settleCombo } from '../../../core/routing/strategies/order-combo'
import { NO_FACTS } from '../../../core/routing/strategies/request-facts'
import type { Outcome, RequestFacts } from '../../../core/routing/strategies/strategy'
import type { TargetView } from '../../../core/routing/target-view'
import type { SimGateway } from './gateway'
import type { Process } from './processes'
import type { SimRequest } from './traffic'

/** What a run tells whoever counts. */
export interface Watcher {
  /** An order was made and is followed; `views` as the strategy saw them. */
  chosen(order: ComboOrder, views: ReadonlyMap<Leg, TargetView>, facts: RequestFacts, now: number): void
  attempted(): void
  settled(leg: Leg, outcome: Outcome): void
  wasted(): void
  /** US dollars. */
  paid(cost: number): void
}

export type LegEnd = 'answered' | 'exhausted' | 'stop'

export class RequestRun {
  /** Milliseconds until the first content came; null: it has not. */
  firstMs: number | null = null
  private readonly scene: ComboScene
  private readonly startedAt: number
  private readonly facts: RequestFacts
  private readonly findings = new Findings()
  private readonly tries = new Map<string, number>()
  private rounds = 0
  private waits = 0
  private waitedMs = 0
  private lastVerdict: Verdict | null = null
  private order: ComboOrder | null = null
  private readonly views = new Map<Leg, TargetView>()

  constructor(
    readonly combo: ResolvedCombo,
    private readonly request: SimRequest,
    private readonly gateway: SimGateway,
    private readonly random: () => number,
    private readonly watcher: Watcher,
  ) {
    const { inputTokens, outputTokens, task, cacheKey } = request
    this.scene = gateway.scene(combo.name, inputTokens)
    this.startedAt = gateway.at
    this.facts = { ...NO_FACTS, inputTokens, outputTokens, task, cacheKey }
  }

  /** Of the last failure; null: there was none. */
  get status(): number | null {
    return this.lastVerdict?.status ?? null
  }

  /** @returns whether it was answered */
  *answer(): Process<boolean> {
    for (;;) {
      const end = yield* this.walk(this.choose())
      if (end !== 'exhausted') return end === 'answered'
      if (yield* this.again()) continue
      if (!(yield* this.wait())) return false
    }
  }

  /** Where somebody returns soon. @returns whether it was waited */
  *wait(): Process<boolean> {
    const { clock, settings } = this.gateway
    const spent = { waits: this.waits, waitedMs: this.waitedMs }
    const until = comboWait(this.order?.reasons ?? [], settings.comboCooldownWait, spent, clock.now())
    if (until === null) return false
    const ms = until - clock.now()
    this.waits++
    this.waitedMs += ms
    yield { ms }
    this.findings.newRound()
    return true
  }

  /** Whom to try now. */
  choose(): readonly Member[] {
    const order = this.look()
    const { views, facts, gateway, watcher } = this
    for (const [name, state] of order.states) gateway.comboStates.set(name, state)
    watcher.chosen(order, views, facts, gateway.clock.now())
    return order.ordered
  }

  /** The same, and no strategy remembers that it was asked. */
  private look(): ComboOrder {
    const { combo, gateway, scene, facts, random } = this
    const now = gateway.clock.now()
    this.views.clear()
    const view = (leg: Leg): TargetView => {
      const seen = scene.view(leg)
      this.views.set(leg, seen)
      return seen
    }
    const stateOf = gateway.comboStates.get
    this.order = orderCombo(combo, { view, stateOf, request: facts, now, random })
    return this.order
  }

  private *walk(members: readonly Member[]): Process<LegEnd> {
    const tried = new Set<Member>()
    const next = (): Member | undefined => members.find((member) => !tried.has(member) && this.mayAsk(member))
    for (let member = next(); member !== undefined; member = next()) {
      tried.add(member)
      const end = yield* this.leg(member.target, next()?.target)
      if (end !== 'exhausted') return end
    }
    return 'exhausted'
  }

  private mayAsk = ({ target: leg }: Member): boolean => {
    const target = targetOf(leg, this.gateway.registry)
    return target !== null && this.findings.mayAsk(leg, connectionsOf(leg, target), this.order?.reasons ?? [])
  }

  /** One target, by each connection it may use. */
  private *leg(leg: Leg, next: Leg | undefined): Process<LegEnd> {
    const { findings, gateway, scene } = this
    const target = targetOf(leg, gateway.registry)
    if (target === null) return 'exhausted'
    gateway.stats.chosen(leg.executionKey)
    for (const connection of connectionsOf(leg, target)) {
      if (findings.exhausted.has(connection.id) || findings.attempts >= MAX_GLOBAL_ATTEMPTS) continue
      const exclusion = scene.connectionExclusion(target, connection, gateway.clock.now())
      const pastCooldown = exclusion?.gate === 'cooldown' && findings.limited.has(connection.id)
      if (exclusion !== null && !pastCooldown) continue
      const tried = yield* this.attempt(leg, target, connection, pastCooldown, next?.provider === leg.provider)
      if (tried === 'answered') return 'answered'
      if (tried === null) continue
      if (tried.next === 'stop') return 'stop'
      findings.learn(connection.id, tried.reason, target.provider.row.perModelQuota, tried.scope === 'connection')
      if (tried.next === 'next-target') return 'exhausted'
    }
    return 'exhausted'
  }

  /** null: it was not let through. */
  private *attempt(
    leg: Leg,
    target: Target,
    connection: Connection,
    pastCooldown: boolean,
    sameProviderNext: boolean,
  ): Process<'answered' | Verdict | null> {
    const { gateway, request, watcher, combo } = this
    const { health, stats, clock, quotas } = gateway
    const { row } = target.provider
    const admission = health.admit(
      { providerId: row.id, connectionId: connection.id, model: target.model },
      { pastCooldown },
    )
    const key = gateway.upstream.get(connection.id)
    if (isGate(admission) || key === undefined) return null
    this.findings.attempts++
    const again = this.tries.get(connection.id) ?? 0
    this.tries.set(connection.id, again + 1)
    watcher.attempted()
    const model = gateway.modelOf(row.id, target.model)
    gateway.occupy(connection.id, 1)
    const reply = key.ask({ request, model, at: gateway.at, again })
    yield { ms: reply.afterMs }
    quotas.note(connection.id, target, reply.headers, clock.now())
    const ok = reply.failure === null
    if (ok) {
      health.began(admission)
      this.firstMs ??= gateway.at - this.startedAt
      yield { ms: reply.streamMs }
    }
    gateway.occupy(connection.id, -1)
    stats.ended(combo.name, leg, { latencyMs: ok ? reply.afterMs : null, ok, usable: ok, at: clock.now() })
    if (reply.failure === null) {
      health.succeeded(admission)
      watcher.paid((request.inputTokens * model.inputPrice + request.outputTokens * model.outputPrice) / 1_000_000)
      this.settle(leg, { kind: 'success', connectionId: connection.id })
      return 'answered'
    }
    const verdict = gateway.failed(admission, reply.failure, target, connection, sameProviderNext)
    this.lastVerdict = verdict
    watcher.wasted()
    this.settle(leg, { kind: 'failure', reason: verdict.reason })
    return verdict
  }

  private settle(leg: Leg, outcome: Outcome): void {
    const { comboStates, clock } = this.gateway
    const next = settleCombo(this.combo, comboStates.get, leg, outcome, clock.now())
    for (const [name, state] of next) comboStates.set(name, state)
    this.watcher.settled(leg, outcome)
  }

  /** Another round of all that may pass by itself, where the combo wants one. */
  private *again(): Process<boolean> {
    const { ordered } = this.look()
    const pause = pauseBeforeRound(this.lastVerdict?.reason, this.rounds, this.combo.config)
    if (pause === null) return false
    this.findings.newRound()
    if (!ordered.some(this.mayAsk)) return false
    this.rounds++
    yield { ms: pause }
    return true
  }
}
