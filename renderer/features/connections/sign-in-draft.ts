// What is entered to sign a connection in with an account, and the call that begins it. Pure.
import type { CallInput } from '../../../core/contract/ipc'
import type { ConnectionView, ProviderView } from '../../../core/contract/views'
import { type Draft, type DraftErrors, given, givenOptions, isHttpUrl, trimmed } from './draft'

export type SignInMethod = CallInput<'oauth:begin'>['method']

export interface SignInDraft {
  readonly method: SignInMethod
  readonly authorizeUrl: string
  readonly deviceUrl: string
  readonly tokenUrl: string
  readonly clientId: string
  readonly clientSecret: string
  /** Divided by spaces, as they are written in documentation. */
  readonly scopes: string
  readonly accessToken: string
  readonly refreshToken: string
}

export const emptySignIn = (method: SignInMethod = 'code'): SignInDraft => ({
  method,
  authorizeUrl: '',
  deviceUrl: '',
  tokenUrl: '',
  clientId: '',
  clientSecret: '',
  scopes: '',
  accessToken: '',
  refreshToken: '',
})

type Known = NonNullable<ProviderView['signIn']>
type ClientField = keyof Known

const NOTHING_KNOWN: Known = { authorizeUrl: null, deviceUrl: null, tokenUrl: null, clientId: null }

/** The addresses and the client that this method uses. */
export function clientFields({ method, refreshToken }: SignInDraft): readonly ClientField[] {
  switch (method) {
    case 'code':
      return ['authorizeUrl', 'tokenUrl', 'clientId']
    case 'device':
      return ['deviceUrl', 'tokenUrl', 'clientId']
    case 'tokens':
      // An access token alone is used until it ends; only a refresh token is sent anywhere.
      return refreshToken.trim() === '' ? [] : ['tokenUrl', 'clientId']
  }
}

interface Situation {
  readonly provider: ProviderView
  /** The connection that is signed in again; null for a new one. */
  readonly connection: ConnectionView | null
}

/** Whether an empty field falls back to something: the connection's present sign-in, or what the provider's row says. */
export function isKnown(field: ClientField, { provider, connection }: Situation): boolean {
  const again = connection?.login?.again ?? []
  if (field === 'authorizeUrl' && again.includes('code')) return true
  if (field === 'deviceUrl' && again.includes('device')) return true
  if ((field === 'tokenUrl' || field === 'clientId') && again.length > 0) return true
  return (provider.signIn ?? NOTHING_KNOWN)[field] !== null
}

export function checkSignIn(draft: SignInDraft, situation: Situation): DraftErrors {
  const errors: DraftErrors = {}
  for (const field of clientFields(draft)) {
    const value = draft[field].trim()
    if (value === '' && !isKnown(field, situation)) errors[field] = MISSING[field]
    else if (value !== '' && field !== 'clientId' && !isHttpUrl(value))
      errors[field] = 'Not an address. It looks like https://auth.example.com/oauth.'
  }
  if (draft.method === 'tokens' && draft.accessToken.trim() === '' && draft.refreshToken.trim() === '')
    errors.accessToken = 'Enter an access token, a refresh token or both.'
  return errors
}

const MISSING: Readonly<Record<ClientField, string>> = {
  authorizeUrl: 'Enter the address of the sign-in page, from the provider’s documentation.',
  deviceUrl: 'Enter the address that gives out codes, from the provider’s documentation.',
  tokenUrl: 'Enter the address that gives out tokens, from the provider’s documentation.',
  clientId: 'Enter the client ID you were given.',
}

/** What this method does not use is not sent: it may be left over from another choice. */
export function toBegin(
  draft: Draft,
  signIn: SignInDraft,
  connection: ConnectionView | null,
): CallInput<'oauth:begin'> {
  const used = clientFields(signIn)
  const field = (name: ClientField): string | undefined => (used.includes(name) ? trimmed(signIn[name]) : undefined)
  const scopes = signIn.scopes.split(/[\s,]+/).filter((scope) => scope !== '')
  const withClient = used.length > 0
  return given({
    provider: draft.provider,
    method: signIn.method,
    ...(connection === null
      ? { name: trimmed(draft.name), baseUrl: trimmed(draft.baseUrl), options: givenOptions(draft) }
      : { connectionId: connection.id }),
    authorizeUrl: field('authorizeUrl'),
    deviceUrl: field('deviceUrl'),
    tokenUrl: field('tokenUrl'),
    clientId: field('clientId'),
    clientSecret: withClient ? trimmed(signIn.clientSecret) : undefined,
    scopes: withClient && signIn.method !== 'tokens' && scopes.length > 0 ? scopes : undefined,
    accessToken: signIn.method === 'tokens' ? trimmed(signIn.accessToken) : undefined,
    refreshToken: signIn.method === 'tokens' ? trimmed(signIn.refreshToken) : undefined,
  }) as CallInput<'oauth:begin'>
}
