// Which Electron runs the window, in this order: the user's own, the official one, and for development and tests the
// pinned older copy.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { say } from './context.mjs'
import { fetchOfficialElectron, officialElectron } from './official-electron.mjs'
import { canUsePinned, ensurePinnedElectron, PINNED_VERSION } from './pinned-electron.mjs'

/**
 * @param mayUsePinned for tests, or with a person's word (BREAKWATER_DEV_ELECTRON=1)
 * @returns {Promise<{ folder: string, executable: string, kind: 'own' | 'official' | 'pinned' } | { tried: string[] }>}
 */
export async function findElectron(node, env, mayUsePinned) {
  const tried = []
  const own = env.ELECTRON_OVERRIDE_DIST_PATH
  if (own) {
    const executable = join(own, executableName())
    if (existsSync(executable)) return { folder: own, executable, kind: 'own' }
    tried.push(`ELECTRON_OVERRIDE_DIST_PATH=${own}: there is no ${executableName()} in it`)
  }
  if (officialElectron() === null) {
    const failure = await fetchOfficialElectron(node, env)
    if (failure !== null) tried.push(failure)
  }
  const official = officialElectron()
  if (official !== null) return { ...official, kind: 'official' }
  if (!mayUsePinned) return { tried }
  if (!canUsePinned()) {
    tried.push('the pinned development copy: it exists for Linux on x64 only')
    return { tried }
  }
  const folder = await ensurePinnedElectron()
  say(`Using Electron ${PINNED_VERSION}: an older one, for development and tests only, never for a release.`)
  return { folder, executable: join(folder, 'electron'), kind: 'pinned' }
}

export const executableName = () =>
  process.platform === 'win32'
    ? 'electron.exe'
    : process.platform === 'darwin'
      ? 'Electron.app/Contents/MacOS/Electron'
      : 'electron'
