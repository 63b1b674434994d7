// What is measured, each in rounds in which the systems take turns. A scenario gives, per round, one record of numbers
// for each system.
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryMb, processorMs } from './machine.mjs'
import { startBare, startGateway } from './systems.mjs'

const STREAMS = 200

/** Concurrency 64 saturates the tested core: requests per second and processor time come from there. */
export async function latency(bench, concurrency) {
  const { load, durations } = bench
  return bench.rounds(async (target) => {
    const result = await withProcessor(target, () =>
      load.run({ kind: 'requests', target, concurrency, durationMs: durations.requests }),
    )
    return {
      p50: result.p50,
      p99: result.p99,
      perSecond: result.count / result.seconds,
      cpuMs: result.cpuMs === null ? null : result.cpuMs / result.count,
      busy: result.cpuMs === null ? null : result.cpuMs / (result.seconds * 1000),
    }
  })
}

export async function streams(bench, { pieces, paceMs }) {
  await bench.upstream.shape(pieces, paceMs)
  return bench.rounds(async (target) => {
    const result = await withProcessor(target, () =>
      bench.load.run({ kind: 'streams', target, streams: STREAMS, pieces }),
    )
    return {
      firstP50: result.p50,
      firstP99: result.p99,
      piecesPerSecond: result.events / result.seconds,
      cpuMsPer1000: result.cpuMs === null ? null : (result.cpuMs * 1000) / result.events,
    }
  })
}

export async function prompt(bench) {
  const { load, durations } = bench
  return bench.rounds(async (target) => {
    const job = { kind: 'requests', target, promptBytes: 100_000, durationMs: durations.prompt }
    const alone = await load.run({ ...job, concurrency: 1 })
    const crowd = await withProcessor(target, () => load.run({ ...job, concurrency: 8 }))
    return {
      p50: alone.p50,
      p99: alone.p99,
      perSecond: crowd.count / crowd.seconds,
      cpuMs: crowd.cpuMs === null ? null : crowd.cpuMs / crowd.count,
    }
  })
}

/** A fresh gateway each time: after a few answers from a healthy provider, one whose first connection says 503. */
export async function failover(bench) {
  const { load, upstream, durations } = bench
  const results = []
  for (let round = 0; round < bench.roundCount; round++) {
    const cold = await startGateway(upstream)
    const failing = (gateway) => ({ ...gateway.target, model: 'failing/m1' })
    const veryFirst = await load.run({ kind: 'requests', target: failing(cold), concurrency: 1, count: 1 })
    await cold.stop()
    const gateway = await startGateway(upstream)
    const plainFirst = await load.run({ kind: 'requests', target: gateway.target, concurrency: 1, count: 1 })
    await load.run({ kind: 'requests', target: gateway.target, concurrency: 1, count: 50 })
    const plain = await load.run({ kind: 'requests', target: gateway.target, concurrency: 1, count: 50 })
    const first = await load.run({ kind: 'requests', target: failing(gateway), concurrency: 1, count: 1 })
    await load.run({ kind: 'requests', target: failing(gateway), concurrency: 1, durationMs: durations.failover })
    const steady = await load.run({
      kind: 'requests',
      target: failing(gateway),
      concurrency: 1,
      durationMs: durations.failover,
    })
    const steadyPlain = await load.run({
      kind: 'requests',
      target: gateway.target,
      concurrency: 1,
      durationMs: durations.failover,
    })
    await gateway.stop()
    results.push({
      gateway: {
        firstAdded: first.firstMs - plain.p50,
        veryFirstAdded: veryFirst.firstMs - plainFirst.firstMs,
        steadyAdded: steady.p50 - steadyPlain.p50,
      },
    })
  }
  return results
}

export async function memory(bench) {
  const { load, upstream } = bench
  const pieces = 100
  await upstream.shape(pieces, 20)
  const results = []
  for (let round = 0; round < bench.memoryRounds; round++) {
    const result = {}
    for (const start of [startBare, startGateway]) {
      const system = await start(upstream)
      await sleep(1_500)
      const { pid, name } = system.target
      const rest = memoryMb(pid)
      await load.run({ kind: 'streams', target: system.target, streams: 500, pieces })
      await sleep(500)
      const after = memoryMb(pid)
      await system.stop()
      result[name] = {
        rest: rest?.resident ?? null,
        restPrivate: rest?.private ?? null,
        after: after?.resident ?? null,
        afterPrivate: after?.private ?? null,
        peak: after?.highest ?? null,
      }
    }
    results.push(result)
  }
  return results
}

export async function start(bench) {
  const { load, upstream } = bench
  const results = []
  for (let round = 0; round < bench.roundCount; round++) {
    const result = {}
    for (const startOne of [startBare, startGateway]) {
      const system = await startOne(upstream)
      await load.run({ kind: 'requests', target: system.target, concurrency: 1, count: 1 })
      const firstAnswerMs = performance.now() - system.startedAt
      await system.stop()
      result[system.target.name] = { readyMs: system.readyMs, firstAnswerMs }
    }
    results.push(result)
  }
  return results
}

async function withProcessor({ pid }, work) {
  const before = pid === null ? null : processorMs(pid)
  const result = await work()
  return { ...result, cpuMs: before === null ? null : processorMs(pid) - before }
}
