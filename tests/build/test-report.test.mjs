import { describe, expect, test } from 'vitest'
import { countPlaywright, countVitest } from '../../build/test-report.mjs'

const file = (status, ...tests) => ({ status, assertionResults: tests.map((test) => ({ status: test })) })

describe('what vitest reports', () => {
  test.each([
    ['passed tests', [file('passed', 'passed', 'passed')], 0, { passed: 2, failed: 0 }],
    ['a failed one', [file('failed', 'passed', 'failed')], 1, { passed: 1, failed: 1 }],
    ['a skipped one is not left out', [file('passed', 'passed', 'skipped')], 0, { passed: 1, failed: 1 }],
    ['a file that does not load', [file('passed', 'passed'), file('failed')], 1, { passed: 1, failed: 1 }],
    ['an error outside any test', [file('passed', 'passed')], 1, { passed: 1, failed: 1 }],
    ['nothing at all', [], 0, { passed: 0, failed: 1 }],
  ])('%s', (_name, testResults, exitCode, expected) => {
    expect(countVitest({ testResults }, exitCode)).toEqual(expected)
  })
})

describe('what Playwright reports', () => {
  const stats = { expected: 3, unexpected: 0, flaky: 0, skipped: 0 }

  test.each([
    ['passed tests', stats, [], 0, { passed: 3, failed: 0 }],
    ['failed and skipped ones', { ...stats, unexpected: 1, skipped: 2 }, [], 1, { passed: 3, failed: 3 }],
    ['one that passed only when repeated', { ...stats, flaky: 1 }, [], 0, { passed: 3, failed: 1 }],
    ['an error outside any test', stats, [{}], 1, { passed: 3, failed: 1 }],
    ['nothing at all', { ...stats, expected: 0 }, [], 0, { passed: 0, failed: 1 }],
  ])('%s', (_name, counts, errors, exitCode, expected) => {
    expect(countPlaywright({ stats: counts, errors }, exitCode)).toEqual(expected)
  })
})
