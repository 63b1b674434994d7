// Asks the Linux session bus one question: does this name have an owner? Thirty lines of the D-Bus wire protocol
// (dbus.freedesktop.org/doc/dbus-specification) instead of a client library for a single call.
import { connect, type Socket } from 'node:net'

const LIMIT_MS = 1_000
const METHOD_CALL = 1
const HEADER = { path: 1, interface: 2, member: 3, destination: 6, signature: 8 } as const

/** False also when there is no bus, or it does not answer in time. */
export function nameHasOwner(name: string, address: string | undefined): Promise<boolean> {
  const path = socketPath(address)
  if (path === null) return Promise.resolve(false)
  return new Promise((resolve) => {
    const socket = connect(path)
    const finish = (owned: boolean): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(owned)
    }
    const timer = setTimeout(() => finish(false), LIMIT_MS)
    socket.on('error', () => finish(false))
    socket.on('close', () => finish(false))
    socket.on('connect', () => converse(socket, name, finish))
  })
}

function converse(socket: Socket, name: string, finish: (owned: boolean) => void): void {
  const uid = Buffer.from(String(process.getuid?.() ?? 0)).toString('hex')
  let authenticated = false
  let received = Buffer.alloc(0)
  socket.write(`\0AUTH EXTERNAL ${uid}\r\n`)
  socket.on('data', (part) => {
    received = Buffer.concat([received, part])
    if (!authenticated) {
      const end = received.indexOf('\r\n')
      if (end < 0) return
      if (!received.toString('latin1', 0, end).startsWith('OK ')) return finish(false)
      authenticated = true
      received = received.subarray(end + 2)
      socket.write('BEGIN\r\n')
      socket.write(busCall(1, 'Hello', null))
      socket.write(busCall(2, 'NameHasOwner', name))
    }
    for (let message = readMessage(received); message !== null; message = readMessage(received)) {
      received = received.subarray(message.size)
      if (message.replyTo === 2) return finish(message.body.length >= 4 && message.body.readUInt32LE(0) === 1)
    }
  })
}

export function socketPath(address: string | undefined): string | null {
  for (const one of (address ?? '').split(';')) {
    const found = /^unix:(?:.*,)?(path|abstract)=([^,]+)/.exec(one)
    if (found !== null) return (found[1] === 'abstract' ? '\0' : '') + decodeURIComponent(found[2] as string)
  }
  return null
}

const align = (length: number, to: number): number => Math.ceil(length / to) * to

function string(text: string): Buffer {
  const bytes = Buffer.alloc(4 + Buffer.byteLength(text) + 1)
  bytes.writeUInt32LE(Buffer.byteLength(text), 0)
  bytes.write(text, 4)
  return bytes
}

function busCall(serial: number, member: string, argument: string | null): Buffer {
  const fields: [number, string, string][] = [
    [HEADER.path, 'o', '/org/freedesktop/DBus'],
    [HEADER.destination, 's', 'org.freedesktop.DBus'],
    [HEADER.interface, 's', 'org.freedesktop.DBus'],
    [HEADER.member, 's', member],
  ]
  let array = Buffer.alloc(0)
  const add = (bytes: Buffer): void => {
    array = Buffer.concat([array, Buffer.alloc(align(array.length, 8) - array.length), bytes])
  }
  for (const [code, type, value] of fields)
    add(Buffer.concat([Buffer.from([code, 1, type.charCodeAt(0), 0]), string(value)]))
  if (argument !== null) add(Buffer.from([HEADER.signature, 1, 'g'.charCodeAt(0), 0, 1, 's'.charCodeAt(0), 0]))
  const body = argument === null ? Buffer.alloc(0) : string(argument)
  const head = Buffer.alloc(16)
  head.set([0x6c, METHOD_CALL, 0, 1])
  head.writeUInt32LE(body.length, 4)
  head.writeUInt32LE(serial, 8)
  head.writeUInt32LE(array.length, 12)
  const padding = Buffer.alloc(align(16 + array.length, 8) - 16 - array.length)
  return Buffer.concat([head, array, padding, body])
}

/** The first whole message: its size, the serial it answers, its body. */
function readMessage(bytes: Buffer): { size: number; replyTo: number | null; body: Buffer } | null {
  if (bytes.length < 16) return null
  const bodyLength = bytes.readUInt32LE(4)
  const fieldsEnd = 16 + bytes.readUInt32LE(12)
  const start = align(fieldsEnd, 8)
  if (bytes.length < start + bodyLength) return null
  // REPLY_SERIAL: code 5, signature "u", then the number, aligned to four.
  const mark = bytes.indexOf(Buffer.from([5, 1, 'u'.charCodeAt(0), 0]), 16)
  const replyTo = mark < 0 || mark >= fieldsEnd ? null : bytes.readUInt32LE(align(mark + 4, 4))
  return { size: start + bodyLength, replyTo, body: bytes.subarray(start, start + bodyLength) }
}
