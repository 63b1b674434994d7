// What one request for a combo has found out about its targets, over all rounds: whom it will not ask again, and whom it
// may ask now.
import type { Reason } from '../contract/kinds'
import type { Target as Leg } from '../routing/combo'
import type { TargetReason } from '../routing/strategies/order-targets'
import { isHeldBack } from '../routing/strategies/priority'

export class Findings {
  /** Connections that will say the same again. */
  readonly exhausted = new Set<string>()
  /** Connections that this request's own rate limit has put to rest: another model of theirs may still be asked. */
  readonly limited = new Set<string>()
  /** Those among them that may answer again once their rest is over. */
  private readonly faulted = new Set<string>()
  attempts = 0
  private readonly failures: Reason[] = []

  /** After a pause: faults may be over by now. Who still rests is kept out by its rest. */
  newRound(): void {
    for (const id of this.faulted) this.exhausted.delete(id)
    this.faulted.clear()
  }

  private doneWith(connectionId: string): void {
    this.exhausted.add(connectionId)
    this.faulted.delete(connectionId)
  }

  /**
   * @param connections that the target may use
   * @param order of the combo as it was looked at last: a quota spent before this request counts too
   */
  mayAsk(leg: Leg, connections: readonly { readonly id: string }[], order: readonly TargetReason[]): boolean {
    if (connections.every(({ id }) => this.exhausted.has(id))) return false
    return !leg.onlyAfterQuota || !isHeldBack(leg, [...this.failures, ...order.flatMap(outBecause)])
  }

  learn(connectionId: string, reason: Reason, perModel: boolean, connectionWide: boolean): void {
    this.failures.push(reason)
    switch (reason) {
      case 'auth_error':
      case 'banned':
      case 'forbidden':
      case 'credits_exhausted':
        this.doneWith(connectionId)
        return
      case 'quota_exhausted':
        if (connectionWide) this.doneWith(connectionId)
        return
      case 'rate_limit_exceeded':
        this.limited.add(connectionId)
        return
      case 'server_error':
      case 'timeout':
      case 'network_error':
        if (perModel || this.exhausted.has(connectionId)) return
        this.exhausted.add(connectionId)
        this.faulted.add(connectionId)
        return
      default:
        return
    }
  }
}

const outBecause = (reason: TargetReason): readonly Reason[] =>
  reason.kind === 'excluded' && reason.exclusion.reason !== null ? [reason.exclusion.reason] : []
