// Errors on the Responses wire, both ways. A failure inside an open stream is one `response.failed` event: Codex reads
// nothing else, and the official SDKs throw on its top-level `error`.
import type { GatewayError } from '../../errors'
import { errorMembers } from '../error-members'
import { openAiErrorType, statusOfErrorType } from '../error-type'
import { isObject } from '../json'

export const errorBody = (error: GatewayError, requestId: string): string =>
  JSON.stringify({ error: errorFields(error, requestId) })

export function streamError(error: GatewayError, requestId: string): string {
  const response = {
    id: responseIdOf(requestId),
    object: 'response',
    status: 'failed',
    error: { code: failureCode(error), message: error.message },
    incomplete_details: null,
    output: [],
  }
  // The number is not known here; clients that demand one only check that it is there.
  const data = { type: 'response.failed', sequence_number: 0, response, error: errorFields(error, requestId) }
  return `event: response.failed\ndata: ${JSON.stringify(data)}\n\n`
}

/** The id of the answer to one request of the gateway. */
export const responseIdOf = (requestId: string): string => `resp_${requestId.replace(/^req_|\W/g, '')}`

function errorFields(error: GatewayError, requestId: string): object {
  const { field } = error.details
  return {
    message: error.message,
    type: openAiErrorType(error),
    code: error.code,
    param: field ?? null,
    ...errorMembers(error),
    request_id: requestId,
  }
}

/** Codes that clients act on, whatever the status. */
const TELLING_CODES = new Set(['context_length_exceeded', 'insufficient_quota'])

/** `response.error.code` is a closed list; Codex decides by it whether to try again. */
function failureCode({ code, httpStatus }: GatewayError): string {
  if (TELLING_CODES.has(code)) return code
  if (httpStatus === 429) return 'rate_limit_exceeded'
  return httpStatus >= 500 ? 'server_error' : 'invalid_prompt'
}

export interface Fault {
  readonly kind: 'fault'
  readonly status: number
  readonly text: string
}

/** Codes beyond the words all dialects share. */
const REQUEST_FAULTS =
  /^(invalid_|image_|unsupported_image|empty_image|failed_to_download_image|bio_policy|cyber_policy)/

/** What an error object, or an `error` event itself, stands for. */
export function faultOf(error: unknown): Fault {
  const text = JSON.stringify({ error })
  if (!isObject(error)) return { kind: 'fault', status: 502, text }
  for (const number of [error.code, error.status, error.status_code]) {
    const value = Number(number)
    if (value >= 400 && value <= 599) return { kind: 'fault', status: value, text }
  }
  const words = [error.code, error.type].filter((word) => typeof word === 'string')
  const known = words.find((word) => statusOfErrorType(word) !== 502)
  if (known !== undefined) return { kind: 'fault', status: statusOfErrorType(known), text }
  return { kind: 'fault', status: words.some((word) => REQUEST_FAULTS.test(word)) ? 400 : 502, text }
}
