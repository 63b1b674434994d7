// OAuth logins by connection. Every change gives a login another version, so that whoever read it before can tell; a
// claim lets one process at a time exchange the refresh token.
import type { Database } from 'better-sqlite3'
import type { SealedSecret } from '../host'
import { newId } from './ids'

export interface StoredLogin {
  readonly connectionId: string
  readonly version: string
  readonly secret: SealedSecret
  readonly authorizeUrl: string | null
  readonly deviceUrl: string | null
  readonly tokenUrl: string
  readonly clientId: string
  readonly clientAuth: 'body' | 'header'
  readonly tokenType: string
  readonly scopes: readonly string[]
  readonly issuedAt: number
  readonly expiresAt: number | null
  readonly refreshedAt: number | null
  /** Why a person must sign in again; null: not needed. */
  readonly signInAgain: string | null
}

export type NewLogin = Omit<StoredLogin, 'connectionId' | 'version' | 'signInAgain'>

/** What a claim found: the login as it is now, and whether the caller may exchange its refresh token. */
export interface Claim {
  readonly login: StoredLogin
  readonly mine: boolean
}

export interface OAuthLoginsTable {
  /** Of the connections that are not removed. */
  list(): StoredLogin[]
  find(connectionId: string): StoredLogin | null
  /** Stores a person's new login for the connection that `connect` makes or finds, with it or not at all. */
  put(connect: () => string, login: NewLogin): StoredLogin
  /** Stores renewed tokens; null when somebody else changed the login since `version`. */
  renew(connectionId: string, version: string, login: NewLogin): StoredLogin | null
  /** null as for `renew`. */
  markSignInAgain(connectionId: string, version: string, why: string): StoredLogin | null
  /** null when the login is gone. A claim ends by itself at `until`. */
  claim(connectionId: string, by: string, now: number, until: number): Claim | null
  release(connectionId: string, by: string): void
  remove(connectionId: string): void
}

interface Row {
  connection_id: string
  version: string
  secret_vault: string
  secret: Buffer
  authorize_url: string | null
  device_url: string | null
  token_url: string
  client_id: string
  client_auth: 'body' | 'header'
  token_type: string
  scopes: string
  issued_at: number
  expires_at: number | null
  refreshed_at: number | null
  sign_in_again: string | null
}

const FIELDS = [
  ...['secret_vault', 'secret', 'authorize_url', 'device_url', 'token_url', 'client_id', 'client_auth'],
  ...['token_type', 'scopes', 'issued_at', 'expires_at', 'refreshed_at'],
]
const COLUMNS = ['connection_id', 'version', ...FIELDS].join(', ')

export function openOAuthLoginsTable(database: Database): OAuthLoginsTable {
  const read = `SELECT ${COLUMNS}, sign_in_again FROM oauth_logins`
  const list = database.prepare<[], Row>(
    `${read} WHERE connection_id IN (SELECT id FROM connections WHERE removed_at IS NULL) ORDER BY connection_id`,
  )
  const find = database.prepare<[string], Row>(`${read} WHERE connection_id = ?`)
  const change = `version = @version, sign_in_again = NULL, claimed_by = NULL, claimed_until = NULL,
    ${FIELDS.map((field) => `${field} = @${field}`).join(', ')}`
  const put = database.prepare(
    `INSERT INTO oauth_logins (${COLUMNS}) VALUES (@connection_id, @version, ${FIELDS.map((field) => `@${field}`).join(', ')})
     ON CONFLICT (connection_id) DO UPDATE SET ${change}`,
  )
  const renew = database.prepare(
    `UPDATE oauth_logins SET ${change} WHERE connection_id = @connection_id AND version = @known`,
  )
  const mark = database.prepare(
    `UPDATE oauth_logins SET version = ?, sign_in_again = ?, claimed_by = NULL, claimed_until = NULL
     WHERE connection_id = ? AND version = ?`,
  )
  // One that lasts longer than claims do was made under another clock.
  const claim = database.prepare(
    `UPDATE oauth_logins SET claimed_by = @by, claimed_until = @until WHERE connection_id = @connectionId
     AND (claimed_by IS NULL OR claimed_by = @by OR claimed_until <= @now OR claimed_until > @until)`,
  )
  const release = database.prepare(
    'UPDATE oauth_logins SET claimed_by = NULL, claimed_until = NULL WHERE connection_id = ? AND claimed_by = ?',
  )
  const remove = database.prepare('DELETE FROM oauth_logins WHERE connection_id = ?')
  const found = (connectionId: string): StoredLogin | null => {
    const row = find.get(connectionId)
    return row === undefined ? null : toLogin(row)
  }
  return {
    list: () => list.all().map(toLogin),
    find: found,
    put: database.transaction((connect: () => string, login: NewLogin) => {
      const connectionId = connect()
      put.run({ ...values(login), connection_id: connectionId, version: newId('v') })
      return found(connectionId) as StoredLogin
    }),
    renew(connectionId, version, login) {
      const changed = renew.run({
        ...values(login),
        connection_id: connectionId,
        version: newId('v'),
        known: version,
      }).changes
      return changed === 1 ? found(connectionId) : null
    },
    markSignInAgain: (connectionId, version, why) =>
      mark.run(newId('v'), why, connectionId, version).changes === 1 ? found(connectionId) : null,
    claim: database.transaction((connectionId: string, by: string, now: number, until: number) => {
      const mine = claim.run({ connectionId, by, now, until }).changes === 1
      const login = found(connectionId)
      return login === null ? null : { login, mine }
    }),
    release: (connectionId, by) => void release.run(connectionId, by),
    remove: (connectionId) => void remove.run(connectionId),
  }
}

const values = (login: NewLogin) => ({
  secret_vault: login.secret.vault,
  secret: login.secret.data,
  authorize_url: login.authorizeUrl,
  device_url: login.deviceUrl,
  token_url: login.tokenUrl,
  client_id: login.clientId,
  client_auth: login.clientAuth,
  token_type: login.tokenType,
  scopes: login.scopes.join(' '),
  issued_at: login.issuedAt,
  expires_at: login.expiresAt,
  refreshed_at: login.refreshedAt,
})

const toLogin = (row: Row): StoredLogin => ({
  connectionId: row.connection_id,
  version: row.version,
  secret: { vault: row.secret_vault, data: row.secret },
  authorizeUrl: row.authorize_url,
  deviceUrl: row.device_url,
  tokenUrl: row.token_url,
  clientId: row.client_id,
  clientAuth: row.client_auth,
  tokenType: row.token_type,
  scopes: row.scopes === '' ? [] : row.scopes.split(' '),
  issuedAt: row.issued_at,
  expiresAt: row.expires_at,
  refreshedAt: row.refreshed_at,
  signInAgain: row.sign_in_again,
})
