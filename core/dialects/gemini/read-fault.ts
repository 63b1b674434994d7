// Errors in Google's shape, read: { error: { code, message, status, details } }.
import type { JsonObject } from '../canonical'
import { statusOfErrorType } from '../error-type'
import { isObject } from '../json'

export interface Fault {
  /** The HTTP status the error stands for. */
  readonly status: number
  readonly text: string
}

/** null where the answer holds no error. */
export function faultIn(answer: JsonObject): Fault | null {
  const { error } = answer
  if (error === undefined || error === null || error === '') return null
  const text = JSON.stringify({ error })
  if (!isObject(error)) return { status: 502, text }
  const code = Number(error.code)
  if (code >= 400 && code <= 599) return { status: code, text }
  return { status: typeof error.status === 'string' ? statusOfErrorType(error.status) : 502, text }
}
