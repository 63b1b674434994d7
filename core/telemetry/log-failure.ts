// For those without a window: what failed, and where it was tried.
import type { RequestView } from '../contract/views'
import type { Logger } from '../host'

export function logFailure(log: Logger, { id, model, status, code, message, attempts }: RequestView): void {
  const tried = attempts.map(({ connectionName, reason }) => `${connectionName}: ${reason ?? 'ok'}`)
  log.info({ requestId: id, model, status, code, tried }, `a request failed: ${message}`)
}
