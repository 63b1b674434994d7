// Signing a connection in with OAuth, and keeping it signed in: what a person asks for, checked, and the connection
// that comes of it.
import type { OperationInput, OperationOutput } from '../contract/operations'
import { badInput, GatewayError, notFound } from '../errors'
import { endpointUrl } from '../oauth/endpoint-url'
import { type OAuthClient, type OAuthLogin, type TokenGrant, withGrant } from '../oauth/login'
import type { SignInRequest } from '../oauth/sign-ins'
import { askForTokens } from '../oauth/token-endpoint'
import type { ProxyAddress } from '../pipeline/proxy-address'
import { PRACTICE_ID } from '../providers/catalogue'
import type { ProviderRow } from '../providers/provider-row'
import type { StoredConnection } from '../store/connections-table'
import { normalizeApiKey } from './api-key'
import { connectionPlace } from './connection-place'
import type { Parts } from './parts'
import { connectionView } from './views'

type Begin = OperationInput<'oauth:begin'>

/** What the input, the present login and the provider's row say together. */
interface Plan {
  readonly row: ProviderRow
  readonly connection: StoredConnection | null
  readonly login: OAuthLogin
  /** That of the connection. */
  readonly proxy: ProxyAddress | null
}

export function oauthOperations(parts: Parts) {
  const { book, logins, signIns, activity } = parts

  const view = (id: string) => {
    const found = book.find(id)
    if (found === null) throw notFound('connection', id)
    return connectionView(found.provider, found.connection, activity)
  }

  return {
    'oauth:begin': async (input: Begin): Promise<OperationOutput<'oauth:begin'>> => {
      const plan = planOf(input, parts)
      // A name in use is told now, and not after the person has signed in.
      const connect = (): string => connectionFor(plan, input, parts)
      checkPlace(plan, input, parts)
      // So is whether tokens can be kept.
      await parts.vault.seal('')
      if (input.method === 'tokens') {
        const id = await logins.put(connect, await givenTokens(plan, input, parts))
        return { kind: 'done', connection: view(id) }
      }
      const request: SignInRequest = {
        client: plan.login.client,
        scopes: plan.login.scopes,
        proxy: plan.proxy,
        finish: (grant: TokenGrant) => logins.put(connect, signedIn(plan.login, grant)),
      }
      if (input.method === 'code') {
        const url = needed(plan.login.authorizeUrl, 'authorizeUrl', plan.row)
        return { kind: 'code', ...(await signIns.withCode(request, url)) }
      }
      const url = needed(plan.login.deviceUrl, 'deviceUrl', plan.row)
      return { kind: 'device', ...(await signIns.withDevice(request, url)) }
    },

    'oauth:state': async ({ signInId }: OperationInput<'oauth:state'>) => {
      const state = signIns.state(signInId)
      if (state === null) throw notFound('sign-in', signInId)
      return state
    },

    'oauth:cancel': async ({ signInId }: OperationInput<'oauth:cancel'>) => {
      signIns.cancel(signInId)
      return null
    },

    'oauth:refresh': async ({ connectionId }: OperationInput<'oauth:refresh'>) => {
      view(connectionId)
      if (logins.of(connectionId) === null) throw badInput('connectionId', 'This connection has no sign-in.')
      const access = await logins.refresh(connectionId)
      const why = access.kind === 'token' ? (logins.of(connectionId)?.why ?? '') : access.why
      if (why !== '') throw new GatewayError('refresh_failed', 502, why)
      return view(connectionId)
    },
  }
}

function planOf(input: Begin, { book, connections, logins }: Parts): Plan {
  const row = book.row(input.provider)
  if (row === undefined) throw notFound('provider', input.provider)
  if (row.id === PRACTICE_ID) throw badInput('provider', 'Practice has its two connections already.')
  const connection = connections.list().find(({ id }) => id === input.connectionId) ?? null
  if (input.connectionId !== undefined) {
    if (connection === null) throw notFound('connection', input.connectionId)
    if (connection.provider !== row.id) throw badInput('connectionId', `This connection is not one of ${row.label}.`)
  }
  const known = connection === null ? null : logins.known(connection.id)
  const present = connection === null ? undefined : book.find(connection.id)?.connection
  if (present?.proxyLocked)
    throw badInput('connectionId', 'The address of its proxy cannot be opened. Enter the proxy again first.')
  return { row, connection, login: loginBefore(input, known, row), proxy: present?.proxy ?? null }
}

/** The client of the sign-in to come, without tokens yet. */
function loginBefore(input: Begin, known: OAuthLogin | null, row: ProviderRow): OAuthLogin {
  const address = (field: 'authorizeUrl' | 'deviceUrl' | 'tokenUrl', fallback: string | null): string | null => {
    const given = input[field]?.trim()
    return given === undefined || given === '' ? fallback : endpointUrl(given, field)
  }
  const { oauth } = row
  const clientId = input.clientId ?? known?.client.clientId ?? oauth?.clientId ?? null
  // A secret belongs to its client: another client does not inherit it.
  const kept = clientId === known?.client.clientId ? (known?.client.clientSecret ?? null) : null
  const given = input.clientSecret?.trim()
  const needsClient = input.method !== 'tokens' || input.refreshToken !== undefined
  const tokenUrl = address('tokenUrl', known?.client.tokenUrl || (oauth?.tokenUrl ?? null))
  const client: OAuthClient = {
    tokenUrl: needsClient ? needed(tokenUrl, 'tokenUrl', row) : (tokenUrl ?? ''),
    clientId: needsClient ? needed(clientId, 'clientId', row) : (clientId ?? ''),
    clientSecret: given === undefined ? kept : given === '' ? null : given,
    clientAuth: input.clientAuth ?? known?.client.clientAuth ?? 'body',
  }
  return {
    client,
    authorizeUrl: address('authorizeUrl', known?.authorizeUrl ?? oauth?.authorizeUrl ?? null),
    deviceUrl: address('deviceUrl', known?.deviceUrl ?? oauth?.deviceUrl ?? null),
    scopes: input.scopes ?? known?.scopes ?? oauth?.scopes ?? [],
    accessToken: null,
    refreshToken: null,
    tokenType: 'Bearer',
    issuedAt: 0,
    expiresAt: null,
    refreshedAt: null,
  }
}

function needed(value: string | null, field: keyof Begin, { label }: ProviderRow): string {
  if (value !== null && value !== '') return value
  throw badInput(field, `Nothing is known of ${label} here. Enter what its documentation says.`)
}

/** A sign-in is no refresh: its tokens may be refused and renewed at once. */
const signedIn = (login: OAuthLogin, grant: TokenGrant): OAuthLogin => ({
  ...withGrant(login, grant),
  refreshedAt: null,
})

/** Tokens a person pasted. A refresh token alone is exchanged at once: what it is worth is seen before it is stored. */
async function givenTokens({ login, proxy }: Plan, input: Begin, parts: Parts): Promise<OAuthLogin> {
  const tokenOf = (field: 'accessToken' | 'refreshToken'): string | null => {
    const raw = input[field]
    if (raw === undefined || raw.trim() === '') return null
    const { value } = normalizeApiKey(raw, field)
    parts.log.addSecret(value)
    return value
  }
  const accessToken = tokenOf('accessToken')
  const refreshToken = tokenOf('refreshToken')
  const given = { ...login, accessToken, refreshToken, issuedAt: parts.clock.now(), expiresAt: input.expiresAt ?? null }
  if (accessToken !== null) return given
  if (refreshToken === null) throw badInput('accessToken', 'Enter an access token, a refresh token or both.')
  if (login.client.clientSecret !== null) parts.log.addSecret(login.client.clientSecret)
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken }
  const answer = await askForTokens(login.client, form, { ...parts, proxy })
  if (answer.kind === 'granted') return signedIn(given, answer.grant)
  if (answer.kind === 'error') throw badInput('refreshToken', `The provider refused it: ${answer.why}.`)
  throw new GatewayError('sign_in_failed', 502, `The refresh token could not be tried: ${answer.why}`)
}

/** @throws GatewayError 400 where the connection could not be made as asked for */
function checkPlace({ row, connection }: Plan, input: Begin, parts: Parts): void {
  connectionPlace(parts, row, input, connection)
}

/** Inside the transaction that stores the login. */
function connectionFor({ row, connection }: Plan, input: Begin, parts: Parts): string {
  const { connections, clock, activity, health } = parts
  if (connection === null) {
    const place = connectionPlace(parts, row, input, null)
    return connections.insert({ ...place, secret: null, keyTail: null, createdAt: clock.now() }).id
  }
  // It may have been removed while the person signed in.
  if (!connections.list().some(({ id }) => id === connection.id)) throw notFound('connection', connection.id)
  const { name, baseUrl, options, enabled } = connectionPlace(parts, row, input, connection)
  connections.update(connection.id, { name, baseUrl, options, enabled })
  activity.clear(connection.id)
  health.clearConnection(connection.id)
  return connection.id
}
