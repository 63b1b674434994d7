// What a refused management call is told: the standard body, whatever dialect the caller's headers smell of.
import type { ChangeIssue } from '../../contract/resilience-merge'
import { openAiErrorType } from '../../dialects/error-type'
import { GatewayError } from '../../errors'

/** Input of which several things are wrong at once. */
export class InputRefusedError extends GatewayError {
  constructor(readonly issues: readonly ChangeIssue[]) {
    const [first] = issues
    const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
    const { field = '', message = 'cannot be used' } = first ?? {}
    super('bad_input', 400, `${sentence(field, message)}${more}`, field === '' ? {} : { field })
  }
}

const sentence = (field: string, message: string): string => (field === '' ? message : `${field}: ${message}`)

/** `{"error": {message, type, code}}`, with `details: [{field, message}]` where the input is at fault. */
export function managementErrorBody(error: GatewayError, redact = (text: string) => text): string {
  const { message, code } = error
  const { retryAfterS } = error.details
  const details = detailsOf(error)
  const body = {
    message: redact(message),
    type: openAiErrorType(error),
    code,
    ...(details.length === 0
      ? {}
      : { details: details.map((issue) => ({ field: issue.field, message: redact(issue.message) })) }),
    ...(retryAfterS === undefined ? {} : { retry_after: retryAfterS }),
  }
  return JSON.stringify({ error: body })
}

function detailsOf(error: GatewayError): readonly ChangeIssue[] {
  if ('issues' in error && Array.isArray(error.issues)) return error.issues as ChangeIssue[]
  const { field } = error.details
  if (error.httpStatus !== 400 || field === undefined) return []
  const named = `${field}: `
  return [{ field, message: error.message.startsWith(named) ? error.message.slice(named.length) : error.message }]
}
