// `npm run test:tools`: real command-line tools through the gateway, to a fake upstream of each dialect. Says at the
// end which of them ran; one that could not be installed counts as failed.
import { join } from 'node:path'
import { ensureBuilt } from '../bundle.mjs'
import { COMMAND_LINE_TOOLS, ensureTool } from '../command-line-tools.mjs'
import { root, say } from '../context.mjs'
import { become } from '../programs.mjs'

export async function perform({ node, env, args }) {
  await ensureBuilt(node, env, ['gateway'])
  const tools = {}
  for (const tool of COMMAND_LINE_TOOLS) tools[tool.name] = { spec: tool.spec, ...(await ensureTool(tool)) }
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const code = await become(node, [vitest, 'run', '--config', 'tests/tools.config.ts', ...args], {
    env: { ...env, BREAKWATER_TOOLS: JSON.stringify(tools) },
  })
  for (const { spec, missing } of Object.values(tools))
    say(missing === undefined ? `${spec}: tried` : `${spec}: NOT TRIED, it could not be installed: ${missing}`)
  return code
}
