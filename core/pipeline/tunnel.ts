// Sockets that lead through a proxy: HTTP CONNECT over a plain or a TLS socket, or SOCKS5. What fails before the tunnel
// stands is a ProxyError; from then on the socket is the provider's, TLS included.
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { buildConnector } from 'undici'
import { basicCredentials, type ProxyAddress } from './proxy-address'
import { ProxyError } from './proxy-error'
import { openSocksTunnel } from './socks5'

export interface TunnelOptions {
  /** For the proxy to accept, for it to open the tunnel, and for TLS inside: each. */
  readonly timeout: number
  readonly ca?: string[]
}

/** undici's connect function for everything that goes through this proxy. */
export function tunnelConnector(proxy: ProxyAddress, options: TunnelOptions): buildConnector.connector {
  const toProxy = buildConnector({ ...options })
  const secure = buildConnector({ ...options })
  const { label, host, port, scheme } = proxy
  const protocol = scheme === 'https' ? 'https:' : 'http:'
  return (target, callback) => {
    toProxy({ hostname: host, host, protocol, port: String(port) }, (refused, socket) => {
      if (refused !== null) return callback(proxyError(label, refused), null)
      openTunnel(socket, proxy, target, options.timeout).then(
        () => {
          if (target.protocol === 'https:') secure({ ...target, httpSocket: socket }, callback)
          else callback(null, socket)
        },
        (error: Error) => {
          socket.destroy()
          callback(proxyError(label, error), null)
        },
      )
    })
  }
}

function proxyError(label: string, error: Error): ProxyError {
  if (error instanceof ProxyError) return error
  const { code = error.name } = error as NodeJS.ErrnoException
  return new ProxyError(label, codeOf(code), { cause: error })
}

function codeOf(code: string): string {
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'PROXY_TIMEOUT'
  // On some codes undici tries again by itself, for ever. They must not be those of a proxy's failure.
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'PROXY_CERTIFICATE'
  if (code.startsWith('UND_ERR_')) return 'ECONNRESET'
  // What cannot be read is not HTTP; nor is what answers TLS with something else.
  return code.startsWith('HPE_') || code === 'ERR_SSL_WRONG_VERSION_NUMBER' ? 'PROXY_PROTOCOL' : code
}

async function openTunnel(
  socket: Socket,
  proxy: ProxyAddress,
  target: buildConnector.Options,
  timeoutMs: number,
): Promise<void> {
  const port = target.port === '' ? (target.protocol === 'https:' ? 443 : 80) : Number(target.port)
  const expire = (): void => void socket.destroy(new ProxyError(proxy.label, 'PROXY_TIMEOUT'))
  socket.setTimeout(timeoutMs, expire)
  if (proxy.scheme === 'socks5') await openSocksTunnel(socket, proxy, target.hostname, port)
  else await openHttpTunnel(socket, proxy, target.hostname, port)
  socket.setTimeout(0).off('timeout', expire)
}

/** RFC 9110, 9.3.6. */
function openHttpTunnel(socket: Socket, proxy: ProxyAddress, hostname: string, port: number): Promise<void> {
  const { username, password, label } = proxy
  const authority = `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`
  const named = username !== '' || password !== ''
  const headers = {
    host: authority,
    'proxy-connection': 'keep-alive',
    ...(named ? { 'proxy-authorization': `Basic ${basicCredentials(username, password)}` } : {}),
  }
  return new Promise((resolve, reject) => {
    const asked = request({ method: 'CONNECT', path: authority, headers, createConnection: () => socket })
    asked.removeHeader('connection')
    asked.on('connect', ({ statusCode = 0 }, _socket, head) => {
      if (statusCode < 200 || statusCode > 299) return reject(new ProxyError(label, `PROXY_${statusCode}`))
      if (head.length > 0) socket.unshift(head)
      resolve()
    })
    // Only to something else than CONNECT would a proxy answer so.
    asked.on('response', () => reject(new ProxyError(label, 'PROXY_PROTOCOL')))
    asked.on('error', reject)
    asked.end()
  })
}
