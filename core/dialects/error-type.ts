// HTTP status → the `type` word of an error body, per dialect (docs/resilience.md, "Error bodies").
import type { GatewayError } from '../errors'

export function openAiErrorType({ code, httpStatus }: Pick<GatewayError, 'code' | 'httpStatus'>): string {
  // A word of the wire that other gateways' clients know.
  if (code === 'all_targets_cooling_down') return 'service_unavailable'
  switch (httpStatus) {
    case 401:
      return 'authentication_error'
    case 402:
      return 'billing_error'
    case 403:
      return 'permission_error'
    case 429:
      return 'rate_limit_error'
    default:
      return httpStatus >= 500 ? 'server_error' : 'invalid_request_error'
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

/** The HTTP status an error type or code inside a 200 stream stands for. Words of all dialects; 502 for unknown ones. */
export const statusOfErrorType = (type: string): number => STATUS_OF_WORD.get(type.toLowerCase()) ?? 502

const STATUS_OF_WORD: ReadonlyMap<string, number> = new Map([
  ['authentication_error', 401],
  ['invalid_api_key', 401],
  ['unauthenticated', 401],
  ['billing_error', 402],
  ['insufficient_quota', 402],
  ['billing_not_active', 402],
  ['permission_error', 403],
  ['permission_denied', 403],
  ['not_found_error', 404],
  ['model_not_found', 404],
  ['not_found', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['rate_limit_exceeded', 429],
  ['usage_limit_reached', 429],
  ['resource_exhausted', 429],
  ['invalid_request_error', 400],
  ['context_length_exceeded', 400],
  ['invalid_prompt', 400],
  ['invalid_argument', 400],
  ['failed_precondition', 400],
  ['internal', 500],
  ['server_is_overloaded', 503],
  ['slow_down', 503],
  ['unavailable', 503],
  ['timeout_error', 504],
  ['deadline_exceeded', 504],
  ['overloaded_error', 529],
])
