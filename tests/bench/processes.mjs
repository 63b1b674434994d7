// The processes of a run: each prints one JSON line when it is ready, is pinned where that is possible, and ends with us.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gatewayConfig } from './traffic.mjs'

const here = import.meta.dirname
const READY_WITHIN_MS = 20_000
const KEPT_STDERR = 2_000

const running = new Set()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts `node file …args` and resolves when it says that it listens. */
async function start(file, args, core) {
  const command = core === null ? [process.execPath] : ['taskset', '-c', String(core), process.execPath]
  const startedAt = performance.now()
  const child = spawn(command[0], [...command.slice(1), file, ...args], {
    env: { PATH: process.env.PATH ?? '', HOME: tmpdir() },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  running.add(child)
  const ended = once(child, 'exit').finally(() => running.delete(child))
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr = (stderr + text).slice(-KEPT_STDERR)
  })
  const { url } = await firstLine(child, ended, () => stderr)
  const readyMs = performance.now() - startedAt
  return {
    child,
    pid: child.pid,
    url,
    port: Number(new URL(url).port),
    startedAt,
    readyMs,
    async stop() {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), 5_000)
      await ended
      clearTimeout(timer)
    },
  }
}

function firstLine(child, ended, stderr) {
  return new Promise((resolve, reject) => {
    const fail = (what) => {
      clearTimeout(timer)
      reject(new Error(`${child.spawnargs.at(-1)}: ${what}\n${stderr()}`))
    }
    const timer = setTimeout(() => fail('it was not ready in time'), READY_WITHIN_MS)
    let text = ''
    child.on('error', reject)
    child.stdout.setEncoding('utf8').on('data', (part) => {
      text += part
      const line = text.split('\n').find((one) => one.startsWith('{') && one.endsWith('}'))
      if (line === undefined) return
      clearTimeout(timer)
      const event = JSON.parse(line)
      if (event.event === 'listening') resolve(event)
      else fail(line)
    })
    ended.then(([code]) => fail(`it ended with ${code}`), reject)
  })
}

export const startUpstream = (cores) => start(join(here, 'upstream.mjs'), [], cores?.load ?? null)

export const startBareProxy = (upstream, cores) =>
  start(join(here, 'bare-proxy.mjs'), [upstream.url], cores?.tested ?? null)

/** A gateway with a folder of its own; or again with a folder that an earlier one has left. */
export async function startGateway(program, upstream, cores, dataDir = null) {
  const folder = dataDir ?? mkdtempSync(join(tmpdir(), 'breakwater-bench-'))
  const args = ['--port', '0', '--data-dir', folder]
  if (dataDir === null) {
    const file = join(folder, 'import.json')
    writeFileSync(file, JSON.stringify(gatewayConfig(upstream.url)))
    args.push('--import', file)
  }
  const gateway = await start(program, args, cores?.tested ?? null)
  return {
    ...gateway,
    folder,
    async stop({ keepFolder = false } = {}) {
      await gateway.stop()
      if (!keepFolder) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The load generator, with its jobs as methods that reject when an answer was wrong. */
export async function startLoad(cores) {
  const load = await start(join(here, 'load.mjs'), [], cores?.load ?? null)
  let lastId = 0
  const waiting = new Map()
  load.child.on('message', (message) => {
    waiting.get(message.id)?.(message)
    waiting.delete(message.id)
  })
  const ask = (job) => async (target, options) => {
    const id = ++lastId
    const answered = new Promise((resolve) => waiting.set(id, resolve))
    load.child.send({ id, job, options: { port: target.port, ...options } })
    const { result, error } = await answered
    const what = `${job} ${JSON.stringify(options)}`
    if (error !== undefined) throw new Error(`${what}: ${error}`)
    if (result.failed > 0) throw new Error(`${what}: ${result.failed} of ${result.count} answers were wrong`)
    return result
  }
  return { ...load, requests: ask('requests'), streams: ask('streams') }
}
