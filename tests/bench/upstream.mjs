// The fake upstream, as cheap as Node allows: sockets and ready-made bytes, so that it does not become what is
// measured. It reads of a request only its length, its model and whose key it bears.
import { createServer } from 'node:net'
import {
  CHUNKS,
  CONTENT_EVENT,
  LAST_EVENTS,
  MODELS,
  PACE_MS,
  PRIMARY_KEY,
  SHORT_CHUNKS,
  UNAVAILABLE,
  WHOLE_ANSWER,
} from './traffic.mjs'

/** Chunks of a fast stream that leave together: what a provider's own buffers do under load. */
const BURST = 4

const whole = (status, body) =>
  Buffer.from(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\nx-request-id: req_bench\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
const framed = (text) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

const OK = whole('200 OK', WHOLE_ANSWER)
const NO_MODELS = whole('200 OK', '{"object":"list","data":[]}')
const FAIL = whole('503 Service Unavailable', UNAVAILABLE)
const CHUNK = Buffer.from(framed(CONTENT_EVENT))
const CHUNK_BURST = Buffer.from(framed(CONTENT_EVENT).repeat(BURST))
const FIRST = Buffer.concat([
  Buffer.from(
    'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ncache-control: no-cache\r\nx-request-id: req_bench\r\ntransfer-encoding: chunked\r\n\r\n',
  ),
  CHUNK,
])
const LAST = Buffer.from(`${framed(LAST_EVENTS)}0\r\n\r\n`)
const SHORT = Buffer.concat([FIRST, ...Array(SHORT_CHUNKS - 1).fill(CHUNK), LAST])
const HEAD_END = Buffer.from('\r\n\r\n')
const MODEL_MARK = Buffer.from('"model":"')
/** The model's name stands within so many bytes of the body. */
const MODEL_WITHIN = 128

/** Streams under way. Paced ones are spread over the milliseconds of the pace, as independent answers are. */
const paced = Array.from({ length: PACE_MS }, () => new Set())
const fast = new Set()
let turn = 0
let running = false

function answer(socket, model, head) {
  switch (model) {
    case MODELS.paced:
    case MODELS.fast: {
      const stream = { socket, left: CHUNKS - 1 }
      socket.write(FIRST)
      if (model === MODELS.paced) return paced[turn % PACE_MS].add(stream)
      fast.add(stream)
      if (!running) {
        running = true
        setImmediate(pumpFast)
      }
      return
    }
    case MODELS.short:
      return socket.write(SHORT)
    case MODELS.failing:
      return socket.write(head.includes(PRIMARY_KEY) ? FAIL : OK)
    default:
      return socket.write(OK)
  }
}

function pumpFast() {
  for (const stream of fast) {
    const { socket } = stream
    if (socket.destroyed) fast.delete(stream)
    else if (!socket.writableNeedDrain) advance(stream, fast, Math.min(BURST, stream.left))
  }
  running = fast.size > 0
  if (running) setImmediate(pumpFast)
}

function advance(stream, set, count) {
  if (stream.left === 0) {
    set.delete(stream)
    stream.socket.write(LAST)
    return
  }
  stream.left -= count
  stream.socket.write(count === BURST ? CHUNK_BURST : count === 1 ? CHUNK : Buffer.concat(Array(count).fill(CHUNK)))
}

// A timer of 1 ms is often late: what is due by the clock is sent, so that the pace holds.
let due = performance.now()
setInterval(() => {
  for (const now = performance.now(); due <= now; due += 1) {
    turn++
    const streams = paced[turn % PACE_MS]
    for (const stream of streams) {
      if (stream.socket.destroyed) streams.delete(stream)
      else advance(stream, streams, Math.min(1, stream.left))
    }
  }
}, 1)

const server = createServer({ noDelay: true }, (socket) => {
  let pending = null
  let missing = 0
  let head = ''
  let model = ''
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    if (missing > 0) {
      missing -= chunk.length
      if (missing <= 0) answer(socket, model, head)
      return
    }
    const bytes = pending === null ? chunk : Buffer.concat([pending, chunk])
    pending = null
    const headEnd = bytes.indexOf(HEAD_END)
    if (headEnd < 0) {
      pending = bytes
      return
    }
    head = bytes.latin1Slice(0, headEnd)
    const bodyAt = headEnd + HEAD_END.length
    const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0)
    // A gateway also asks what models there are.
    if (length === 0) return socket.write(NO_MODELS)
    const here = bytes.length - bodyAt
    if (here < Math.min(MODEL_WITHIN, length)) {
      pending = bytes
      return
    }
    model = modelOf(bytes, bodyAt)
    missing = length - here
    if (missing <= 0) answer(socket, model, head)
  })
})

/** "fake/plain" and "plain" are the same here: who calls directly writes what it would write to a proxy. */
function modelOf(bytes, from) {
  const at = bytes.indexOf(MODEL_MARK, from) + MODEL_MARK.length
  const name = bytes.latin1Slice(at, bytes.indexOf('"', at))
  return name.slice(name.indexOf('/') + 1)
}

server.listen({ port: 0, host: '127.0.0.1', backlog: 1024 }, () => {
  const { port } = server.address()
  process.stdout.write(`${JSON.stringify({ event: 'listening', url: `http://127.0.0.1:${port}` })}\n`)
})
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
