// What every task needs: where things are, how to say something, how to run something.
import { spawn } from 'node:child_process'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** Downloads that are not the project's dependencies: kept outside the repository, shared by all clones. */
export const cacheDir =
  process.env.BREAKWATER_CACHE ?? join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'breakwater')

/** A task that promises something on stdout (the gateway) has its progress on stderr. */
let progress = process.stdout
export const sayOnStderr = () => {
  progress = process.stderr
}
export const say = (line) => progress.write(`${line}\n`)

/** A failure a person can act on: its message is the whole output, no stack. */
export class SetUpError extends Error {}

/** Runs a program to its end. Rejects with SetUpError unless it ends with 0. */
export function run(command, args, { env = process.env, cwd = root, quiet = false, timeoutMs = 0 } = {}) {
  return new Promise((resolve, reject) => {
    const output = quiet ? 'pipe' : progress
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', output, quiet ? 'pipe' : process.stderr] })
    let text = ''
    child.stdout?.on('data', (part) => {
      text += part
    })
    child.stderr?.on('data', (part) => {
      text += part
    })
    const timer = timeoutMs > 0 ? setTimeout(() => child.kill('SIGKILL'), timeoutMs) : null
    child.on('error', (error) => reject(new SetUpError(`${command} could not be started: ${error.message}`)))
    child.on('exit', (code, signal) => {
      clearTimeout(timer)
      if (code === 0) resolve(text)
      else
        reject(
          new SetUpError(
            `${command} ${args.join(' ')} ended with ${code ?? signal}.${quiet ? `\n${text.trimEnd()}` : ''}`,
          ),
        )
    })
  })
}

/**
 * Becomes the program, as far as Node can: its output, signals and exit code are ours. Resolves with the exit code.
 */
export function become(command, args, { env = process.env, cwd = root } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: 'inherit' })
    const forward = (signal) => child.kill(signal)
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, forward)
    child.on('error', (error) => reject(new SetUpError(`${command} could not be started: ${error.message}`)))
    child.on('exit', (code, signal) => resolve(code ?? (signal === null ? 1 : 128)))
  })
}

/** npm as a program to run: the one that runs us, where there is one. */
export function npm(...args) {
  const script = process.env.npm_execpath
  return script?.endsWith('.js')
    ? [process.execPath, [script, ...args]]
    : [process.platform === 'win32' ? 'npm.cmd' : 'npm', args]
}
