// Pictures of every page for the documentation: `npm run screenshots` writes them to docs/screenshots.
import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: 'screenshots',
  outputDir: '../test-results/screenshots',
  workers: 1,
  timeout: 120_000,
  reporter: [['list']],
})
