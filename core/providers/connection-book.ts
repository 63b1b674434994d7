// Keeps the registry in step with the tables: providers of the catalogue and of the user, their connections, and the
// keys, which are opened here once and never leave the main process.
import type { Logger, SealedSecret, Vault } from '../host'
import type { ConnectionLogin } from '../oauth/login'
import { type ProxyAddress, parseProxy, secretsOf } from '../pipeline/proxy-address'
import type { PracticeServer } from '../practice/practice-server'
import type { ConnectionsTable, StoredConnection } from '../store/connections-table'
import type { ProvidersTable } from '../store/providers-table'
import { CATALOGUE, customRow, PRACTICE_ID } from './catalogue'
import type { ProviderRow } from './provider-row'
import { buildConnection, type Connection, type Provider, type Registry } from './registry'

export class ConnectionBook {
  private current: Registry = new Map()
  /** Told of the new registry, after it is in force. */
  onReload: (registry: Registry) => void = () => {}
  /** Opened keys by sealed bytes: a change of one connection does not ask the vault for all. */
  private readonly opened = new Map<string, string>()
  private reloading: Promise<void> = Promise.resolve()

  constructor(
    private readonly connections: ConnectionsTable,
    private readonly providers: ProvidersTable,
    private readonly vault: Vault,
    private readonly practice: PracticeServer,
    private readonly log: Logger,
    private readonly loginOf: (connectionId: string) => ConnectionLogin | null = () => null,
  ) {}

  registry = (): Registry => this.current

  /** A provider the user defined before a built-in one had its id stays the user's. */
  rows(): ProviderRow[] {
    const own = this.providers.list().map(customRow)
    const taken = new Set(own.map(({ id }) => id))
    return [...CATALOGUE.filter(({ id }) => !taken.has(id)).map((row) => this.withPracticeAddress(row)), ...own]
  }

  /** By id, else by alias; ids of the user's providers come before aliases of built-in ones. */
  row(idOrAlias: string): ProviderRow | undefined {
    const rows = this.rows()
    return rows.find(({ id }) => id === idOrAlias) ?? rows.find(({ aliases }) => aliases.includes(idOrAlias))
  }

  find(connectionId: string): { provider: Provider; connection: Connection } | null {
    for (const provider of this.current.values()) {
      const connection = provider.connections.find(({ id }) => id === connectionId)
      if (connection !== undefined) return { provider, connection }
    }
    return null
  }

  /** Reads the tables again and replaces the registry in one step. */
  reload(): Promise<void> {
    // One after the other: what was read earlier must not replace what was read later.
    this.reloading = this.reloading.catch(() => {}).then(() => this.read())
    return this.reloading
  }

  private async read(): Promise<void> {
    const stored = this.connections.list()
    const next = new Map<string, Provider>()
    for (const row of this.rows()) {
      const own = stored.filter(({ provider }) => provider === row.id)
      const connections = row.id === PRACTICE_ID ? this.practiceConnections(row) : await this.build(row, own)
      next.set(row.id, { row, connections: connections.sort(byPriority) })
    }
    this.current = next
    this.onReload(next)
  }

  private async build(row: ProviderRow, stored: readonly StoredConnection[]): Promise<Connection[]> {
    return Promise.all(
      stored.map(async (connection) => {
        const proxy = await this.openProxy(connection)
        const through = { proxy, proxyLocked: connection.proxy !== null && proxy === null }
        const login = this.loginOf(connection.id)
        if (login !== null) return { ...withLogin(row, connection, login), ...through }
        const key = connection.secret === null ? null : await this.open(connection.secret)
        const locked = connection.secret !== null && key === null
        return { ...buildConnection(row, connection, key, locked, connection), ...through }
      }),
    )
  }

  /** null: it has none, or it cannot be opened. */
  private async openProxy({ id, proxy }: StoredConnection): Promise<ProxyAddress | null> {
    if (proxy === null) return null
    const url = await this.vaultText(proxy.secret)
    if (url === null) return null
    try {
      const opened = parseProxy(url)
      for (const secret of secretsOf(opened)) this.log.addSecret(secret)
      return opened
    } catch {
      this.log.error({ connectionId: id }, 'the stored address of a proxy cannot be read')
      return null
    }
  }

  private async open(secret: SealedSecret): Promise<string | null> {
    const key = await this.vaultText(secret)
    if (key !== null) this.log.addSecret(key)
    return key
  }

  private async vaultText(secret: SealedSecret): Promise<string | null> {
    const sealed = `${secret.vault}:${Buffer.from(secret.data).toString('base64')}`
    const known = this.opened.get(sealed)
    if (known !== undefined) return known
    const text = await this.vault.open(secret)
    if (text !== null) this.opened.set(sealed, text)
    return text
  }

  private withPracticeAddress(row: ProviderRow): ProviderRow {
    const { baseUrl } = this.practice
    return row.id === PRACTICE_ID ? { ...row, endpoints: { 'openai-chat': baseUrl, anthropic: baseUrl } } : row
  }

  private practiceConnections(row: ProviderRow): Connection[] {
    return (['first', 'second'] as const).map((name, index) =>
      buildConnection(
        row,
        { id: `${PRACTICE_ID}-${name}`, name, priority: index, enabled: true, baseUrl: null },
        this.practice.keys[index] ?? null,
        false,
        null,
      ),
    )
  }
}

/** An access token travels as a bearer token, whatever way a key would. */
const withLogin = (row: ProviderRow, stored: StoredConnection, login: ConnectionLogin): Connection => ({
  ...buildConnection({ ...row, auth: 'bearer' }, stored, login.accessToken, login.locked, stored),
  login,
})

const byPriority = (a: Connection, b: Connection): number =>
  a.priority - b.priority || (a.stored?.createdAt ?? 0) - (b.stored?.createdAt ?? 0)
