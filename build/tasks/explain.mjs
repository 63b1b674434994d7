import { join } from 'node:path'
import { ensureBuilt } from '../bundle.mjs'
import { root } from '../context.mjs'
import { become } from '../programs.mjs'

export async function perform({ node, env, args }) {
  await ensureBuilt(node, env, ['explain'])
  // A path on the command line means the folder the person is in, which npm keeps in INIT_CWD.
  return become(node, [join(root, 'dist', 'explain.js'), ...args], { env, cwd: env.INIT_CWD ?? root })
}
