// Proxies on this machine: HTTP CONNECT, over TLS too, and SOCKS5. They note whom they were asked for and with which
// credentials, and lead every tunnel to one place; or they fail in a way that a test chooses.
import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TEST_CERTIFICATE, TEST_KEY } from './test-certificate'

export interface Asked {
  /** `host:port` */
  readonly target: string
  /** `user:password`; null: none were given. */
  readonly credentials: string | null
}

/** `close`: hangs up at once; `hang`: says nothing; `text`: says something of another protocol. */
export type Fault = 'close' | 'hang' | 'text'

export interface FakeProxyOptions {
  readonly kind: 'http' | 'https' | 'socks5'
  /** `user:password` without which nobody is let through. */
  readonly wants?: string
  /** A status for CONNECT, a reply code of SOCKS5, or no answer of the protocol. */
  readonly fails?: number | Fault
}

export interface FakeProxy {
  /** `scheme://host:port` */
  readonly label: string
  /** The same with a user name and password. */
  with(credentials: string): string
  readonly asked: Asked[]
  /** Tunnels that are open now. */
  readonly open: ReadonlySet<Duplex>
  close(): void
}

/** @param toPort where every tunnel leads, on this machine */
export async function startFakeProxy(toPort: number, options: FakeProxyOptions): Promise<FakeProxy> {
  const asked: Asked[] = []
  const open = new Set<Duplex>()
  const all = new Set<Duplex>()
  const tunnel = (socket: Duplex, ready: () => void): void => {
    const onward = connect(toPort, '127.0.0.1', () => {
      ready()
      open.add(socket)
      socket.pipe(onward).pipe(socket)
    })
    socket.on('close', () => {
      open.delete(socket)
      onward.destroy()
    })
    onward.on('close', () => socket.destroy())
    for (const one of [socket, onward]) one.on('error', () => {})
  }
  const server = options.kind === 'socks5' ? socksServer(options, asked, tunnel) : httpServer(options, asked, tunnel)
  server.on('connection', (socket: Socket) => {
    all.add(socket)
    socket.on('error', () => {})
    if (options.fails === 'close') socket.destroy()
    if (options.fails === 'text') socket.end('220 mail.example ESMTP ready\r\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const at = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    label: `${options.kind}://${at}`,
    with: (credentials) => `${options.kind}://${credentials.split(':').map(encodeURIComponent).join(':')}@${at}`,
    asked,
    open,
    close() {
      server.close()
      for (const socket of all) socket.destroy()
    },
  }
}

type Tunnel = (socket: Duplex, ready: () => void) => void

function httpServer({ kind, wants, fails }: FakeProxyOptions, asked: Asked[], tunnel: Tunnel): Server {
  const server = kind === 'https' ? createHttpsServer({ cert: TEST_CERTIFICATE, key: TEST_KEY }) : createHttpServer()
  server.on('request', (_request, response) => response.writeHead(501).end())
  server.on('clientError', (_error, socket) => socket.destroy())
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    const credentials = basic(request.headers['proxy-authorization'])
    asked.push({ target: request.url ?? '', credentials })
    if (typeof fails === 'string') return
    const status = fails ?? (wants === undefined || wants === credentials ? 200 : 407)
    if (status === 200) return tunnel(socket, () => socket.write('HTTP/1.1 200 Connection Established\r\n\r\n'))
    socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 2\r\n\r\nno`)
  })
  return server
}

const basic = (header: string | undefined): string | null =>
  header === undefined ? null : Buffer.from(header.replace(/^Basic /, ''), 'base64').toString('utf8')

function socksServer({ wants, fails }: FakeProxyOptions, asked: Asked[], tunnel: Tunnel): Server {
  return createServer((socket) => {
    if (typeof fails === 'string') return
    void serveSocks(socket, wants, fails ?? 0, asked, tunnel).catch(() => socket.destroy())
  })
}

async function serveSocks(
  socket: Socket,
  wants: string | undefined,
  reply: number,
  asked: Asked[],
  tunnel: Tunnel,
): Promise<void> {
  const read = reader(socket)
  const [, count = 0] = await read(2)
  const methods = await read(count)
  const method = wants === undefined ? 0 : 2
  if (!methods.includes(method)) return void socket.end(Buffer.from([5, 255]))
  socket.write(Buffer.from([5, method]))
  let credentials: string | null = null
  if (method === 2) {
    const [, userLength = 0] = await read(2)
    const user = await read(userLength)
    const [passwordLength = 0] = await read(1)
    credentials = `${user}:${await read(passwordLength)}`
    socket.write(Buffer.from([1, credentials === wants ? 0 : 1]))
    if (credentials !== wants) return void socket.end()
  }
  const [, , , kind] = await read(4)
  const host = kind === 3 ? String(await read((await read(1))[0] ?? 0)) : (await read(kind === 4 ? 16 : 4)).join('.')
  const port = (await read(2)).readUInt16BE()
  asked.push({ target: `${host}:${port}`, credentials })
  // The address it went out by, as a name: clients must not count on four bytes.
  const answer = Buffer.concat([Buffer.from([5, reply, 0, 3, 4]), Buffer.from('exit'), Buffer.from([0, 80])])
  if (reply !== 0) return void socket.end(answer)
  socket.pause()
  tunnel(socket, () => socket.write(answer))
}

function reader(socket: Socket): (length: number) => Promise<Buffer> {
  return async (length) => {
    for (;;) {
      const bytes: Buffer | null = length === 0 ? Buffer.alloc(0) : socket.read(length)
      if (bytes !== null) return bytes
      await once(socket, 'readable')
      if (socket.readableEnded) throw new Error('it left')
    }
  }
}
