// /api/monitoring/health: a word for everyone, all that is known of health for those who manage.
import { z } from 'zod'
import { BreakerView, LockoutView } from '../../contract/health-views'
import { HEALTH_STATES } from '../../contract/kinds'
import { ConnectionQuota } from '../../contract/quota-views'
import { type GatewayStatus, ProviderView } from '../../contract/views'
import type { ClientKey } from '../client-keys'
import { type ManagementCore, type ManagementRoute, route } from './route'

/** Nothing is learned or shared there yet: empty, so that scripts find the members. */
const Nothing = z.object({})
const NOTHING = { learnedLimits: {}, sessions: {}, adaptiveAdmission: {}, dedup: {} }

export const ProviderHealth = z.object({
  state: z.enum(HEALTH_STATES),
  why: ProviderView.shape.why,
  connections: z.number(),
})

const MonitoringHealth = z.object({
  /** `degraded`: the state could not be read. */
  status: z.string(),
  instanceId: z.string(),
  version: z.string(),
  port: z.number().nullable().optional(),
  uptimeS: z.number().optional(),
  startedAt: z.string().optional(),
  providerBreakers: z.array(BreakerView).optional(),
  /** By id; those that have connections. */
  providerHealth: z.record(z.string(), ProviderHealth).optional(),
  rateLimitStatus: z.object({ resting: z.number(), terminal: z.number(), lockedModels: z.number() }).optional(),
  lockouts: z.array(LockoutView).optional(),
  learnedLimits: Nothing.optional(),
  /** By the connection's id; those of which something is known. */
  quotaMonitor: z.record(z.string(), ConnectionQuota).optional(),
  sessions: Nothing.optional(),
  adaptiveAdmission: Nothing.optional(),
  dedup: Nothing.optional(),
})

async function health(key: ClientKey | null, core: ManagementCore): Promise<object> {
  const status = await core.operations['gateway:status'](undefined)
  const { instanceId, version } = status
  const least = { status: status.overall, instanceId, version }
  if (key === null) return least
  const usual = { ...least, ...runningFor(status, core.clock.now()) }
  if (!key.scopes.includes('manage')) return usual
  try {
    return { ...usual, ...(await allOfIt(core)), ...NOTHING }
  } catch {
    // Whoever watches must hear something, most of all when something is wrong.
    return { ...usual, status: 'degraded' }
  }
}

const runningFor = ({ startedAt, listener }: GatewayStatus, now: number) => ({
  port: listener.kind === 'listening' ? listener.port : null,
  uptimeS: Math.floor((now - startedAt) / 1000),
  startedAt: new Date(startedAt).toISOString(),
})

async function allOfIt({ operations }: ManagementCore): Promise<object> {
  const providers = await operations['providers:list'](undefined)
  const { connections } = await operations['health:cooldowns']({})
  const lockouts = await operations['health:lockouts'](undefined)
  const count = (status: string): number => connections.filter((row) => row.status === status).length
  return {
    providerBreakers: await operations['health:breakers'](undefined),
    providerHealth: Object.fromEntries(
      providers
        .filter((provider) => provider.connections.length > 0)
        .map(({ id, state, why, connections: own }) => [id, { state, why, connections: own.length }]),
    ),
    rateLimitStatus: { resting: count('cooling_down'), terminal: count('terminal'), lockedModels: lockouts.length },
    lockouts,
    quotaMonitor: Object.fromEntries(
      providers.flatMap((provider) =>
        provider.connections.flatMap(({ id, quota }) => (quota === null ? [] : [[id, quota] as const])),
      ),
    ),
  }
}

const read = (method: 'GET' | 'HEAD', about: string): ManagementRoute =>
  route({
    ...{ method, path: '/api/monitoring/health', open: true as const, about, answer: MonitoringHealth },
    run: ({ key }, core) => health(key, core),
  })

export const monitoringRoutes: readonly ManagementRoute[] = [
  read(
    'GET',
    'Status, version and instance id for everyone; port and uptime with any client key; all that is known of health with the scope `manage`.',
  ),
  read('HEAD', 'Whether the gateway answers.'),
  route({
    method: 'DELETE',
    path: '/api/monitoring/health',
    about: 'Closes the circuit breakers of all providers.',
    answer: z.object({ success: z.literal(true), message: z.string(), resetCount: z.number() }),
    async run(_, { operations }) {
      const { resetCount } = await operations['health:reset-breakers']({ lockouts: false })
      return { success: true, message: resetWords(resetCount), resetCount }
    },
  }),
]

export const resetWords = (count: number): string =>
  count === 1 ? 'One circuit breaker was reset.' : `${count} circuit breakers were reset.`
