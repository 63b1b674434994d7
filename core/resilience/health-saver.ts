// Writes down what changed of breakers and connections, in batches and a moment later: no request waits for a disk.
import type { Clock, Timer } from '../clock'
import type { Logger } from '../host'
import type { BreakersTable, StoredBreaker } from '../store/breakers-table'
import type { CooldownsTable } from '../store/cooldowns-table'
import type { TerminalStatesTable } from '../store/terminal-states-table'
import type { toStoredConnection } from './connection-book'

export interface HealthTables {
  readonly breakers: BreakersTable
  readonly cooldowns: CooldownsTable
  readonly terminals: TerminalStatesTable
}

export interface SavedParts {
  /** null: nothing to remember. */
  readonly breaker: (providerId: string) => StoredBreaker | null
  readonly connection: (connectionId: string) => ReturnType<typeof toStoredConnection>
}

const SAVE_AFTER_MS = 500
/** A full disk is no reason to end the gateway: kept, and tried again. */
const TRY_AGAIN_MS = 5_000

export class HealthSaver {
  private breakers = new Set<string>()
  private connections = new Set<string>()
  private timer: Timer | null = null

  constructor(
    private readonly tables: HealthTables,
    private readonly parts: SavedParts,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {}

  breakerChanged(providerId: string): void {
    this.breakers.add(providerId)
    this.schedule(SAVE_AFTER_MS)
  }

  connectionChanged(connectionId: string): void {
    this.connections.add(connectionId)
    this.schedule(SAVE_AFTER_MS)
  }

  /** At once: what a person did must not be lost. */
  flush(): void {
    this.timer?.cancel()
    this.timer = null
    if (this.breakers.size === 0 && this.connections.size === 0) return
    const [breakers, connections] = [this.breakers, this.connections]
    this.breakers = new Set()
    this.connections = new Set()
    try {
      this.save([...breakers], [...connections])
    } catch (error) {
      for (const id of breakers) this.breakers.add(id)
      for (const id of connections) this.connections.add(id)
      this.log.warn({ error: String(error) }, 'the state of providers and connections cannot be written')
      this.schedule(TRY_AGAIN_MS)
    }
  }

  close(): void {
    this.flush()
    this.timer?.cancel()
    this.timer = null
  }

  private schedule(ms: number): void {
    this.timer ??= this.clock.after(ms, () => this.flush())
  }

  private save(providerIds: readonly string[], connectionIds: readonly string[]): void {
    if (providerIds.length > 0) {
      const rows = providerIds.map((id) => this.parts.breaker(id)).filter((row) => row !== null)
      const kept = new Set(rows.map(({ name }) => name))
      this.tables.breakers.save(
        rows,
        providerIds.filter((id) => !kept.has(id)),
      )
    }
    if (connectionIds.length === 0) return
    const found = connectionIds.map((id) => this.parts.connection(id))
    // Terminal states first: a crash in between must not leave a connection that looks well.
    this.tables.terminals.save(
      connectionIds,
      found.flatMap(({ terminal }) => terminal ?? []),
    )
    this.tables.cooldowns.save(
      connectionIds,
      found.flatMap(({ cooldown }) => cooldown ?? []),
      found.flatMap(({ retry }) => retry ?? []),
    )
  }
}
