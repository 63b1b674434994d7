// The dependencies of package-lock.json, installed when it changed since the last time.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npm, root, run, say } from './context.mjs'

const stampFile = join(root, 'node_modules', '.breakwater-lock')

export async function ensureDependencies(env) {
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return
  say('Installing the dependencies (about half a minute) …')
  const [command, args] = npm('ci', '--no-audit', '--no-fund', '--loglevel=error')
  await run(command, args, { env, quiet: true })
  writeFileSync(stampFile, wanted)
}
