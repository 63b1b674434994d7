// The load generator: a process of its own that is told over IPC what to send and answers with what it measured.
import { Exchange, openSockets } from './load-sockets.mjs'
import { percentile } from './numbers.mjs'
import { eventsFor, requestBytes } from './traffic.mjs'

/** Nothing here takes so long: what does hangs. */
const GIVE_UP_MS = 60_000

const JOBS = { requests, streams }

/** As many requests as `concurrency` connections can make in `ms`, or exactly `count` one after the other. */
async function requests({ port, model, client, promptBytes, concurrency = 1, ms = 0, count = 0 }) {
  const bytes = requestBytes({ port, model, client, promptBytes })
  const sockets = await openSockets(port, concurrency)
  const times = []
  const startedAt = performance.now()
  let failed = 0
  const loop = (socket) =>
    new Promise((resolve, reject) => {
      const next = () => socket.send(bytes, new Exchange(done, reject))
      const done = ({ sentAt, ok }) => {
        const now = performance.now()
        times.push(now - sentAt)
        if (!ok) failed++
        if (count > 0 ? times.length >= count : now - startedAt >= ms) resolve()
        else next()
      }
      next()
    })
  try {
    await Promise.all(sockets.map(loop))
  } finally {
    for (const socket of sockets) socket.close()
  }
  const elapsedMs = performance.now() - startedAt
  const first = times[0]
  times.sort((a, b) => a - b)
  return { count: times.length, failed, elapsedMs, first, p50: percentile(times, 0.5), p99: percentile(times, 0.99) }
}

/** `streams` streams at a time, begun over `rampMs`, in waves until `ms` have passed. */
async function streams({ port, model, client, streams: width, rampMs = 0, ms = 0 }) {
  const bytes = requestBytes({ port, model, client })
  const whole = eventsFor(client)
  const sockets = await openSockets(port, width)
  const firsts = []
  const startedAt = performance.now()
  let chunks = 0
  let failed = 0
  const one = (socket, afterMs) =>
    new Promise((resolve, reject) => {
      const done = ({ sentAt, firstAt, ok, events }) => {
        firsts.push(firstAt - sentAt)
        chunks += events
        if (!ok || events !== whole) failed++
        resolve()
      }
      const begin = () => socket.send(bytes, new Exchange(done, reject))
      if (afterMs === 0) begin()
      else setTimeout(begin, afterMs)
    })
  try {
    do await Promise.all(sockets.map((socket, i) => one(socket, (i * rampMs) / width)))
    while (performance.now() - startedAt < ms)
  } finally {
    for (const socket of sockets) socket.close()
  }
  const elapsedMs = performance.now() - startedAt
  firsts.sort((a, b) => a - b)
  return {
    count: firsts.length,
    failed,
    chunks,
    elapsedMs,
    p50: percentile(firsts, 0.5),
    p99: percentile(firsts, 0.99),
  }
}

process.on('message', async ({ id, job, options }) => {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end after ${GIVE_UP_MS / 1000} s`)), GIVE_UP_MS)
  })
  try {
    process.send({ id, result: await Promise.race([JOBS[job](options), late]) })
  } catch (error) {
    process.send({ id, error: error.message })
  }
  clearTimeout(timer)
})
process.on('disconnect', () => process.exit(0))
process.stdout.write(`${JSON.stringify({ event: 'listening', url: 'http://127.0.0.1:0' })}\n`)
