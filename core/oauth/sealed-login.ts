// A login on its way to the disk and back: tokens and the client's secret become one sealed text, the rest stays
// readable. Whatever is opened or about to be sealed is from then on masked in the log.
import type { Logger, Vault } from '../host'
import type { NewLogin, StoredLogin } from '../store/oauth-logins-table'
import type { OAuthLogin } from './login'
import type { TokenTimes } from './refresh-decision'

export interface Sealing {
  readonly vault: Vault
  readonly log: Logger
}

interface Secrets {
  readonly accessToken: string | null
  readonly refreshToken: string | null
  readonly clientSecret: string | null
}

/** @throws GatewayError `vault_unavailable` where nothing protects secrets */
export async function sealLogin(login: OAuthLogin, { vault, log }: Sealing): Promise<NewLogin> {
  const { client, accessToken, refreshToken, ...rest } = login
  const secrets: Secrets = { accessToken, refreshToken, clientSecret: client.clientSecret }
  mask(secrets, log)
  const { tokenUrl, clientId, clientAuth } = client
  return { ...rest, tokenUrl, clientId, clientAuth, secret: await vault.seal(JSON.stringify(secrets)) }
}

/** null when the secrets cannot be opened now; they must then be kept. */
export async function openLogin(stored: StoredLogin, { vault, log }: Sealing): Promise<OAuthLogin | null> {
  const plain = await vault.open(stored.secret)
  if (plain === null) return null
  const secrets = JSON.parse(plain) as Secrets
  mask(secrets, log)
  const { tokenUrl, clientId, clientAuth } = stored
  const { authorizeUrl, deviceUrl, tokenType, scopes, issuedAt, expiresAt, refreshedAt } = stored
  return {
    client: { tokenUrl, clientId, clientSecret: secrets.clientSecret, clientAuth },
    ...{ authorizeUrl, deviceUrl, tokenType, scopes, issuedAt, expiresAt, refreshedAt },
    accessToken: secrets.accessToken,
    refreshToken: secrets.refreshToken,
  }
}

function mask(secrets: Secrets, log: Logger): void {
  for (const secret of Object.values(secrets)) if (typeof secret === 'string') log.addSecret(secret)
}

export const timesOf = ({ issuedAt, expiresAt, refreshedAt, accessToken, refreshToken }: OAuthLogin): TokenTimes => ({
  issuedAt,
  expiresAt,
  refreshedAt,
  hasAccess: accessToken !== null,
  canRefresh: refreshToken !== null,
})
