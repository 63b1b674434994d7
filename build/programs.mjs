// Running other programs: to their end, or as if we were them.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { progressStream, root, SetUpError } from './context.mjs'

const ENDING_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP']
/** How soon we notice that npm is gone. */
const PARENT_CHECK_MS = 200
/** One Ctrl+C can reach us twice: from the terminal, and passed on by npm. */
const SAME_SIGNAL_MS = 1_000

/**
 * Runs a program to its end and gives its output (when quiet). Rejects with SetUpError unless it ends with 0.
 * @param stalled ends it when `measure()` stays the same for `afterMs`
 */
export function run(command, args, { env = process.env, cwd = root, quiet = false, stalled = null } = {}) {
  return new Promise((resolve, reject) => {
    const output = quiet ? 'pipe' : progressStream()
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', output, quiet ? 'pipe' : process.stderr] })
    let text = ''
    const collect = (part) => {
      text += part
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    const watch = stalled === null ? null : watchProgress(stalled, () => child.kill('SIGKILL'))
    const letGo = endWithUs(child, (signal) => {
      child.kill(signal)
      process.exit(128 + constants.signals[signal])
    })
    child.on('error', (error) => {
      letGo()
      reject(new SetUpError(`${command} could not be started: ${error.message}`))
    })
    child.on('close', (code, signal) => {
      clearInterval(watch)
      letGo()
      if (code === 0) return resolve(text)
      const said = quiet ? `\n${text.trimEnd()}` : ''
      reject(new SetUpError(`${command} ${args.join(' ')} ended with ${code ?? signal}.${said}`))
    })
  })
}

function watchProgress({ afterMs, measure }, giveUp) {
  let last = { value: measure(), at: Date.now() }
  return setInterval(() => {
    const value = measure()
    if (value !== last.value) last = { value, at: Date.now() }
    else if (Date.now() - last.at > afterMs) giveUp()
  }, 1_000)
}

/** Becomes the program, as far as Node can: its output, signals and exit code are ours. Resolves with the exit code. */
export function become(command, args, { env = process.env, cwd = root } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: 'inherit' })
    let last = { signal: '', at: 0 }
    const letGo = endWithUs(child, (signal) => {
      // A terminal has sent its Ctrl+C to the child as well.
      if (signal === 'SIGINT' && process.stdin.isTTY) return
      if (signal === last.signal && Date.now() - last.at < SAME_SIGNAL_MS) return
      last = { signal, at: Date.now() }
      child.kill(signal)
    })
    child.on('error', (error) => {
      letGo()
      reject(new SetUpError(`${command} could not be started: ${error.message}`))
    })
    child.on('exit', (code, signal) => {
      letGo()
      resolve(code ?? 128 + constants.signals[signal])
    })
  })
}

/**
 * Tells when we are asked to end. The shell that npm puts between itself and us dies of a signal without passing it on,
 * so under npm the loss of our parent counts as one. @returns how to stop listening
 */
export function endWithUs(child, onSignal) {
  for (const signal of ENDING_SIGNALS) process.on(signal, onSignal)
  const parent = process.ppid
  let timer
  if (process.env.npm_lifecycle_event !== undefined && process.platform !== 'win32') {
    timer = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(timer)
      onSignal('SIGTERM')
    }, PARENT_CHECK_MS)
    timer.unref()
  }
  const onExit = () => child.kill()
  process.on('exit', onExit)
  return () => {
    clearInterval(timer)
    for (const signal of ENDING_SIGNALS) process.off(signal, onSignal)
    process.off('exit', onExit)
  }
}
