import { ensureBuilt, everything } from '../bundle.mjs'
import { say } from '../context.mjs'

export async function perform({ node, env }) {
  await ensureBuilt(node, env, everything)
  say('Built.')
}
