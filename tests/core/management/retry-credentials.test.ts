import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { retryCredentials } from '../../../core/management/retry-credentials'
import type { ConnectionLogin } from '../../../core/oauth/login'
import type { OAuthLogins } from '../../../core/oauth/oauth-logins'
import { createTransport } from '../../../core/pipeline/transport'
import type { ConnectionBook } from '../../../core/providers/connection-book'
import { buildConnection } from '../../../core/providers/registry'
import { providerRow } from '../../support/judged'
import { openHealth, REFUSED } from '../resilience/health-world'
import { quietLogger } from './open-config'

const MINUTE = 60_000
/** How often a test looks whether something has happened. */
const EVERY = { interval: 2 }
const LOGIN: ConnectionLogin = {
  ...{ state: 'ok', expiresAt: null, why: '', again: [], accessToken: 'token-1', locked: false },
}

interface World {
  /** What the upstream answers with; null: nothing listens. */
  readonly status?: number | null
  readonly provider?: string
  readonly login?: ConnectionLogin
  /** The token after it was refused; null: there is no other. */
  readonly renewed?: (token: string) => Promise<string | null>
  /** The connection was removed meanwhile. */
  readonly gone?: boolean
}

/** A connection "a" that has just been refused with 401. */
async function begin(world: World = {}) {
  const { status = 200, provider = 'openai', login, renewed = async () => null, gone = false } = world
  const keys: (string | undefined)[] = []
  const server = createServer((request, response) => {
    keys.push(request.headers.authorization)
    response.writeHead(upstream.status).end('{"data":[]}')
  })
  const upstream = { status: status ?? 0 }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = (): void => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(stop)
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  if (status === null) stop()

  const { health, clock, ask, admit, becameTerminal } = openHealth()
  const transport = createTransport({ connectTimeoutMs: 5_000, extraCaFile: '' }, {}, quietLogger())
  onTestFinished(() => transport.close())
  const row = providerRow(provider)
  const place = { id: 'a', name: 'a', priority: 1, enabled: true, baseUrl }
  let token = login?.accessToken ?? 'sk-key'
  const connection = () => ({
    ...buildConnection(row, place, token, false, null),
    ...(login === undefined ? {} : { login }),
  })
  const refused = vi.fn(async (_id: string, given: string) => {
    const next = await renewed(given)
    if (next !== null) token = next
    return next
  })
  const stopRetrying = retryCredentials({
    ...{ clock, health, transport: () => transport },
    book: {
      find: () => (gone ? null : { provider: { row, connections: [] }, connection: connection() }),
    } as unknown as ConnectionBook,
    logins: { refused } as unknown as OAuthLogins,
  })
  health.failed(admit(), REFUSED)
  const account = () => ask.entry()?.account
  /** Lets time pass, and waits until the retry that fell due has ended: it changes what is held against the account. */
  const pass = async (ms: number): Promise<void> => {
    const before = account()
    clock.advance(ms)
    await vi.waitFor(() => expect(account()).not.toEqual(before), EVERY)
  }
  return { upstream, keys, clock, ask, refused, account, pass, stopRetrying, becameTerminal }
}

describe('a key that was refused', () => {
  it('is tried by a call that costs nothing, and serves again when that goes well', async () => {
    const { pass, keys, ask, account } = await begin()
    expect(ask.connection()).toMatchObject({ gate: 'sign-in-retry' })
    await pass(5 * MINUTE)
    expect(keys).toEqual(['Bearer sk-key'])
    expect(account()).toEqual({ kind: 'fine' })
    expect(ask.connection()).toBeNull()
  })

  it.each([401, 403])('that is refused three times more with %i has expired', async (status) => {
    const { pass, keys, account, becameTerminal } = await begin({ status })
    await pass(5 * MINUTE)
    await pass(10 * MINUTE)
    expect(account()).toMatchObject({ kind: 'retrying', retries: 2 })
    await pass(20 * MINUTE)
    expect(account()).toMatchObject({ kind: 'terminal', state: 'expired' })
    expect(keys).toHaveLength(3)
    expect(becameTerminal).toHaveBeenCalledExactlyOnceWith('a', 'expired')
  })

  it.each([null, 429, 500, 302])('is not used up by trouble of another kind: %s', async (status) => {
    const { pass, upstream, keys, account } = await begin({ status })
    for (let i = 0; i < 5; i++) await pass(5 * MINUTE)
    expect(account()).toMatchObject({ kind: 'retrying', retries: 0 })
    if (status === null) return
    expect(keys).toHaveLength(5)
    upstream.status = 200
    await pass(5 * MINUTE)
    expect(account()).toEqual({ kind: 'fine' })
  })

  it('of a provider that nothing free can be asked of waits for a request that is let through later', async () => {
    const { pass, keys, account } = await begin({ provider: 'openrouter' })
    await pass(5 * MINUTE)
    expect(account()).toMatchObject({ kind: 'retrying', retries: 0 })
    expect(keys).toEqual([])
  })

  it('of a connection that is gone is not tried', async () => {
    const { pass, keys, account } = await begin({ gone: true })
    await pass(5 * MINUTE)
    expect(account()).toMatchObject({ kind: 'retrying', retries: 0 })
    expect(keys).toEqual([])
  })
})

describe('a sign-in that was refused', () => {
  it('is left alone until its time has come', async () => {
    const { clock, refused, account } = await begin({ login: LOGIN })
    clock.advance(5 * MINUTE - 1)
    expect(refused).not.toHaveBeenCalled()
    expect(account()).toMatchObject({ kind: 'retrying', retries: 0 })
    clock.advance(1)
    expect(refused).toHaveBeenCalledTimes(1)
  })

  it('is left alone once retrying was stopped', async () => {
    const { clock, refused, stopRetrying } = await begin({ login: LOGIN })
    stopRetrying()
    clock.advance(60 * MINUTE)
    expect(refused).not.toHaveBeenCalled()
  })

  it('is renewed, and tried with the new token', async () => {
    const { pass, refused, keys, account } = await begin({ login: LOGIN, renewed: async () => 'token-2' })
    await pass(5 * MINUTE)
    expect(refused).toHaveBeenCalledExactlyOnceWith('a', 'token-1')
    expect(keys).toEqual(['Bearer token-2'])
    expect(account()).toEqual({ kind: 'fine' })
  })

  it('is refused again where the new token is', async () => {
    const { pass, account } = await begin({ login: LOGIN, status: 401, renewed: async () => 'token-2' })
    await pass(5 * MINUTE)
    expect(account()).toMatchObject({ kind: 'retrying', retries: 1 })
  })

  it('is refused again where its provider says that a person must sign in', async () => {
    const { pass, keys, account } = await begin({ login: { ...LOGIN, state: 'needs-sign-in', why: 'Sign in again.' } })
    for (const minutes of [5, 10, 20]) await pass(minutes * MINUTE)
    expect(account()).toMatchObject({ kind: 'terminal', state: 'expired' })
    expect(keys).toEqual([])
  })

  it('proves nothing where it could not be renewed for a reason that passes', async () => {
    const login = { ...LOGIN, why: 'The sign-in could not be renewed: no connection.' }
    const { pass, keys, account } = await begin({ login, status: 401 })
    for (let i = 0; i < 4; i++) await pass(5 * MINUTE)
    expect(account()).toMatchObject({ kind: 'retrying', retries: 0 })
    expect(keys).toEqual([])
  })

  it('is tried as it is where there is nothing to renew it with', async () => {
    const { pass, keys, account } = await begin({ login: LOGIN, status: 401 })
    await pass(5 * MINUTE)
    expect(keys).toEqual(['Bearer token-1'])
    expect(account()).toMatchObject({ kind: 'retrying', retries: 1 })
  })

  it('is asked about once at a time, however long that takes', async () => {
    const answer = Promise.withResolvers<string | null>()
    const { clock, refused, account } = await begin({ login: LOGIN, renewed: () => answer.promise })
    clock.advance(10 * MINUTE)
    expect(refused).toHaveBeenCalledTimes(1)
    answer.resolve('token-2')
    await vi.waitFor(() => expect(account()).toEqual({ kind: 'fine' }), EVERY)
  })

  it('proves nothing where something of our own broke', async () => {
    const { pass, account } = await begin({ login: LOGIN, renewed: async () => Promise.reject(new Error('disk full')) })
    await pass(5 * MINUTE)
    expect(account()).toMatchObject({ kind: 'retrying', retries: 0 })
  })
})
