import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { run } from '../../build/programs.mjs'

const programs = resolve(import.meta.dirname, '../../build/programs.mjs')
const isAlive = (pid) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** A process that becomes `script`, as a task becomes the gateway; says the pid of the inner one. */
async function becoming(script, { env = {}, shell = false } = {}) {
  // It says its number last: only then it is ready for signals.
  const inner = `${script}; console.log(process.pid)`
  const outer = `import { become } from ${JSON.stringify(programs)}
    process.exitCode = await become(process.execPath, ['-e', ${JSON.stringify(inner)}])`
  const args = ['--input-type=module', '-e', outer]
  const options = { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] }
  const child = shell
    ? spawn('sh', ['-c', '"$@"; exit $?', 'sh', process.execPath, ...args], options)
    : spawn(process.execPath, args, options)
  const [line] = await once(child.stdout, 'data')
  return { child, inner: Number(line) }
}

describe('becoming another program', () => {
  test('its exit code is ours', async () => {
    const { child } = await becoming('process.exitCode = 5')
    expect(await once(child, 'exit')).toEqual([5, null])
  })

  test('SIGTERM reaches it, and it ends in its own way', async () => {
    const { child } = await becoming("process.on('SIGTERM', () => process.exit(7)); setInterval(() => {}, 1000)")
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([7, null])
  })

  test('the same signal twice in a row reaches it once', async () => {
    const script = `let n = 0; process.on('SIGTERM', () => { n++; setTimeout(() => process.exit(n), 300) })`
    const { child } = await becoming(`${script}; setInterval(() => {}, 1000)`)
    child.kill('SIGTERM')
    await new Promise((resolve) => setTimeout(resolve, 50))
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([1, null])
  })

  test('it ends when the shell of npm is killed above us', async () => {
    const { child, inner } = await becoming('setInterval(() => {}, 1000)', {
      env: { npm_lifecycle_event: 'gateway' },
      shell: true,
    })
    child.kill('SIGTERM')
    await expect.poll(() => isAlive(inner), { timeout: 3_000 }).toBe(false)
  })
})

describe('running a program to its end', () => {
  test('gives its output', async () => {
    expect(await run(process.execPath, ['-e', 'console.log("hello")'], { quiet: true })).toBe('hello\n')
  })

  test('a failure tells what it said', async () => {
    const failing = run(process.execPath, ['-e', 'console.error("no room"); process.exit(3)'], { quiet: true })
    await expect(failing).rejects.toThrow(/ended with 3\.\nno room/)
  })

  test('a program that cannot be started is named', async () => {
    await expect(run('no-such-program', [], { quiet: true })).rejects.toThrow(/^no-such-program could not be started/)
  })

  test('one that makes no progress is given up', async () => {
    const stalled = { afterMs: 100, measure: () => 0 }
    const hanging = run(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { quiet: true, stalled })
    await expect(hanging).rejects.toThrow(/ended with SIGKILL/)
  })
})
