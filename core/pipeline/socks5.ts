// The client's side of SOCKS5 (RFC 1928, RFC 1929), as far as a tunnel needs it: greeting, user name and password,
// CONNECT. Host names are resolved by the proxy.
import { isIP, isIPv4, type Socket } from 'node:net'
import type { ProxyAddress } from './proxy-address'
import { ProxyError } from './proxy-error'

const VERSION = 5
const NO_AUTH = 0
const PASSWORD = 2
const NONE_ACCEPTED = 255
const ADDRESS_BYTES: Readonly<Record<number, number>> = { 1: 4, 4: 16 }
const NAME = 3
const MAX_NAME_BYTES = 255

/** Leaves the socket as the open tunnel. @throws ProxyError, or the socket's own error */
export async function openSocksTunnel(socket: Socket, proxy: ProxyAddress, host: string, port: number): Promise<void> {
  const failed = (code: string): ProxyError => new ProxyError(proxy.label, code)
  const read = async (length: number): Promise<Buffer> => {
    const bytes = await readBytes(socket, length)
    if (bytes === null) throw failed('ECONNRESET')
    return bytes
  }
  const named = proxy.username !== '' || proxy.password !== ''
  socket.write(Buffer.from(named ? [VERSION, 2, NO_AUTH, PASSWORD] : [VERSION, 1, NO_AUTH]))
  const [version, method] = await read(2)
  if (version !== VERSION) throw failed('PROXY_PROTOCOL')
  if (method === PASSWORD && named) {
    socket.write(Buffer.concat([Buffer.from([1]), counted(proxy.username), counted(proxy.password)]))
    const [, status] = await read(2)
    if (status !== 0) throw failed('SOCKS_AUTH')
  } else if (method !== NO_AUTH) {
    throw failed(method === NONE_ACCEPTED || method === PASSWORD ? 'SOCKS_AUTH' : 'PROXY_PROTOCOL')
  }
  const to = addressOf(host)
  if (to === null) throw failed('SOCKS_NAME')
  socket.write(Buffer.concat([Buffer.from([VERSION, 1, 0]), to, Buffer.from([port >> 8, port & 255])]))
  const [again, reply, , kind = 0] = await read(4)
  if (again !== VERSION) throw failed('PROXY_PROTOCOL')
  if (reply !== 0) throw failed(`SOCKS_${reply}`)
  // The address it went out by; nobody needs it.
  const length = kind === NAME ? ((await read(1))[0] ?? 0) : ADDRESS_BYTES[kind]
  if (length === undefined) throw failed('PROXY_PROTOCOL')
  await read(length + 2)
}

const counted = (text: string): Buffer => {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from([bytes.length]), bytes])
}

/** null: too long a name. */
function addressOf(host: string): Buffer | null {
  if (isIPv4(host)) return Buffer.from([1, ...host.split('.').map(Number)])
  if (isIP(host) === 6) return Buffer.from([4, ...bytesOfIPv6(host)])
  const name = Buffer.from(host)
  return name.length > MAX_NAME_BYTES ? null : Buffer.concat([Buffer.from([NAME]), counted(host)])
}

/** As a URL spells it: in hexadecimal groups, at most one `::`. */
function bytesOfIPv6(host: string): number[] {
  const [front = '', back] = host.split('::')
  const groups = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
  const [first, last] = [groups(front), groups(back ?? '')]
  const zeros = new Array<number>(8 - first.length - last.length).fill(0)
  return [...first, ...zeros, ...last].flatMap((group) => [group >> 8, group & 255])
}

/** Exactly so many, so that nothing of what follows is taken; null: the other side closed before. */
function readBytes(socket: Socket, length: number): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const done = (): void => {
      socket.off('readable', look).off('end', ended).off('close', ended).off('error', broken)
    }
    const look = (): void => {
      const bytes: Buffer | null = socket.read(length)
      if (bytes === null) return
      done()
      resolve(bytes.length === length ? bytes : null)
    }
    const ended = (): void => {
      done()
      resolve(null)
    }
    const broken = (error: Error): void => {
      done()
      reject(error)
    }
    // It may have ended while nobody listened.
    if (socket.destroyed || socket.readableEnded) return resolve(null)
    socket.on('readable', look).on('end', ended).on('close', ended).on('error', broken)
    look()
  })
}
