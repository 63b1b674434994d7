// Who may manage the gateway: a client key with the scope `manage`, in a header, from anywhere, this machine included.
// What nobody has classified under /api needs it too, so that a new path is closed until someone opens it.
import { GatewayError } from '../errors'
import type { ClientKey } from './client-keys'
import type { EndpointRoute } from './router'

export type Access = EndpointRoute['access']

/** Of a canonical path, in which a client's `/api/v1/…` has become `/v1/…`. */
export const isManagementPath = (path: string): boolean => path.startsWith('/api/') || path === '/api'

/** What a request needs, decided before anything is told of whether its path is there. */
export function accessOf(found: EndpointRoute | 'wrong-method' | null, path: string): Access {
  if (found !== null && found !== 'wrong-method') return found.access
  return isManagementPath(path) ? 'manage' : 'key'
}

/** @throws GatewayError 403 */
export function checkScope(key: ClientKey | null): void {
  if (key?.scopes.includes('manage') === true) return
  throw new GatewayError(
    'permission_denied',
    403,
    'This client key may send requests, but not manage the gateway. Use one with the scope "manage": make it in the window under Keys, or with --new-key NAME --scope manage.',
  )
}

export const missingManageKey = (): GatewayError =>
  new GatewayError(
    'missing_api_key',
    401,
    'Managing the gateway needs a client key with the scope "manage", sent as "Authorization: Bearer …". A key in the address does not count.',
  )
