// The simulation in one file, for whichever Node runs it.
import { resolve } from 'node:path'
import { defineConfig } from 'vite'

const root = resolve(import.meta.dirname, '../../..')

export default defineConfig({
  root,
  publicDir: false,
  build: {
    ssr: resolve(import.meta.dirname, 'main.ts'),
    outDir: resolve(root, 'dist/bench'),
    emptyOutDir: true,
    target: 'node20',
    minify: false,
    rollupOptions: { output: { format: 'es', entryFileNames: 'strategies.mjs' } },
  },
  ssr: { noExternal: true, external: ['better-sqlite3'] },
})
