// A health on databases in memory or in a folder, with time that stands still, and short words for what attempts prove.
import type { Database } from 'better-sqlite3'
import { onTestFinished, vi } from 'vitest'
import { checkChange, mergeResilience } from '../../../core/contract/resilience-merge'
import type { ResilienceSettings } from '../../../core/contract/resilience-settings'
import { Health } from '../../../core/resilience/health'
import type { Admission, Failure, Gate, ProviderFacts, Subject } from '../../../core/resilience/health-events'
import type { HealthDeps } from '../../../core/resilience/health-parts'
import { openBreakersTable } from '../../../core/store/breakers-table'
import { openCooldownsTable } from '../../../core/store/cooldowns-table'
import { openTerminalStatesTable } from '../../../core/store/terminal-states-table'
import { ManualClock } from '../../support/manual-clock'
import { memoryDatabase } from '../../support/memory-databases'
import { quietLogger } from '../management/open-config'

export const PROVIDERS: readonly ProviderFacts[] = [
  { id: 'openai', class: 'apikey', quotaFamilies: [] },
  { id: 'claude', class: 'oauth', quotaFamilies: [] },
  {
    ...{ id: 'codex', class: 'oauth' },
    quotaFamilies: [
      { family: 'spark', models: /spark/i },
      { family: 'codex', models: /./ },
    ],
  },
  { id: 'ollama', class: 'local', quotaFamilies: [] },
  { id: 'practice', class: 'local', quotaFamilies: [], breakerExempt: true },
]

export interface WorldOptions {
  /** As a person would change them. */
  readonly settings?: object
  readonly clock?: ManualClock
  readonly config?: Database
  readonly state?: Database
  readonly deps?: Partial<HealthDeps>
}

export function openHealth({
  settings: change,
  clock = new ManualClock(),
  config = memoryDatabase('config'),
  state = memoryDatabase('state'),
  deps = {},
}: WorldOptions = {}) {
  const current = { settings: settingsOf(change) }
  const changed = vi.fn()
  const becameTerminal = vi.fn()
  const health = new Health({
    ...{ clock, log: quietLogger(), random: () => 0, changed, becameTerminal },
    settings: () => current.settings,
    provider: (id) => PROVIDERS.find((facts) => facts.id === id),
    tables: {
      breakers: openBreakersTable(state),
      cooldowns: openCooldownsTable(state),
      terminals: openTerminalStatesTable(config),
    },
    ...deps,
  })
  onTestFinished(() => health.close())
  const ask = {
    provider: (id = 'openai') => health.providerGate(id, clock.now()),
    connection: (id = 'a') => health.connectionGate(id, clock.now()),
    model: (model = 'm', providerId = 'openai', connectionId = 'a') =>
      health.modelGate({ providerId, connectionId, model }, clock.now()),
    entry: (id = 'a') => health.connection(id, clock.now()),
    breaker: (id = 'openai') => health.breakerStatus(id, clock.now()),
  }
  const admit = (part: Partial<Subject> = {}): Admission => {
    const found = health.admit({ ...SUBJECT, ...part })
    if (found.kind === 'closed') throw new Error(`kept out by ${found.gate}`)
    return found
  }
  const refused = (part: Partial<Subject> = {}): Gate => {
    const found = health.admit({ ...SUBJECT, ...part })
    if (found.kind === 'admitted') throw new Error('was let through')
    return found
  }
  /** Enough connections fail at the same time to open the breaker. */
  const openBreaker = (providerId = 'openai', times = 12, from = 0): void => {
    for (let i = from; i < from + times; i++)
      health.failed(admit({ providerId, connectionId: `${providerId}-${i}` }), DOWN)
  }
  return { health, clock, config, state, ask, admit, refused, openBreaker, changed, becameTerminal, current }
}

export function settingsOf(change: object | undefined): ResilienceSettings {
  if (change === undefined) return mergeResilience({ env: {}, stored: undefined }).settings
  const checked = checkChange(change, { env: {}, stored: undefined })
  if (!checked.ok) throw new Error(JSON.stringify(checked.issues))
  return mergeResilience({ env: {}, stored: checked.stored }).settings
}

export const SUBJECT: Subject = { providerId: 'openai', connectionId: 'a', model: 'm' }

const NOTHING: Failure = {
  ...{ reason: 'bad_request', message: 'the words', status: null },
  ...{ evidence: { kind: 'none' }, rest: null, lock: null, account: null },
}
export const failure = (part: Partial<Failure>): Failure => ({ ...NOTHING, ...part })

export const LADDER = { kind: 'ladder', statedMs: null } as const
/** 503: against the provider, and the connection climbs the ladder. */
export const DOWN = failure({
  ...{ reason: 'server_error', status: 503, evidence: { kind: 'against', network: false }, rest: LADDER },
})
export const DEAD_NETWORK = failure({
  ...{ reason: 'network_error', evidence: { kind: 'against', network: true }, rest: LADDER },
})
export const LIMITED = failure({
  ...{ reason: 'rate_limit_exceeded', status: 429, rest: LADDER },
  evidence: { kind: 'limited', as: 'rate_limit' },
})
export const limitedFor = (statedMs: number): Failure => ({ ...LIMITED, rest: { kind: 'ladder', statedMs } })
export const SPENT = failure({
  ...{ reason: 'quota_exhausted', status: 429, rest: { kind: 'quota', statedMs: 3_600_000, usualMs: null } },
  evidence: { kind: 'limited', as: 'quota_exhausted' },
})
export const CROWDED = failure({
  ...{ reason: 'concurrency_limited', status: 429, rest: { kind: 'concurrency', statedMs: null } },
  evidence: { kind: 'none' },
})
export const REFUSED = failure({
  ...{ reason: 'auth_error', status: 401, account: 'unauthorized', evidence: { kind: 'life' } },
})
export const REJECTED = failure({
  ...{ reason: 'request_rejected', status: 403, account: 'rejected', evidence: { kind: 'life' } },
})
export const BANNED = failure({ reason: 'banned', status: 403, account: 'banned', evidence: { kind: 'life' } })
export const NO_MONEY = failure({
  ...{ reason: 'credits_exhausted', status: 402, account: 'credits', evidence: { kind: 'life' } },
})
/** A failure that only locks the model. */
export const lockedBy = (status: number, scope: 'quota' | 'not-found' | 'exact'): Failure =>
  failure({ reason: 'server_error', status, lock: { scope, ms: null, isReset: false }, evidence: { kind: 'life' } })
/** A queue of our own, a full semaphore, a client that left. */
export const LOCAL = failure({ reason: 'local', evidence: { kind: 'none' } })
