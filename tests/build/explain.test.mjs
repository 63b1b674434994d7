import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensureBuilt } from '../../build/bundle.mjs'

const root = resolve(import.meta.dirname, '../..')
let folder
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'breakwater-explain-'))
  await ensureBuilt(process.execPath, process.env, ['explain'])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(args, input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'dist/explain.js'), ...args], {
    input,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

function file(text) {
  const path = join(folder, 'signals.json')
  writeFileSync(path, text)
  return path
}

describe('the explain command', () => {
  it('prints one explanation for each signal, and nothing else', () => {
    const { status, stdout, stderr } = run([join(root, 'tests/fixtures/signals.json')])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const explained = JSON.parse(stdout)
    expect(explained.length).toBeGreaterThan(50)
    expect(Object.keys(explained[0] ?? {})).toEqual(['id', 'kind', 'reason', 'scope', 'retryAfterMs', 'consequences'])
  })

  it('reads standard input', () => {
    const signal = { id: 'a', provider: 'openai', status: 503, now: '2026-11-30T02:50:00Z' }
    expect(JSON.parse(run(['-'], JSON.stringify([signal])).stdout)).toMatchObject([{ id: 'a', kind: 'server' }])
    expect(run(['-'], '[]').stdout).toBe('[]\n')
  })

  it.each([
    ['no file', () => [], 'Usage:'],
    ['a file that is not there', () => [join(folder, 'none.json')], 'cannot be read (ENOENT)'],
    ['no JSON', () => [file('[{"body": "sk-secret')], 'is not valid JSON'],
    ['a wrong field', () => [file('[{"id":"a","provider":"openai","status":1,"now":0}]')], '[0].status: must be'],
  ])('says what is wrong with %s on stderr, and ends with 2', (_what, args, message) => {
    const { status, stdout, stderr } = run(args())
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('sk-secret')
  })
})
