// The line of the log that says why nobody could be asked: each who was left out, why, and in how many seconds it is back.
import type { GatewayError } from '../errors'
import type { Logger } from '../host'

interface LeftOut {
  /** ISO time; null: no time ends it. */
  readonly until?: string | null
}

export function logNobodyLeft(log: Pick<Logger, 'info'>, error: GatewayError, requestId: string, now: number): void {
  const { code, details } = error
  const { excluded = [] } = (details.diagnostics ?? {}) as { readonly excluded?: readonly LeftOut[] }
  if (excluded.length === 0) return
  log.info({ requestId, code, excluded: excluded.map((one) => withSeconds(one, now)) }, 'nobody was left to ask')
}

function withSeconds(left: LeftOut, now: number): object {
  const until = Date.parse(left.until ?? '')
  return Number.isNaN(until) ? left : { ...left, secondsLeft: Math.max(0, Math.ceil((until - now) / 1000)) }
}
