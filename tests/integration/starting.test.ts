// The headless gateway's start: what it prints, when it refuses and with which code, whose word it takes.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { question } from '../support/gateway-pair'
import { CLIENT_KEY, type GatewayProcess, runGateway, startGateway, temporaryFolder } from '../support/gateway-process'
import { type Answer, send } from '../support/http-client'

let dataDir: string
const running: GatewayProcess[] = []
beforeEach(() => {
  dataDir = temporaryFolder()
})
afterEach(async () => {
  for (const gateway of running.splice(0)) await gateway.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function start(options: Parameters<typeof startGateway>[0] = {}): Promise<GatewayProcess> {
  const gateway = await startGateway({ dataDir, ...options })
  running.push(gateway)
  return gateway
}

const ask = (gateway: GatewayProcess, key: string): Promise<Answer> =>
  send(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify(question('practice/echo')),
  })

/** A port that another program holds. */
async function takenPort(): Promise<{ port: number; close(): void }> {
  const server = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() }
}

describe('keys', () => {
  test('the first run makes a key and prints it in its one line; later runs print none, and it still opens', async () => {
    const first = await start()
    expect(first.stdoutText().trimEnd().split('\n')).toHaveLength(1)
    expect(first.listening).toMatchObject({ event: 'listening', url: first.url, port: first.port })
    expect(first.clientKey).toMatch(/^bw-[0-9a-f]{32,}$/)
    expect((await ask(first, first.clientKey)).status).toBe(200)
    expect(first.stderrText()).not.toContain(first.clientKey)
    await first.end()
    const second = await start()
    expect(second.listening).not.toHaveProperty('clientKey')
    expect((await ask(second, first.clientKey)).status).toBe(200)
  })

  test('no key is made where the file brought one', async () => {
    const gateway = await start({ config: { version: 1, clientKeys: [{ name: 'mine', key: CLIENT_KEY }] } })
    expect(gateway.listening).not.toHaveProperty('clientKey')
    expect((await ask(gateway, CLIENT_KEY)).status).toBe(200)
  })

  test('--new-key makes another one', async () => {
    const first = await start()
    await first.end()
    const second = await start({ args: ['--new-key', 'script', '--scope', 'manage'] })
    expect(second.clientKey).not.toBe(first.clientKey)
    for (const key of [first.clientKey, second.clientKey]) expect((await ask(second, key)).status).toBe(200)
  })

  test('the file that seals keys is for this user only', async () => {
    await start()
    expect(statSync(join(dataDir, 'vault.key')).mode & 0o777).toBe(0o600)
  })
})

describe('refusals', () => {
  test('a port that another program holds: code 3, and who holds it', async () => {
    const { port, close } = await takenPort()
    const { code, events } = await runGateway({ dataDir, args: ['--port', String(port)] })
    close()
    expect(code).toBe(3)
    expect(events).toEqual([{ event: 'error', code: 'port_in_use', message: expect.stringContaining(String(port)) }])
    expect(events[0]?.message).toContain('another program')
  })

  test('a port that another Breakwater holds: code 3, and the other one goes on', async () => {
    const first = await start()
    const otherDir = temporaryFolder()
    const { code, events } = await runGateway({ dataDir: otherDir, args: ['--port', String(first.port)] })
    rmSync(otherDir, { recursive: true, force: true })
    expect(code).toBe(3)
    expect(events[0]?.message).toContain('another Breakwater')
    expect((await ask(first, first.clientKey)).status).toBe(200)
  })

  test('a data folder in use: code 4, and the other one goes on', async () => {
    const first = await start()
    const { code, events } = await runGateway({ dataDir, args: ['--port', '0'] })
    expect(code).toBe(4)
    expect(events).toEqual([
      { event: 'error', code: 'data_folder_in_use', message: expect.stringContaining(String(first.pid)) },
    ])
    expect((await ask(first, first.clientKey)).status).toBe(200)
  })

  test.each(['breakwater.db', 'state.db', 'history.db'])(
    'a %s of a newer version: code 5, both versions named, nothing written',
    async (name) => {
      const first = await start()
      await first.end()
      const file = join(dataDir, name)
      const database = new Database(file)
      const version = database.pragma('user_version', { simple: true }) as number
      database.pragma(`user_version = ${version + 2}`)
      database.pragma('wal_checkpoint(TRUNCATE)')
      database.close()
      const before = contentsOf(dataDir)
      const { code, events, stderr } = await runGateway({ dataDir, args: ['--port', '0'] })
      expect(code).toBe(5)
      expect(events).toHaveLength(1)
      expect(events[0]).toMatchObject({ event: 'error', code: 'database_refused' })
      expect(events[0]?.message).toContain(String(version + 2))
      expect(events[0]?.message).toContain(String(version))
      expect(stderr).not.toMatch(/\n\s+at /)
      expect(contentsOf(dataDir)[name]).toBe(before[name])
    },
  )

  test.each([
    [['--port', 'abc'], /--port/],
    [['--nonsense'], /nonsense/],
    [['stray'], /stray/],
    [['--import', '/nowhere/at/all.json'], /\/nowhere\/at\/all\.json/],
    [['--new-key', 'x', '--scope', 'everything'], /--scope/],
  ])('%j: code 2 and one sentence', async (args, message) => {
    const { code, events, stderr } = await runGateway({ dataDir, args })
    expect(code).toBe(2)
    expect(events).toEqual([{ event: 'error', code: 'usage', message: expect.stringMatching(message) }])
    expect(stderr).not.toMatch(/\n\s+at /)
  })
})

/** A fingerprint of each file. */
const contentsOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex'),
      ]),
  )

describe('settings', () => {
  test('a flag wins over the environment, the environment over what is stored', async () => {
    const [stored, environment] = await Promise.all([takenPort(), takenPort()])
    const config = { version: 1, settings: { listenPort: stored.port } }
    const env = { BREAKWATER_PORT: String(environment.port) }
    expect((await runGateway({ dataDir, config })).events[0]?.message).toContain(`Port ${stored.port} `)
    expect((await runGateway({ dataDir, env })).events[0]?.message).toContain(`Port ${environment.port} `)
    const gateway = await start({ env })
    expect([stored.port, environment.port]).not.toContain(gateway.port)
    await gateway.end()
    // Neither was stored on the way; a variable that makes no sense is passed over.
    const nonsense = await runGateway({ dataDir, env: { BREAKWATER_PORT: 'abc' } })
    expect(nonsense.events[0]?.message).toContain(`Port ${stored.port} `)
    stored.close()
    environment.close()
  })

  test('a paused gateway says so in the caller’s dialect, stays up, and is still paused after a restart', async () => {
    const clientKeys = [{ name: 'main', key: CLIENT_KEY }]
    const first = await start({ config: { version: 1, clientKeys, settings: { paused: true } } })
    for (const gateway of [first, null]) {
      if (gateway === null) await first.end()
      const now = gateway ?? (await start())
      const answer = await ask(now, CLIENT_KEY)
      expect(answer.status).toBe(503)
      expect(answer.json().error.code).toBe('gateway_paused')
      const claude = await send(`${now.url}/v1/messages`, {
        method: 'POST',
        headers: { 'x-api-key': CLIENT_KEY },
        body: JSON.stringify(question('practice/echo', { stream: true })),
      })
      expect(claude.status).toBe(503)
      expect(claude.json()).toMatchObject({ type: 'error', error: { code: 'gateway_paused' } })
      expect((await send(`${now.url}/health`)).json<{ status: string }>().status).toBe('paused')
      expect((await send(`${now.url}/v1/models`, { headers: { 'x-api-key': CLIENT_KEY } })).status).toBe(200)
    }
    await running.at(-1)?.end()
    const resumed = await start({ config: { version: 1, settings: { paused: false } } })
    expect((await ask(resumed, CLIENT_KEY)).status).toBe(200)
  })
})
