// What the runners report, as numbers. Whatever did not run counts as failed: nothing is left out in silence.
import { existsSync, readFileSync } from 'node:fs'

/** @returns {{ passed: number, failed: number }} */
export function countVitest({ testResults }, exitCode) {
  let passed = 0
  let failed = 0
  for (const { status, assertionResults } of testResults) {
    const good = assertionResults.filter((test) => test.status === 'passed').length
    passed += good
    // A file that could not be loaded has no tests that could fail: the file itself is the failure.
    failed += Math.max(assertionResults.length - good, status === 'failed' ? 1 : 0)
  }
  return atLeastOneFailed({ passed, failed }, exitCode)
}

/** @returns {{ passed: number, failed: number }} */
export function countPlaywright({ stats, errors }, exitCode) {
  const { expected, unexpected, flaky, skipped } = stats
  return atLeastOneFailed({ passed: expected, failed: unexpected + flaky + skipped + errors.length }, exitCode)
}

/** A runner that is not content, or that ran nothing, has failed even when no single test says so. */
const atLeastOneFailed = ({ passed, failed }, exitCode) => ({
  passed,
  failed: failed === 0 && (exitCode !== 0 || passed === 0) ? 1 : failed,
})

export function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
}
