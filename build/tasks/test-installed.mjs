// `npm run test:installed`: packs a development build, installs it on this machine, tries it and removes it again.
import { join } from 'node:path'
import { ensureBuilt, everything } from '../bundle.mjs'
import { root, SetUpError, say } from '../context.mjs'
import { packDevelopment } from '../pack-development.mjs'
import { canUsePinned } from '../pinned-electron.mjs'
import { become } from '../programs.mjs'
import { megabytes } from '../sizes.mjs'
import { ensureWindowLibraries, isDebian } from '../system-libraries.mjs'

export async function perform({ node, env }) {
  if (!canUsePinned() || !isDebian() || process.getuid() !== 0)
    throw new SetUpError('This test installs a .deb: it needs root on Debian or Ubuntu, on x64.')
  await ensureBuilt(node, env, everything)
  const { file, bytes, unpacked, executable } = await packDevelopment(node, env)
  say(`Package: ${megabytes(bytes)}, unpacked ${megabytes(unpacked)}`)
  await ensureWindowLibraries(executable, { withDisplay: true })
  const vitest = [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--config', 'tests/installed.config.ts']
  return become('dbus-run-session', ['--', 'xvfb-run', '-a', '-s', '-screen 0 1600x1200x24', node, ...vitest], {
    env: { ...env, BREAKWATER_DEB: file },
  })
}
