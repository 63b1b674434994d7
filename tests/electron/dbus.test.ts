import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
// Messages as a reference implementation writes them.
import { Message, MessageType, Variant } from 'dbus-next'
import { afterEach, describe, expect, it } from 'vitest'
import { type BusMessage, decodeMessages as decode, decodeMessages, encodeCall } from '../../electron/dbus-wire'
import { busSocket, connectBus, type SessionBus } from '../../electron/session-bus'
import { watchBus } from '../../electron/tray-host'

type Marshal = (message: Message) => [Buffer, number[]]
const { marshallMessage } = (await import('dbus-next/lib/marshall-compat.js' as string)) as { marshallMessage: Marshal }
/** The type declaration of the library names the wrong type for what it wants. */
const errorFor = Message.newError as unknown as (question: Message, name: string, text: string) => Message
const bytesOf = (message: Message, serial: number): Buffer => {
  message.serial = serial
  return marshallMessage(message)[0]
}

describe('the wire format', () => {
  it('of a call is read back as it was written', () => {
    const call = {
      destination: 'org.example.A',
      path: '/a/b',
      interface: 'org.example.I',
      member: 'Do',
      body: ['one', 'zwei ü'],
    }
    const { messages, rest } = decodeMessages(encodeCall(7, call))
    expect(messages).toEqual([{ type: 'call', replySerial: null, member: 'Do', body: ['one', 'zwei ü'] }])
    expect(rest).toHaveLength(0)
  })

  it('of a call is what a reference implementation writes', () => {
    const call = {
      destination: 'org.freedesktop.DBus',
      path: '/org/freedesktop/DBus',
      interface: 'org.freedesktop.DBus',
      member: 'NameHasOwner',
      body: ['org.kde.X'],
    }
    const reference = bytesOf(
      new Message({ type: MessageType.METHOD_CALL, ...call, signature: 's', body: [...call.body] }),
      3,
    )
    // The order of header fields is free: the same message when read.
    expect(decodeMessages(encodeCall(3, call)).messages).toEqual(decodeMessages(reference).messages)
  })

  it('of answers and signals is understood', () => {
    const question = new Message({ destination: 'a.b', path: '/', interface: 'a.b', member: 'C' })
    question.serial = 5
    question.sender = ':1.2'
    const bytes = Buffer.concat([
      bytesOf(Message.newMethodReturn(question, 'b', [true]), 1),
      bytesOf(Message.newMethodReturn(question, 'v', [new Variant('b', false)]), 2),
      bytesOf(errorFor(question, 'a.b.Error', 'no'), 3),
      bytesOf(Message.newSignal('/', 'a.b', 'NameOwnerChanged', 'sss', ['x', '', ':1.9']), 4),
    ])
    expect(decodeMessages(bytes).messages).toEqual<BusMessage[]>([
      { type: 'return', replySerial: 5, member: '', body: [true] },
      { type: 'return', replySerial: 5, member: '', body: [false] },
      { type: 'error', replySerial: 5, member: '', body: ['no'] },
      { type: 'signal', replySerial: null, member: 'NameOwnerChanged', body: ['x', '', ':1.9'] },
    ])
  })

  it('waits for the rest of a message that came in pieces', () => {
    const bytes = encodeCall(1, { destination: 'a.b', path: '/', interface: 'a.b', member: 'C', body: ['text'] })
    for (let cut = 0; cut < bytes.length; cut++) {
      const { messages, rest } = decodeMessages(bytes.subarray(0, cut))
      expect(messages).toEqual([])
      expect(decodeMessages(Buffer.concat([rest, bytes.subarray(cut)])).messages).toHaveLength(1)
    }
  })
})

describe('the bus’s address', () => {
  it.each([
    ['unix:path=/run/user/1000/bus', '/run/user/1000/bus'],
    ['unix:path=/tmp/a%20b,guid=12', '/tmp/a b'],
    ['tcp:host=x;unix:abstract=/tmp/dbus-1,guid=3', '\0/tmp/dbus-1'],
    ['tcp:host=x', null],
    ['', null],
  ])('%s', (address, path) => {
    expect(busSocket({ DBUS_SESSION_BUS_ADDRESS: address }, () => false)).toBe(path)
  })
  it('is the standard one where none is given', () => {
    expect(busSocket({ XDG_RUNTIME_DIR: '/run/user/7' }, () => true)).toBe('/run/user/7/bus')
  })
})

describe('a connection', () => {
  let server: Server | null = null
  let folder = ''
  const sockets = new Set<Socket>()
  afterEach(() => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
    server?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Answers each call by its member; `undefined` says nothing. */
  async function busWith(answer: (member: string) => [string, unknown[]] | undefined, greeting = 'OK 1234') {
    folder = mkdtempSync(join(tmpdir(), 'breakwater-bus-'))
    const path = join(folder, 'bus')
    let peer: Socket | null = null
    server = createServer((socket) => {
      sockets.add(socket)
      peer = socket
      let begun = false
      let serial = 0
      socket.on('data', (data) => {
        if (!begun && data.includes('AUTH')) return void socket.write(`${greeting}\r\n`)
        const begin = data.indexOf('BEGIN\r\n')
        begun ||= begin >= 0
        const bytes = begin >= 0 ? data.subarray(begin + 7) : data
        for (let rest = bytes; rest.length > 0; ) {
          const length = 16 + rest.readUInt32LE(12)
          const size = length + ((8 - (length % 8)) % 8) + rest.readUInt32LE(4)
          const [message] = decode(rest.subarray(0, size)).messages
          const answered = message === undefined ? undefined : (greet(message.member) ?? answer(message.member))
          if (answered !== undefined) {
            const question = new Message({ destination: 'a.b', path: '/', interface: 'a.b', member: 'C' })
            question.serial = rest.readUInt32LE(8)
            question.sender = ':1.1'
            socket.write(bytesOf(Message.newMethodReturn(question, ...answered), ++serial))
          }
          rest = rest.subarray(size)
        }
      })
      socket.on('error', () => {})
    })
    await new Promise<void>((resolve) => server?.listen(path, resolve))
    const signal = (member: string): void =>
      void peer?.write(bytesOf(Message.newSignal('/', 'org.freedesktop.DBus', member, 'sss', ['n', '', '']), 99))
    return { path, signal, drop: () => peer?.destroy() }
  }
  const greet = (member: string): [string, unknown[]] | undefined =>
    member === 'Hello' ? ['s', [':1.5']] : member === 'AddMatch' ? ['', []] : undefined
  const silent = (): undefined => undefined

  it('is refused when the bus refuses', async () => {
    const { path } = await busWith(silent, 'REJECTED EXTERNAL')
    await expect(connectBus(path)).rejects.toThrow('REJECTED')
  })

  it('is refused where nobody listens', async () => {
    await expect(connectBus(join(tmpdir(), 'no-such-bus'))).rejects.toThrow()
  })

  it('tells when a tray host comes and goes, and when the bus does', async () => {
    let owned = false
    const { path, signal, drop } = await busWith((member) =>
      member === 'NameHasOwner' ? ['b', [owned]] : member === 'Get' ? ['v', [new Variant('b', true)]] : undefined,
    )
    const bus: SessionBus = await connectBus(path)
    const host = await watchBus(bus)
    const changes: boolean[] = []
    const next = (): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting = resolve
      return promise
    }
    let waiting: () => void = () => {}
    host.onChange((visible) => {
      changes.push(visible)
      waiting()
    })
    expect(host.visible()).toBe(false)
    for (const state of [true, false, true]) {
      owned = state
      const changed = next()
      signal('NameOwnerChanged')
      await changed
    }
    const gone = next()
    drop()
    await gone
    expect(changes).toEqual([true, false, true, false])
    host.stop()
  })

  it('calls that were open when the bus went are refused', async () => {
    const { path, drop } = await busWith(silent)
    const bus = await connectBus(path)
    const call = bus.call({ destination: 'a.b', path: '/', interface: 'a.b', member: 'Silent' })
    drop()
    await expect(call).rejects.toThrow('gone')
  })
})
