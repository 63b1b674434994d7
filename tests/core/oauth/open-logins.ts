// OAuthLogins on a database in memory, with time that stands still and a token endpoint that a test writes.
import type { Database } from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import type { Vault } from '../../../core/host'
import { createMemoryVault } from '../../../core/node/key-file-vault'
import type { OAuthLogin } from '../../../core/oauth/login'
import { OAuthLogins, type OAuthLoginsDeps } from '../../../core/oauth/oauth-logins'
import type { TokenAnswer } from '../../../core/oauth/token-answer'
import { type ConnectionsTable, openConnectionsTable } from '../../../core/store/connections-table'
import { openOAuthLoginsTable } from '../../../core/store/oauth-logins-table'
import { ManualClock } from '../../support/manual-clock'
import { memoryDatabase } from '../../support/memory-databases'
import { quietLogger } from '../management/open-config'

export const HOUR = 3_600_000

export const granted = (n: number, issuedAt: number, refreshToken: string | null = `refresh-${n}`): TokenAnswer => ({
  kind: 'granted',
  grant: {
    accessToken: `access-${n}`,
    refreshToken,
    tokenType: 'Bearer',
    scopes: null,
    issuedAt,
    expiresAt: issuedAt + HOUR,
  },
})
export const failed = (lost = false): TokenAnswer => ({ kind: 'failed', why: 'no answer', lost, retryAfterMs: null })
export const invalidGrant: TokenAnswer = { kind: 'error', code: 'invalid_grant', why: 'invalid_grant (revoked)' }

export interface Opened {
  readonly logins: OAuthLogins
  readonly database: Database
  readonly connections: ConnectionsTable
  readonly clock: ManualClock
  readonly log: ReturnType<typeof quietLogger>
  readonly deps: OAuthLoginsDeps
  /** Refresh tokens that were sent. */
  readonly sent: string[]
  /** How often the registry was told of tokens, and the window of states. */
  readonly told: { tokens: number; changes: number }
  /** A login whose access token ends in an hour, on a connection of its own. */
  signIn(part?: Partial<OAuthLogin>): Promise<string>
}

export interface Shared {
  readonly database?: Database
  readonly clock?: ManualClock
  readonly vault?: Vault
  readonly deps?: Partial<OAuthLoginsDeps>
}

export async function openLogins(
  answer: (n: number, refreshToken: string) => Promise<TokenAnswer> | TokenAnswer,
  {
    database = memoryDatabase('config'),
    clock = new ManualClock(),
    vault = createMemoryVault(),
    deps = {},
  }: Shared = {},
): Promise<Opened> {
  const log = quietLogger()
  const sent: string[] = []
  const told = { tokens: 0, changes: 0 }
  const connections = openConnectionsTable(database)
  const all: OAuthLoginsDeps = {
    ...{ clock, log, vault },
    table: openOAuthLoginsTable(database),
    redact: (text) => text,
    ask: async (_client, { refresh_token = '' }) => {
      sent.push(refresh_token)
      return answer(sent.length, refresh_token)
    },
    tokensChanged: async () => void told.tokens++,
    inUse: (connectionId) => connections.list().some(({ id }) => id === connectionId),
    changed: () => void told.changes++,
    ...deps,
  }
  const logins = new OAuthLogins(all)
  await logins.load()
  onTestFinished(async () => {
    const closing = logins.close()
    clock.advance(1_000)
    await closing
  })
  let names = 0
  return {
    ...{ logins, database, connections, clock, log, sent, told, deps: all },
    signIn: (part = {}) =>
      logins.put(() => connections.insert(connection(`account ${++names}`)).id, loginAt(clock.now(), part)),
  }
}

const connection = (name: string) => ({
  ...{ provider: 'acme', name, baseUrl: null, options: {}, secret: null, keyTail: null, priority: 1 },
  ...{ enabled: true, createdAt: 0 },
})

export const loginAt = (now: number, part: Partial<OAuthLogin> = {}): OAuthLogin => ({
  client: { tokenUrl: 'https://id.example/token', clientId: 'app', clientSecret: 'client-secret', clientAuth: 'body' },
  authorizeUrl: null,
  deviceUrl: null,
  accessToken: 'access-0',
  refreshToken: 'refresh-0',
  tokenType: 'Bearer',
  scopes: ['chat'],
  issuedAt: now,
  expiresAt: now + HOUR,
  refreshedAt: null,
  ...part,
})

/** Lets everything run that waits for nothing but its turn. */
export async function turns(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve))
}
