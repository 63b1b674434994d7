// A connection as REST tells it: what the window shows, and the fields that scripts of the wire know it by.
import { z } from 'zod'
import { ConnectionSettings } from '../../contract/connection-settings'
import { CooldownRow } from '../../contract/health-views'
import type { Operations } from '../../contract/operations'
import { ConnectionView } from '../../contract/views'

export const RestConnection = ConnectionView.extend({
  ...ConnectionSettings.shape,
  ...CooldownRow.pick({
    authType: true,
    isActive: true,
    testStatus: true,
    rateLimitedUntil: true,
    cooldownRemainingMs: true,
    backoffLevel: true,
    errorCode: true,
    lastErrorType: true,
    lastErrorAt: true,
    gate: true,
  }).shape,
})
export type RestConnection = z.infer<typeof RestConnection>
export const OneConnection = z.object({ connection: RestConnection })

type Asked = Pick<Operations, 'health:cooldowns'>

export async function connectionsJson(
  views: readonly ConnectionView[],
  provider: string | undefined,
  operations: Asked,
): Promise<RestConnection[]> {
  const { connections } = await operations['health:cooldowns'](provider === undefined ? {} : { provider })
  const rows = new Map(connections.map((row) => [row.id, row]))
  return views.map((view) => withHealth(view, rows.get(view.id)))
}

export async function connectionJson(
  view: ConnectionView,
  operations: Asked,
): Promise<{ readonly connection: RestConnection }> {
  const [connection] = await connectionsJson([view], view.provider, operations)
  return { connection: connection ?? withHealth(view, undefined) }
}

/** Without a row: among more connections than are told of, and well. */
const withHealth = (view: ConnectionView, row: CooldownRow | undefined): RestConnection => ({
  ...view,
  ...view.settings,
  authType: row?.authType ?? (view.login === null ? 'apikey' : 'oauth'),
  isActive: view.enabled,
  testStatus: row?.testStatus ?? 'active',
  rateLimitedUntil: row?.rateLimitedUntil ?? null,
  cooldownRemainingMs: row?.cooldownRemainingMs ?? 0,
  backoffLevel: row?.backoffLevel ?? 0,
  errorCode: row?.errorCode ?? null,
  lastErrorType: row?.lastErrorType ?? null,
  lastErrorAt: row?.lastErrorAt ?? null,
  gate: row?.gate ?? null,
})
