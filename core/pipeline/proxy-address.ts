// The address of a proxy as people write it, with or without a user name and password. What of it may be shown is the
// label; the rest stays in memory.
import { badInput } from '../errors'

export interface ProxyAddress {
  readonly scheme: 'http' | 'https' | 'socks5'
  /** A name or an IP address, IPv6 without brackets. */
  readonly host: string
  readonly port: number
  /** Empty: none. */
  readonly username: string
  readonly password: string
  /** `scheme://host:port`: all of it that may be shown. */
  readonly label: string
  /** The whole address in one spelling: what is sealed, and by which two are the same. A secret. */
  readonly url: string
}

/** `socks5h` is curl's word for names that the proxy resolves, `socks` that of some desktops. They always are here. */
const SCHEMES: Readonly<Record<string, { readonly scheme: ProxyAddress['scheme']; readonly port: number }>> = {
  'http:': { scheme: 'http', port: 80 },
  'https:': { scheme: 'https', port: 443 },
  'socks5:': { scheme: 'socks5', port: 1080 },
  'socks5h:': { scheme: 'socks5', port: 1080 },
  'socks:': { scheme: 'socks5', port: 1080 },
}
/** RFC 1929 counts them in one byte. */
const SOCKS_MAX_BYTES = 255

/**
 * Without a scheme it is an HTTP proxy, as for curl. A missing port is the scheme's own (80, 443, 1080).
 * @throws GatewayError 400 naming `field`; its text never holds what was given
 */
export function parseProxy(raw: string, field = 'proxy'): ProxyAddress {
  const text = raw.trim()
  const url = urlOf(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`, field)
  const kind = SCHEMES[url.protocol]
  if (kind === undefined) throw badInput(field, 'must begin with http://, https:// or socks5://.')
  if (!/^([a-z0-9._-]+|\[[0-9a-f:.]+\])$/i.test(url.hostname)) throw badInput(field, EXAMPLE)
  if ((url.pathname !== '' && url.pathname !== '/') || url.search !== '' || url.hash !== '') {
    throw badInput(field, 'must end after the port. Write special characters of a password as %XX: "@" as %40.')
  }
  const [username, password] = [plain(url.username, field), plain(url.password, field)]
  const longest = Math.max(Buffer.byteLength(username), Buffer.byteLength(password))
  if (kind.scheme === 'socks5' && longest > SOCKS_MAX_BYTES) {
    throw badInput(field, `must have a user name and password of at most ${SOCKS_MAX_BYTES} bytes each.`)
  }
  const port = url.port === '' ? kind.port : Number(url.port)
  if (port === 0) throw badInput(field, 'must have a port from 1 to 65535.')
  const at = `${url.hostname.toLowerCase()}:${port}`
  const who =
    username === '' && password === '' ? '' : `${encodeURIComponent(username)}:${encodeURIComponent(password)}@`
  return {
    scheme: kind.scheme,
    host: url.hostname.toLowerCase().replace(/^\[|\]$/g, ''),
    port,
    username,
    password,
    label: `${kind.scheme}://${at}`,
    url: `${kind.scheme}://${who}${at}`,
  }
}

/**
 * What of it must never be written: the password, and every text that holds it. A user name without one is taken for a
 * key: some proxies want theirs so.
 */
export function secretsOf({ username, password, url }: ProxyAddress): string[] {
  const secret = password === '' ? username : password
  return secret === '' ? [] : [secret, url, basicCredentials(username, password)]
}

/** RFC 7617, in UTF-8. */
export const basicCredentials = (username: string, password: string): string =>
  Buffer.from(`${username}:${password}`).toString('base64')

const EXAMPLE = 'must be an address such as http://proxy.example:3128 or socks5://user:password@127.0.0.1:1080.'

function urlOf(text: string, field: string): URL {
  try {
    return new URL(text)
  } catch {
    throw badInput(field, EXAMPLE)
  }
}

function plain(encoded: string, field: string): string {
  try {
    const text = decodeURIComponent(encoded)
    if (!text.isWellFormed()) throw new URIError('not well formed')
    return text
  } catch {
    throw badInput(field, 'must have a user name and password whose "%" are written as %25.')
  }
}
