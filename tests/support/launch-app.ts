// The real app for a journey: its own data folder, its own settings, and a look at what must never happen.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { _electron, test as base, type ElectronApplication, expect, type Page } from '@playwright/test'
import type { BreakwaterApi } from '../../core/contract/ipc'
import type { GatewayStatus } from '../../core/contract/views'

export { expect }

export const CLIENT_KEY = 'bw-0123456789abcdef0123456789abcdef'
const ROOT = resolve(import.meta.dirname, '../..')

export interface LaunchOptions {
  /** Of an earlier launch, for what survives a restart. */
  readonly dataDir?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** A configuration file to take over; `null` for a start with nothing at all. */
  readonly config?: object | null
  /** Whether a window opens by itself. */
  readonly window?: boolean
}

export interface TestApp {
  readonly electron: ElectronApplication
  readonly process: ChildProcess
  readonly dataDir: string
  /** The window's page; throws where none was asked for. */
  readonly page: Page
  /** A fault that the journey provokes on purpose. */
  expectFault(pattern: RegExp): void
  status(): Promise<GatewayStatus>
  /** The gateway's address, once it listens. */
  url(): Promise<string>
  /** Quits as a person does, and waits for the process to end. Gives its exit code. */
  quit(): Promise<number | null>
}

/** Past the first run, on a free port, with a key that tests know. */
export const READY_CONFIG = {
  version: 1,
  settings: { wizardDone: true },
  clientKeys: [{ name: 'main', key: CLIENT_KEY, scopes: ['manage'] }],
}

interface Fixtures {
  readonly launch: (options?: LaunchOptions) => Promise<TestApp>
  readonly freshDataDir: () => string
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's pattern
  freshDataDir: async ({}, use) => {
    const folders: string[] = []
    await use(() => {
      const folder = mkdtempSync(join(tmpdir(), 'breakwater-journey-'))
      folders.push(folder)
      return folder
    })
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  },
  launch: async ({ freshDataDir }, use, info) => {
    const started: { app: TestApp; faults: string[]; expected: RegExp[] }[] = []
    await use(async (options = {}) => {
      const watched = { faults: [], expected: [] }
      const app = await start(options, options.dataDir ?? freshDataDir(), watched)
      started.push({ app, ...watched })
      return app
    })
    for (const { app, faults, expected } of started) {
      if (info.status !== info.expectedStatus) await attachPicture(app, info.attach.bind(info))
      await end(app)
      const unexpected = faults.filter((fault) => !expected.some((pattern) => pattern.test(fault)))
      expect(unexpected, 'errors and policy violations in the page').toEqual([])
    }
  },
})

export function electronPath(): string {
  const path = process.env.BREAKWATER_ELECTRON
  if (path === undefined || !existsSync(path))
    throw new Error('There is no Electron for the journeys. Run them with: npm test -- --e2e')
  return path
}

/** The arguments of a second launch of the same app. */
export const appArguments = (dataDir: string): string[] => [
  ROOT,
  // Root cannot use Chromium's sandbox; without this flag pictures may be empty on machines without a graphics card.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--data-dir',
  dataDir,
]

export function appEnvironment(dataDir: string, env: Readonly<Record<string, string>> = {}): Record<string, string> {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  // The person's own autostart folder and settings are left alone.
  return { ...inherited, XDG_CONFIG_HOME: join(dataDir, 'xdg'), ...env }
}

interface Watched {
  readonly faults: string[]
  readonly expected: RegExp[]
}

async function start(options: LaunchOptions, dataDir: string, { faults, expected }: Watched): Promise<TestApp> {
  const { args = [], env = {}, config = options.dataDir === undefined ? READY_CONFIG : null, window = true } = options
  const configFile = join(dataDir, 'import.json')
  mkdirSync(dataDir, { recursive: true })
  if (config !== null) writeFileSync(configFile, JSON.stringify(config))
  const electron = await _electron.launch({
    executablePath: electronPath(),
    args: [...appArguments(dataDir), ...(config === null ? [] : ['--import', configFile]), ...args],
    env: appEnvironment(dataDir, { BREAKWATER_PORT: '0', ...env }),
  })
  const child = electron.process()
  const page = window ? await electron.firstWindow() : null
  if (page !== null) watch(page, faults)
  electron.on('window', (later) => watch(later, faults))
  const app: TestApp = {
    electron,
    process: child,
    dataDir,
    get page() {
      if (page === null) throw new Error('This launch was told to expect no window.')
      return page
    },
    expectFault: (pattern) => void expected.push(pattern),
    status: () => statusOf(app.page),
    async url() {
      let url = ''
      await expect
        .poll(async () => {
          const { listener } = await app.status()
          url = listener.kind === 'listening' ? listener.url : ''
          return listener.kind
        })
        .toBe('listening')
      return url
    },
    async quit() {
      const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : Promise.resolve()
      await electron.evaluate(({ app }) => void setImmediate(() => app.quit())).catch(() => {})
      await ended
      return child.exitCode
    },
  }
  return app
}

const watched = new WeakSet<Page>()

function watch(page: Page, faults: string[]): void {
  if (watched.has(page)) return
  watched.add(page)
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
}

async function statusOf(page: Page): Promise<GatewayStatus> {
  const answer = await page.evaluate(() =>
    (globalThis as unknown as { breakwater: BreakwaterApi }).breakwater.call('gateway:status'),
  )
  if (!answer.ok) throw new Error(answer.error.message)
  return answer.value
}

async function end(app: TestApp): Promise<void> {
  if (app.process.exitCode !== null || app.process.signalCode !== null) return
  await app.quit()
}

type Attach = (name: string, options: { body: Buffer; contentType: string }) => Promise<void>

async function attachPicture(app: TestApp, attach: Attach): Promise<void> {
  const page = app.electron.windows()[0]
  const body = await page?.screenshot({ timeout: 3_000 }).catch(() => undefined)
  if (body !== undefined) await attach('window', { body, contentType: 'image/png' })
}

/** Starts the app once more beside a running one, without a debugger, and waits for it to end. */
export async function launchAgain(dataDir: string): Promise<number | null> {
  const child = spawn(electronPath(), appArguments(dataDir), { env: appEnvironment(dataDir), stdio: 'ignore' })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code
}

/** Whether the window is on the screen, asked of the main process. */
export const isVisible = (app: TestApp): Promise<boolean> =>
  app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((window) => window.isVisible()))

/** Whether the app knows a tray that shows its icon. */
export async function seesTray({ page }: TestApp): Promise<boolean> {
  const answer = await page.evaluate(() =>
    (globalThis as unknown as { breakwater: BreakwaterApi }).breakwater.call('app:surroundings'),
  )
  return answer.ok && answer.value.trayVisible
}

/** What a click on the title bar's cross does. Only after the answer to this: where it ends the app, none would come. */
export const closeWindow = (app: TestApp): Promise<void> =>
  app.electron.evaluate(({ BrowserWindow }) => {
    setTimeout(() => {
      for (const window of BrowserWindow.getAllWindows()) window.close()
    }, 0)
  })

/** Asks the gateway as a tool does. */
export async function ask(url: string, model: string, key = CLIENT_KEY): Promise<{ status: number; text: string }> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hello there' }] }),
  })
  return { status: response.status, text: await response.text() }
}
