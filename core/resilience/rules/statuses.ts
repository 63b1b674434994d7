// What a status means when nothing in the answer says otherwise. The last rule: it always finds something.
import type { Finding, Rule } from './rule'

const BY_STATUS: Readonly<Record<number, Finding>> = {
  401: { reason: 'auth_error' },
  402: { reason: 'credits_exhausted' },
  403: { reason: 'forbidden' },
  // Without a word about a model it is the route: the same for all connections of the provider.
  404: { reason: 'not_found', next: 'next-target' },
  407: { reason: 'network_error', scope: 'egress' },
  408: { reason: 'timeout' },
  410: { reason: 'not_found', scope: 'model', lasting: 'absent' },
  413: { reason: 'context_overflow' },
  420: { reason: 'rate_limit_exceeded' },
  429: { reason: 'rate_limit_exceeded' },
  // "Invalid token", as some write it.
  498: { reason: 'auth_error' },
  // The upstream's own client gave up, which was not ours.
  499: { reason: 'server_error' },
  529: { reason: 'model_capacity' },
}

export const statusAlone: Rule = {
  id: 'status',
  find({ status }) {
    const known = BY_STATUS[status]
    if (known !== undefined) return known
    return { reason: status >= 400 && status < 500 ? 'bad_request' : 'server_error' }
  },
}
