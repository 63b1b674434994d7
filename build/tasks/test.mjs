// `npm test`: unit and integration tests, then journeys in the real Electron; the last line counts them all.
// Options: --unit (no journeys), --e2e (journeys only); anything else goes to the runners as a filter.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt, everything } from '../bundle.mjs'
import { root, SetUpError, say } from '../context.mjs'
import { playwrightCommand } from '../journeys.mjs'
import { become } from '../programs.mjs'
import { countPlaywright, countVitest, readReport } from '../test-report.mjs'

const results = join(root, 'test-results')

export async function perform(context) {
  const filters = context.args.filter((argument) => argument !== '--unit' && argument !== '--e2e')
  const suites = []
  if (!context.args.includes('--e2e')) suites.push(['unit and integration tests', runUnit])
  if (!context.args.includes('--unit')) suites.push(['journeys', runJourneys])
  mkdirSync(results, { recursive: true })
  const total = { passed: 0, failed: 0 }
  for (const [name, runSuite] of suites) {
    const { passed, failed } = await runSuite(context, filters).catch((error) => notRun(name, error))
    total.passed += passed
    total.failed += failed
  }
  say(`${total.passed} passed, ${total.failed} failed`)
  return total.failed === 0 && total.passed > 0 ? 0 : 1
}

/** The line that counts is printed even where nothing could be set up. */
export function reportFailedSetUp() {
  say('0 passed, 1 failed')
}

async function runUnit({ node, env }, filters) {
  await ensureBuilt(node, env, ['gateway'])
  const report = freshReport('unit.json')
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  // With a filter one of the suites may have nothing to run.
  const lenient = filters.length > 0 ? ['--passWithNoTests'] : []
  const args = [vitest, 'run', '--config', 'tests/vitest.config.ts', ...reporters, ...lenient, ...filters]
  return count(countVitest, report, await become(node, args, { env }), filters)
}

async function runJourneys(context, filters) {
  const { node, env } = context
  const lenient = filters.length > 0 ? ['--pass-with-no-tests'] : []
  const playwright = await playwrightCommand(context, [
    '--config',
    'tests/playwright.config.ts',
    ...lenient,
    ...filters,
  ])
  await ensureBuilt(node, env, everything)
  const report = freshReport('journeys.json')
  const code = await become(playwright.command, playwright.args, {
    env: { ...playwright.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  })
  return count(countPlaywright, report, code, filters)
}

function freshReport(name) {
  const file = join(results, name)
  rmSync(file, { force: true })
  return file
}

function count(counter, file, code, filters) {
  const report = readReport(file)
  if (report === null && filters.length > 0 && code === 0) return { passed: 0, failed: 0 }
  if (report === null) throw new SetUpError(`the runner ended with ${code} and left no report`)
  const sum = counter(report, code)
  return filters.length > 0 && code === 0 && sum.passed === 0 ? { passed: 0, failed: 0 } : sum
}

function notRun(suite, error) {
  say(`The ${suite} did not run: ${error instanceof SetUpError ? error.message : error.stack}`)
  return { passed: 0, failed: 1 }
}
