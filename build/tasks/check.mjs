// Types of every layer, lint, format, and who imports whom.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, SetUpError, say } from '../context.mjs'
import { run } from '../programs.mjs'

const LAYERS = ['core/contract', 'core', 'electron', 'renderer', 'tests']

export async function perform({ env }) {
  const bin = (name) => join(root, 'node_modules', '.bin', process.platform === 'win32' ? `${name}.cmd` : name)
  const steps = [
    ...LAYERS.map((layer) => [`Types: ${layer}`, () => run(bin('tsc'), ['-p', layer], { env })]),
    ['Lint and format', () => run(bin('biome'), ['check', '--error-on-warnings', '.'], { env })],
    ['Imports', checkImports],
  ]
  // All of them, whatever fails: a person wants the whole list at once.
  const failed = []
  for (const [name, step] of steps) {
    say(name)
    try {
      await step()
    } catch (error) {
      if (!(error instanceof SetUpError)) throw error
      failed.push(`${name}: ${error.message}`)
    }
  }
  if (failed.length > 0) throw new SetUpError(`\n${failed.join('\n')}`)
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
        /(?:from|import)\s*\(?\s*'([^'\s]+)'/g,
      )) {
        if (allowed?.test(from) === false || forbidden?.test(from))
          faults.push(`${layer}/${entry} imports ${from}: ${because}`)
      }
    }
  }
  if (faults.length > 0) throw new SetUpError(faults.join('\n'))
}
