// What every task needs: where things are, how to say something, how to run something.
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
export const progressStream = () => progress
export const say = (line) => progress.write(`${line}\n`)

/** How long a log that is no terminal stays without a word. */
const QUIET_MS = 20_000

/** A failure a person can act on: its message is the whole output, no stack. */
export class SetUpError extends Error {}

/**
 * Says what is being done and, when that takes long, that it is still being done: on a terminal the seconds count up in
 * place, elsewhere a line comes now and then.
 */
export async function during(line, work) {
  const started = Date.now()
  const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`
  say(`${line} …`)
  const timer = progress.isTTY
    ? setInterval(() => progress.write(`\r  ${seconds()}`), 1_000)
    : setInterval(() => say(`  … ${seconds()}`), QUIET_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    if (progress.isTTY && Date.now() - started > 1_000) progress.write(`\r  ${seconds()}\n`)
  }
}

/** npm as a program to run: the one that runs us, where there is one. */
export function npm(...args) {
  const script = process.env.npm_execpath
  return script?.endsWith('.js')
    ? [process.execPath, [script, ...args]]
    : [process.platform === 'win32' ? 'npm.cmd' : 'npm', args]
}
