// What every dialect says about one of our own errors besides its message, in the same words.
import type { GatewayError } from '../errors'

export function errorMembers({ details }: GatewayError): object {
  const { retryAfterS, resetAt, members, diagnostics } = details
  return {
    ...(retryAfterS === undefined ? {} : { retry_after: retryAfterS }),
    ...(resetAt === undefined ? {} : { reset_at: resetAt }),
    ...members,
    ...(diagnostics === undefined ? {} : { diagnostics }),
  }
}
