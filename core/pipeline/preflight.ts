// Whether a connection is kept from a request because hardly anything of a quota is left (core/quotas/preflight.ts).
import type { Connection } from '../providers/registry'
import { preflightGate } from '../quotas/preflight'
import type { Gate } from '../resilience/health-events'
import type { PipelineDeps } from './handle-request'

export function preflight(
  { id, settings }: Pick<Connection, 'id' | 'settings'>,
  model: string,
  { quotas, resilience }: Pick<PipelineDeps, 'quotas' | 'resilience'>,
  now: number,
): Gate | null {
  const { quotaPreflight } = resilience()
  if (!quotaPreflight.enabled) return null
  return preflightGate(quotas.find(id), model, quotaPreflight, settings.quotaWindowThresholds, now)
}
