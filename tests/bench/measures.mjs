// What is measured, one function a subject. Each runs once a round and puts its values down under names that
// aims.mjs knows.
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuMs, memoryMb } from './machine.mjs'
import { startBareProxy, startGateway } from './processes.mjs'
import { CHUNKS, MODELS } from './traffic.mjs'

/** The gateway writes its request log up to 250 ms after the answers: that work belongs to the run before. */
const SETTLE_MS = 350
const STREAMS = 200
const MEMORY_STREAMS = 500
const LONG_PROMPT = 100_000

export const MEASURES = { latency, rps, prompt, stream, across, failover, memory, start }

/** Runs `work` and gives its result with the CPU that target and load side used meanwhile. */
async function withCpu(run, target, work) {
  const pids = [target.pid, run.load.pid, run.upstream.pid]
  const before = pids.map(cpuMs)
  const result = await work()
  await sleep(SETTLE_MS)
  const [tested, load, upstream] = pids.map((pid, i) => cpuMs(pid) - before[i])
  return { ...result, cpuMs: tested, busy: tested / result.elapsedMs, loadBusy: (load + upstream) / result.elapsedMs }
}

/** One after the other, in an order that turns from round to round. */
async function forEachTarget(run, work) {
  const entries = Object.entries(run.targets)
  const from = run.round % entries.length
  for (const [name, target] of [...entries.slice(from), ...entries.slice(0, from)]) {
    await work(name, target)
  }
}

async function latency(run) {
  for (const concurrency of [1, 16]) {
    await forEachTarget(run, async (name, target) => {
      const { p50, p99 } = await run.load.requests(target, { model: MODELS.plain, concurrency, ms: run.times.latency })
      run.put(`latency ${concurrency} p50`, name, p50)
      run.put(`latency ${concurrency} p99`, name, p99)
      await sleep(SETTLE_MS)
    })
  }
}

async function rps(run) {
  await forEachTarget(run, async (name, target) => {
    const options = { model: MODELS.plain, concurrency: 64, ms: run.times.rps }
    const result = await withCpu(run, target, () => run.load.requests(target, options))
    run.put('latency 64 p50', name, result.p50)
    run.put('latency 64 p99', name, result.p99)
    run.put('requests/s', name, (result.count * 1000) / result.elapsedMs)
    run.put('rps busy', name, result.busy)
    run.put('rps load busy', name, result.loadBusy)
    if (name !== 'direct') run.put('cpu/request', name, result.cpuMs / result.count)
  })
}

async function prompt(run) {
  await forEachTarget(run, async (name, target) => {
    const options = { model: MODELS.plain, promptBytes: LONG_PROMPT, ms: run.times.prompt }
    const result = await withCpu(run, target, () => run.load.requests(target, options))
    run.put('prompt p50', name, result.p50)
    if (name !== 'direct') run.put('prompt cpu', name, result.cpuMs / result.count)
  })
}

async function stream(run) {
  const kinds = [
    [MODELS.paced, { rampMs: 1_000 }],
    [MODELS.fast, { ms: run.times.fast }],
  ]
  for (const [model, options] of kinds) {
    await forEachTarget(run, async (name, target) => {
      const all = { model, streams: STREAMS, ...options }
      const result = await withCpu(run, target, () => run.load.streams(target, all))
      run.put(`${model} first p50`, name, result.p50)
      run.put(`${model} first p99`, name, result.p99)
      run.put(`${model} chunks/s`, name, (result.chunks * 1000) / result.elapsedMs)
      run.put(`${model} busy`, name, result.busy)
      run.put(`${model} load busy`, name, result.loadBusy)
      if (name !== 'direct') run.put(`${model} cpu/chunk`, name, (result.cpuMs * 1000) / result.chunks)
    })
  }
}

/** An Anthropic client's streams from an OpenAI upstream; who cannot translate passes OpenAI's own on. */
async function across(run) {
  await forEachTarget(run, async (name, target) => {
    const client = name === 'gateway' ? 'anthropic' : 'chat'
    const short = { model: MODELS.short, client, concurrency: 64, ms: run.times.rps }
    const requests = await withCpu(run, target, () => run.load.requests(target, short))
    run.put('across requests/s', name, (requests.count * 1000) / requests.elapsedMs)
    if (name !== 'direct') run.put('across cpu/request', name, requests.cpuMs / requests.count)
    const long = { model: MODELS.fast, client, streams: STREAMS, ms: run.times.fast }
    const streams = await withCpu(run, target, () => run.load.streams(target, long))
    const chunks = streams.count * CHUNKS
    run.put('across chunks/s', name, (chunks * 1000) / streams.elapsedMs)
    if (name !== 'direct') run.put('across cpu/chunk', name, (streams.cpuMs * 1000) / chunks)
  })
}

/**
 * The primary connection answers 503: once as the very first request of a process that has started a moment ago, once
 * after it has worked a while. What a request costs that comes while it still starts is in `start`.
 */
async function failover(run) {
  const { load, upstream } = run
  const base = await load.requests(upstream, { model: MODELS.plain, count: 200 })
  for (const state of ['cold', 'warm']) {
    const gateway = await startGateway(run.program, upstream, run.cores)
    await sleep(run.times.rest)
    if (state === 'warm') await load.requests(gateway, { model: MODELS.plain, count: 300 })
    const { first } = await load.requests(gateway, { model: MODELS.failing, count: 1 })
    run.put(`failover ${state}`, 'gateway', first - base.p50)
    if (state === 'warm') {
      const { p50 } = await load.requests(gateway, { model: MODELS.failing, count: 200 })
      run.put('failover steady', 'gateway', p50 - base.p50)
    }
    await gateway.stop()
  }
}

async function memory(run) {
  for (const [name, begin] of starters(run)) {
    const target = await begin()
    await sleep(run.times.rest)
    run.put('memory rest', name, memoryMb(target.pid).now)
    await run.load.streams(target, { model: MODELS.fast, streams: MEMORY_STREAMS })
    await sleep(SETTLE_MS)
    const { now, peak } = memoryMb(target.pid)
    run.put('memory streams', name, now)
    run.put('memory peak', name, peak)
    await target.stop()
  }
}

async function start(run) {
  for (const [name, begin] of starters(run)) {
    const target = await begin()
    await firstAnswer(run, name, target, 'start')
    await target.stop({ keepFolder: true })
    if (target.folder === undefined) continue
    const again = await startGateway(run.program, run.upstream, run.cores, target.folder)
    await firstAnswer(run, name, again, 'restart')
    await again.stop()
  }
}

async function firstAnswer(run, name, target, what) {
  run.put(`${what} ready`, name, target.readyMs)
  await run.load.requests(target, { model: MODELS.plain, count: 1 })
  run.put(`${what} answer`, name, performance.now() - target.startedAt)
}

const starters = ({ program, upstream, cores }) => [
  ['bare', () => startBareProxy(upstream, cores)],
  ['gateway', () => startGateway(program, upstream, cores)],
]
