// Runs Playwright against the real Electron: finds the runtime, a screen and a session bus, and gives them to the tests.
import { join } from 'node:path'
import { root, SetUpError } from './context.mjs'
import { findElectron } from './electron-runtime.mjs'
import { ensureWindowLibraries } from './system-libraries.mjs'

/** @returns {Promise<{ command: string, args: string[], env: NodeJS.ProcessEnv }>} */
export async function playwrightCommand({ node, env }, args) {
  const electron = await findElectron(node, env, true)
  if (electron.tried !== undefined)
    throw new SetUpError(`There is no Electron for the journeys:\n  ${electron.tried.join('\n  ')}`)
  const ownScreen = process.platform === 'linux'
  await ensureWindowLibraries(electron.executable, { withDisplay: ownScreen })
  const playwright = [join(root, 'node_modules', '@playwright', 'test', 'cli.js'), 'test', ...args]
  const full = { ...env, BREAKWATER_ELECTRON: electron.executable, BREAKWATER_ELECTRON_KIND: electron.kind }
  if (!ownScreen) return { command: node, args: playwright, env: full }
  // A screen and a bus of their own: the tests see only their own tray, and the person's desktop is left alone.
  const xvfb = ['xvfb-run', '-a', '-s', '-screen 0 1600x1200x24', node, ...playwright]
  return { command: 'dbus-run-session', args: ['--', ...xvfb], env: full }
}
