// HTTP status → the `type` word of an error body, per dialect (docs/resilience.md, "Error bodies").

export function openAiErrorType(status: number): string {
  switch (status) {
    case 401:
      return 'authentication_error'
    case 402:
      return 'billing_error'
    case 403:
      return 'permission_error'
    case 429:
      return 'rate_limit_error'
    default:
      return status >= 500 ? 'server_error' : 'invalid_request_error'
  }
}

export function anthropicErrorType(status: number): string {
  switch (status) {
    case 401:
      return 'authentication_error'
    case 402:
      return 'billing_error'
    case 403:
      return 'permission_error'
    case 404:
      return 'not_found_error'
    case 413:
      return 'request_too_large'
    case 429:
      return 'rate_limit_error'
    case 503:
    case 529:
      return 'overloaded_error'
    case 504:
      return 'timeout_error'
    default:
      return status >= 500 ? 'api_error' : 'invalid_request_error'
  }
}

/** The HTTP status an error type inside a 200 stream stands for. */
export function statusOfErrorType(type: string): number {
  switch (type) {
    case 'authentication_error':
      return 401
    case 'billing_error':
    case 'insufficient_quota':
      return 402
    case 'permission_error':
      return 403
    case 'not_found_error':
      return 404
    case 'request_too_large':
      return 413
    case 'rate_limit_error':
    case 'rate_limit_exceeded':
      return 429
    case 'overloaded_error':
      return 529
    case 'timeout_error':
      return 504
    case 'invalid_request_error':
      return 400
    default:
      return 502
  }
}
