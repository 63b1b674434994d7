import { join } from 'node:path'
import { ensureBuilt } from '../bundle.mjs'
import { become, root } from '../context.mjs'

export async function perform({ node, env, args }) {
  await ensureBuilt(node, env, ['gateway'])
  return become(node, [join(root, 'tests', 'bench', 'run.mjs'), ...args], { env })
}
