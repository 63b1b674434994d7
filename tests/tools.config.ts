// Real command-line tools: `npm run test:tools` only, for it fetches them.
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: resolve(import.meta.dirname, '..'),
  test: {
    include: ['tests/tools/**/*.test.ts'],
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 30_000,
    reporters: ['verbose'],
  },
})
