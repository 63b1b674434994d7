// What one request for a combo has found out about its targets, over all rounds: whom it will not ask again.
import type { Reason } from '../contract/kinds'
import type { Target as Leg } from '../routing/combo'

export class Findings {
  /** Connections and providers that will say the same again. */
  readonly exhausted = new Set<string>()
  /** Connections that this request's own rate limit has put to rest: another model of theirs may still be asked. */
  readonly limited = new Set<string>()
  sawQuota = false
  attempts = 0

  /** Whether the target carries a connection, or has a provider, that is done with. */
  isOut = (leg: Leg): boolean =>
    this.exhausted.has(leg.provider) || (leg.connectionId !== null && this.exhausted.has(leg.connectionId))

  learn(connectionId: string, reason: Reason, perModel: boolean, connectionWide: boolean): void {
    switch (reason) {
      case 'auth_error':
      case 'banned':
      case 'forbidden':
      case 'credits_exhausted':
        this.exhausted.add(connectionId)
        return
      case 'quota_exhausted':
        this.sawQuota = true
        if (connectionWide) this.exhausted.add(connectionId)
        return
      case 'rate_limit_exceeded':
        this.limited.add(connectionId)
        return
      case 'server_error':
      case 'timeout':
      case 'network_error':
        if (!perModel) this.exhausted.add(connectionId)
        return
      default:
        return
    }
  }
}
