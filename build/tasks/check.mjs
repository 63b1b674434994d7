// Types of every layer, lint, format, and who imports whom.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run, SetUpError, say } from '../context.mjs'

const LAYERS = ['core/contract', 'core', 'electron', 'renderer', 'tests']

export async function perform({ env }) {
  const bin = (name) => join(root, 'node_modules', '.bin', name)
  for (const layer of LAYERS) {
    say(`Types: ${layer}`)
    await run(bin('tsc'), ['-p', layer], { env })
  }
  say('Lint and format')
  await run(bin('biome'), ['check', '--error-on-warnings', '.'], { env })
  say('Imports')
  checkImports()
  say('All is well.')
}

const RULES = [
  { layer: 'core/contract', allowed: /^(zod$|\.\/)/, because: 'core/contract imports nothing but zod and itself' },
  {
    layer: 'core',
    forbidden: /^electron($|\/)|\/(electron|renderer)\//,
    because: 'core runs in plain Node: ask core/host.ts for what you need',
  },
  {
    layer: 'renderer',
    forbidden: /core\/(?!contract\/)|^node:|^electron$/,
    because: 'the renderer knows core/contract only',
  },
  { layer: 'electron', forbidden: /\/renderer\//, because: 'the main process does not import the window' },
]

function checkImports() {
  const faults = []
  for (const { layer, allowed, forbidden, because } of RULES) {
    for (const entry of readdirSync(join(root, layer), { recursive: true })) {
      if (!/\.tsx?$/.test(entry)) continue
      for (const [, from] of readFileSync(join(root, layer, entry), 'utf8').matchAll(
        /(?:from|import)\s*\(?\s*'([^']+)'/g,
      )) {
        if (allowed?.test(from) === false || forbidden?.test(from))
          faults.push(`${layer}/${entry} imports ${from}: ${because}`)
      }
    }
  }
  if (faults.length > 0) throw new SetUpError(faults.join('\n'))
}
