// `npm run dev`: the window reloads by itself, the main process starts anew when its sources change.
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt } from '../bundle.mjs'
import { root, SetUpError, say } from '../context.mjs'
import { findElectron } from '../electron-runtime.mjs'
import { endWithUs } from '../programs.mjs'
import { ensureWindowLibraries } from '../system-libraries.mjs'

const DEV_URL = 'http://127.0.0.1:5199'
/** Editors write several files in a row: one restart for all of them. */
const SETTLE_MS = 300
const SERVER_START_MS = 30_000

export async function perform({ node, env, args }) {
  const electron = await findElectron(node, env, env.BREAKWATER_DEV_ELECTRON === '1')
  if (electron.tried !== undefined) {
    throw new SetUpError(
      `No Electron:\n  ${electron.tried.join('\n  ')}\nBREAKWATER_DEV_ELECTRON=1 npm run dev uses the pinned older copy.`,
    )
  }
  await ensureWindowLibraries(electron.executable, { withDisplay: false })
  const server = await startServer(node, env)
  const app = new RestartedApp(async () => {
    await ensureBuilt(node, env, ['electron', 'preload'])
    const switches = process.platform === 'linux' && process.getuid() === 0 ? ['--no-sandbox'] : []
    return spawn(electron.executable, [root, ...switches, ...args], {
      env: { ...env, BREAKWATER_DEV_URL: DEV_URL },
      stdio: 'inherit',
    })
  })
  const watchers = ['core', 'electron'].map((folder) => watch(join(root, folder), { recursive: true }, app.restartSoon))
  await app.start()
  // It ends when the person quits the app, or when we are told to.
  await app.ended
  for (const watcher of watchers) watcher.close()
  server.kill()
}

async function startServer(node, env) {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const where = ['--host', '127.0.0.1', '--port', new URL(DEV_URL).port, '--strictPort']
  const server = spawn(node, [vite, ...where], { cwd: root, env, stdio: 'inherit' })
  endWithUs(server, () => server.kill())
  const deadline = Date.now() + SERVER_START_MS
  // A window that comes before its pages would show an error.
  while (!(await answers(DEV_URL))) {
    if (server.exitCode !== null || Date.now() > deadline) {
      server.kill()
      throw new SetUpError('The development server did not start.')
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return server
}

const answers = (url) =>
  fetch(url).then(
    (response) => response.ok,
    () => false,
  )

class RestartedApp {
  #launch
  #child = null
  #timer = null
  #restarting = false
  #end
  ended = new Promise((resolve) => {
    this.#end = resolve
  })

  constructor(launch) {
    this.#launch = launch
  }

  async start() {
    const child = await this.#launch()
    this.#child = child
    const letGo = endWithUs(child, () => child.kill())
    child.once('exit', () => {
      letGo()
      this.#child = null
      if (!this.#restarting) this.#end()
    })
  }

  restartSoon = () => {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#restart(), SETTLE_MS)
  }

  async #restart() {
    if (this.#restarting) return this.restartSoon()
    this.#restarting = true
    try {
      const child = this.#child
      if (child !== null) {
        const gone = new Promise((resolve) => child.once('exit', resolve))
        child.kill()
        await gone
      }
      await this.start()
    } catch (error) {
      // A mistake in the sources: the next change tries again.
      say(error.message)
    } finally {
      this.#restarting = false
    }
  }
}
