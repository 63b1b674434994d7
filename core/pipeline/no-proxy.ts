// Which hosts are reached without a proxy: NO_PROXY as curl reads it, and ports behind the names, as others do. Pure.
import { BlockList, isIP } from 'node:net'

export type NoProxy = readonly Entry[]

type Entry = { readonly port: number | null } & (
  | { readonly kind: 'all' }
  /** Without a dot in front; lower case. */
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'addresses'; readonly list: BlockList }
)

/** Separated by commas or spaces. What is no host is left out. */
export const parseNoProxy = (text: string): NoProxy =>
  text
    .split(/[\s,]+/)
    .map(entryOf)
    .filter((entry) => entry !== null)

/**
 * Whether this host is reached without a proxy. `example.com`, `.example.com` and `*.example.com` each mean that host
 * and all below it, `10.0.0.0/8` a network, `*` all; a port behind it means that port only.
 * @param hostname as in a URL: IPv6 in brackets
 */
export function bypasses(entries: NoProxy, hostname: string, port: number): boolean {
  if (entries.length === 0) return false
  const host = withoutLastDot(hostname.replace(/^\[|\]$/g, '').toLowerCase())
  const family = isIP(host)
  return entries.some((entry) => (entry.port === null || entry.port === port) && covers(entry, host, family))
}

function covers(entry: Entry, host: string, family: number): boolean {
  switch (entry.kind) {
    case 'all':
      return true
    case 'name':
      return family === 0 && (host === entry.name || host.endsWith(`.${entry.name}`))
    case 'addresses':
      return family !== 0 && entry.list.check(host, family === 6 ? 'ipv6' : 'ipv4')
  }
}

function entryOf(text: string): Entry | null {
  const [host, port] = splitPort(text.toLowerCase())
  if (host === '*') return { kind: 'all', port }
  const list = addressesOf(host)
  if (list !== null) return { kind: 'addresses', list, port }
  const name = withoutLastDot(host.replace(/^\*?\./, ''))
  return name === '' ? null : { kind: 'name', name, port }
}

/** An IPv6 address has colons of its own: its port stands behind brackets. */
function splitPort(text: string): [string, number | null] {
  const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(text) ?? []
  const host = bracketed ?? plain
  if (host === undefined) return [text, null]
  return [host, port === undefined ? null : Number(port)]
}

function addressesOf(text: string): BlockList | null {
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0) return null
  const list = new BlockList()
  const kind = family === 6 ? 'ipv6' : 'ipv4'
  if (bits === undefined) {
    list.addAddress(address, kind)
    return list
  }
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > (family === 6 ? 128 : 32)) return null
  list.addSubnet(address, Number(bits), kind)
  return list
}

const withoutLastDot = (host: string): string => host.replace(/\.$/, '')
