// `npm test`: unit and integration tests, then journeys in the real Electron; the last line counts them all.
// Options: --unit (no journeys), --e2e (journeys only); anything else filters.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt, everything } from '../bundle.mjs'
import { become, root, SetUpError, say } from '../context.mjs'
import { playwrightCommand } from '../journeys.mjs'

const results = join(root, 'test-results')

export async function perform(context) {
  const { node, env, args } = context
  const filters = args.filter((argument) => argument !== '--unit' && argument !== '--e2e')
  mkdirSync(results, { recursive: true })
  await ensureBuilt(node, env, args.includes('--unit') ? ['gateway'] : everything)
  const sums = []
  if (!args.includes('--e2e')) sums.push(await runUnit(context, filters))
  if (!args.includes('--unit')) sums.push(await runJourneys(context, filters))
  const passed = sums.reduce((sum, suite) => sum + suite.passed, 0)
  const failed = sums.reduce((sum, suite) => sum + suite.failed, 0)
  say(`${passed} passed, ${failed} failed`)
  return failed === 0 && passed > 0 ? 0 : 1
}

async function runUnit({ node, env }, filters) {
  const report = join(results, 'unit.json')
  rmSync(report, { force: true })
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const options = [
    '--config',
    'tests/vitest.config.ts',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]
  const code = await become(node, [vitest, 'run', ...options, ...filters], { env })
  if (!existsSync(report)) return unfinished('unit and integration tests', `vitest ended with ${code} and no report`)
  const { numPassedTests, numFailedTests, numFailedTestSuites, success } = JSON.parse(readFileSync(report, 'utf8'))
  // A file that cannot be loaded has no tests that could fail: the file itself is the failure.
  const failed = Math.max(
    numFailedTests,
    success && code === 0 ? 0 : Math.max(1, numFailedTests || numFailedTestSuites),
  )
  return { passed: numPassedTests, failed }
}

async function runJourneys(context, filters) {
  const report = join(results, 'journeys.json')
  rmSync(report, { force: true })
  let command
  try {
    command = await playwrightCommand(context, ['--config', 'tests/playwright.config.ts', ...filters])
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error
    return unfinished('journeys', error.message)
  }
  const env = { ...command.env, PLAYWRIGHT_JSON_OUTPUT_NAME: report, PLAYWRIGHT_JSON_OUTPUT_FILE: report }
  const code = await become(command.command, command.args, { env })
  if (!existsSync(report)) return unfinished('journeys', `Playwright ended with ${code} and no report`)
  const { stats, errors } = JSON.parse(readFileSync(report, 'utf8'))
  const failed = stats.unexpected + stats.flaky + stats.skipped + errors.length
  return { passed: stats.expected, failed: failed === 0 && code !== 0 ? 1 : failed }
}

function unfinished(suite, because) {
  say(`The ${suite} did not run: ${because}`)
  return { passed: 0, failed: 1 }
}
