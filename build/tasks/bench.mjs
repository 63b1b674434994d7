import { join } from 'node:path'
import { ensureBuilt } from '../bundle.mjs'
import { root } from '../context.mjs'
import { become } from '../programs.mjs'

export async function perform({ node, env, args }) {
  await ensureBuilt(node, env, ['gateway'])
  return become(node, [join(root, 'tests', 'bench', 'run.mjs'), ...args], { env })
}
