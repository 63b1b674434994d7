// Signing in and staying signed in, against a strict OAuth server over real sockets and with a database on the disk.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { OPERATIONS, type OperationInput } from '../../core/contract/operations'
import { GatewayError } from '../../core/errors'
import { createGateway } from '../../core/gateway'
import { exportFrom } from '../../core/management/config-exchange'
import { connectionOperations } from '../../core/management/connections'
import { oauthOperations } from '../../core/management/oauth'
import type { Parts } from '../../core/management/parts'
import { createFileVault } from '../../core/node/key-file-vault'
import { createLogger } from '../../core/node/logger'
import { parseArgs } from '../../core/node/parse-args'
import { createPlainHost } from '../../core/node/plain-host'
import { afterRefusal, freshConnection } from '../../core/oauth/fresh-connection'
import { OAuthLogins } from '../../core/oauth/oauth-logins'
import { SignIns } from '../../core/oauth/sign-ins'
import { askForTokens } from '../../core/oauth/token-endpoint'
import { createTransport } from '../../core/pipeline/transport'
import type { PracticeServer } from '../../core/practice/practice-server'
import { ConnectionBook } from '../../core/providers/connection-book'
import { type Connection, unusableBecause } from '../../core/providers/registry'
import { Activity } from '../../core/resilience/activity'
import { openConnectionsTable } from '../../core/store/connections-table'
import { openFile } from '../../core/store/database-file'
import { openOAuthLoginsTable } from '../../core/store/oauth-logins-table'
import { openDatabases } from '../../core/store/open-databases'
import { openProvidersTable } from '../../core/store/providers-table'
import { type FakeOAuthServer, startFakeOAuthServer } from '../support/fake-oauth-server'
import { ManualClock } from '../support/manual-clock'
import { folderForTest, MIGRATIONS } from '../support/memory-databases'

/** Each call has a limit of its own; any other wait is a pause until the next one. */
const CALL_LIMIT_MS = 30_000

type Begin = OperationInput<'oauth:begin'>

let server: FakeOAuthServer
const closing: (() => unknown)[] = []
beforeEach(async () => {
  server = await startFakeOAuthServer()
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  await server.stop()
})

/** Remembers the last wait that was begun: a call's time limit, or the pause until the next question. */
function watchedClock(): ManualClock & { lastWait: number } {
  const clock = Object.assign(new ManualClock(), { lastWait: 0 })
  const { after } = clock
  clock.after = (ms, run) => {
    clock.lastWait = ms
    return after(ms, run)
  }
  return clock
}

/** What a running gateway has of this, with time that a test moves. A second one may share the first one's folder. */
async function start(clock = watchedClock(), folder?: string) {
  const dataDir = folder ?? folderForTest()
  const file = join(dataDir, 'breakwater.db')
  if (folder === undefined) {
    const databases = openDatabases(dataDir, MIGRATIONS, clock.now())
    openProvidersTable(databases.config).insert({
      ...{ id: 'acme', label: 'Acme', class: 'oauth', dialect: 'openai-chat' },
      ...{ baseUrl: 'http://127.0.0.1:9/v1', perModelQuota: true },
    })
    databases.close()
  }
  const database = openFile(file, 'FULL')
  const vault = createFileVault(dataDir)
  const log = createLogger({ level: 'debug', clock, file: join(dataDir, 'test.log') })
  const [connections, providers] = [openConnectionsTable(database), openProvidersTable(database)]
  const transport = createTransport({ connectTimeoutMs: 5_000, extraCaFile: '' }, {}, log)
  const calls = { clock, redact: log.redact, transport: () => transport }
  const logins = new OAuthLogins({
    ...{ clock, log, vault, redact: log.redact, table: openOAuthLoginsTable(database) },
    ask: (client, form) => askForTokens(client, form, calls),
    tokensChanged: () => book.reload(),
    inUse: (id) => connections.list().some((known) => known.id === id),
    changed: () => {},
  })
  await logins.load()
  const practice: PracticeServer = { baseUrl: 'http://127.0.0.1:9/v1', keys: ['p1', 'p2'], close: async () => {} }
  const book = new ConnectionBook(connections, providers, vault, practice, log, logins.of)
  await book.reload()
  const signIns = new SignIns(calls, log)
  const activity = new Activity(() => {})
  const health = { clearConnection: vi.fn(), testPassed: vi.fn() }
  const parts = {
    ...{ clock, log, vault, book, connections, providers, activity, health, logins, signIns },
    ...{ redact: log.redact, transport: () => transport, changed: () => {} },
  } as unknown as Parts
  closing.push(async () => {
    signIns.close()
    const ended = logins.close()
    clock.advance(1_000)
    await ended
    await transport.close()
    log.close()
    database.close()
  })
  return { dataDir, clock, database, logins, signIns, book, connections, health, log, ...operations(parts) }
}

/** Checked like a call of the window. */
function operations(parts: Parts) {
  const all = { ...connectionOperations(parts), ...oauthOperations(parts) }
  const begin = async (input: Partial<Begin> & Pick<Begin, 'method'>) => {
    const checked = OPERATIONS['oauth:begin'].input.parse({ provider: 'acme', ...client(), ...input })
    return OPERATIONS['oauth:begin'].output.parse(await all['oauth:begin'](checked))
  }
  const outcome = async (signInId: string) => {
    for (;;) {
      const state = await all['oauth:state']({ signInId })
      if (state.kind !== 'pending') return OPERATIONS['oauth:state'].output.parse(state)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { operations: all, begin, outcome }
}

const client = () => ({
  authorizeUrl: server.authorizeUrl,
  deviceUrl: server.deviceUrl,
  tokenUrl: server.tokenUrl,
  clientId: 'breakwater',
  scopes: ['chat', 'offline'],
})

type Started = Awaited<ReturnType<typeof start>>

/** A connection signed in with tokens from elsewhere, whose access token has just expired. */
async function signedIn({ begin, clock }: Started, provider = 'acme'): Promise<string> {
  const issued = server.issue()
  const begun = await begin({
    provider,
    method: 'tokens',
    name: 'work',
    accessToken: issued.access_token,
    refreshToken: issued.refresh_token,
    expiresAt: clock.now() - 1,
  })
  if (begun.kind !== 'done') throw new Error('not signed in')
  return begun.connection.id
}

/** The answer, if it came without an error. */
async function refusal(running: Promise<unknown>): Promise<string> {
  const error = await running.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof GatewayError)) throw error ?? new Error('it was taken')
  return error.message
}

const tokenOf = (access: object | null): string => (access as { accessToken?: string } | null)?.accessToken ?? ''

describe('ten requests with an expired token', () => {
  it('make exactly one refresh of a one-time token, and all get the new one', async () => {
    const gateway = await start()
    const id = await signedIn(gateway)
    const gate = server.close()
    const waiting = Array.from({ length: 10 }, () => gateway.logins.fresh(id))
    await server.reached(1)
    gate.open()
    const tokens = new Set((await Promise.all(waiting)).map(tokenOf))
    expect(tokens.size).toBe(1)
    expect(server.accepts([...tokens][0] ?? '')).toBe(true)
    expect(server.asked).toHaveLength(1)
    expect(server.asked[0]).toMatchObject({ grant_type: 'refresh_token', client_id: 'breakwater' })
  })

  it('find the token in the headers of their connection, whatever way a key would travel', async () => {
    const gateway = await start()
    const id = await signedIn(gateway, 'anthropic')
    const token = tokenOf(await gateway.logins.fresh(id))
    const headers = gateway.book.find(id)?.connection.endpoints[0]?.headers
    expect(headers).toEqual(expect.arrayContaining(['authorization', `Bearer ${token}`]))
    expect(headers).not.toContain('x-api-key')
  })

  it('get it only when another reader of the database can see it', async () => {
    const gateway = await start()
    const id = await signedIn(gateway)
    const reader = new BetterSqlite(join(gateway.dataDir, 'breakwater.db'), { readonly: true })
    closing.push(() => reader.close())
    const before = openOAuthLoginsTable(reader).find(id)
    await gateway.logins.fresh(id)
    expect(openOAuthLoginsTable(reader).find(id)?.version).not.toBe(before?.version)
    expect(gateway.database.pragma('synchronous', { simple: true })).toBe(2)
  })
})

describe('trouble at the token endpoint', () => {
  it.each([
    ['a failing server', { status: 503, body: '{"error":"invalid_grant"}' }],
    ['a page of something else', { status: 403, body: '<html>portal</html>' }],
    ['too many requests', { status: 429, body: '' }],
  ])('%s signs nobody out', async (_case, trouble) => {
    const gateway = await start()
    const id = await signedIn(gateway)
    server.troubles.push(trouble)
    const first = await gateway.logins.fresh(id)
    expect(first).toMatchObject({ kind: 'later', until: gateway.clock.now() + 5_000 })
    gateway.clock.advance(5_000)
    expect(await gateway.logins.fresh(id)).toMatchObject({ kind: 'token' })
  })

  it('nobody there signs nobody out, and the reason is told', async () => {
    const gateway = await start()
    const begun = await gateway.begin({
      method: 'tokens',
      accessToken: 'an-access-token-of-mine',
      refreshToken: 'a-refresh-token-of-mine',
      expiresAt: 1,
      tokenUrl: 'http://127.0.0.1:9/token',
    })
    if (begun.kind !== 'done') throw new Error('not signed in')
    const { id } = begun.connection
    expect(await gateway.logins.fresh(id)).toMatchObject({
      kind: 'later',
      why: expect.stringContaining('ECONNREFUSED'),
    })
    expect(await refusal(gateway.operations['oauth:refresh']({ connectionId: id }))).toContain('ECONNREFUSED')
    expect(gateway.logins.of(id)?.state).toBe('ok')
  })

  it('an answer lost after the exchange needs a person at a strict server; nothing is deleted', async () => {
    const gateway = await start()
    const id = await signedIn(gateway)
    server.troubles.push('lose')
    const access = await gateway.logins.fresh(id)
    expect(access).toMatchObject({ kind: 'needs-sign-in', why: expect.stringMatching(/Sign in again.*invalid_grant/) })
    expect(server.asked).toHaveLength(2)
    const [provider] = (await gateway.operations['providers:list']()).filter(({ id: known }) => known === 'acme')
    expect(provider?.connections[0]).toMatchObject({ state: 'needs-you', login: { state: 'needs-sign-in' } })
    expect(gateway.logins.known(id)?.refreshToken).not.toBeNull()
    // The server quoted the token in its words.
    expect(JSON.stringify([access, provider])).not.toContain('refresh-token-')
  })

  it('an answer lost after the exchange is no matter where the server forgives', async () => {
    const gateway = await start()
    const id = await signedIn(gateway)
    server.forgivesReuse = true
    server.troubles.push('lose')
    const token = tokenOf(await gateway.logins.fresh(id))
    expect(server.accepts(token)).toBe(true)
    expect(server.asked).toHaveLength(2)
  })

  it('a line cut before the exchange is no matter either', async () => {
    const gateway = await start()
    const id = await signedIn(gateway)
    server.troubles.push('cut')
    expect(await gateway.logins.fresh(id)).toMatchObject({ kind: 'token' })
  })

  it('an endless answer is given up', async () => {
    const gateway = await start()
    const id = await signedIn(gateway)
    server.troubles.push({ status: 200, body: `{"access_token":"${'x'.repeat(300_000)}"}` })
    expect(await gateway.logins.fresh(id)).toMatchObject({ kind: 'later', why: expect.stringContaining('256 KB') })
  })

  it('a silent server is given up after 30 seconds', async () => {
    const gateway = await start()
    const id = await signedIn(gateway)
    const gate = server.close()
    const access = gateway.logins.fresh(id)
    await server.reached(1)
    gateway.clock.advance(30_000)
    // The first call may have arrived, so it is asked once more.
    await server.reached(2)
    gateway.clock.advance(30_000)
    expect(await access).toMatchObject({ kind: 'later', why: expect.stringContaining('30 seconds') })
    gate.open()
  })

  it('a secret can travel as Basic authorization', async () => {
    const gateway = await start()
    const issued = server.issue()
    await gateway.begin({
      ...{ method: 'tokens', refreshToken: issued.refresh_token },
      ...{ clientSecret: 'a secret: with signs', clientAuth: 'header' },
    })
    expect(server.asked[0]).not.toHaveProperty('client_secret')
    const basic = server.authorizations[0]?.replace('Basic ', '') ?? ''
    expect(Buffer.from(basic, 'base64').toString()).toBe('breakwater:a%20secret%3A%20with%20signs')
  })
})

describe('two gateways with one store', () => {
  it('make one refresh between them', async () => {
    const one = await start()
    const id = await signedIn(one)
    const two = await start(one.clock, one.dataDir)
    const gate = server.close()
    const first = one.logins.fresh(id)
    const second = two.logins.fresh(id)
    await server.reached(1)
    gate.open()
    const token = tokenOf(await first)
    one.clock.advance(200)
    expect(tokenOf(await second)).toBe(token)
    expect(server.accepts(token)).toBe(true)
    expect(server.asked).toHaveLength(1)
  })

  it('use what the other one has stored, without asking the server', async () => {
    const one = await start()
    const id = await signedIn(one)
    const two = await start(one.clock, one.dataDir)
    const token = tokenOf(await one.logins.fresh(id))
    expect(tokenOf(await two.logins.fresh(id))).toBe(token)
    expect(server.asked).toHaveLength(1)
  })
})

describe('a sign-in with the browser', () => {
  it('ends with a connection that is signed in', async () => {
    const gateway = await start()
    const begun = await gateway.begin({ method: 'code', name: 'work' })
    if (begun.kind !== 'code') throw new Error('no address')
    expect(await gateway.operations['oauth:state']({ signInId: begun.signInId })).toEqual({ kind: 'pending' })
    expect(gateway.signIns.mayOpen(begun.url)).toBe(true)
    expect(gateway.signIns.mayOpen(server.authorizeUrl)).toBe(false)
    expect(await server.visit(begun.url)).toBe(200)
    const done = await gateway.outcome(begun.signInId)
    expect(gateway.signIns.mayOpen(begun.url)).toBe(false)
    if (done.kind !== 'done') throw new Error(done.kind)
    expect(server.accepts(tokenOf(await gateway.logins.fresh(done.connectionId)))).toBe(true)
    expect(gateway.connections.list()).toMatchObject([{ name: 'work', provider: 'acme', enabled: true, secret: null }])
    const found = gateway.book.find(done.connectionId)
    expect(found?.connection.login).toMatchObject({ state: 'ok', expiresAt: gateway.clock.now() + 3_600_000 })
  })

  it('renews the sign-in of a connection, with the client it had', async () => {
    const gateway = await start()
    const id = await signedIn(gateway)
    const begun = await gateway.begin({
      ...{ method: 'code', connectionId: id },
      ...{ authorizeUrl: undefined, tokenUrl: undefined, clientId: undefined },
    })
    if (begun.kind !== 'code') throw new Error('no address')
    await server.visit(begun.url)
    expect(await gateway.outcome(begun.signInId)).toEqual({ kind: 'done', connectionId: id })
    expect(gateway.connections.list()).toHaveLength(1)
    expect(server.accepts(tokenOf(await gateway.logins.fresh(id)))).toBe(true)
  })

  it('gives tokens that may be refused and renewed at once', async () => {
    const gateway = await start()
    const begun = await gateway.begin({ method: 'code' })
    if (begun.kind !== 'code') throw new Error('no address')
    await server.visit(begun.url)
    const done = await gateway.outcome(begun.signInId)
    if (done.kind !== 'done') throw new Error(done.kind)
    const refused = tokenOf(await gateway.logins.fresh(done.connectionId))
    const next = await gateway.logins.refused(done.connectionId, refused)
    expect(next !== refused && server.accepts(next ?? '')).toBe(true)
  })

  it('does not give the old client’s secret to another client', async () => {
    const gateway = await start()
    const signIn = async (input: Partial<Begin>) => {
      const begun = await gateway.begin({ method: 'code', ...input })
      if (begun.kind !== 'code') throw new Error('no address')
      await server.visit(begun.url)
      const done = await gateway.outcome(begun.signInId)
      if (done.kind !== 'done') throw new Error(done.kind)
      return done.connectionId
    }
    const connectionId = await signIn({ clientSecret: 'secret-of-the-first' })
    await signIn({ connectionId })
    await signIn({ connectionId, clientId: 'another' })
    expect(server.asked.map(({ client_secret }) => client_secret)).toEqual([
      'secret-of-the-first',
      'secret-of-the-first',
      undefined,
    ])
  })

  it('is not confused by a wrong state, a wrong name, a wrong path or method', async () => {
    const gateway = await start()
    const begun = await gateway.begin({ method: 'code' })
    if (begun.kind !== 'code') throw new Error('no address')
    const redirect = new URL(new URL(begun.url).searchParams.get('redirect_uri') ?? '')
    expect(redirect.host).toMatch(/^127\.0\.0\.1:\d+$/)
    expect(await server.visit(begun.url, true, (back) => back.searchParams.set('state', 'another'))).toBe(400)
    expect(await server.visit(begun.url, true, (back) => back.searchParams.delete('state'))).toBe(400)
    expect(await server.visit(begun.url, true, (back) => (back.hostname = 'localhost'))).toBe(403)
    expect((await fetch(new URL('/other', redirect))).status).toBe(404)
    expect((await fetch(redirect, { method: 'POST' })).status).toBe(405)
    expect(await gateway.operations['oauth:state']({ signInId: begun.signInId })).toEqual({ kind: 'pending' })
    expect(await server.visit(begun.url)).toBe(200)
    expect(await gateway.outcome(begun.signInId)).toMatchObject({ kind: 'done' })
    // One answer, and the port is closed.
    await expect(fetch(redirect)).rejects.toThrow()
  })

  it('fails where somebody else’s code comes back: the server asks for the verifier', async () => {
    const gateway = await start()
    const [mine, theirs] = [await gateway.begin({ method: 'code' }), await gateway.begin({ method: 'code' })]
    if (mine.kind !== 'code' || theirs.kind !== 'code') throw new Error('no address')
    const { promise: stolen, resolve: steal } = Promise.withResolvers<string>()
    await server.visit(theirs.url, true, (back) => {
      steal(back.searchParams.get('code') ?? '')
      back.searchParams.set('state', 'lost on the way')
    })
    const code = await stolen
    await server.visit(mine.url, true, (back) => back.searchParams.set('code', code))
    expect(await gateway.outcome(mine.signInId)).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('wrong code or verifier'),
    })
    expect(gateway.connections.list()).toEqual([])
  })

  it.each([
    ['declined', (url: string, _clock: ManualClock) => server.visit(url, false), 'declined'],
    ['left alone', async (_url: string, clock: ManualClock) => clock.advance(600_000), '10 minutes'],
  ])('that is %s fails with a reason', async (_case, happens, word) => {
    const gateway = await start()
    const begun = await gateway.begin({ method: 'code' })
    if (begun.kind !== 'code') throw new Error('no address')
    await happens(begun.url, gateway.clock)
    expect(await gateway.outcome(begun.signInId)).toMatchObject({ message: expect.stringContaining(word) })
    expect(gateway.connections.list()).toEqual([])
  })

  it('can be cancelled, which closes its port', async () => {
    const gateway = await start()
    const begun = await gateway.begin({ method: 'code' })
    if (begun.kind !== 'code') throw new Error('no address')
    await gateway.operations['oauth:cancel']({ signInId: begun.signInId })
    expect(await gateway.outcome(begun.signInId)).toMatchObject({ kind: 'failed' })
    await expect(server.visit(begun.url)).rejects.toThrow()
    expect(await refusal(gateway.operations['oauth:state']({ signInId: 'sign_other' }))).toContain('no sign-in')
  })

  it('leaves no secret in the log', async () => {
    const gateway = await start()
    const begun = await gateway.begin({ method: 'code', clientSecret: 'my-client-secret' })
    if (begun.kind !== 'code') throw new Error('no address')
    await server.visit(begun.url)
    await gateway.outcome(begun.signInId)
    const { code, code_verifier } = server.asked[0] ?? {}
    const [connection] = gateway.connections.list()
    const known = gateway.logins.known(connection?.id ?? '')
    for (const secret of [known?.accessToken, known?.refreshToken, code, code_verifier, 'my-client-secret']) {
      expect(gateway.log.redact(`said: ${secret}`)).toBe('said: •••')
    }
  })
})

describe('a sign-in with a code for another device', () => {
  async function device() {
    const gateway = await start()
    const begun = await gateway.begin({ method: 'device' })
    if (begun.kind !== 'device') throw new Error('no code')
    /** Lets time pass until the server was asked that often, and has been heard. */
    const ask = async (times: number, ms: number): Promise<void> => {
      gateway.clock.advance(ms)
      await server.reached(times)
      while (gateway.clock.lastWait === CALL_LIMIT_MS && gateway.signIns.state(begun.signInId)?.kind === 'pending')
        await new Promise((resolve) => setImmediate(resolve))
    }
    return { gateway, begun, ask }
  }

  it('ends with a connection once the person has agreed, and asks no faster than it may', async () => {
    const { gateway, begun, ask } = await device()
    expect(begun).toMatchObject({ userCode: 'WDJB-MJHT', expiresAt: gateway.clock.now() + 60_000 })
    expect(begun.verificationUri).toContain('/device-page')
    expect(gateway.clock.lastWait).toBe(5_000)
    server.device = 'slow'
    await ask(1, 5_000)
    // Five seconds more from now on.
    expect(gateway.clock.lastWait).toBe(10_000)
    await ask(2, 10_000)
    expect(gateway.clock.lastWait).toBe(10_000)
    server.device = 'confirmed'
    await ask(3, 10_000)
    const done = await gateway.outcome(begun.signInId)
    if (done.kind !== 'done') throw new Error(done.kind)
    expect(server.accepts(tokenOf(await gateway.logins.fresh(done.connectionId)))).toBe(true)
  })

  it.each([
    ['denied', 'declined'],
    ['expired', 'expired'],
  ] as const)('that is %s fails with a reason', async (what, word) => {
    const { gateway, begun, ask } = await device()
    server.device = what
    await ask(1, 5_000)
    expect(await gateway.outcome(begun.signInId)).toMatchObject({ message: expect.stringContaining(word) })
  })

  it('ends by itself when the code’s time is over', async () => {
    const { gateway, begun, ask } = await device()
    for (let i = 1; i <= 11; i++) await ask(i, 5_000)
    expect(await gateway.outcome(begun.signInId)).toMatchObject({ message: expect.stringContaining('expired') })
  })

  it('survives a server in trouble', async () => {
    const { gateway, begun, ask } = await device()
    server.troubles.push({ status: 503, body: '' })
    server.device = 'confirmed'
    await ask(1, 5_000)
    await ask(2, 10_000)
    expect(await gateway.outcome(begun.signInId)).toMatchObject({ kind: 'done' })
  })

  it('stops asking when it is cancelled', async () => {
    const { gateway, begun } = await device()
    await gateway.operations['oauth:cancel']({ signInId: begun.signInId })
    gateway.clock.advance(60_000)
    await new Promise((resolve) => setImmediate(resolve))
    expect(gateway.clock.lastWait).not.toBe(CALL_LIMIT_MS)
    expect(await gateway.outcome(begun.signInId)).toMatchObject({ message: expect.stringContaining('cancelled') })
  })

  it('is refused at once where the server gives no code', async () => {
    const gateway = await start()
    expect(await refusal(gateway.begin({ method: 'device', deviceUrl: server.tokenUrl }))).toContain('no code')
  })
})

describe('tokens from elsewhere', () => {
  it('may be a refresh token alone: it is exchanged before anything is stored', async () => {
    const gateway = await start()
    const begun = await gateway.begin({ method: 'tokens', refreshToken: server.issue().refresh_token })
    expect(begun).toMatchObject({ kind: 'done', connection: { name: 'account', login: { state: 'ok' } } })
    expect(server.asked).toHaveLength(1)
    expect(await refusal(gateway.begin({ method: 'tokens', refreshToken: 'not-a-token-of-this' }))).toMatch(
      /^refreshToken: .*invalid_grant/,
    )
    expect(gateway.connections.list()).toHaveLength(1)
  })

  it('may be an access token alone: used until it ends, without an endpoint', async () => {
    const gateway = await start()
    const nowhere = { tokenUrl: undefined, authorizeUrl: undefined, deviceUrl: undefined, clientId: undefined }
    const begun = await gateway.begin({ method: 'tokens', accessToken: ' Bearer some-token-of-mine ', ...nowhere })
    if (begun.kind !== 'done') throw new Error('not signed in')
    expect(gateway.logins.freshAccess(begun.connection.id)).toMatchObject({ accessToken: 'some-token-of-mine' })
  })

  it.each([
    ['nothing', {}, 'accessToken'],
    ['a broken one', { accessToken: 'two words' }, 'accessToken'],
    ['an endpoint in clear', { refreshToken: 'r', tokenUrl: 'http://id.example/token' }, 'tokenUrl'],
    ['no endpoint', { refreshToken: 'r', tokenUrl: undefined }, 'tokenUrl'],
    ['no client', { refreshToken: 'r', clientId: undefined }, 'clientId'],
    ['a provider that is not there', { provider: 'nobody', accessToken: 'a' }, 'no provider'],
    ['practice', { provider: 'practice', accessToken: 'a' }, 'provider'],
    ['a connection that is not there', { connectionId: 'con_0', accessToken: 'a' }, 'no connection'],
  ])('are refused with %s, by the field', async (_case, input, word) => {
    const gateway = await start()
    expect(await refusal(gateway.begin({ method: 'tokens', ...input }))).toContain(word)
    expect(gateway.connections.list()).toEqual([])
  })

  it('cannot take the name of another connection', async () => {
    const gateway = await start()
    await signedIn(gateway)
    expect(await refusal(gateway.begin({ method: 'code', name: 'work' }))).toContain('name')
  })
})

describe('what the pipeline asks', () => {
  const bearer = (connection: Connection) => connection.endpoints[0]?.headers.at(-1)

  it('gives the connection with a good token in its headers, for all who wait', async () => {
    const gateway = await start()
    const id = await signedIn(gateway)
    const stale = gateway.book.find(id)?.connection as Connection
    const ask = () => freshConnection(stale, gateway.logins, gateway.book)
    const all = await Promise.all(Array.from({ length: 10 }, ask))
    const [ready] = all
    if (ready === undefined || 'because' in ready) throw new Error('not ready')
    expect(bearer(ready)).not.toBe(bearer(stale))
    expect(server.accepts(ready.apiKey ?? '')).toBe(true)
    expect(new Set(all)).toEqual(new Set([ready]))
    expect(server.asked).toHaveLength(1)
    // At once from now on, also for who still holds the old one.
    expect(freshConnection(ready, gateway.logins, gateway.book)).toBe(ready)
    expect(freshConnection(stale, gateway.logins, gateway.book)).toBe(ready)
  })

  it('gives another token once after a 401, to all who got one', async () => {
    const gateway = await start()
    const id = await signedIn(gateway)
    const ready = (await freshConnection(
      gateway.book.find(id)?.connection as Connection,
      gateway.logins,
      gateway.book,
    )) as Connection
    gateway.clock.advance(60_000)
    const retries = await Promise.all([1, 2, 3].map(() => afterRefusal(ready, gateway.logins, gateway.book)))
    const tokens = new Set(retries.map((retry) => retry?.apiKey))
    expect(tokens.size).toBe(1)
    expect(tokens.has(ready.apiKey)).toBe(false)
    expect(server.asked).toHaveLength(2)
  })

  it('says why a connection cannot be used, and until when', async () => {
    const gateway = await start()
    const id = await signedIn(gateway)
    const connection = gateway.book.find(id)?.connection as Connection
    server.troubles.push({ status: 503, body: '' })
    expect(await freshConnection(connection, gateway.logins, gateway.book)).toEqual({
      because: 'The sign-in could not be refreshed: The token endpoint answered 503.',
      until: gateway.clock.now() + 5_000,
    })
    gateway.clock.advance(5_000)
    server.troubles.push({ status: 400, body: '{"error":"invalid_grant"}' })
    const because = expect.stringMatching(/^Sign in again/)
    expect(await freshConnection(connection, gateway.logins, gateway.book)).toEqual({ because, until: null })
    const found = gateway.book.find(id)
    expect(found && unusableBecause(found.provider.row, found.connection)).toEqual(because)
    expect(await afterRefusal(connection, gateway.logins, gateway.book)).toBeNull()
  })

  it('leaves connections with a key alone', async () => {
    const gateway = await start()
    const { id } = await gateway.operations['connections:add']({ provider: 'acme', name: 'key', apiKey: 'sk-my-key-1' })
    const connection = gateway.book.find(id)?.connection as Connection
    expect(freshConnection(connection, gateway.logins, gateway.book)).toBe(connection)
    expect(await afterRefusal(connection, gateway.logins, gateway.book)).toBeNull()
  })
})

describe('the whole gateway', () => {
  it('keeps a sign-in over a restart, and exports nothing of it', async () => {
    const dataDir = folderForTest()
    const open = async () => {
      const given = parseArgs(['--data-dir', dataDir, '--log-level', 'error'])
      const gateway = createGateway(createPlainHost({ arguments: given, migrationsDir: MIGRATIONS, version: '0' }))
      await gateway.open()
      const parts = gateway.parts()
      if (parts === null) throw new Error('it did not open')
      return { gateway, parts }
    }
    const first = await open()
    const issued = server.issue()
    const begun = await first.gateway.operations['oauth:begin']({
      ...{ provider: 'openai', name: 'work', method: 'tokens', ...client() },
      ...{ accessToken: issued.access_token, refreshToken: issued.refresh_token },
    })
    if (begun.kind !== 'done') throw new Error('not signed in')
    const { id } = begun.connection
    await first.gateway.operations['oauth:refresh']({ connectionId: id })
    const exported = exportFrom(first.parts)
    expect(exported).toContain('"work"')
    expect(exported).not.toMatch(/-token-|breakwater/)
    await first.gateway.stop()

    const { gateway, parts } = await open()
    closing.push(() => gateway.stop())
    expect(server.accepts(tokenOf(await parts.logins.fresh(id)))).toBe(true)
    const openai = (await gateway.operations['providers:list'](undefined)).find(({ id: known }) => known === 'openai')
    expect(openai?.connections[0]).toMatchObject({ state: 'healthy', keyMask: null, login: { state: 'ok' } })
    // A key that is entered takes over.
    const view = await gateway.operations['connections:update']({ id, apiKey: 'sk-a-key-of-mine-1234' })
    expect(view).toMatchObject({ login: null, keyMask: '…1234' })
    expect(parts.book.find(id)?.connection.apiKey).toBe('sk-a-key-of-mine-1234')
  })
})

describe('a whole connection', () => {
  it('is tested with a token that was renewed, and shows nothing secret', async () => {
    const seen: (string | undefined)[] = []
    const upstream = createServer((request, response) => {
      seen.push(request.headers.authorization)
      const good = server.accepts(request.headers.authorization?.replace('Bearer ', '') ?? '')
      response.writeHead(good ? 200 : 401).end(JSON.stringify({ data: [{ id: 'm' }] }))
    })
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
    closing.push(
      () => upstream.closeAllConnections(),
      () => upstream.close(),
    )
    const gateway = await start()
    const baseUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`
    const begun = await gateway.begin({ method: 'tokens', refreshToken: server.issue().refresh_token, baseUrl })
    if (begun.kind !== 'done') throw new Error('not signed in')
    expect(await gateway.operations['connections:test']({ id: begun.connection.id })).toMatchObject({ ok: true })
    expect(seen).toHaveLength(1)
    expect(JSON.stringify(await gateway.operations['providers:list']())).not.toMatch(/(access|refresh)-token-\d/)
  })

  it('is renewed at a person’s word', async () => {
    const gateway = await start()
    const id = await signedIn(gateway)
    const before = gateway.logins.of(id)?.accessToken
    const view = await gateway.operations['oauth:refresh']({ connectionId: id })
    expect(view.login).toMatchObject({ state: 'ok', expiresAt: gateway.clock.now() + 3_600_000 })
    expect(gateway.logins.of(id)?.accessToken).not.toBe(before)
    // No socket is used twice where a token could be lost on it.
    for (let i = 0; i < 3; i++) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      await gateway.operations['oauth:refresh']({ connectionId: id })
    }
    expect(new Set(server.sockets).size).toBe(4)
  })
})
