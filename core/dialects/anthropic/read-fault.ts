// The HTTP status that an error inside a stream stands for.
import { statusOfErrorType } from '../error-type'
import { isObject, textOf } from '../json'

/** `error`: the object of that name. Some servers add the number itself, as `status` or `code`. */
export function faultStatus(error: unknown): number {
  if (!isObject(error)) return 502
  const number = [error.status, error.code].map(Number).find((value) => value >= 400 && value <= 599)
  return number ?? statusOfErrorType(textOf(error.type) ?? '')
}
