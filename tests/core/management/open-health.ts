// The operations on health over the real state machines, with a clock that stands still until it is told.
import { vi } from 'vitest'
import type { Reason } from '../../../core/contract/kinds'
import { healthOperations } from '../../../core/management/health'
import { createMemoryVault } from '../../../core/node/key-file-vault'
import type { PracticeServer } from '../../../core/practice/practice-server'
import { ConnectionBook } from '../../../core/providers/connection-book'
import { Activity } from '../../../core/resilience/activity'
import { Health, isGate } from '../../../core/resilience/health'
import type { Admission, Failure } from '../../../core/resilience/health-events'
import { createResilienceStore } from '../../../core/resilience/settings-store'
import { openBreakersTable } from '../../../core/store/breakers-table'
import { openConnectionsTable } from '../../../core/store/connections-table'
import { openCooldownsTable } from '../../../core/store/cooldowns-table'
import { openProvidersTable } from '../../../core/store/providers-table'
import { openSettingsTable } from '../../../core/store/settings-table'
import { openTerminalStatesTable } from '../../../core/store/terminal-states-table'
import { ManualClock } from '../../support/manual-clock'
import { memoryDatabase } from '../../support/memory-databases'
import { quietLogger } from './open-config'

const FAILURE: Failure = {
  reason: 'server_error',
  message: 'it broke',
  status: 500,
  evidence: { kind: 'none' },
  rest: null,
  lock: null,
  account: null,
}

/** What attempts of these kinds lead to, in short. */
export const FAILURES = {
  limited: (ms: number) => part('rate_limit_exceeded', 429, { rest: { kind: 'flat', ms } }),
  banned: () => part('banned', 403, { account: 'banned' }),
  unauthorized: () => part('auth_error', 401, { account: 'unauthorized' }),
  locked: (ms: number) => part('model_capacity', 503, { lock: { scope: 'exact', ms, isReset: true } }),
  down: () => part('server_error', 503, { evidence: { kind: 'against', network: false } }),
}

const part = (reason: Reason, status: number, more: Partial<Failure>): Failure => ({
  ...FAILURE,
  reason,
  status,
  ...more,
})

export interface WantedConnection {
  readonly provider: string
  readonly name: string
  readonly enabled?: boolean
}

export async function beginHealth(wanted: readonly WantedConnection[]) {
  const [config, state] = [memoryDatabase('config'), memoryDatabase('state')]
  const [clock, log, vault] = [new ManualClock(), quietLogger(), createMemoryVault()]
  const [connections, providers] = [openConnectionsTable(config), openProvidersTable(config)]
  const practice: PracticeServer = { baseUrl: 'http://127.0.0.1:9/v1', keys: ['p1', 'p2'], close: async () => {} }
  const book = new ConnectionBook(connections, providers, vault, practice, log)
  const ids = new Map<string, string>()
  for (const [i, { provider, name, enabled = true }] of wanted.entries()) {
    const secret = await vault.seal(`sk-${name}-0123456789`)
    const { id } = connections.insert({
      ...{ provider, name, enabled, secret, keyTail: '6789', baseUrl: null, options: {}, proxy: null, settings: {} },
      ...{ priority: i, createdAt: i },
    })
    ids.set(name, id)
  }
  await book.reload()
  const resilience = createResilienceStore(openSettingsTable(config), {})
  const health = new Health({
    ...{ clock, log, random: () => 0, settings: resilience.snapshot },
    provider: (id) => book.registry().get(id)?.row,
    tables: {
      breakers: openBreakersTable(state),
      cooldowns: openCooldownsTable(state),
      terminals: openTerminalStatesTable(config),
    },
  })
  const activity = new Activity(() => {})
  const changed = vi.fn()
  const operations = healthOperations({ book, clock, activity, health, resilience, changed })
  const id = (name: string): string => ids.get(name) as string
  return {
    ...{ clock, health, activity, resilience, operations, changed, id },
    /** One attempt on a connection that ends so. */
    fail(name: string, failure: Failure, model = 'm1'): void {
      const connection = book.find(id(name))?.connection
      const admitted = health.admit({ providerId: connection?.provider ?? '', connectionId: id(name), model })
      if (isGate(admitted)) throw new Error(`${name} is out: ${admitted.why}`)
      health.failed(admitted as Admission, failure)
    },
  }
}
