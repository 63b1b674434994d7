// The shared libraries a window needs on Linux: found missing by the loader itself, installed where that is ours to do.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { during, SetUpError } from './context.mjs'
import { run } from './programs.mjs'

export const WINDOW_PACKAGES = [
  'libgtk-3-0',
  'libnss3',
  'libasound2',
  'libgbm1',
  'libxss1',
  'libatk-bridge2.0-0',
  'libdrm2',
  'libnotify4',
  'libsecret-1-0',
]
/** A screen and a session bus of our own, for tests on machines without. */
const DISPLAY_PACKAGES = ['xvfb', 'xauth', 'dbus']

/** @throws SetUpError with the exact command, where it is not ours to install */
export async function ensureWindowLibraries(executable, { withDisplay }) {
  if (process.platform !== 'linux') return
  const missing = [
    ...(lacksLibraries(executable) ? WINDOW_PACKAGES : []),
    ...(withDisplay && !has('Xvfb', 'xauth', 'dbus-run-session') ? DISPLAY_PACKAGES : []),
  ]
  if (missing.length === 0) return
  const install = `apt-get install -y --no-install-recommends ${missing.join(' ')}`
  if (!isDebian()) {
    throw new SetUpError(`System libraries are missing. Install what your distribution calls: ${missing.join(' ')}`)
  }
  if (process.getuid?.() !== 0) {
    throw new SetUpError(
      `System libraries are missing. Run this, then start again:\n  sudo apt-get update && sudo ${install}`,
    )
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await during(`Installing system libraries that a window needs: ${missing.join(' ')}`, async () => {
    await run('apt-get', ['update'], { env, quiet: true })
    await run('sh', ['-c', install], { env, quiet: true })
  })
}

export const isDebian = () => existsSync('/etc/debian_version')

function lacksLibraries(executable) {
  const { stdout, error } = spawnSync('ldd', [executable], { encoding: 'utf8' })
  return error !== undefined || stdout.includes('not found')
}

const has = (...programs) => programs.every((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0)

export const hasDisplay = () =>
  process.platform !== 'linux' || Boolean(process.env.DISPLAY) || Boolean(process.env.WAYLAND_DISPLAY)
