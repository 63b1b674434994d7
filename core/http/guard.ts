// Who may speak to a loopback port at all. Only the Host check sees DNS rebinding, only the Origin check sees a
// plain cross-site call: both come before any routing.
import type { IncomingHttpHeaders } from 'node:http'
import { GatewayError } from '../errors'

const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d*)?$/i

export interface GuardSettings {
  readonly allowedHosts: readonly string[]
  readonly allowedOrigins: readonly string[]
}

/** @throws GatewayError 403 */
export function checkCaller(headers: IncomingHttpHeaders, { allowedHosts, allowedOrigins }: GuardSettings): void {
  if (!LOOPBACK.test(headers.host ?? '') && !isAllowed(hostName(headers.host), allowedHosts)) {
    throw new GatewayError(
      'host_not_allowed',
      403,
      'The gateway answers only to 127.0.0.1, localhost and [::1]. Add other names under "Extra host names" in Settings.',
    )
  }
  const { origin } = headers
  if (origin !== undefined && !isAllowed(origin, allowedOrigins)) {
    throw new GatewayError(
      'origin_not_allowed',
      403,
      'Web pages may not use the gateway. Add the page’s origin under "Web pages allowed to call" in Settings.',
    )
  }
}

const isAllowed = (name: string, among: readonly string[]): boolean =>
  among.some((allowed) => allowed.toLowerCase() === name)

function hostName(host: string | undefined): string {
  const text = (host ?? '').toLowerCase()
  return text.startsWith('[') ? text.replace(/:\d+$/, '') : (text.split(':', 1)[0] as string)
}

export const preflightHeaders = (origin: string): string[] => [
  'access-control-allow-origin',
  origin,
  'vary',
  'origin',
  'access-control-allow-methods',
  'GET, POST, PUT, PATCH, DELETE, OPTIONS',
  'access-control-allow-headers',
  'authorization, content-type, x-api-key, x-goog-api-key, anthropic-version, anthropic-beta',
  'access-control-max-age',
  '600',
]
