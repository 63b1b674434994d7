import { ensureBuilt, everything } from '../bundle.mjs'
import { playwrightCommand } from '../journeys.mjs'
import { become } from '../programs.mjs'

export async function perform(context) {
  await ensureBuilt(context.node, context.env, everything)
  const { command, args, env } = await playwrightCommand(context, [
    '--config',
    'tests/screenshots.config.ts',
    ...context.args,
  ])
  return become(command, args, { env })
}
