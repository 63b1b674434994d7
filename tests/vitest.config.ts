// Unit and integration tests. Journeys, bench and the installed program have runners of their own.
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: resolve(import.meta.dirname, '..'),
  test: {
    include: ['tests/**/*.test.{ts,tsx,mjs}'],
    exclude: [
      'tests/journeys/**',
      'tests/bench/**',
      'tests/installed/**',
      'tests/tools/**',
      'tests/screenshots/**',
      'node_modules/**',
    ],
    globalSetup: ['tests/support/build-gateway.mjs'],
    // better-sqlite3 is a native module, and integration tests are processes anyway.
    pool: 'forks',
    maxWorkers: 4,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // A listener that stays open after a file is a fault of the test, not something to wait for.
    teardownTimeout: 5_000,
  },
})
