// `npm run dev`: the window reloads by itself, the main process starts anew when its sources change.
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt } from '../bundle.mjs'
import { root, SetUpError, say } from '../context.mjs'
import { findElectron } from '../electron-runtime.mjs'
import { ensureWindowLibraries } from '../system-libraries.mjs'

const DEV_URL = 'http://127.0.0.1:5199'
/** Editors write several files in a row: one restart for all of them. */
const SETTLE_MS = 300

export async function perform({ node, env, args }) {
  const electron = await findElectron(node, env, env.BREAKWATER_DEV_ELECTRON === '1')
  if (electron.tried !== undefined) {
    throw new SetUpError(
      `No Electron:\n  ${electron.tried.join('\n  ')}\nBREAKWATER_DEV_ELECTRON=1 npm run dev uses the pinned older copy.`,
    )
  }
  await ensureWindowLibraries(electron.executable, { withDisplay: false })
  const vite = spawn(
    node,
    [
      join(root, 'node_modules', 'vite', 'bin', 'vite.js'),
      '--host',
      '127.0.0.1',
      '--port',
      new URL(DEV_URL).port,
      '--strictPort',
    ],
    {
      cwd: root,
      env,
      stdio: 'inherit',
    },
  )
  const start = async () => {
    await ensureBuilt(node, env, ['electron', 'preload'])
    const switches = process.getuid?.() === 0 ? ['--no-sandbox'] : []
    const child = spawn(electron.executable, [root, ...switches, ...args], {
      env: { ...env, BREAKWATER_DEV_URL: DEV_URL },
      stdio: 'inherit',
    })
    child.once('exit', () => {
      if (child.restarting) return
      vite.kill()
      process.exit(0)
    })
    return child
  }
  let app = await start()
  let timer
  const restart = () => {
    clearTimeout(timer)
    timer = setTimeout(async () => {
      try {
        app.restarting = true
        const gone = new Promise((resolve) => app.once('exit', resolve))
        app.kill()
        await gone
        app = await start()
      } catch (error) {
        say(error.message)
      }
    }, SETTLE_MS)
  }
  for (const folder of ['core', 'electron']) watch(join(root, folder), { recursive: true }, restart)
  await new Promise((resolve) => vite.once('exit', resolve))
}
