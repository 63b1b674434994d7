// Keep-alive connections that send ready-made bytes and read of an answer only what is measured: whether it is a 200,
// when its first byte came, how many events it held, where it ended.
import { connect } from 'node:net'

const HEAD_END = Buffer.from('\r\n\r\n')
const EVENT_END = Buffer.from('\n\n')
const LF = 0x0a
const BODY_END = '0\r\n\r\n'

export const openSockets = (port, count) => Promise.all(Array.from({ length: count }, () => openSocket(port)))

const openSocket = (port) =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => {
      socket.off('error', reject)
      resolve(new LoadSocket(socket))
    })
    socket.once('error', reject)
  })

class LoadSocket {
  constructor(socket) {
    this.socket = socket
    this.exchange = null
    socket.on('data', (chunk) => this.exchange?.take(chunk))
    socket.on('error', (error) => this.exchange?.fail(error))
    socket.on('close', () => this.exchange?.fail(new Error('the connection was closed in the middle of an answer')))
  }

  /** Sends and calls back with the times of the answer; an answer that is not a 200 counts as failed. */
  send(bytes, exchange) {
    this.exchange = exchange
    exchange.sentAt = performance.now()
    this.socket.write(bytes)
  }

  close() {
    this.exchange = null
    this.socket.destroy()
  }
}

/** One answer as it comes in, whole or streamed. */
export class Exchange {
  sentAt = 0
  firstAt = 0
  events = 0
  ok = false
  missing = -1
  chunked = false
  head = null
  endsWithLf = false
  ending = ''

  constructor(done, fail) {
    this.done = done
    this.fail = fail
  }

  take(chunk) {
    if (this.firstAt !== 0) return this.body(chunk, 0)
    const bytes = this.head === null ? chunk : Buffer.concat([this.head, chunk])
    const at = bytes.indexOf(HEAD_END)
    // A status without a byte of content is no first byte.
    if (at < 0 || at + 4 === bytes.length) {
      this.head = bytes
      return
    }
    this.firstAt = performance.now()
    const head = bytes.latin1Slice(0, at)
    this.ok = head.startsWith('200', 9)
    const length = /content-length: *(\d+)/i.exec(head)
    this.chunked = length === null
    this.missing = length === null ? 0 : Number(length[1])
    this.body(bytes, at + 4)
  }

  body(bytes, from) {
    if (!this.chunked) {
      this.missing -= bytes.length - from
      if (this.missing <= 0) this.done(this)
      return
    }
    this.countEvents(bytes, from)
    const last = bytes.latin1Slice(Math.max(from, bytes.length - BODY_END.length))
    this.ending = (this.ending + last).slice(-BODY_END.length)
    if (this.ending === BODY_END) this.done(this)
  }

  countEvents(bytes, from) {
    let at = from
    if (this.endsWithLf && bytes[at] === LF) {
      this.events++
      at++
    }
    for (let end = bytes.indexOf(EVENT_END, at); end >= 0; end = bytes.indexOf(EVENT_END, at)) {
      this.events++
      at = end + 2
    }
    this.endsWithLf = at < bytes.length && bytes[bytes.length - 1] === LF
  }
}
