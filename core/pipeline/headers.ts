// Which headers travel. Up: an allow-list, so that the client's key, cookies and session headers never leave. Down:
// all but those that describe the connection, the coding of the body, or the upstream's own site.
import type { IncomingHttpHeaders } from 'node:http'
import type { DialectModule } from '../dialects/dialect'
import type { Endpoint } from '../providers/registry'

/** RFC 9110 7.6.1, and what describes bytes we pass on differently. */
const NOT_DOWN = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
  'content-encoding',
  'set-cookie',
  'set-cookie2',
  'alt-svc',
  'strict-transport-security',
  'content-security-policy',
  'report-to',
  'nel',
  'server',
  'via',
  'date',
  'vary',
  'x-request-id',
])

export function upstreamHeaders(
  client: IncomingHttpHeaders,
  dialect: DialectModule,
  endpoint: Endpoint,
  length: number,
): string[] {
  const headers = [...endpoint.headers, 'content-length', String(length)]
  for (const name of dialect.forwardHeaders) {
    const value = client[name]
    if (typeof value === 'string') headers.push(name, value)
  }
  for (const [name, value] of dialect.defaultHeaders) {
    if (client[name] === undefined) headers.push(name, value)
  }
  return headers
}

export type UpstreamHeaders = Record<string, string | string[] | undefined>

export function downstreamHeaders(upstream: UpstreamHeaders): string[] {
  const dropped = connectionNamed(upstream.connection)
  const headers: string[] = []
  for (const name in upstream) {
    if (
      NOT_DOWN.has(name) ||
      name.startsWith('access-control-') ||
      name.startsWith('x-breakwater-') ||
      dropped?.has(name)
    )
      continue
    const value = upstream[name]
    if (value === undefined) continue
    for (const one of typeof value === 'string' ? [value] : value) headers.push(name, one)
  }
  return headers
}

/** Headers named in Connection are hop-by-hop too. */
function connectionNamed(value: string | string[] | undefined): Set<string> | null {
  if (value === undefined || value === 'keep-alive' || value === 'close') return null
  return new Set(
    String(value)
      .toLowerCase()
      .split(/\s*,\s*/),
  )
}

/** Text that may stand in a header whatever a client or upstream put into it. */
export const headerSafe = (text: string): string =>
  /^[ -~]*$/.test(text) ? text : encodeURIComponent(text.toWellFormed()).replaceAll('%2F', '/').replaceAll('%20', ' ')

/** As rules read them: the first value of each. */
export function plainHeaders(headers: UpstreamHeaders): Record<string, string> {
  const plain: Record<string, string> = {}
  for (const name in headers) {
    const value = headerText(headers[name])
    if (value !== undefined) plain[name] = value
  }
  return plain
}

export const headerText = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value
