// `npm run dist`: installers for this platform with the official Electron; without it, on Linux, a development build.
// Options go to electron-builder: npm run dist -- --mac, --win, --linux.
import { ensureBuilt, everything } from '../bundle.mjs'
import { root, SetUpError, say } from '../context.mjs'
import { fetchOfficialElectron, officialElectron } from '../official-electron.mjs'
import { BUILDER, packDevelopment } from '../pack-development.mjs'
import { canUsePinned } from '../pinned-electron.mjs'
import { run } from '../programs.mjs'
import { megabytes } from '../sizes.mjs'

export async function perform({ node, env, args }) {
  await ensureBuilt(node, env, everything)
  const failure = officialElectron() === null ? await fetchOfficialElectron(node, env) : null
  if (failure === null) {
    await run(node, [...BUILDER, '--config', 'build/electron-builder.cjs', ...args], { env })
    say('The installers are in release/.')
    return
  }
  if (!canUsePinned()) throw new SetUpError(`No installers: there is no official Electron. Tried ${failure}.`)
  say(`No release can be built here: there is no official Electron. Tried ${failure}.`)
  const { file, bytes, unpacked } = await packDevelopment(node, env)
  say(`Unpacked: ${megabytes(unpacked)} in release/development/linux-unpacked`)
  say(`A development build, not a release: ${file.slice(root.length + 1)} (${megabytes(bytes)})`)
}
