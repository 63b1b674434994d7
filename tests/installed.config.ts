// The installed development build: `npm run test:installed` only, for it installs a package on this machine.
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: resolve(import.meta.dirname, '..'),
  test: {
    include: ['tests/installed/**/*.test.ts'],
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 180_000,
    // One story, told in order: without the install nothing else means anything.
    bail: 1,
  },
})
