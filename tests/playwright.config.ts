// Journeys: whole stories in the real Electron. `npm test` finds the runtime, a screen and a session bus for them.
import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: 'journeys',
  outputDir: '../test-results/journeys',
  // Each starts an app of its own; more at once would measure the machine, not the app.
  workers: 1,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json']],
  use: { trace: 'retain-on-failure', screenshot: 'only-on-failure' },
})
