// `npm run dist`: installers for this platform with the official Electron; without it, on Linux, a development build.
// Options go to electron-builder: npm run dist -- --mac, --win, --linux.
import { join } from 'node:path'
import { ensureBuilt, everything } from '../bundle.mjs'
import { during, root, SetUpError, say } from '../context.mjs'
import { makeDevelopmentDeb } from '../development-deb.mjs'
import { fetchOfficialElectron, officialElectron } from '../official-electron.mjs'
import { canUsePinned, ensurePinnedElectron, PINNED_VERSION } from '../pinned-electron.mjs'
import { run } from '../programs.mjs'
import { folderBytes, megabytes } from '../sizes.mjs'

export async function perform({ node, env, args }) {
  await ensureBuilt(node, env, everything)
  const builder = [join(root, 'node_modules', 'electron-builder', 'cli.js'), '--publish', 'never']
  const failure = officialElectron() === null ? await fetchOfficialElectron(node, env) : null
  if (failure === null) {
    await run(node, [...builder, '--config', 'build/electron-builder.cjs', ...args], { env })
    say('The installers are in release/.')
    return
  }
  if (!canUsePinned()) throw new SetUpError(`No installers: there is no official Electron. Tried ${failure}.`)
  say(`No release can be built here: there is no official Electron. Tried ${failure}.`)
  const { file, bytes } = await packDevelopment(node, env, builder)
  say(`A development build, not a release: ${file.slice(root.length + 1)} (${megabytes(bytes)})`)
}

async function packDevelopment(node, env, builder) {
  const electron = await ensurePinnedElectron()
  const packing = { ...env, BREAKWATER_PACK_ELECTRON: electron, BREAKWATER_PACK_VERSION: PINNED_VERSION }
  await during(`Packing with Electron ${PINNED_VERSION}`, () =>
    run(node, [...builder, '--config', 'build/electron-builder-development.cjs', '--linux', 'dir'], {
      env: packing,
      quiet: true,
    }),
  )
  const output = join(root, 'release', 'development')
  const unpacked = join(output, 'linux-unpacked')
  say(`Unpacked: ${megabytes(folderBytes(unpacked))} in release/development/linux-unpacked`)
  return makeDevelopmentDeb(unpacked, output)
}
