// A request for a combo, from the first target to the last: ordered by its strategy, tried one after the other, waited
// for where that is worth it. What each failure leaves behind is health's; what it means inside this request is here.

import { GatewayError } from '../errors'
import type { Connection } from '../providers/registry'
import { isOneModel, isWhole, type Target as Leg, type Member, type ResolvedCombo } from '../routing/combo'
import { expandCombo } from '../routing/expand-connections'
import { OwnPlace } from '../routing/promised-places'
import type { Target } from '../routing/resolve-model'
import { readWishes } from '../routing/strategies/auto/wishes'
import { type ComboOrder, orderCombo, settleCombo } from '../routing/strategies/order-combo'
import type { TargetReason } from '../routing/strategies/order-targets'
import type { Outcome } from '../routing/strategies/strategy'
import { accountOrder } from './account-order'
import { withEffort } from './auto-effort'
import { ComboFacts } from './combo-facts'
import { comboEnd } from './combo-final'
import { Findings } from './combo-findings'
import { allBusy, MAX_GLOBAL_ATTEMPTS, timedOut, tooMany } from './combo-limits'
import { mayPass, pauseBeforeRound } from './combo-rounds'
import { ComboScene, connectionsOf, needsOf, targetOf } from './combo-scene'
import { anyBack, comboWait } from './combo-wait'
import { ContextRelay } from './context-relay'
import { type Home, homeFirst, rememberHome } from './conversation-home'
import type { PipelineDeps } from './handle-request'
import { inTime } from './in-time'
import type { Running } from './outgoing'
import { type Ask, Race } from './race'
import { type AskOptions, outcomeOf, type Run } from './run'
import type { Tried } from './try-connection'
import { freeFirst, givesTurns, standsIn, takeTurn } from './turns'
import { runWhole } from './whole-combos'

export type ComboEnd = 'done' | 'left' | { readonly error: GatewayError } | { readonly relay: true }

export class ComboRun implements Home {
  private readonly findings = new Findings()
  readonly combo: ResolvedCombo
  readonly scene: ComboScene
  private readonly startedAt: number
  readonly facts: ComboFacts
  /** null: the combo hands no conversations over. */
  private readonly relay: ContextRelay | null
  private reasons: readonly TargetReason[] = []
  private rounds = 0
  /** Where this request counts as under way before it is. */
  private readonly place: OwnPlace
  /** The first target's word on why its dialect cannot carry the request. */
  private cannotCarry: GatewayError | null = null
  /** A target had no place left, not even to wait. */
  private wasFull = false
  /** Members that were asked before their turn, in this round; null: the combo does not want that. */
  private readonly hedged: Set<Member> | null

  constructor(
    combo: ResolvedCombo,
    private readonly run: Run,
    private readonly running: Running,
    readonly deps: PipelineDeps,
  ) {
    const { registry } = deps.world()
    this.combo = expandCombo(combo, (id) => registry.get(id)?.connections.map((connection) => connection.id) ?? [])
    const needs = needsOf(running)
    this.scene = new ComboScene(combo.name, needs, running, deps, deps.inFlight)
    this.startedAt = deps.clock.elapsed()
    this.place = new OwnPlace(deps.promised)
    this.relay = ContextRelay.of(combo, running, deps)
    this.hedged = combo.config.hedging ? new Set() : null
    const usualOutput = deps.outputSizes.usual(running.client.asked.model)
    this.facts = new ComboFacts(running.client, needs, readWishes(running.request.headers), usualOutput)
  }

  async answer(): Promise<ComboEnd> {
    try {
      return await this.untilAnswered()
    } finally {
      this.place.giveBack()
    }
  }

  private async untilAnswered(): Promise<ComboEnd> {
    for (;;) {
      const order = this.order()
      const walked = await this.walk(order)
      if (walked !== 'exhausted') return walked
      const retried = await this.again()
      if (retried === 'left') return 'left'
      if (retried) continue
      const { comboCooldownWait } = this.deps.resilience()
      const until = comboWait(this.reasons, comboCooldownWait, this.run.spent, this.deps.clock.now())
      if (until === null) {
        if (this.cannotCarry !== null && this.run.failed.length === 0) return { error: this.cannotCarry }
        if (this.wasFull && this.run.failed.length === 0) return { error: allBusy(this.combo) }
        return comboEnd(this.combo, this.reasons, this.run.failed, this.deps.clock.now())
      }
      const isOver = anyBack(this.reasons, () => this.look().reasons)
      if (!(await this.run.waitUntil(until, true, isOver))) return 'left'
      this.findings.newRound()
    }
  }

  /** Who is to be tried now. */
  order(): readonly Member[] {
    const { ordered, reserveMs, states } = this.look()
    for (const [name, state] of states) this.deps.comboStates.set(name, state)
    const order = homeFirst(ordered, this)
    this.place.hold(order[0]?.target.connectionId ?? null, reserveMs, this.deps.clock.now())
    return order
  }

  /** The same, and no strategy remembers that it was asked. */
  look(): ComboOrder {
    const { deps, facts: request, scene } = this
    const order = orderCombo(this.combo, {
      ...{ view: scene.view, stateOf: deps.comboStates.get, request, now: deps.clock.now(), random: deps.random },
    })
    this.reasons = order.reasons
    return order
  }

  private async walk(order: readonly Member[]): Promise<ComboEnd | 'exhausted'> {
    if (isWhole(this.combo)) return runWhole(this.combo, order, this, this.run, this.running, this.deps)
    const list = freeFirst(order, this)
    this.hedged?.clear()
    const tried = new Set<Member>()
    // A step that was held back may have its turn once a quota was found spent.
    const next = (): number =>
      list.findIndex((member) => !tried.has(member) && !this.hedged?.has(member) && this.mayAsk(member))
    for (let place = next(); place >= 0; place = next()) {
      const member = list[place] as Member
      const isFirst = tried.size === 0
      tried.add(member)
      const { fallbackDelayMs } = this.combo.config
      if (this.isOverTime()) return { error: timedOut(this.combo, this.run.failed) }
      if (!isFirst && fallbackDelayMs > 0 && !(await this.pause(fallbackDelayMs))) return 'left'
      const end = await (member.kind === 'combo' ? this.wholeCombo(member.combo) : this.legAndRetries(list, place))
      if (end !== 'exhausted') return end
    }
    return 'exhausted'
  }

  /** Its failure is that of one target: the next is tried. */
  private async wholeCombo(combo: ResolvedCombo): Promise<ComboEnd | 'exhausted'> {
    const end = await inTime(combo, this.run, this.running, this.deps, (inner) => inner.walk(inner.order()))
    return end === 'done' || end === 'left' ? end : 'exhausted'
  }

  /** null: it may not be asked, or its dialect cannot carry the request; another target's may. */
  private async ask(target: Target, connection: Connection, options: AskOptions, run: Run): Promise<Tried | null> {
    try {
      return await run.connection(target, connection, options)
    } catch (error) {
      if (!(error instanceof GatewayError) || error.httpStatus !== 400) throw error
      this.cannotCarry ??= error
      return null
    }
  }

  private mayAsk = ({ target: leg }: Member): boolean => {
    const target = targetOf(leg, this.deps.world().registry)
    // A combo inside is asked as a whole.
    const connections = target === null ? [{ id: '' }] : connectionsOf(leg, target)
    return this.findings.mayAsk(leg, connections, this.reasons)
  }

  private nextOf = (list: readonly Member[], place: number): Member | undefined =>
    list.find((member, at) => at > place && this.mayAsk(member))

  /** One target; asked again before the next one where the combo wants that and the target does not rest. */
  private async legAndRetries(list: readonly Member[], place: number): Promise<ComboEnd | 'exhausted'> {
    const member = list[place] as Member
    const { failoverBeforeRetry, maxRetries, retryDelayMs } = this.combo.config
    for (;;) {
      const before = this.run.failed.length
      const end = await (this.hedged === null
        ? this.leg(member.target, this.nextOf(list, place))
        : this.race(list, place))
      const last = this.run.failed.length > before ? this.run.failed.at(-1) : undefined
      if (end !== 'exhausted' || failoverBeforeRetry || !mayPass(last?.verdict.reason)) return end
      const isOut = this.scene.view(member.target).exclusion !== null || !this.mayAsk(member)
      if (isOut || this.rounds >= maxRetries) return end
      this.rounds++
      if (!(await this.pause(retryDelayMs))) return 'left'
    }
  }

  /** One target, and the next ones beside it while it is slow to begin. */
  private race(list: readonly Member[], place: number): Promise<ComboEnd | 'exhausted'> {
    const ask =
      (at: number): Ask =>
      (run) =>
        this.leg((list[at] as Member).target, this.nextOf(list, at), run)
    const next = (): Ask | null => {
      const at = this.hedgeAfter(list, place)
      if (at < 0) return null
      this.hedged?.add(list[at] as Member)
      return ask(at)
    }
    const { run, running, deps, combo } = this
    return new Race(next, combo.config.hedgeDelayMs, run, running, deps).answer(ask(place))
  }

  /** The next one that could answer in its place, at once; -1: none. */
  private hedgeAfter(list: readonly Member[], place: number): number {
    if (this.isOverTime() || this.findings.attempts >= MAX_GLOBAL_ATTEMPTS) return -1
    const { target } = list[place] as Member
    return list.findIndex(
      (member, at) => at > place && !this.hedged?.has(member) && this.mayAsk(member) && standsIn(member, target, this),
    )
  }

  /** One target, within its slots where its combo gives turns. */
  async leg(leg: Leg, next: Member | undefined, run = this.run): Promise<ComboEnd | 'exhausted'> {
    if (!givesTurns(this)) return this.connections(leg, next, run)
    const slot = await takeTurn(leg, run, this)
    if (slot === null) return 'left'
    if (typeof slot === 'string') {
      this.wasFull = true
      return 'exhausted'
    }
    try {
      return await this.connections(leg, next, run)
    } finally {
      slot()
    }
  }

  /** One target, by each connection it may use. */
  private async connections(leg: Leg, next: Member | undefined, run: Run): Promise<ComboEnd | 'exhausted'> {
    const { deps, findings, scene } = this
    const target = targetOf(leg, deps.world().registry)
    if (target === null) return 'exhausted'
    deps.stats.chosen(leg.executionKey)
    const client = withEffort(leg, this, this.running.client)
    const accounts = accountOrder(target, connectionsOf(leg, target), this.running, deps)
    for (const connection of accounts.connections) {
      if (findings.exhausted.has(connection.id)) continue
      if (findings.attempts >= MAX_GLOBAL_ATTEMPTS) return { error: tooMany(this.combo, this.run.failed) }
      if (this.isOverTime()) return { error: timedOut(this.combo, this.run.failed) }
      const exclusion = scene.connectionExclusion(target, connection, deps.clock.now())
      const pastCooldown = exclusion?.gate === 'cooldown' && findings.limited.has(connection.id)
      if (exclusion !== null && !pastCooldown) continue
      const sameProviderNext = next?.kind === 'target' && next.target.provider === leg.provider
      // Counted ahead: another target may be asked at the same time.
      findings.attempts++
      const tried = await this.ask(
        target,
        connection,
        { pastCooldown, sameProviderNext, client, withSummary: this.relay?.summaryFor(connection) },
        run,
      )
      if (tried === null) {
        findings.attempts--
        continue
      }
      const { result, verdict, firstByteMs } = tried
      const ok = result.kind === 'answered'
      if (result.kind === 'aborted') return 'left'
      deps.stats.ended(this.combo.name, leg, {
        latencyMs: ok ? firstByteMs : null,
        ok,
        usable: ok,
        at: deps.clock.now(),
      })
      const outcome = outcomeOf(connection, tried)
      this.settled(leg, outcome)
      accounts.settled(connection, outcome)
      if (ok) {
        rememberHome(leg, this)
        this.relay?.answered(target, connection)
      }
      if (result.kind !== 'failed' || verdict === null) return 'done'
      if (verdict.next === 'stop') return { relay: true }
      const { row } = target.provider
      findings.learn(connection.id, verdict.reason, row.perModelQuota, verdict.scope === 'connection')
      if (verdict.reason === 'context_overflow' && isOneModel(this.combo)) return { relay: true }
      if (verdict.next === 'next-target') return 'exhausted'
    }
    return 'exhausted'
  }

  private settled(leg: Leg, outcome: Outcome): void {
    const { deps, combo } = this
    const next = settleCombo(combo, deps.comboStates.get, leg, outcome, deps.clock.now())
    for (const [name, state] of next) deps.comboStates.set(name, state)
  }

  /** Another round of all that may pass by itself, where the combo wants one. */
  private async again(): Promise<boolean | 'left'> {
    // As it is now that all have failed: what is decided next, waits and last words too, goes by this.
    const { ordered } = this.look()
    const pause = pauseBeforeRound(this.run.failed.at(-1)?.verdict.reason, this.rounds, this.combo.config)
    if (pause === null) return false
    this.findings.newRound()
    // Who rests is not asked again, however often the combo would like to.
    if (!ordered.some(this.mayAsk)) return false
    this.rounds++
    return (await this.pause(pause)) ? true : 'left'
  }

  private pause = (ms: number): Promise<boolean> => this.run.waitUntil(this.deps.clock.now() + ms, false)

  /** The combo's time for a request is over. */
  isOverTime(): boolean {
    const { comboTimeoutMs } = this.combo.config
    return comboTimeoutMs > 0 && this.deps.clock.elapsed() - this.startedAt >= comboTimeoutMs
  }
}
