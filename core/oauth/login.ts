// What an OAuth login of a connection is: the client it was made with, the tokens it holds, and how it is shown.
import type { LoginView } from '../contract/views'

/** Who asks for tokens, and where. */
export interface OAuthClient {
  readonly tokenUrl: string
  readonly clientId: string
  readonly clientSecret: string | null
  /** How the secret travels: in the form, or as Basic authorization (RFC 6749 2.3.1). */
  readonly clientAuth: 'body' | 'header'
}

/** One answer of a token endpoint. */
export interface TokenGrant {
  readonly accessToken: string
  /** null: none came, the one at hand stays. */
  readonly refreshToken: string | null
  readonly tokenType: string
  /** null: as asked for. */
  readonly scopes: readonly string[] | null
  /** When the request was sent: no lifetime is counted longer than the server's. */
  readonly issuedAt: number
  /** null: the server did not say. */
  readonly expiresAt: number | null
}

/** All of a login, with its secrets in clear: in memory only. */
export interface OAuthLogin {
  readonly client: OAuthClient
  /** Where a person signs in again; null where the tokens were given by hand. */
  readonly authorizeUrl: string | null
  readonly deviceUrl: string | null
  readonly accessToken: string | null
  readonly refreshToken: string | null
  readonly tokenType: string
  readonly scopes: readonly string[]
  readonly issuedAt: number
  readonly expiresAt: number | null
  /** When the gateway itself last exchanged the refresh token. */
  readonly refreshedAt: number | null
}

/** The login with the tokens of a grant in place of its own. */
export const withGrant = (login: OAuthLogin, grant: TokenGrant): OAuthLogin => ({
  ...login,
  accessToken: grant.accessToken,
  refreshToken: grant.refreshToken ?? login.refreshToken,
  tokenType: grant.tokenType,
  scopes: grant.scopes ?? login.scopes,
  issuedAt: grant.issuedAt,
  expiresAt: grant.expiresAt,
  refreshedAt: grant.issuedAt,
})

/** A connection's login as the registry carries it. Live: it says what is true when it is read. */
export interface ConnectionLogin {
  readonly state: LoginView['state']
  readonly expiresAt: number | null
  /** Why it is in that state, or what the last refresh failed with; empty when all is well. */
  readonly why: string
  /** How a person can sign in again with the client at hand. */
  readonly again: LoginView['again']
  /** null: none yet, or it cannot be opened. May have expired. */
  readonly accessToken: string | null
  /** Sealed by a vault that cannot open it now; kept. */
  readonly locked: boolean
}

/** What an attempt needs to know before it is made. */
export type Access =
  | { readonly kind: 'token'; readonly accessToken: string; readonly expiresAt: number | null }
  | { readonly kind: 'needs-sign-in'; readonly why: string }
  /** A refresh failed for a passing reason, and the old token has expired. */
  | { readonly kind: 'later'; readonly why: string; readonly until: number }
