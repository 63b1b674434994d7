// Which Electron runs the window, in this order: the user's own, the official one, and for development and tests the
// pinned older copy.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheDir, root, run, SetUpError, say } from './context.mjs'
import { canUsePinned, ensurePinnedElectron, PINNED_VERSION } from './pinned-electron.mjs'

const DOWNLOAD_LIMIT_MS = 120_000
/** After a failed download it is not tried again for this long, so that a second start is quick. */
const RETRY_AFTER_MS = 24 * 3_600_000

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
  if (!officialExecutable()) await download(node, env, tried)
  const official = officialExecutable()
  if (official)
    return { folder: join(root, 'node_modules', 'electron', 'dist'), executable: official, kind: 'official' }
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

function officialExecutable() {
  const folder = join(root, 'node_modules', 'electron')
  const pathFile = join(folder, 'path.txt')
  if (!existsSync(pathFile)) return null
  const executable = join(folder, 'dist', readFileSync(pathFile, 'utf8').trim())
  return existsSync(executable) ? executable : null
}

async function download(node, env, tried) {
  const failedFile = join(cacheDir, 'electron-download-failed')
  if (existsSync(failedFile) && Date.now() - statSync(failedFile).mtimeMs < RETRY_AFTER_MS) {
    tried.push(`the official download: it failed within the last day (delete ${failedFile} to try again now)`)
    return
  }
  say('Fetching Electron (about 120 MB, once) …')
  try {
    await run(node, [join(root, 'node_modules', 'electron', 'install.js')], {
      env,
      quiet: true,
      timeoutMs: DOWNLOAD_LIMIT_MS,
    })
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error
    mkdirSync(cacheDir, { recursive: true })
    writeFileSync(failedFile, '')
    tried.push('the official download: the release host could not be reached')
  }
}
