// A connection to the desktop's session bus, for a few questions. Written out rather than taken from a library: those
// need native modules for sockets that Node can open by itself.
import { existsSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { type BusCall, type BusMessage, type BusValue, decodeMessages, encodeCall } from './dbus-wire'

const ANSWER_WITHIN_MS = 3_000
const BUS = { destination: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus', interface: 'org.freedesktop.DBus' }

export interface SessionBus {
  /** Rejects on an error answer, and when none comes. */
  call(call: BusCall): Promise<readonly BusValue[]>
  /** Tells of signals that match the bus's own rule syntax. */
  onSignal(rule: string, listener: (signal: BusMessage) => void): Promise<void>
  onClose(listener: () => void): void
  close(): void
}

/** Where the bus listens; `\0` in front means an abstract socket. null where no bus is to be had. */
export function busSocket(
  env: Readonly<Record<string, string | undefined>>,
  exists: (path: string) => boolean = existsSync,
): string | null {
  for (const address of (env.DBUS_SESSION_BUS_ADDRESS ?? '').split(';')) {
    const [, parameters] = /^unix:(.*)$/.exec(address) ?? []
    for (const parameter of parameters?.split(',') ?? []) {
      const [key, value = ''] = parameter.split('=')
      if (key === 'path') return decodeURIComponent(value)
      if (key === 'abstract') return `\0${decodeURIComponent(value)}`
    }
  }
  const standard = env.XDG_RUNTIME_DIR === undefined ? null : `${env.XDG_RUNTIME_DIR}/bus`
  return standard !== null && exists(standard) ? standard : null
}

/** @throws when nobody answers there */
export async function connectBus(path: string): Promise<SessionBus> {
  const socket = connect({ path })
  await authenticate(socket)
  const bus = new Connection(socket)
  await bus.call({ ...BUS, member: 'Hello' })
  return bus
}

function authenticate(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    const user = Buffer.from(String(process.getuid?.() ?? 0)).toString('hex')
    let answer = ''
    const timer = setTimeout(() => fail(new Error('The bus does not answer.')), ANSWER_WITHIN_MS)
    const fail = (error: Error): void => {
      clearTimeout(timer)
      socket.destroy()
      reject(error)
    }
    const read = (chunk: Buffer): void => {
      answer += chunk.toString('latin1')
      if (!answer.includes('\r\n')) return
      if (!answer.startsWith('OK ')) return fail(new Error(`The bus refuses: ${answer.trim()}`))
      clearTimeout(timer)
      socket.off('data', read)
      socket.off('error', fail)
      socket.write('BEGIN\r\n')
      resolve()
    }
    socket.on('error', fail)
    socket.on('data', read)
    socket.write(`\0AUTH EXTERNAL ${user}\r\n`)
  })
}

interface Pending {
  readonly resolve: (body: readonly BusValue[]) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

class Connection implements SessionBus {
  private readonly pending = new Map<number, Pending>()
  private readonly listeners = new Set<(signal: BusMessage) => void>()
  private readonly closeListeners = new Set<() => void>()
  private serial = 0
  private buffer: Buffer = Buffer.alloc(0)

  constructor(private readonly socket: Socket) {
    socket.on('data', (chunk) => this.read(chunk))
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.closed())
    socket.unref()
  }

  call(call: BusCall): Promise<readonly BusValue[]> {
    return new Promise((resolve, reject) => {
      const serial = ++this.serial
      const timer = setTimeout(
        () => this.settle(serial)?.reject(new Error(`${call.member}: no answer`)),
        ANSWER_WITHIN_MS,
      )
      this.pending.set(serial, { resolve, reject, timer })
      if (this.socket.writable) this.socket.write(encodeCall(serial, call))
      else this.settle(serial)?.reject(new Error('The bus has gone.'))
    })
  }

  async onSignal(rule: string, listener: (signal: BusMessage) => void): Promise<void> {
    this.listeners.add(listener)
    await this.call({ ...BUS, member: 'AddMatch', body: [rule] })
  }

  onClose(listener: () => void): void {
    this.closeListeners.add(listener)
  }

  close(): void {
    this.socket.destroy()
  }

  private settle(serial: number): Pending | undefined {
    const waiting = this.pending.get(serial)
    this.pending.delete(serial)
    clearTimeout(waiting?.timer)
    return waiting
  }

  private read(chunk: Buffer): void {
    try {
      const { messages, rest } = decodeMessages(Buffer.concat([this.buffer, chunk]))
      this.buffer = Buffer.from(rest)
      for (const message of messages) this.receive(message)
    } catch {
      // Nothing after a message that cannot be read can be trusted.
      this.socket.destroy()
    }
  }

  private receive(message: BusMessage): void {
    if (message.type === 'signal') {
      for (const listener of this.listeners) listener(message)
      return
    }
    const waiting = message.replySerial === null ? undefined : this.settle(message.replySerial)
    if (message.type === 'error') waiting?.reject(new Error(String(message.body[0] ?? 'refused')))
    else waiting?.resolve(message.body)
  }

  private closed(): void {
    for (const serial of [...this.pending.keys()]) this.settle(serial)?.reject(new Error('The bus has gone.'))
    for (const listener of this.closeListeners) listener()
  }
}
