// The development build: the app around the pinned older Electron, unpacked and as a .deb.
import { join } from 'node:path'
import { during, root } from './context.mjs'
import { makeDevelopmentDeb } from './development-deb.mjs'
import { ensurePinnedElectron, PINNED_VERSION } from './pinned-electron.mjs'
import { run } from './programs.mjs'
import { folderBytes } from './sizes.mjs'

export const BUILDER = [join(root, 'node_modules', 'electron-builder', 'cli.js'), '--publish', 'never']

/** @returns {Promise<{ file: string, bytes: number, unpacked: number, executable: string }>} sizes in bytes */
export async function packDevelopment(node, env) {
  const electron = await ensurePinnedElectron()
  const output = join(root, 'release', 'development')
  const config = ['--config', 'build/electron-builder-development.cjs', '--linux', 'dir']
  await during(`Packing with Electron ${PINNED_VERSION}`, () =>
    run(node, [...BUILDER, ...config], {
      env: { ...env, BREAKWATER_PACK_ELECTRON: electron, BREAKWATER_PACK_VERSION: PINNED_VERSION },
      quiet: true,
    }),
  )
  const unpacked = join(output, 'linux-unpacked')
  const deb = await makeDevelopmentDeb(unpacked, output)
  return { ...deb, unpacked: folderBytes(unpacked), executable: join(electron, 'electron') }
}
