// `npm run bench:strategies`: the simulation of routing strategies. Its sources are bundled anew each time: that is
// quicker than to find out whether it must be.
import { join } from 'node:path'
import { during, root } from '../context.mjs'
import { become, run } from '../programs.mjs'

const CONFIG = join('tests', 'bench', 'strategies', 'vite.config.ts')

export async function perform({ node, env, args }) {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  await during('Building the simulation', () =>
    run(node, [vite, 'build', '--config', CONFIG, '--logLevel', 'error'], { env, quiet: true }),
  )
  const program = join(root, 'dist', 'bench', 'strategies.mjs')
  return become(node, [program, join(root, 'docs', 'strategies.md'), ...args], { env })
}
