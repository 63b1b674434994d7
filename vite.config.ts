// The builds from one file, chosen by --mode: `gateway` and `explain` (headless, ESM), `electron` (main and preload,
// CommonJS), `renderer` (the window). Node code is bundled for Node 20, so that it also runs in an older development Electron.
import { builtinModules } from 'node:module'
import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type UserConfig } from 'vite'

const root = import.meta.dirname
const nodeBuiltins = [...builtinModules, ...builtinModules.map((name) => `node:${name}`)]

const node = (input: Record<string, string>, outDir: string, format: 'es' | 'cjs'): UserConfig => ({
  root,
  publicDir: false,
  resolve: { conditions: ['node', 'import', 'module', 'default'], mainFields: ['module', 'main'] },
  build: {
    target: 'node20',
    outDir,
    emptyOutDir: false,
    ssr: true,
    minify: false,
    sourcemap: true,
    rollupOptions: {
      input,
      external: [...nodeBuiltins, 'electron', 'better-sqlite3'],
      output: { format, entryFileNames: format === 'cjs' ? '[name].cjs' : '[name].js', codeSplitting: false },
    },
  },
  ssr: { noExternal: true, external: ['electron', 'better-sqlite3'] },
})

export default defineConfig(({ mode }): UserConfig => {
  switch (mode) {
    case 'gateway':
      return node({ gateway: resolve(root, 'core/main.ts') }, resolve(root, 'dist'), 'es')
    case 'explain':
      return node({ explain: resolve(root, 'core/explain.ts') }, resolve(root, 'dist'), 'es')
    case 'electron':
      return node({ main: resolve(root, 'electron/main.ts') }, resolve(root, 'dist/electron'), 'cjs')
    case 'gateway-tokens':
      return node({ 'token-worker': resolve(root, 'core/models/token-worker.ts') }, resolve(root, 'dist'), 'es')
    case 'electron-tokens':
      return node(
        { 'token-worker': resolve(root, 'core/models/token-worker.ts') },
        resolve(root, 'dist/electron'),
        'cjs',
      )
    case 'preload':
      return node({ preload: resolve(root, 'electron/preload.ts') }, resolve(root, 'dist/electron'), 'cjs')
    default:
      return {
        root: resolve(root, 'renderer'),
        base: './',
        plugins: [react()],
        build: { target: 'chrome130', outDir: resolve(root, 'dist/renderer'), emptyOutDir: true, sourcemap: false },
      }
  }
})
