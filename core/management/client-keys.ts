// Client keys: made here, shown once, stored as a hash. The plain key stays in memory until the program ends, so that
// it can still be copied where it is needed.
import { randomBytes } from 'node:crypto'
import type { Clock } from '../clock'
import type { Scope } from '../contract/kinds'
import type { OperationInput } from '../contract/operations'
import type { ClientKeyView } from '../contract/views'
import { badInput, notFound } from '../errors'
import type { Logger } from '../host'
import { type ClientKey, hashKey } from '../http/client-keys'
import type { ClientKeysTable } from '../store/client-keys-table'

const FIRST_KEY_NAME = 'default'
/** How often the moment of last use is written. */
const TOUCH_MS = 5_000

export const newClientKey = (): string => `bw-${randomBytes(16).toString('hex')}`
export const clientKeyMask = (key: string): string => `${key.startsWith('bw-') ? 'bw-' : ''}…${key.slice(-4)}`

export class ClientKeys {
  /** Those of the table; then also those of this process alone. A new list with every change, never the old one changed. */
  private current: readonly ClientKey[] = []
  private everyone: readonly ClientKey[] = []
  private readonly internal: ClientKey[] = []
  private readonly plain = new Map<string, string>()
  private readonly usedAt = new Map<string, number>()
  private readonly touching

  constructor(
    private readonly table: ClientKeysTable,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {
    this.reload()
    this.touching = clock.every(TOUCH_MS, () => this.flush())
  }

  /** For the listener, on every request. */
  all = (): readonly ClientKey[] => this.everyone

  /** The plain key, while this run still knows it. */
  plainOf = (id: string): string | null => this.plain.get(id) ?? null

  used = (id: string): void => {
    this.usedAt.set(id, this.clock.now())
  }

  create(name: string, scopes: readonly Scope[]): { view: ClientKeyView; key: string } {
    if (this.table.list().some((known) => known.name === name)) {
      throw badInput('name', `There is already a key "${name}". Choose another name.`)
    }
    const key = newClientKey()
    this.log.addSecret(key)
    const { id } = this.table.insert({
      name,
      hash: hashKey(key),
      mask: clientKeyMask(key),
      scopes,
      createdAt: this.clock.now(),
    })
    this.plain.set(id, key)
    this.reload()
    return { view: this.view(id), key }
  }

  /** Someone who starts for the first time needs a key to call with; null when there is one already. */
  createFirst(): { view: ClientKeyView; key: string } | null {
    return this.current.length === 0 ? this.create(FIRST_KEY_NAME, []) : null
  }

  /** A key of this process alone, for its own try-out requests. Never stored. */
  internalKey(name: string): string {
    const key = newClientKey()
    this.log.addSecret(key)
    this.internal.push({ id: `internal-${name}`, name, hash: hashKey(key), scopes: [] })
    this.reload()
    return key
  }

  list(): ClientKeyView[] {
    return this.table.list().map(({ id, name, mask, scopes, createdAt, lastUsedAt }) => ({
      id,
      name,
      mask,
      scopes: [...scopes],
      createdAt,
      lastUsedAt: this.usedAt.get(id) ?? lastUsedAt,
      copyable: this.plain.has(id),
    }))
  }

  remove({ id }: OperationInput<'keys:remove'>): void {
    this.view(id)
    this.table.remove(id)
    this.plain.delete(id)
    this.usedAt.delete(id)
    this.reload()
  }

  /** After a change of the table, an import too. */
  reload(): void {
    this.current = this.table.list()
    this.everyone = [...this.current, ...this.internal]
  }

  close(): void {
    this.touching.cancel()
    this.flush()
  }

  private view(id: string): ClientKeyView {
    const view = this.list().find((known) => known.id === id)
    if (view === undefined) throw notFound('key', id)
    return view
  }

  private flush(): void {
    if (this.usedAt.size === 0) return
    try {
      this.table.touch([...this.usedAt].map(([id, at]) => ({ id, at })))
      this.usedAt.clear()
    } catch (error) {
      // A full disk is no reason to end the gateway: kept, and tried again.
      this.log.warn({ error: String(error) }, 'the last use of client keys cannot be written')
    }
  }
}
