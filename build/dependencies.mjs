// The dependencies of package-lock.json, installed when it changed since the last time.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { during, npm, root } from './context.mjs'
import { run } from './programs.mjs'

const stampFile = join(root, 'node_modules', '.breakwater-lock')

export async function ensureDependencies(env) {
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return
  // No package here needs its install script, and one that only looks for a compiler would fail where there is none.
  const [command, args] = npm('ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error')
  await during('Installing the dependencies (about half a minute)', () => run(command, args, { env, quiet: true }))
  writeFileSync(stampFile, wanted)
}
