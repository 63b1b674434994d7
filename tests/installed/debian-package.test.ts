import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTrayHost, type TrayHost } from '../support/tray-host'

const NAME = 'breakwater-dev'
const CLIENT_KEY = 'bw-0123456789abcdef0123456789abcdef'
const DEB = process.env.BREAKWATER_DEB ?? ''

const folder = mkdtempSync(join(tmpdir(), 'breakwater-installed-'))
const figures: Record<string, string> = {}
let url = ''
let tray: TrayHost
let app: ChildProcess
let appLog = ''

function shell(command: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`)
  return stdout
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`

beforeAll(async () => {
  tray = await startTrayHost()
})

afterAll(async () => {
  if (app?.exitCode === null) app.kill('SIGKILL')
  await tray.stop()
  if (existsSync(`/opt/${NAME}`)) shell('apt-get', 'purge', '-y', NAME)
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  process.stdout.write(`${JSON.stringify(figures)}\n`)
})

test('apt installs it, with an entry in the menu and its sandbox helper', () => {
  const started = performance.now()
  shell('apt-get', 'install', '-y', '--no-install-recommends', DEB)
  figures.install = seconds(started)
  expect(shell('dpkg', '--status', NAME)).toContain('\nStatus: install ok installed\n')
  expect(readFileSync(`/usr/share/applications/${NAME}.desktop`, 'utf8')).toContain('development build')
  expect(shell('stat', '-c', '%U %a', `/opt/${NAME}/chrome-sandbox`).trim()).toBe('root 4755')
  figures.installedSize = `${shell('du', '-sm', `/opt/${NAME}`).split('\t')[0]} MB`
})

test('it starts and listens', async () => {
  const config = join(folder, 'import.json')
  const settings = { wizardDone: true }
  const clientKeys = [{ name: 'main', key: CLIENT_KEY, scopes: ['manage'] }]
  writeFileSync(config, JSON.stringify({ version: 1, settings, clientKeys }))
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  const started = performance.now()
  const own = ['--port', String(port), '--data-dir', join(folder, 'data'), '--import', config]
  // Root has no sandbox, and there is no graphics card.
  app = spawn(NAME, ['--no-sandbox', '--disable-gpu', ...own], {
    env: { ...process.env, XDG_CONFIG_HOME: join(folder, 'xdg') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [app.stdout, app.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      appLog += text
    })
  }
  await expect
    .poll(async () => (await fetch(`${url}/health`).catch(() => null))?.status, { timeout: 30_000, interval: 50 })
    .toBe(200)
  figures.startToHealth = seconds(started)
})

test('it answers a request, streamed and whole', async () => {
  const ask = async (stream: boolean): Promise<Response> =>
    fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${CLIENT_KEY}` },
      body: JSON.stringify({
        model: 'practice/echo',
        stream,
        messages: [{ role: 'user', content: 'installed and well' }],
      }),
    })
  const whole = await ask(false)
  expect(whole.status).toBe(200)
  expect(await whole.json()).toMatchObject({ choices: [{ message: { content: 'installed and well' } }] })
  const streamed = await ask(true)
  expect(streamed.headers.get('content-type')).toContain('text/event-stream')
  expect(await streamed.text()).toMatch(/data: \[DONE\]\s*$/)
})

test('its program cannot be used as a plain Node', () => {
  const { stdout } = spawnSync(NAME, ['--print', '"I am Node"'], {
    encoding: 'utf8',
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    timeout: 20_000,
  })
  expect(stdout).not.toContain('I am Node')
})

test('its tray tells the state, and quits it', async () => {
  const item = await tray.item()
  await expect.poll(() => item.tooltip()).toBe('Breakwater: Healthy')
  expect((await item.menu()).map(({ label }) => label)).toContain(`Copy address ${url}`)
  const ended = once(app, 'exit')
  await item.click('Quit')
  expect(await ended, appLog).toEqual([0, null])
  await expect(fetch(`${url}/health`)).rejects.toThrow()
})

test('it goes without a trace but the person’s data', () => {
  shell('apt-get', 'purge', '-y', NAME)
  for (const path of [`/opt/${NAME}`, `/usr/bin/${NAME}`, `/usr/share/applications/${NAME}.desktop`])
    expect(existsSync(path), path).toBe(false)
  expect(existsSync(join(folder, 'data', 'breakwater.db'))).toBe(true)
})
