// The Electron of the product: its npm package fetches the binary from the release host the first time.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheDir, during, root, SetUpError } from './context.mjs'
import { run } from './programs.mjs'
import { folderBytes } from './sizes.mjs'

/** A download of which nothing more arrives for this long is given up. */
const STALL_MS = 30_000
/** After a failed download it is not tried again for this long, so that a second start is quick. */
const RETRY_AFTER_MS = 24 * 3_600_000

const home = join(root, 'node_modules', 'electron')

/** @returns {{ folder: string, executable: string } | null} */
export function officialElectron() {
  const pathFile = join(home, 'path.txt')
  if (!existsSync(pathFile)) return null
  const folder = join(home, 'dist')
  const executable = join(folder, readFileSync(pathFile, 'utf8').trim())
  return existsSync(executable) ? { folder, executable } : null
}

/** @returns {Promise<string | null>} why there is none, or null when it is there */
export async function fetchOfficialElectron(node, env) {
  const failedFile = join(cacheDir, 'electron-download-failed')
  if (existsSync(failedFile) && Date.now() - statSync(failedFile).mtimeMs < RETRY_AFTER_MS) {
    return `the official download: it failed within the last day (delete ${failedFile} to try again now)`
  }
  mkdirSync(cacheDir, { recursive: true })
  const scratch = mkdtempSync(join(cacheDir, 'electron-'))
  try {
    await during('Fetching Electron (about 120 MB, once)', () =>
      run(node, [join(home, 'install.js')], {
        // What it has fetched so far lies in the temporary folder: that is how we see whether it still gets on.
        env: { ...env, TMPDIR: scratch, TEMP: scratch, TMP: scratch },
        quiet: true,
        stalled: { afterMs: STALL_MS, measure: () => folderBytes(scratch) + folderBytes(join(home, 'dist')) },
      }),
    )
    rmSync(failedFile, { force: true })
    return officialElectron() === null ? 'the official download: it ended, but the program is not there' : null
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error
    writeFileSync(failedFile, error.message)
    return 'the official download: the release host could not be reached'
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
