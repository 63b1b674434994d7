// A failure told inside a 200 answer of OpenAI Chat, in the forms compatible servers give it.
import type { JsonObject } from '../canonical'
import { statusOfErrorType } from '../error-type'
import { isObject } from '../json'

export interface Fault {
  /** The HTTP status it stands for. */
  readonly status: number
  /** The error object as JSON. */
  readonly text: string
}

/** Finish reasons that say that the answer failed, and the status each stands for. */
const FAILED_ENDS: ReadonlyMap<unknown, number> = new Map([
  ['error', 502],
  ['network_error', 502],
  ['malformed_function_call', 502],
  ['insufficient_system_resource', 503],
])

/** What `chunk`, or a whole answer, says of a failure; null when it tells of none. */
export function readFault(event: string | undefined, chunk: JsonObject): Fault | null {
  if (isGiven(chunk.error)) return faultOf(chunk.error)
  // vLLM and Mistral send the error's members at the top.
  if (chunk.object === 'error' || (event === 'error' && chunk.choices === undefined)) return faultOf(chunk)
  if (!Array.isArray(chunk.choices)) return null
  for (const choice of chunk.choices) {
    if (!isObject(choice)) continue
    if (isGiven(choice.error)) return faultOf(choice.error)
    const reason = choice.finish_reason
    const status = typeof reason === 'string' ? FAILED_ENDS.get(reason.toLowerCase()) : undefined
    if (status === undefined) continue
    return { status, text: JSON.stringify({ error: { message: `The model stopped with the reason "${reason}".` } }) }
  }
  return null
}

const isGiven = (error: unknown): boolean => error !== undefined && error !== null && error !== ''

function faultOf(error: unknown): Fault {
  const text = JSON.stringify({ error })
  if (!isObject(error)) return { status: 502, text }
  const { code, type, status } = error
  for (const number of [code, status]) {
    const value = Number(number)
    if (value >= 400 && value <= 599) return { status: value, text }
  }
  const word = [code, type, status].find((value) => typeof value === 'string' && statusOfErrorType(value) !== 502)
  return { status: statusOfErrorType(String(word)), text }
}
