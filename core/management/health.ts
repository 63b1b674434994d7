// What rests and why, and ending it by hand: providers, connections and models. The state machines stay in
// resilience/health; here a person's wish becomes the one call that fulfils it.
import { type CooldownsPage, MOST_ROWS } from '../contract/health-views'
import type { OperationInput, OperationOutput } from '../contract/operations'
import { notFound } from '../errors'
import type { Provider } from '../providers/registry'
import type { Health } from '../resilience/health'
import {
  breakerView,
  byState,
  byTrouble,
  type ConnectionFacts,
  cooldownRow,
  lockoutView,
  stateRow,
} from './health-views'
import type { Parts } from './parts'
import { connectionView } from './views'

/** What is asked of the state machines here. */
export type HealthForManagement = Pick<
  Health,
  | 'breakerStatuses'
  | 'clearConnection'
  | 'clearCooldowns'
  | 'clearLockout'
  | 'clearLockouts'
  | 'connection'
  | 'connectionGate'
  | 'lockouts'
  | 'lockoutsOf'
  | 'providerGate'
  | 'resetBreaker'
  | 'resetBreakers'
>

type Used = Pick<Parts, 'book' | 'clock' | 'activity' | 'resilience' | 'changed'> & {
  readonly health: HealthForManagement
}

export function healthOperations({ book, clock, activity, health, resilience, changed }: Used) {
  /** By id or alias; what nobody knows stays as it is, and matches nothing. */
  const providerId = (given: string): string => book.row(given)?.id ?? given
  const providersFor = (given: string | undefined): Provider[] => {
    const wanted = given === undefined ? undefined : providerId(given)
    return [...book.registry().values()].filter(({ row }) => wanted === undefined || row.id === wanted)
  }
  const facts = (given: string | undefined): ConnectionFacts[] => {
    const now = clock.now()
    return providersFor(given).flatMap((provider) => {
      const { row, connections } = provider
      const circuitOpen = connections.length > 0 && health.providerGate(row.id, now) !== null
      return connections.map((connection) => ({
        ...{ provider, connection, circuitOpen, now },
        entry: health.connection(connection.id, now),
        gate: health.connectionGate(connection.id, now),
        locks: health.lockoutsOf(connection.id, now),
      }))
    })
  }
  /** By id, else by name. */
  const connectionId = (provider: string, given: string): string =>
    book
      .registry()
      .get(provider)
      ?.connections.find(({ id, name }) => id === given || name === given)?.id ?? given
  const told = (): void => changed('providers:changed')

  return {
    'health:breakers': async () => health.breakerStatuses(clock.now()).map(breakerView),

    'health:reset-breakers': async ({ provider, lockouts }: OperationInput<'health:reset-breakers'>) => {
      const resetCount = provider === undefined ? health.resetBreakers() : resetOne(providerId(provider))
      if (lockouts) health.clearLockouts()
      told()
      return { resetCount }
    },

    'health:cooldowns': async ({ provider }: OperationInput<'health:cooldowns'>): Promise<CooldownsPage> => ({
      connections: facts(provider).map(cooldownRow).sort(byTrouble).slice(0, MOST_ROWS),
      generatedAt: new Date(clock.now()).toISOString(),
    }),

    'health:clear-cooldowns': async (input: OperationInput<'health:clear-cooldowns'>) => {
      const ids =
        'connectionIds' in input
          ? input.connectionIds
          : providersFor(input.provider).flatMap(({ connections }) => connections.map(({ id }) => id))
      const counts = health.clearCooldowns(ids)
      const now = clock.now()
      for (const id of ids) if (health.connectionGate(id, now) === null) activity.clear(id)
      told()
      return counts
    },

    'health:lockouts': async () => {
      const now = clock.now()
      return health.lockouts(now).map((lock) => lockoutView(lock, nameOf(lock.connectionId), now))
    },

    'health:clear-lockouts': async (input: OperationInput<'health:clear-lockouts'>) => {
      if ('all' in input) {
        const removed = health.clearLockouts() > 0
        told()
        return { removed }
      }
      const provider = providerId(input.provider)
      const connection = input.connection === undefined ? null : connectionId(provider, input.connection)
      const removed = health.clearLockout(provider, connection, input.model)
      if (removed) told()
      return { removed }
    },

    'health:states': async ({
      windowMs,
      provider,
    }: OperationInput<'health:states'>): Promise<OperationOutput<'health:states'>> => ({
      connections: facts(provider)
        .map((each) => stateRow(each, windowMs))
        .sort(byState)
        .slice(0, MOST_ROWS),
      windowMs,
      generatedAt: new Date(clock.now()).toISOString(),
    }),

    'connections:reset': async ({ id }: OperationInput<'connections:reset'>) => {
      const found = book.find(id)
      if (found === null) throw notFound('connection', id)
      health.clearConnection(id)
      activity.clear(id)
      told()
      return connectionView(found.provider, found.connection, activity)
    },

    'resilience:list': async () => [...resilience.list()],

    'resilience:change': async ({ key, value }: OperationInput<'resilience:change'>) => {
      resilience.change(key, value)
      return [...resilience.list()]
    },

    'resilience:patch': async ({ change }: OperationInput<'resilience:patch'>) => {
      resilience.patch(change)
      return treeOf(resilience.tree())
    },
  }

  function resetOne(id: string): number {
    if (!health.breakerStatuses(clock.now()).some(({ name }) => name === id)) return 0
    health.resetBreaker(id)
    return 1
  }

  function nameOf(id: string): string {
    return book.find(id)?.connection.name ?? id
  }
}

const treeOf = (tree: object): Record<string, unknown> => ({ ...tree })
