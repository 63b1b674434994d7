// One request on its way through the connections of its target: which may be asked, in what order, what each failure
// leaves behind, and when to wait for one that returns soon.

import type { NoSlot, Release, Waiting } from '../flow/slots'
import { type Connection, unusableBecause } from '../providers/registry'
import { isGate } from '../resilience/health'
import type { Admission, Gate } from '../resilience/health-events'
import type { Target } from '../routing/resolve-model'
import type { Outcome } from '../routing/strategies/strategy'
import { accountOrder } from './account-order'
import type { ClientRequest } from './client-request'
import type { FailedAttempt } from './final-error'
import type { PipelineDeps } from './handle-request'
import { inOtherWords, type Running } from './outgoing'
import { preflight } from './preflight'
import { reach, routeOf, type Tried, tryConnection } from './try-connection'
import { directWait, type Exclusion, type Spent } from './waits'

export type Walked =
  /** Answered, or the client left. */
  | 'done'
  /** Another target could still answer. */
  | 'exhausted'
  /** It would be the same everywhere. */
  | 'stop'

export interface AskOptions {
  /** This request's own rate limit has put it to rest, for another model. */
  readonly pastCooldown?: boolean
  /** The next target is of the same provider: the failure is not yet counted against it. */
  readonly sameProviderNext?: boolean
  /** The client's request with a summary of the conversation in it: goes up in its place. */
  readonly withSummary?: ClientRequest | undefined
  /** What goes up in place of the client's own request. */
  readonly client?: ClientRequest | null
}

const SUMMARY_TOLD = 'told the summary of the conversation'

/** A wait is looked at anew this often: a person may have ended it, the clock may have jumped, the machine have slept. */
const LOOK_EVERY_MS = 1_000

export class Run {
  readonly failed: FailedAttempt[] = []
  /** The one asked last; null: none was. */
  lastTarget: Target | null = null
  private waits = 0
  private waitedMs = 0

  constructor(
    private readonly running: Running,
    private readonly deps: PipelineDeps,
  ) {}

  /** All connections of the target were tried in vain: waits where that is worth it, and tries them again. */
  async again(target: Target): Promise<Walked | 'left'> {
    for (;;) {
      const { clock, resilience } = this.deps
      const excluded = this.exclusions(target)
      const until = directWait(excluded, resilience().waitForCooldown, this.spent, clock.now())
      if (until === null) return 'exhausted'
      const isOver = anyBack(excluded, () => this.exclusions(target))
      if (!(await this.waitUntil(until, true, isOver))) return 'left'
      const walked = await this.walk(target)
      if (walked !== 'exhausted') return walked
    }
  }

  /** What another one met, for the same client, is this one's too. */
  take({ failed, lastTarget }: Run): void {
    this.failed.push(...failed)
    this.lastTarget = lastTarget ?? this.lastTarget
  }

  get spent(): Spent {
    return { waits: this.waits, waitedMs: this.waitedMs }
  }

  /** Every connection of the target that may be asked, once, in order. */
  async walk(target: Target): Promise<Walked> {
    const order = accountOrder(target, target.provider.connections, this.running, this.deps)
    for (const connection of order.connections) {
      const tried = await this.connection(target, connection)
      if (tried === null) continue
      const { result, verdict } = tried
      if (result.kind !== 'aborted') order.settled(connection, outcomeOf(connection, tried))
      if (result.kind !== 'failed' || verdict === null) return 'done'
      // Its other connections would say the same: for this provider it is the last word.
      if (verdict.next !== 'next-connection') return 'stop'
    }
    return 'exhausted'
  }

  /** One connection, if it may be asked; null where it may not. */
  async connection(target: Target, connection: Connection, options: AskOptions = {}): Promise<Tried | null> {
    const { deps } = this
    const running = this.runningWith(options)
    // What rests is not worth renewing a sign-in for.
    if (connection.login !== undefined && this.rests(target, connection, options)) return null
    const reached = reach(target, connection, running, deps)
    const route = reached instanceof Promise ? await reached : reached
    if ('because' in route) return null
    const admission = admit(target, connection, options, running, deps)
    if (admission !== null && isGate(admission)) return null
    this.lastTarget = target
    const tried = await tryConnection(target, route, admission, running, deps, options.sameProviderNext === true)
    const { result, verdict } = tried
    if (result.kind === 'failed' && verdict !== null) {
      const sameDialect = route.endpoint.dialect === running.caller.call.name
      this.failed.push({ connection: connection.name, verdict, error: result.error, sameDialect })
    }
    return tried
  }

  private runningWith({ client = null, withSummary }: AskOptions): Running {
    if (withSummary !== undefined) return { ...inOtherWords(this.running, withSummary), note: SUMMARY_TOLD }
    return client === null ? this.running : inOtherWords(this.running, client)
  }

  private rests(target: Target, connection: Connection, { pastCooldown = false }: AskOptions): boolean {
    if (target.provider.row.exempt) return false
    const gate = gateOf(target, connection, this.deps, this.deps.clock.now())
    return gate !== null && !(pastCooldown && gate.gate === 'cooldown')
  }

  /** What stands in the way of each connection right now; those that could be asked are not in it. */
  exclusions(target: Target): Exclusion[] {
    const { running, deps } = this
    const { row, connections } = target.provider
    const now = deps.clock.now()
    const provider = row.exempt ? null : deps.health.providerGate(row.id, now)
    return connections.flatMap((connection) => {
      const because = unusableBecause(row, connection) ?? speechless(target, connection, running)
      const gate = because !== null || row.exempt ? null : (provider ?? gateOf(target, connection, deps, now))
      if (because === null && gate === null) return []
      return [{ connectionId: connection.id, connection: connection.name, because: because ?? gate?.why ?? '', gate }]
    })
  }

  /** False: the client left meanwhile. @param counts against the waits a request may spend */
  async waitUntil(until: number, counts = true, isOver: () => boolean = () => false): Promise<boolean> {
    const { clock } = this.deps
    const { record } = this.running
    const startedAt = clock.elapsed()
    const longest = Math.max(0, until - clock.now())
    if (counts) this.waits++
    record.waits(longest)
    while (clock.now() < until && clock.elapsed() - startedAt < longest && !isOver()) {
      const left = Math.min(until - clock.now(), longest - (clock.elapsed() - startedAt))
      if (!(await this.sleep(Math.min(left, LOOK_EVERY_MS)))) return false
    }
    if (counts) this.waitedMs += clock.elapsed() - startedAt
    return true
  }

  /** null: the client left meanwhile. */
  async inLine(waiting: Waiting): Promise<Release | NoSlot | null> {
    const { answer } = this.running
    answer.listen(waiting.giveUp, null)
    const slot = await waiting.slot
    answer.listen(null, null)
    return slot
  }

  private sleep(ms: number): Promise<boolean> {
    const { clock } = this.deps
    const { answer } = this.running
    return new Promise((resolve) => {
      const timer = clock.after(ms, () => {
        answer.listen(null, null)
        resolve(true)
      })
      answer.listen(() => {
        timer.cancel()
        resolve(false)
      }, null)
    })
  }
}

/** As strategies are told of it. */
export const outcomeOf = ({ id }: Connection, { result, verdict }: Tried): Outcome =>
  result.kind === 'answered'
    ? { kind: 'success', connectionId: id }
    : { kind: 'failure', reason: verdict?.reason ?? 'server_error' }

function admit(
  target: Target,
  connection: Connection,
  { pastCooldown = false }: AskOptions,
  { caller }: Running,
  deps: PipelineDeps,
): Admission | Gate | null {
  const { row } = target.provider
  if (row.exempt) return null
  const { health } = deps
  const cut = preflight(connection, target.model, deps, deps.clock.now())
  if (cut !== null) return cut
  const subject = { providerId: row.id, connectionId: connection.id, model: target.model }
  return health.admit(subject, { pastCooldown, provesNothing: caller.fallback !== null })
}

/** Whether one that was out may be asked again: what failed without a rest could be asked all the while. */
function anyBack(excluded: readonly Exclusion[], now: () => readonly Exclusion[]): () => boolean {
  const ids = ({ connectionId }: Exclusion): string | null => connectionId
  return () => {
    const still = new Set(now().map(ids))
    return excluded.map(ids).some((id) => !still.has(id))
  }
}

function gateOf(target: Target, connection: Connection, deps: PipelineDeps, now: number): Gate | null {
  const { health } = deps
  const subject = { providerId: target.provider.row.id, connectionId: connection.id, model: target.model }
  return (
    health.connectionGate(connection.id, now) ??
    health.modelGate(subject, now) ??
    preflight(connection, target.model, deps, now)
  )
}

/** Why a connection that could be used cannot take this request. */
function speechless(target: Target, connection: Connection, running: Running): string | null {
  const route = routeOf(target, connection, running)
  return 'because' in route ? route.because : null
}
