// What is remembered over a restart and over kill -9, and what is not (docs/resilience.md, "What is remembered").
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite, { type Database } from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openBreakersTable } from '../../../core/store/breakers-table'
import { openCooldownsTable } from '../../../core/store/cooldowns-table'
import { openTerminalStatesTable } from '../../../core/store/terminal-states-table'
import { error, hang } from '../../support/fake-answers'
import { question } from '../../support/gateway-pair'
import { CLIENT_KEY, type GatewayProcess, startGateway, temporaryFolder } from '../../support/gateway-process'
import { type Answer, begin } from '../../support/http-client'
import { byKey, byModel, eventually, keyOf, type Pools, servedBy, startPools } from '../../support/pools'

let dataDir: string
let pools: Pools
/** The one that runs now; the desk reaches it at the address of the first. */
let gateway: GatewayProcess
beforeEach(async () => {
  dataDir = temporaryFolder()
  pools = await startPools({
    dataDir,
    pools: [byKey('plain', 3), byModel('models', 1), byKey('down', 2), byKey('money', 2)],
    resilience: {
      connectionCooldown: { apikey: { baseCooldownMs: 60_000 } },
      providerBreaker: { apikey: { failureThreshold: 2, degradationThreshold: 1, resetTimeoutMs: 60_000 } },
    },
  })
  gateway = pools.gateway
})
afterEach(async () => {
  await gateway.stop()
  await pools.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function startAgain(): Promise<void> {
  gateway = await startGateway({ dataDir, args: ['--port', String(pools.gateway.port)] })
}

/** Reads a database beside the running gateway. */
function reading<T>(file: string, read: (database: Database) => T): T {
  const database = new BetterSqlite(join(dataDir, file), { readonly: true })
  try {
    return read(database)
  } finally {
    database.close()
  }
}

const limitedFor = (seconds: number) =>
  error(429, { error: { message: 'Slow down' } }, { 'retry-after': String(seconds) })

/** One of everything that can be out. */
async function breakEverything(): Promise<void> {
  await pools.upstream.answer(keyOf('plain', 1), 'one', limitedFor(600))
  await pools.upstream.answer(keyOf('plain', 2), 'one', error(503))
  expect(servedBy(await pools.chat('plain/one'))).toBe('plain-3')
  await pools.upstream.answer(keyOf('models', 1), 'locked', limitedFor(600))
  expect((await pools.chat('models/locked')).status).toBe(429)
  await pools.upstream.answer('*', 'down', error(503))
  expect((await pools.chat('down/down')).status).toBe(503)
  await pools.upstream.answer(keyOf('money', 1), 'unpaid', error(402, { error: { message: 'Payment required' } }))
  await pools.upstream.answer(keyOf('money', 2), 'unpaid', error(401, { error: { message: 'Incorrect API key' } }))
  expect((await pools.chat('money/unpaid')).status).toBe(402)
}

const facts = async () => ({
  plain: (await pools.rests('plain')).map(({ status, backoffLevel, errorCode, lastErrorType, gate }) => ({
    ...{ status, backoffLevel, errorCode, lastErrorType, gate },
  })),
  money: (await pools.rests('money')).map(({ status, testStatus, gate }) => ({ status, testStatus, gate })),
  down: await pools.breaker('down'),
})

async function expectRemembered(before: Awaited<ReturnType<typeof facts>>): Promise<void> {
  const after = await facts()
  expect(after.plain).toEqual(before.plain)
  expect(after.money).toEqual(before.money)
  expect(after.down).toMatchObject({
    state: 'OPEN',
    failureCount: 2,
    since: before.down?.since,
    until: before.down?.until,
  })
  // Locks of models are not: the first request finds out anew.
  expect(await pools.locks()).toEqual([])

  expect((await pools.chat('down/again')).json().error.code).toBe('provider_circuit_open')
  expect(servedBy(await pools.chat('plain/again'))).toBe('plain-3')
  expect((await pools.chat('money/again')).json().error.code).toBe('no_usable_connection')
  expect(servedBy(await pools.chat('models/locked again'))).toBe('models-1')
  for (const model of ['again'])
    expect((await pools.upstream.seen(model)).map(({ key }) => key)).toEqual([keyOf('plain', 3)])
}

describe('terminal states, rests, retries and breakers are remembered, locks of models are not', () => {
  test('over a proper restart, however soon after', async () => {
    await breakEverything()
    const before = await facts()
    expect(await pools.locks()).toHaveLength(1)
    expect(await gateway.end()).toBe(0)
    await startAgain()
    await expectRemembered(before)
  })

  test('over kill -9, as soon as they are written', async () => {
    await breakEverything()
    const before = await facts()
    await eventually(
      () => ({
        breakers: reading('state.db', (database) => openBreakersTable(database).all()).map(({ name, state }) => [
          name,
          state,
        ]),
        cooldowns: reading('state.db', (database) => openCooldownsTable(database).cooldowns()).length,
        retries: reading('state.db', (database) => openCooldownsTable(database).retries()).length,
        terminals: reading('breakwater.db', (database) => openTerminalStatesTable(database).all()).length,
      }),
      ({ breakers, cooldowns, retries, terminals }) =>
        breakers.some(([name, state]) => name === 'down' && state === 'OPEN') &&
        cooldowns >= 4 &&
        retries === 1 &&
        terminals === 1,
    )
    await gateway.end('SIGKILL')
    await startAgain()
    await expectRemembered(before)
  })

  test('what a person ended stays ended over kill -9, at once', async () => {
    await breakEverything()
    const { id } = await pools.rest('money')
    expect((await pools.manage(`/api/providers/${id}/reset`, { method: 'POST' })).status).toBe(200)
    expect((await pools.manage('/api/resilience/reset', { method: 'POST' })).status).toBe(200)
    await gateway.end('SIGKILL')
    await startAgain()
    expect((await pools.rest('money')).status).toBe('healthy')
    expect((await pools.breaker('down'))?.state ?? 'CLOSED').toBe('CLOSED')
    expect(servedBy(await pools.chat('money/paid'))).toBe('money-1')
  })

  test('a changed setting is there after kill -9, at once', async () => {
    await pools.patch({ connectionCooldown: { apikey: { baseCooldownMs: 77_000 } } })
    await gateway.end('SIGKILL')
    await startAgain()
    const settings = (await pools.manage('/api/resilience')).json<{ connectionCooldown: { apikey: object } }>()
    expect(settings.connectionCooldown.apikey).toMatchObject({ baseCooldownMs: 77_000 })
    await pools.upstream.answer(keyOf('plain', 1), 'set', error(503))
    expect(servedBy(await pools.chat('plain/set'))).toBe('plain-2')
    const { gate } = await pools.rest('plain')
    expect((gate?.until ?? 0) - (gate?.since ?? 0)).toBeGreaterThanOrEqual(77_000)
  })
})

describe('in the middle', () => {
  const ask = (model: string) => {
    const request = begin(`${pools.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${CLIENT_KEY}` },
      body: JSON.stringify(question(model)),
    })
    request.on('error', () => {})
    return request
  }

  test('a rest that is over when the gateway starts again is over', async () => {
    const limited = error(429, { error: { message: 'Slow down' } }, { 'retry-after-ms': '600' })
    await pools.upstream.answer(keyOf('plain', 1), 'short', limited)
    expect(servedBy(await pools.chat('plain/short'))).toBe('plain-2')
    const { gate } = await pools.rest('plain')
    expect(await gateway.end()).toBe(0)
    await eventually(
      () => Date.now(),
      (now) => now > (gate?.until ?? 0),
    )
    await startAgain()
    expect((await pools.rest('plain')).status).toBe('healthy')
    expect(servedBy(await pools.chat('plain/afterwards'))).toBe('plain-1')
  })

  test('a request that waits is told so, and nobody is asked for it', async () => {
    for (const n of [1, 2, 3]) await pools.upstream.answer(keyOf('plain', n), 'rest', limitedFor(60))
    expect((await pools.chat('plain/rest')).status).toBe(429)
    await pools.patch({ waitForCooldown: { enabled: true } })
    const asked = pools.chat('plain/waiting')
    await pools.running(1)
    expect(await gateway.end()).toBe(0)
    const answer: Answer = await asked
    expect(answer.status).toBe(503)
    expect(answer.json().error.code).toBe('gateway_stopping')
    await startAgain()
    expect(await pools.upstream.seen('waiting')).toEqual([])
    expect((await pools.rests('plain')).map(({ status }) => status)).toEqual(Array(3).fill('cooling_down'))
  })

  test('a probe that was under way when the gateway was killed does not keep the provider out', async () => {
    await pools.patch({ connectionCooldown: { apikey: { baseCooldownMs: 20, maxBackoffSteps: 0 } } })
    await pools.upstream.answer('*', 'down', error(503))
    expect((await pools.chat('down/down')).status).toBe(503)
    await pools.patch({ providerBreaker: { apikey: { resetTimeoutMs: 1_000 } } })
    await eventually(
      () => pools.breaker('down'),
      (breaker) => breaker?.state === 'HALF_OPEN',
    )
    await pools.patch({ providerBreaker: { apikey: { resetTimeoutMs: 600_000 } } })
    await pools.upstream.answer('*', 'probe', { steps: [hang] })
    ask('down/probe')
    await pools.upstream.arrival('probe')
    expect((await pools.chat('down/beside')).json().error.code).toBe('provider_circuit_open')
    await eventually(
      () => reading('state.db', (database) => openBreakersTable(database).all()).find(({ name }) => name === 'down'),
      (stored) => stored?.state === 'HALF_OPEN',
    )
    await gateway.end('SIGKILL')
    await startAgain()
    await pools.patch({ providerBreaker: { apikey: { resetTimeoutMs: 1_000 } } })
    expect((await pools.breaker('down'))?.state).toBe('HALF_OPEN')
    expect(servedBy(await pools.chat('down/next probe'))).toBe('down-1')
    expect((await pools.breaker('down'))?.state).toBe('CLOSED')
  })

  test('a failure under way when the gateway was killed is held against nobody', async () => {
    await pools.upstream.answer('*', 'hangs', { steps: [hang] })
    ask('plain/hangs')
    await pools.upstream.arrival('hangs')
    await gateway.end('SIGKILL')
    await startAgain()
    expect((await pools.rests('plain')).map(({ status }) => status)).toEqual(['healthy', 'healthy', 'healthy'])
    expect(await pools.breaker('plain')).toBeNull()
  })
})
