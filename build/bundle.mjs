// The build: headless gateway, main process, preload and window, each only when its sources changed.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { during, root } from './context.mjs'
import { run } from './programs.mjs'

const COMMON = ['package-lock.json', 'vite.config.ts', 'tsconfig.base.json']
const PARTS = {
  gateway: { inputs: ['core'], output: 'dist/gateway.js', beside: ['gateway-tokens'] },
  explain: { inputs: ['core'], output: 'dist/explain.js' },
  electron: { inputs: ['core', 'electron'], output: 'dist/electron/main.cjs', beside: ['electron-tokens'] },
  // The vocabulary for counting tokens: large, seldom needed, and read by a thread of its own.
  'gateway-tokens': { inputs: ['core/models/token-worker.ts'], output: 'dist/token-worker.js' },
  'electron-tokens': { inputs: ['core/models/token-worker.ts'], output: 'dist/electron/token-worker.cjs' },
  preload: { inputs: ['core/contract', 'electron'], output: 'dist/electron/preload.cjs' },
  renderer: { inputs: ['core/contract', 'renderer'], output: 'dist/renderer/index.html' },
}

/** @param {(keyof typeof PARTS)[]} names */
export async function ensureBuilt(node, env, names) {
  for (const name of new Set(names.flatMap((name) => [name, ...(PARTS[name].beside ?? [])]))) {
    const { inputs, output } = PARTS[name]
    const stampFile = join(root, 'dist', `.${name}-built-from`)
    const stamp = fingerprint([...COMMON, ...inputs])
    if (existsSync(join(root, output)) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) continue
    const mode = name === 'renderer' ? 'production' : name
    const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
    await during(`Building the ${name}`, () =>
      run(node, [vite, 'build', '--mode', mode, '--logLevel', 'error'], { env, quiet: true }),
    )
    mkdirSync(join(root, 'dist'), { recursive: true })
    writeFileSync(stampFile, stamp)
  }
}

/** What the programs are made of; the tool is built when it is asked for. */
export const everything = Object.keys(PARTS).filter((name) => name !== 'explain')

/** Changes whenever a file is added, removed, resized or written. Reads no contents: a start must be quick. */
function fingerprint(paths) {
  const hash = createHash('sha256')
  const visit = (path) => {
    const { mtimeMs, size } = statSync(join(root, path))
    hash.update(`${path} ${size} ${mtimeMs}\n`)
  }
  for (const path of paths) {
    if (!existsSync(join(root, path))) continue
    if (!statSync(join(root, path)).isDirectory()) {
      visit(path)
      continue
    }
    const files = readdirSync(join(root, path), { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )
    for (const file of files.map((entry) => join(entry.parentPath, entry.name)).sort())
      visit(file.slice(root.length + 1))
  }
  return hash.digest('hex')
}
