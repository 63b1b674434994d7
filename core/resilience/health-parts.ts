// What the shell of health is made of: the books of breakers, connections and locks, how they are written down, and the
// timers that forget what is over.
import type { Clock } from '../clock'
import type { TerminalState } from '../contract/health-words'
import type { ResilienceSettings } from '../contract/resilience-settings'
import type { Logger } from '../host'
import { ConnectionBook, toStoredConnection } from './connection-book'
import { FailureDedup } from './failure-dedup'
import type { ProviderFacts } from './health-events'
import { HealthSaver, type HealthTables } from './health-saver'
import { LockBook } from './lockout'
import { ProviderBreakers, toStored } from './provider-breakers'
import { ProviderCooldown } from './provider-cooldown'

export interface HealthDeps {
  readonly clock: Clock
  /** 0 ≤ x < 1. */
  readonly random: () => number
  readonly log: Logger
  readonly settings: () => ResilienceSettings
  readonly provider: (id: string) => ProviderFacts | undefined
  readonly tables: HealthTables
  /** Of a connection that opted out of rests. */
  readonly coolingDisabled?: (connectionId: string) => boolean
  /** Those that leave by the same address, where limits are counted by it. */
  readonly egressSiblings?: (connectionId: string, now: number) => readonly string[]
  /** Something that is shown has changed. */
  readonly changed?: () => void
  readonly becameTerminal?: (connectionId: string, state: TerminalState) => void
}

export interface HealthParts {
  readonly deps: HealthDeps
  readonly breakers: ProviderBreakers
  readonly connections: ConnectionBook
  readonly locks: LockBook
  readonly dedup: FailureDedup
  readonly windows: ProviderCooldown
  /** Writes down at once what is still to be written. */
  flush(): void
  changed(): void
  /** Order of admissions and marks. */
  nextSeq(): number
  close(): void
}

const SWEEP_BREAKERS_MS = 300_000
const CLEAN_COOLDOWNS_MS = 60_000
const CLEAN_LOCKS_MS = 15_000

export function openHealthParts(deps: HealthDeps): HealthParts {
  const { clock, log, settings, provider, tables } = deps
  const changed = (): void => deps.changed?.()
  const breakers: ProviderBreakers = new ProviderBreakers({
    ...{ settings, provider, now: clock.now },
    changed: (id) => {
      saver.breakerChanged(id)
      changed()
    },
  })
  const connections: ConnectionBook = new ConnectionBook((id) => {
    saver.connectionChanged(id)
    changed()
  })
  const storedBreaker = (id: string) => {
    const breaker = breakers.find(id)
    if (breaker === undefined || breaker.isPristine) return null
    return toStored(id, breaker.snapshot(), breakers.optionsOf(provider(id)?.class ?? 'apikey'))
  }
  const storedConnection = (id: string) => toStoredConnection(id, connections.entry(id, clock.now()))
  const saver = new HealthSaver(tables, { breaker: storedBreaker, connection: storedConnection }, clock, log)
  const locks = new LockBook()
  const windows = new ProviderCooldown()
  tables.terminals.purge()
  breakers.restore(tables.breakers.all())
  connections.restore(tables.cooldowns.cooldowns(), tables.cooldowns.retries(), tables.terminals.all())
  const timers = [
    clock.every(SWEEP_BREAKERS_MS, () => breakers.sweep(clock.now())),
    clock.every(CLEAN_COOLDOWNS_MS, () => windows.cleanUp(settings().providerCooldown, clock.now())),
    clock.every(CLEAN_LOCKS_MS, () => locks.cleanUp(clock.now())),
  ]
  let seq = 0
  return {
    ...{ deps, breakers, connections, locks, windows, changed },
    dedup: new FailureDedup(),
    flush: () => saver.flush(),
    nextSeq: () => ++seq,
    close() {
      for (const timer of timers) timer.cancel()
      saver.close()
    },
  }
}
