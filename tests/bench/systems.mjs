// The processes of one bench: the upstream, the load generator, and what is measured between them.
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { endProcess, startNode } from './machine.mjs'

const here = import.meta.dirname
const GATEWAY = resolve(here, '../../dist/gateway.js')
const KEY = 'bw-0123456789abcdef0123456789abcdef'
const PATH = '/v1/chat/completions'

export const gatewayExists = () => existsSync(GATEWAY)

export async function startUpstream() {
  const child = startNode('feeding', [join(here, 'upstream.mjs')], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const [{ port }] = await once(child, 'message')
  return {
    port,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    failingUrl: `http://127.0.0.1:${port}/fail/v1`,
    /** How the next streams look: how many pieces, and the milliseconds between two of them. */
    async shape(pieces, paceMs) {
      const shaped = once(child, 'message')
      child.send({ pieces, paceMs })
      await shaped
    },
    target: { name: 'direct', pid: null, host: '127.0.0.1', port, path: PATH, key: 'sk-bench', model: 'm1' },
    stop: () => endProcess(child),
  }
}

export function startLoad() {
  const child = startNode('feeding', [join(here, 'load.mjs')], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  let count = 0
  return {
    async run(job) {
      const id = ++count
      child.send({ id, job })
      const [answer] = await once(child, 'message')
      if (answer.error !== undefined) throw new Error(`${job.target.name}: ${answer.error}`)
      if (answer.result.errors > 0) throw new Error(`${job.target.name}: ${answer.result.errors} answers were wrong`)
      return answer.result
    },
    stop: () => endProcess(child),
  }
}

export const startBare = (upstream) => startTested('bare', [join(here, 'bare-proxy.mjs'), upstream.baseUrl], () => {})

/** A gateway with a data folder of its own; `fake/m1` answers, `failing/m1` answers on its second connection. */
export async function startGateway(upstream) {
  const folder = mkdtempSync(join(tmpdir(), 'breakwater-bench-'))
  const config = join(folder, 'import.json')
  writeFileSync(config, JSON.stringify(configuration(upstream)))
  const args = [GATEWAY, '--port', '0', '--data-dir', join(folder, 'data'), '--import', config]
  return startTested('gateway', args, () => rmSync(folder, { recursive: true, force: true }))
}

const configuration = ({ baseUrl, failingUrl }) => ({
  version: 1,
  clientKeys: [{ name: 'bench', key: KEY }],
  providers: [
    { id: 'fake', label: 'Fake', class: 'apikey', dialect: 'openai-chat', baseUrl },
    { id: 'failing', label: 'Failing', class: 'apikey', dialect: 'openai-chat', baseUrl },
  ],
  connections: [
    { provider: 'fake', name: 'a', apiKey: 'sk-bench', priority: 1 },
    { provider: 'failing', name: 'down', apiKey: 'sk-bench', priority: 1, baseUrl: failingUrl },
    { provider: 'failing', name: 'up', apiKey: 'sk-bench', priority: 2 },
  ],
})

/** Starts a process that prints where it listens, and says how long that took. */
async function startTested(name, args, cleanUp) {
  const startedAt = performance.now()
  const child = startNode('tested', args, { stdio: ['ignore', 'pipe', 'pipe'], env: cleanEnvironment() })
  const url = await listeningUrl(child, name)
  const readyMs = performance.now() - startedAt
  const { hostname, port } = new URL(url)
  return {
    startedAt,
    readyMs,
    target: { name, pid: child.pid, host: hostname, port: Number(port), path: PATH, key: KEY, model: 'fake/m1' },
    async stop() {
      await endProcess(child)
      cleanUp()
    },
  }
}

/** Nothing of this shell's proxies and settings. */
const cleanEnvironment = () => ({ PATH: process.env.PATH, HOME: process.env.HOME })

function listeningUrl(child, name) {
  return new Promise((done, failed) => {
    let out = ''
    let err = ''
    child.stderr.setEncoding('utf8').on('data', (text) => {
      err = (err + text).slice(-4000)
    })
    child.stdout.setEncoding('utf8').on('data', (text) => {
      out += text
      const line = out.split('\n').find((one) => one.startsWith('{') && one.endsWith('}'))
      if (line === undefined) return
      const event = JSON.parse(line)
      if (event.event === 'listening') done(event.url)
      else failed(new Error(`${name}: ${event.message}`))
    })
    child.on('error', failed)
    child.on('exit', (code) => failed(new Error(`${name} ended with ${code}: ${err}`)))
  })
}
