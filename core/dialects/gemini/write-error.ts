// Errors in Google's shape, written: google.rpc.Status with its usual details, so that Google's own clients find the
// reason and the wait where they look for them.
import type { GatewayError } from '../../errors'
import { errorMembers } from '../error-members'

export function errorObject(error: GatewayError, requestId: string): object {
  const { field, retryAfterS } = error.details
  const details: object[] = [
    { '@type': `${TYPE}ErrorInfo`, reason: error.code, domain: 'breakwater', metadata: { requestId } },
  ]
  if (field !== undefined) {
    details.push({ '@type': `${TYPE}BadRequest`, fieldViolations: [{ field, description: error.message }] })
  }
  if (retryAfterS !== undefined) details.push({ '@type': `${TYPE}RetryInfo`, retryDelay: `${retryAfterS}s` })
  return {
    error: {
      code: error.httpStatus,
      message: error.message,
      status: statusWord(error.httpStatus),
      details,
      ...errorMembers(error),
    },
  }
}

const TYPE = 'type.googleapis.com/google.rpc.'

/** google.rpc.Code of an HTTP status. */
function statusWord(status: number): string {
  switch (status) {
    case 401:
      return 'UNAUTHENTICATED'
    case 402:
      return 'FAILED_PRECONDITION'
    case 403:
      return 'PERMISSION_DENIED'
    case 404:
      return 'NOT_FOUND'
    case 429:
      return 'RESOURCE_EXHAUSTED'
    case 499:
      return 'CANCELLED'
    case 501:
      return 'UNIMPLEMENTED'
    case 503:
    case 529:
      return 'UNAVAILABLE'
    case 504:
      return 'DEADLINE_EXCEEDED'
    default:
      return status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT'
  }
}
